#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace willitrun {

/// The program python/local_hub serving a mirror folder on this machine, for one test or suite; ended at the end. It
/// obeys
/// `/_control/` (python/local_hub/faults.py).
class LocalHub {
 public:
  /// `source` is the project's folder. Returns once the server answers.
  LocalHub(const std::filesystem::path& source, const std::filesystem::path& mirror);
  ~LocalHub();
  LocalHub(const LocalHub&) = delete;
  LocalHub& operator=(const LocalHub&) = delete;

  /// For HF_ENDPOINT: `http://127.0.0.1:PORT`.
  const std::string& address() const { return address_; }

 private:
  pid_t process_ = -1;
  std::string address_;
};

}  // namespace willitrun
