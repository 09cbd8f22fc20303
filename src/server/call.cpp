#include "server/call.h"

#include <fmt/format.h>

namespace willitrun {
namespace {

/// No version or target that there is comes near; openapi.json tells the same limit.
constexpr std::size_t kMaxNameBytes = 60;

}  // namespace

std::string Call::model_id() const { return parts[0] == "-" ? parts[1] : parts[0] + "/" + parts[1]; }

Result<StackFilter> Call::stack_filter() const {
  StackFilter filter;
  for (const auto& [name, field] : {std::pair("target", &filter.target), std::pair("neuronx_cc", &filter.neuronx_cc),
                                    std::pair("transformers", &filter.transformers)}) {
    const std::string_view value = parameter(name);
    if (value.size() > kMaxNameBytes)
      return fail(Code::InvalidArgument,
                  fmt::format("the parameter '{}' is longer than {} bytes", name, kMaxNameBytes));
    if (!value.empty()) *field = value;
  }
  return filter;
}

Response json_response(std::string json) { return text_response("application/json", std::move(json)); }

Response text_response(std::string_view content_type, std::string text) {
  Response response;
  response.set("Content-Type", std::string(content_type));
  response.body = Body(std::move(text));
  return response;
}

}  // namespace willitrun
