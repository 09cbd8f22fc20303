#pragma once

#include <string>
#include <vector>

#include "server/site.h"

namespace willitrun {

/// A file of a static site: where it lies, and the request whose answer it holds.
struct PlannedFile {
  std::string path;             ///< From the site's root.
  std::string target;           ///< Of the request.
  bool may_be_missing = false;  ///< NotFound means that there is no such file.
};

/// The comparisons that a static site holds: the newest stacks of each target, older before newer.
WrittenSite plan_comparisons(const LookupSnapshot& snapshot);

/// Every file of a static site but those of the page build and of the dataset (docs/formats/site.md).
std::vector<PlannedFile> plan_files(const Site& site);

}  // namespace willitrun
