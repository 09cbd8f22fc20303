#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/exclusion.h"
#include "lab/campaign.h"
#include "store/journal.h"

namespace willitrun {

/// Chooses the models that a selection names, best place first:
///  - `list:a,b`: these
///  - `top:N`, `trending:N`: the first N of each task by downloads, by trending score
///  - anything else: the models that a rule selects, by the rule's path or name (`selected`)
/// Exclusions that hold go with their models. InvalidArgument for a selection that is none of these.
Result<std::vector<CampaignModel>> choose_campaign_models(std::string_view selection, Journal& journal);

/// Marks the models that selections/exclusions.toml names.
Status add_exclusions(std::vector<CampaignModel>& models);

}  // namespace willitrun
