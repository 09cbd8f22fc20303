#include "cli/campaign_models.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/selection_files.h"
#include "os/clock.h"
#include "selection/selection.h"

namespace willitrun {
namespace {

Result<CampaignModel> named_model(std::string_view name) {
  ASSIGN_OR_RETURN(ModelRef ref, parse_model_ref(trim(name)));
  return CampaignModel{.request = {.model = std::move(ref)}};
}

Result<std::vector<CampaignModel>> listed(std::string_view names) {
  std::vector<CampaignModel> models;
  for (const std::string_view name : split(names, ',')) {
    ASSIGN_OR_RETURN(models.emplace_back(), named_model(name));
  }
  return models;
}

using Place = std::optional<std::int32_t> RankedModel::*;

Result<std::vector<CampaignModel>> best_placed(Journal& journal, Place place, std::string_view count) {
  const auto limit = parse_uint(count);
  if (!limit) return fail(Code::InvalidArgument, fmt::format("'{}' is not a number of models", count));
  ASSIGN_OR_RETURN(auto ranked, journal.ranked_models());
  std::erase_if(ranked, [&](const RankedModel& model) {
    return !(model.*place) || static_cast<std::uint64_t>(*(model.*place)) > *limit;
  });
  std::ranges::stable_sort(ranked, {}, [&](const RankedModel& model) { return *(model.*place); });
  std::vector<CampaignModel> models;
  for (const RankedModel& model : ranked) {
    ASSIGN_OR_RETURN(models.emplace_back(), named_model(model.id));
  }
  return models;
}

Result<std::vector<CampaignModel>> selected_by(std::string_view rule, Journal& journal) {
  ASSIGN_OR_RETURN(const SelectionFiles files, load_selection_files(rule));
  ASSIGN_OR_RETURN(const auto ranked, journal.ranked_models());
  std::vector<CampaignModel> models;
  for (const Choice& choice : choose_models(ranked, files.rule, files.exclusions, system_clock().now())) {
    if (!choice.is_selected) continue;
    ASSIGN_OR_RETURN(models.emplace_back(), named_model(choice.model.id));
  }
  return models;
}

Result<std::vector<CampaignModel>> choose(std::string_view selection, Journal& journal) {
  const auto after = [&](std::string_view prefix) { return selection.substr(prefix.size()); };
  if (selection.starts_with("list:")) return listed(after("list:"));
  if (selection.starts_with("top:")) return best_placed(journal, &RankedModel::downloads_rank, after("top:"));
  if (selection.starts_with("trending:")) return best_placed(journal, &RankedModel::trending_rank, after("trending:"));
  return selected_by(selection, journal);
}

}  // namespace

Result<std::vector<CampaignModel>> choose_campaign_models(std::string_view selection, Journal& journal) {
  ASSIGN_OR_RETURN(auto models, choose(selection, journal));
  RETURN_IF_ERROR(add_exclusions(models));
  return models;
}

Status add_exclusions(std::vector<CampaignModel>& models) {
  ASSIGN_OR_RETURN(const SelectionFiles files, load_selection_files());
  for (CampaignModel& model : models)
    if (const Exclusion* exclusion = find_exclusion(files.exclusions, model.request.model.id, system_clock().now()))
      model.exclusion = *exclusion;
  return {};
}

}  // namespace willitrun
