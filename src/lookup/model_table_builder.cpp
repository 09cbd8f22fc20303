#include "lookup/model_table_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "search/name_index_builder.h"

namespace willitrun {
namespace {

template <class T>
T value_or_absent(const std::optional<T>& value) {
  return value.value_or(absent_number<T>());
}

std::vector<ModelNumber> sorted_by_id(const std::vector<std::string_view>& ids) {
  std::vector<ModelNumber> numbers(ids.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::ranges::sort(numbers, {}, [&](ModelNumber model) { return ids[model]; });
  return numbers;
}

}  // namespace

ModelTableBuilder::ModelTableBuilder(std::size_t num_models)
    : selected_rank_(num_models, absent_number<std::int32_t>()),
      gated_(num_models),
      removed_(num_models),
      local_(num_models),
      ranked_(num_models),
      exclusions_(num_models, nullptr) {}

void ModelTableBuilder::add(const RankedModel& model, bool ranked) {
  const std::size_t number = ids_.size();
  ids_.emplace_back(model.id);
  task_.add(model.task);
  library_.add(model.library);
  license_.add(model.license);
  downloads_.push_back(value_or_absent(model.downloads));
  likes_.push_back(value_or_absent(model.likes));
  parameters_.push_back(value_or_absent(model.parameters));
  trending_score_.push_back(value_or_absent(model.trending_score));
  downloads_rank_.push_back(value_or_absent(model.downloads_rank));
  trending_rank_.push_back(value_or_absent(model.trending_rank));
  if (model.gated) gated_.set(number);
  if (model.removed) removed_.set(number);
  if (model.local) local_.set(number);
  if (ranked) ranked_.set(number);
}

Status ModelTableBuilder::write(SnapshotFileWriter& writer) && {
  ASSIGN_OR_RETURN(std::string names, build_name_index(ids_));
  writer.add("names", std::move(names));
  writer.add("models_by_id.u32", sorted_by_id(ids_));
  TextColumnBuilder exclusion, exclusion_kind;
  for (const Exclusion* found : exclusions_) {
    exclusion.add(found == nullptr ? "" : std::string_view(found->reason));
    exclusion_kind.add(found == nullptr ? "" : to_text(found->kind));
  }
  for (const auto& [name, column] :
       {std::pair("task", &task_), std::pair("library", &library_), std::pair("license", &license_),
        std::pair("exclusion", &exclusion), std::pair("exclusion_kind", &exclusion_kind)})
    std::move(*column).write(writer, fmt::format("model.{}", name), nullptr);
  for (const auto& [name, column] :
       {std::pair("downloads", &downloads_), std::pair("likes", &likes_), std::pair("parameters", &parameters_)})
    writer.add(fmt::format("model.{}.i64", name), std::move(*column));
  for (const auto& [name, column] :
       {std::pair("downloads_rank", &downloads_rank_), std::pair("trending_rank", &trending_rank_),
        std::pair("selected_rank", &selected_rank_)})
    writer.add(fmt::format("model.{}.i32", name), std::move(*column));
  writer.add("model.trending_score.f64", std::move(trending_score_));
  for (const auto& [name, bits] : {std::pair("gated", &gated_), std::pair("removed", &removed_),
                                   std::pair("local", &local_), std::pair("ranked", &ranked_)})
    writer.add(fmt::format("model.{}.bits", name), std::vector(bits->words().begin(), bits->words().end()));
  return {};
}

}  // namespace willitrun
