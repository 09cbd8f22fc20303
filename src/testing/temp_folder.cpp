#include "testing/temp_folder.h"

#include <stdlib.h>

#include <string>

#include "base/check.h"

namespace willitrun {

TempFolder::TempFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "willitrun-test-XXXXXX").string();
  CHECK(::mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TempFolder::~TempFolder() {
  std::error_code ignored;  // A test's own failure is what counts, not what it left behind.
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace willitrun
