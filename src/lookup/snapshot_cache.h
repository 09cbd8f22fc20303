#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lookup/snapshot.h"

namespace willitrun {

/// Makes the content of a snapshot's file, which then says that it was made from `state`.
using MakeSnapshot = std::function<Result<std::string>(std::string_view state)>;

/// Digest of a text that names everything a snapshot is made from, together with what this program keeps in one: the
/// state of its file.
std::string snapshot_state(std::string_view made_from);

/// Maps the snapshot file at `path` when it was made from `state` and is whole: no row is read then. Else makes it and
/// puts it there in one step: whoever has the old file mapped goes on reading it. A file that is cut, damaged, of
/// another version or no snapshot at all is made again like one that is not there; one that cannot be written (a full
/// disk, a folder of somebody else's) costs the next lookup the same work and is no error.
Result<std::shared_ptr<const LookupSnapshot>> open_or_make_snapshot(const std::filesystem::path& path,
                                                                    std::string_view state, const MakeSnapshot& make);

}  // namespace willitrun
