#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "domain/exclusion.h"
#include "domain/row.h"
#include "lab/attempt.h"

namespace willitrun {

/// One entry of a list of models to test.
struct CampaignModel {
  AttemptRequest request;
  std::optional<Exclusion> exclusion;  ///< Set: it is not tested, and recorded as EXCLUDED.
};

/// How a campaign treats its models.
struct CampaignOptions {
  bool force = false;            ///< Run also what has not changed since it was last tested.
  bool install_missing = false;  ///< Install Python packages that a model asks for, and try again.
  int max_attempts = 3;          ///< Tries of a model while nothing is learnt about it.
};

/// What came of one model.
struct CampaignRow {
  Row verdict;
  bool is_unchanged = false;  ///< It was not run again: nothing that the result depends on has changed.
};

/// Tests the models one after another; a failure of one never stops the next. Attempts that died with an earlier
/// process are closed first. `on_row` gets each model's verdict as it comes. Cancelled when the user interrupts: rows
/// that were handed out are complete, and the next campaign goes on from there. Any other error means that the journal
/// cannot be written.
Status run_campaign(const Lab& lab, const Bench& bench, const std::vector<CampaignModel>& models,
                    const CampaignOptions& options, const std::function<void(const CampaignRow&)>& on_row);

}  // namespace willitrun
