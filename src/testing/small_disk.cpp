#include "testing/small_disk.h"

#include <sched.h>
#include <sys/mount.h>

#include <string>

namespace willitrun {

bool mount_small_disk(const std::filesystem::path& folder, std::uint64_t size_bytes) {
  // A user of its own namespace may mount; root may without one.
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  const std::string options = "size=" + std::to_string(size_bytes);
  return ::mount("tmpfs", folder.c_str(), "tmpfs", 0, options.c_str()) == 0;
}

}  // namespace willitrun
