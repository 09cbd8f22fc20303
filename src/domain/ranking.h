#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace willitrun {

/// A model as one of the Hub's lists showed it.
struct RankedModel {
  std::string id;
  std::string task;  ///< The Hub's pipeline tag; empty when the list names none.
  std::string library;
  std::string license;
  std::vector<std::string>
      formats;  ///< Kinds of weight files: `safetensors`, `gguf`, ...; empty when the list does not tell.
  std::optional<std::int64_t> downloads;  ///< In the 30 days before the list was taken.
  std::optional<std::int64_t> likes;
  std::optional<double> trending_score;
  std::optional<std::int64_t> parameters;  ///< Logical count, as the Hub read it from the weight files.
  bool gated = false;
  bool removed = false;                        ///< No longer on the Hub when the list was taken.
  bool local = false;                          ///< From a local mirror: not a model of the Hub, never published.
  std::optional<std::int32_t> downloads_rank;  ///< Place in its task's list by downloads, from 1.
  std::optional<std::int32_t> trending_rank;   ///< Place in its task's list by trending score, from 1.

  bool operator==(const RankedModel&) const = default;
};

/// One list of models with the moment that its figures are of.
struct Listing {
  std::string source;  ///< Where it came from: a file's name or the Hub's address.
  Time taken_at;
  std::vector<RankedModel> models;
};

}  // namespace willitrun
