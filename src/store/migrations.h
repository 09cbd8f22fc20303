#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "store/database.h"

namespace willitrun {

/// One step that brings a journal to a newer form. Names are never changed, and steps are only ever added at the end.
struct Migration {
  std::string_view name;
  std::string_view sql;
};

/// All steps from an empty file on, in order.
std::span<const Migration> migrations();

/// Applies the steps that the file lacks, all or none. InvalidArgument when it has steps that this program does not
/// know, naming the newest: a newer program wrote it.
Status migrate(Database& database, Time now);

}  // namespace willitrun
