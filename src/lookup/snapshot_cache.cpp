#include "lookup/snapshot_cache.h"

#include <fmt/format.h>

#include "lookup/column.h"
#include "lookup/snapshot_builder.h"
#include "lookup/snapshot_file.h"
#include "os/file.h"
#include "os/mapped_file.h"
#include "os/sha256.h"

namespace willitrun {
namespace {

/// Maps a whole file that was made from `state`. Corruption or InvalidArgument: it is none of ours.
Result<std::shared_ptr<const LookupSnapshot>> map_snapshot(const std::filesystem::path& path, std::string_view state) {
  ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::open(path));
  const auto file = std::make_shared<const MappedFile>(std::move(mapped));
  ASSIGN_OR_RETURN(const SnapshotFileReader reader, SnapshotFileReader::open(file->bytes()));
  if (reader.state() != state) return fail(Code::NotFound, "the snapshot file was made from something else");
  RETURN_IF_ERROR(reader.verify());
  return LookupSnapshot::open(file, file->bytes());
}

}  // namespace

std::string snapshot_state(std::string_view made_from) {
  std::string text = fmt::format("snapshot {}\n", kSnapshotVersion);
  for (const RowColumn& column : row_columns())
    if (is_kept_in_snapshot(column)) text += fmt::format("{} {}\n", column.name, static_cast<int>(column.type));
  return sha256_hex(text.append(made_from));
}

Result<std::shared_ptr<const LookupSnapshot>> open_or_make_snapshot(const std::filesystem::path& path,
                                                                    std::string_view state, const MakeSnapshot& make) {
  if (auto mapped = map_snapshot(path, state)) return mapped;
  ASSIGN_OR_RETURN(std::string bytes, make(state));
  // The answer does not depend on the file: it only saves the next one work.
  (void)write_file_atomically(path, bytes);
  return open_snapshot(std::move(bytes));
}

}  // namespace willitrun
