#include "os/rebuildable_file.h"

#include "os/file.h"
#include "os/temporary_file.h"

namespace willitrun {

Status write_rebuildable_file(const std::filesystem::path& path, std::string_view content) {
  if (path.has_parent_path()) RETURN_IF_ERROR(make_folder(path.parent_path()));
  ASSIGN_OR_RETURN(TemporaryFile temporary, TemporaryFile::create_beside(path));
  RETURN_IF_ERROR(temporary.write(content));
  return temporary.rename_soon(path);
}

}  // namespace willitrun
