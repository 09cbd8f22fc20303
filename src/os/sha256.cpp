#include "os/sha256.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "base/check.h"
#include "base/hex.h"
#include "os/file.h"
#include "os/file_descriptor.h"

namespace willitrun {

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  CHECK(state_->context && EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish() {
  std::array<std::uint8_t, 32> digest = {};
  CHECK(EVP_DigestFinal_ex(state_->context.get(), digest.data(), nullptr) == 1);
  return to_hex(digest);
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.finish();
}

Result<std::string> sha256_file(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail(errno_error("cannot open", path));
  Sha256 digest;
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
