#include <algorithm>
#include <compare>
#include <variant>

#include "base/check.h"
#include "base/text.h"
#include "domain/version_order.h"
#include "lookup/query_evaluation.h"

namespace willitrun {
namespace {

/// What a model is sorted by: nothing, a number or a text.
using SortValue = std::variant<std::monostate, double, std::string>;

template <class T>
SortValue number_value(T number) {
  return is_present(number) ? SortValue(static_cast<double>(number)) : SortValue();
}

/// Upper and lower case are equal: people look for a name where a dictionary has it.
SortValue text_value(std::string_view text) { return text.empty() ? SortValue() : SortValue(to_lower(text)); }

SortValue value_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return text_value(*text);
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? 1.0 : 0.0;
  if (const auto* number = std::get_if<std::int32_t>(&cell)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<double>(&cell)) return number_value(*number);
  if (const auto* time = std::get_if<Time>(&cell)) return static_cast<double>(time->time_since_epoch().count());
  return {};
}

SortValue model_value(const LookupSnapshot& snapshot, std::string_view field, ModelNumber model) {
  const ModelTable& models = snapshot.models();
  const std::string_view id = snapshot.model_id(model);
  if (field == "model") return text_value(id);
  if (field == "owner") return text_value(id.find('/') == std::string_view::npos ? "" : id.substr(0, id.find('/')));
  if (field == "task") return text_value(models.task.text(model));
  if (field == "license") return text_value(models.license.text(model));
  if (field == "exclusion") return text_value(models.exclusion.text(model));
  if (field == "downloads") return number_value(models.downloads[model]);
  if (field == "likes") return number_value(models.likes[model]);
  if (field == "parameters") return number_value(models.parameters[model]);
  if (field == "trending_score") return number_value(models.trending_score[model]);
  if (field == "downloads_rank") return number_value(models.downloads_rank[model]);
  if (field == "trending_rank") return number_value(models.trending_rank[model]);
  if (field == "selected_rank") return number_value(models.selected_rank[model]);
  if (field == "gated") return models.gated.test(model) ? 1.0 : 0.0;
  if (field == "removed") return models.removed.test(model) ? 1.0 : 0.0;
  CHECK(field == "local");
  return models.local.test(model) ? 1.0 : 0.0;
}

SortValue value_of(const LookupSnapshot& snapshot, const ShownResults& shown, const QueryField& field,
                   ModelNumber model) {
  if (field.owner == FieldOwner::Model) return model_value(snapshot, field.name, model);
  if (field.owner == FieldOwner::Verdict) return text_value(shown_word(snapshot, shown, model));
  const CellNumber cell = shown.cells[model];
  return cell == kNone ? SortValue() : value_of(snapshot.column(field.name)->get(cell));
}

std::weak_ordering compare_present(const SortValue& a, const SortValue& b, FieldKind kind) {
  if (const auto* number = std::get_if<double>(&a)) {
    const double other = std::get<double>(b);
    return *number < other   ? std::weak_ordering::less
           : *number > other ? std::weak_ordering::greater
                             : std::weak_ordering::equivalent;
  }
  const auto& left = std::get<std::string>(a);
  const auto& right = std::get<std::string>(b);
  return kind == FieldKind::Version ? compare_versions(left, right) : left <=> right;
}

/// True when a comes before b by the key.
bool comes_before(const SortValue& a, const SortValue& b, const SortKey& key) {
  const bool a_is_absent = std::holds_alternative<std::monostate>(a);
  const bool b_is_absent = std::holds_alternative<std::monostate>(b);
  if (a_is_absent || b_is_absent) return !a_is_absent && b_is_absent;
  const auto order = compare_present(a, b, key.field->kind);
  return key.descending ? order > 0 : order < 0;
}

}  // namespace

void sort_models(const LookupSnapshot& snapshot, const ShownResults& shown, const std::vector<SortKey>& keys,
                 std::vector<ModelNumber>& models) {
  struct Item {
    SortValue value;
    ModelNumber model;
  };
  // One stable sort per key, the least important first.
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    std::vector<Item> items;
    items.reserve(models.size());
    for (const ModelNumber model : models) items.push_back({value_of(snapshot, shown, *key->field, model), model});
    std::ranges::stable_sort(items, [&](const Item& a, const Item& b) { return comes_before(a.value, b.value, *key); });
    std::ranges::transform(items, models.begin(), &Item::model);
  }
}

}  // namespace willitrun
