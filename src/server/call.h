#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lookup/view.h"
#include "server/address.h"
#include "server/http_message.h"
#include "server/site.h"

namespace willitrun {

/// A request that found its route: what the functions that answer API routes get.
struct Call {
  const Request& request;
  const Address& address;
  const Site& site;
  std::vector<std::string> parts;  ///< What the pattern's `{}` stand for, in their order.

  const LookupSnapshot& snapshot() const { return *site.content.snapshot; }
  std::string_view parameter(std::string_view name) const { return address.value(name); }

  /// The id of the model that the first two parts name: `-` stands for no owner.
  std::string model_id() const;

  /// Target and versions that the query chooses. InvalidArgument for a text that is too long to be any.
  Result<StackFilter> stack_filter() const;
};

/// Answers with a JSON document.
Response json_response(std::string json);

/// Answers with another kind of text.
Response text_response(std::string_view content_type, std::string text);

}  // namespace willitrun
