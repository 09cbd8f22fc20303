#include "os/digest.h"

#include <openssl/evp.h>

#include <array>

#include "base/check.h"
#include "base/hex.h"

namespace willitrun {

struct Digest::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Digest::Digest(DigestKind kind) : state_(std::make_unique<State>()) {
  const EVP_MD* algorithm = kind == DigestKind::Sha1 ? EVP_sha1() : EVP_sha256();
  CHECK(state_->context && EVP_DigestInit_ex(state_->context.get(), algorithm, nullptr) == 1);
}

Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::update(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Digest::finish() {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest = {};
  unsigned int size = 0;
  CHECK(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size) == 1);
  return to_hex({digest.data(), size});
}

}  // namespace willitrun
