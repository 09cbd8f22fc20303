#include "selection/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>

#include "base/text.h"

namespace willitrun {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

bool is_within(const std::optional<std::int32_t>& rank, std::int32_t top) { return rank && *rank <= top; }

std::string place_text(const RankedModel& model) {
  std::vector<std::string> places;
  if (model.downloads_rank) places.push_back(fmt::format("place {} by downloads", *model.downloads_rank));
  if (model.trending_rank) places.push_back(fmt::format("place {} by trending score", *model.trending_rank));
  return places.empty() ? "no place in a list" : join(places, ", ");
}

/// Why the model cannot be in, or nothing.
std::optional<std::string> obstacle(const RankedModel& model, const SelectionRule& rule) {
  if (model.removed) return "no longer on the Hub";
  if (!contains(rule.tasks, model.task))
    return model.task.empty() ? "its task is not known" : fmt::format("its task is '{}'", model.task);
  if (!model.library.empty() && !contains(rule.libraries, model.library))
    return fmt::format("its library is '{}'", model.library);
  const bool has_format =
      std::ranges::any_of(model.formats, [&](const auto& format) { return contains(rule.formats, format); });
  if (!model.formats.empty() && !has_format) return fmt::format("its weights are {} only", join(model.formats, ", "));
  if (rule.max_parameters && model.parameters.value_or(0) > *rule.max_parameters)
    return fmt::format("it has {} parameters, more than {}", *model.parameters, *rule.max_parameters);
  return std::nullopt;
}

Choice choose(const RankedModel& model, const SelectionRule& rule, const Exclusion* exclusion) {
  Choice choice{model, false, "", std::nullopt};
  if (exclusion != nullptr) choice.exclusion = *exclusion;
  const bool near_top =
      is_within(model.downloads_rank, rule.top_downloads) || is_within(model.trending_rank, rule.top_trending);
  if (const auto problem = obstacle(model, rule)) {
    choice.reason = *problem;
  } else if (!near_top) {
    choice.reason =
        fmt::format("{}: not among the first {} and {}", place_text(model), rule.top_downloads, rule.top_trending);
  } else if (exclusion != nullptr) {
    choice.reason = fmt::format("excluded ({}): {}", to_text(exclusion->kind), exclusion->reason);
  } else {
    choice.is_selected = true;
    choice.reason = place_text(model);
  }
  return choice;
}

std::int32_t best_place(const RankedModel& model) {
  return std::min(model.downloads_rank.value_or(INT32_MAX), model.trending_rank.value_or(INT32_MAX));
}

using Rank = std::optional<std::int32_t> RankedModel::*;

/// Numbers the models of each task by a figure, largest first.
template <class Figure>
void number(std::vector<RankedModel>& models, Rank rank, Figure figure) {
  std::map<std::string_view, std::vector<RankedModel*>> by_task;
  for (RankedModel& model : models) {
    model.*rank = std::nullopt;
    if (!model.removed && !model.local && figure(model)) by_task[model.task].push_back(&model);
  }
  for (auto& [task, ranked] : by_task) {
    std::ranges::sort(ranked, [&](const RankedModel* a, const RankedModel* b) {
      return figure(*a) != figure(*b) ? figure(*a) > figure(*b) : a->id < b->id;
    });
    for (std::size_t i = 0; i < ranked.size(); ++i) ranked[i]->*rank = static_cast<std::int32_t>(i + 1);
  }
}

std::optional<double> trending_figure(const RankedModel& model) {
  return model.trending_score.value_or(0) > 0 ? model.trending_score : std::nullopt;
}

}  // namespace

bool names_model(const Exclusion& exclusion, std::string_view model_id) {
  return matches_wildcard(to_lower(exclusion.model), to_lower(model_id));
}

const Exclusion* find_exclusion(const std::vector<Exclusion>& exclusions, std::string_view model_id, Time now) {
  const auto found = std::ranges::find_if(exclusions, [&](const Exclusion& exclusion) {
    return (!exclusion.expires || *exclusion.expires > now) && names_model(exclusion, model_id);
  });
  return found == exclusions.end() ? nullptr : &*found;
}

void rank_models(std::vector<RankedModel>& models) {
  number(models, &RankedModel::downloads_rank, [](const RankedModel& model) { return model.downloads; });
  number(models, &RankedModel::trending_rank, trending_figure);
}

std::vector<Choice> choose_models(const std::vector<RankedModel>& models, const SelectionRule& rule,
                                  const std::vector<Exclusion>& exclusions, Time now) {
  std::vector<Choice> choices;
  for (const RankedModel& model : models)
    choices.push_back(choose(model, rule, find_exclusion(exclusions, model.id, now)));
  std::ranges::stable_sort(choices, {}, [&](const Choice& choice) {
    const auto task = std::ranges::find(rule.tasks, choice.model.task) - rule.tasks.begin();
    return std::tuple(!choice.is_selected, best_place(choice.model), task, choice.model.id);
  });
  return choices;
}

}  // namespace willitrun
