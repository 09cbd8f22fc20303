#include "os/sha256.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "os/digest.h"
#include "os/file.h"
#include "os/file_descriptor.h"

namespace willitrun {

std::string sha256_hex(std::string_view bytes) {
  Digest digest(DigestKind::Sha256);
  digest.update(bytes);
  return digest.finish();
}

Result<std::string> sha256_file(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail(errno_error("cannot open", path));
  Digest digest(DigestKind::Sha256);
  std::vector<char> buffer(1 << 20);
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(errno_error("cannot read", path));
    if (got == 0) return digest.finish();
    digest.update({buffer.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace willitrun
