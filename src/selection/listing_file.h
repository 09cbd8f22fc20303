#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/ranking.h"

namespace willitrun {

/// What a list's file name says: `<source>_<task>_<date>.tsv` or `<source>_models_<date>.jsonl`.
struct ListingFileName {
  std::string source;
  std::string task;  ///< Empty for a list of all tasks.
  Time date;
};

/// Reads a file name; nothing when it does not have that form.
std::optional<ListingFileName> parse_listing_file_name(std::string_view name);

/// Reads a list with tab-separated columns, named in its first line: at least `id`; known are downloads_30d, likes,
/// trending_score, parameters, library, gated, formats (comma-separated) and license. Corruption names line and column.
Result<std::vector<RankedModel>> parse_tsv_listing(std::string_view tsv, std::string_view task);

/// Reads a list with one JSON object per line, with the Hub's field names (`pipeline_tag`, `downloads`,
/// `trendingScore`, ...; also docs/formats/mirror.md) or those of the radar collection (`downloads_30d`,
/// `trending_score`, ...). Corruption names line and field.
Result<std::vector<RankedModel>> parse_jsonl_listing(std::string_view jsonl);

}  // namespace willitrun
