#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "domain/ranking.h"
#include "hub/hub.h"
#include "os/clock.h"

namespace willitrun {

/// Reads ranked lists from a file or a folder: files named `<source>_<task>_<date>.tsv` or
/// `<source>_models_<date>.jsonl`, and the `listing.jsonl` of a local mirror (dated by when it was written). Other
/// files are passed over. NotFound when there is no list at all.
Result<std::vector<Listing>> read_local_listings(const std::filesystem::path& path);

/// Asks the Hub for the first `limit` models of each task by downloads and by trending score.
Result<Listing> read_hub_listing(Hub& hub, const std::vector<std::string>& tasks, int limit, const Clock& clock);

}  // namespace willitrun
