#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "domain/exclusion.h"
#include "domain/ranking.h"
#include "domain/selection_rule.h"

namespace willitrun {

/// A ranked model with the answer of the rule.
struct Choice {
  RankedModel model;
  bool is_selected = false;
  std::string reason;                  ///< Why it is in or out: `place 3 by downloads`, `excluded (incompatible): ...`.
  std::optional<Exclusion> exclusion;  ///< The one that holds for the model, whether or not it would be selected else.
};

/// Applies the rule and the exclusions to ranked models. Selected ones come first, best place first; then the others in
/// the order of their places. `now` decides which exclusions have expired.
std::vector<Choice> choose_models(const std::vector<RankedModel>& models, const SelectionRule& rule,
                                  const std::vector<Exclusion>& exclusions, Time now);

/// Tells whether the exclusion names the model, upper and lower case being equal as on the Hub.
bool names_model(const Exclusion& exclusion, std::string_view model_id);

/// Returns the first exclusion that names the model and has not expired, or null.
const Exclusion* find_exclusion(const std::vector<Exclusion>& exclusions, std::string_view model_id, Time now);

/// Gives every model its place by downloads and by trending score among those of the same task. Removed and local
/// models and those without the figure (or with a trending score of 0) get none. Equal figures are ordered by id.
void rank_models(std::vector<RankedModel>& models);

}  // namespace willitrun
