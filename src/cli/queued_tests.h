#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/campaign.h"
#include "store/journal.h"

namespace willitrun {

/// The models that people asked to have tested on the target and wait, next first. `transformers` is the version that
/// the lab was told; empty, it takes requests without a version: the target's default is what they ask for.
Result<std::vector<CampaignModel>> queued_models(Journal& journal, std::string_view target,
                                                 std::string_view transformers);

/// Marks the requests that a verdict answers as done. One that says nothing about the model answers none.
Status close_requests(Journal& journal, const Row& verdict, std::string_view transformers);

}  // namespace willitrun
