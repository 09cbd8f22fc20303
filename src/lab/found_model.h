#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "checkpoint/model_files.h"
#include "domain/model_ref.h"
#include "hub/hub.h"

namespace willitrun {

/// A model that was found: what it is called, at which state, and a way to read its files.
struct FoundModel {
  std::string id;        ///< Hub id, or the folder's absolute path.
  std::string revision;  ///< Commit; empty for a folder.
  std::string identity;  ///< Equal only for equal content: id and commit, or a digest of the folder's listing.
  bool is_folder = false;
  bool is_local = false;           ///< A folder, or a model of a local mirror: its rows are never published.
  ModelInfo info;                  ///< Empty for a folder.
  std::vector<HubFile> hub_files;  ///< Empty for a folder.
  std::unique_ptr<ModelFiles> files;
};

/// Finds a model on the Hub or in a folder. Errors as Hub's; NotFound for a folder that is not there.
Result<FoundModel> find_model(Hub& hub, const ModelRef& model);

}  // namespace willitrun
