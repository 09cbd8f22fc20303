#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace willitrun {

enum class DigestKind {
  Sha1,  ///< Only where git's object ids are checked.
  Sha256,
};

/// Computes a digest piece by piece (OpenSSL's libcrypto).
class Digest {
 public:
  explicit Digest(DigestKind kind);
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  void update(std::string_view bytes);

  /// Returns the digest in hexadecimal digits. The object takes no more bytes after that.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace willitrun
