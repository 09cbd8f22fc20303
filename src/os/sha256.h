#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// Computes a SHA-256 digest piece by piece (OpenSSL's libcrypto).
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::string_view bytes);

  /// Returns the digest as 64 hexadecimal digits. The object takes no more bytes after that.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Digest of `bytes` as 64 hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

/// Digest of a file's content, read in pieces.
Result<std::string> sha256_file(const std::filesystem::path& path);

}  // namespace willitrun
