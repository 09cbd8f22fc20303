#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// Where everything that willitrun keeps lies. Layout: docs/formats/home.md.
struct Home {
  std::filesystem::path root;

  std::filesystem::path journal() const { return root / "journal.sqlite"; }
  /// What lookups are answered from, made out of the journal.
  std::filesystem::path snapshot() const { return root / "lookup.snapshot"; }
  std::filesystem::path dataset() const { return root / "dataset"; }  ///< Parquet files, one folder per target.
  std::filesystem::path models() const { return root / "models"; }    ///< The mirror: model files by id and revision.
  /// CPU reference runs, by digest of their inputs.
  std::filesystem::path references() const { return root / "references"; }
  std::filesystem::path packages() const { return root / "packages"; }  ///< Python packages that models asked for.
  std::filesystem::path graphs() const { return root / "neff"; }        ///< Compiled graphs, one folder per neuronx-cc.
  std::filesystem::path attempts() const { return root / "attempts"; }  ///< Scripts, reports and logs, by attempt id.
};

/// Opens the home, making the folder when it is missing: `option` if not empty, else WILLITRUN_HOME, else
/// $XDG_DATA_HOME/willitrun, else ~/.local/share/willitrun. Refuses a home written by a newer version (its `version`
/// file).
Result<Home> open_home(std::string_view option);

/// Returns the value of an environment variable, or an empty text.
std::string environment_variable(const char* name);

/// The format version that this program writes into a home's `version` file.
constexpr int kHomeVersion = 1;

}  // namespace willitrun
