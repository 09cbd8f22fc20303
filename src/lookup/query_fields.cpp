#include "lookup/query_fields.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lookup/column.h"

namespace willitrun {
namespace {

constexpr std::array<std::string_view, 9> kVersions = {"neuronx_cc", "library_version", "transformers",
                                                       "accelerate", "torch_neuronx",   "torch",
                                                       "nki",        "python",          "neuron_driver"};
constexpr std::array<std::string_view, 5> kTexts = {"signature", "notes", "exclusion", "neuron_cc_flags", "cpu_match"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kAliases = {{{"neuronx_cc", "cc"},
                                                                                    {"transformers", "tf"},
                                                                                    {"signature", "sig"},
                                                                                    {"tp", "neuron_cores"},
                                                                                    {"model_type", "arch"}}};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

FieldKind kind_of(const RowColumn& column) {
  switch (column.type) {
    case ColumnType::Bool: return FieldKind::Flag;
    case ColumnType::Timestamp: return FieldKind::Moment;
    case ColumnType::String: break;
    default: return FieldKind::Number;
  }
  if (contains(kVersions, column.name)) return FieldKind::Version;
  return contains(kTexts, column.name) ? FieldKind::Text : FieldKind::Word;
}

std::string alias_of(std::string_view name) {
  const auto found = std::ranges::find(kAliases, name, [](const auto& pair) { return pair.first; });
  return found == kAliases.end() ? "" : std::string(found->second);
}

std::vector<QueryField> make_fields() {
  using enum FieldKind;
  constexpr FieldOwner kModel = FieldOwner::Model;
  std::vector<QueryField> fields = {
      {"model", "id", Text, kModel, "Hub id of the model."},
      {"owner", "org", Word, kModel, "The part of the id before the slash."},
      {"task", "", Word, kModel, "The Hub's pipeline tag."},
      {"license", "", Word, kModel, "Licence, as the Hub's list names it."},
      {"downloads", "", Number, kModel, "Downloads in the last 30 days, by the newest ranking."},
      {"likes", "", Number, kModel, "Likes, by the newest ranking."},
      {"parameters", "params", Number, kModel, "Number of parameters, as the Hub read it from the weight files."},
      {"trending_score", "", Number, kModel, "The Hub's trending score."},
      {"downloads_rank", "", Number, kModel, "Place in the task's list by downloads, from 1."},
      {"trending_rank", "", Number, kModel, "Place in the task's list by trending score, from 1."},
      {"selected_rank", "", Number, kModel, "Place in the selection, from 1."},
      {"gated", "", Flag, kModel, "The Hub asks for an agreement before files can be had."},
      {"removed", "", Flag, kModel, "No longer on the Hub."},
      {"local", "", Flag, kModel, "From a local folder or mirror."},
      {"exclusion", "", Text, kModel, "Why the model is deliberately not tested."},
      {"verdict", "", Word, FieldOwner::Verdict,
       "PASS, FAIL, TOO_LARGE, EXCLUDED, UNTESTED, FLAKY, INDETERMINATE, or the word of another system."},
  };
  for (const RowColumn& column : row_columns()) {
    const bool is_known = std::ranges::find(fields, column.name, &QueryField::name) != fields.end();
    if (is_known || !is_kept_in_snapshot(column)) continue;
    fields.push_back({std::string(column.name), alias_of(column.name), kind_of(column), FieldOwner::Result,
                      std::string(column.meaning)});
  }
  return fields;
}

/// Number of single-letter changes from one word to the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const QueryField> query_fields() {
  static const std::vector<QueryField> fields = make_fields();
  return fields;
}

const QueryField* find_query_field(std::string_view name) {
  const std::string wanted = to_lower(name);
  for (const QueryField& field : query_fields())
    if (field.name == wanted || (!field.alias.empty() && field.alias == wanted)) return &field;
  return nullptr;
}

std::string similar_field(std::string_view name) {
  if (name.size() > 32) return {};
  const std::string wanted = to_lower(name);
  std::string best;
  std::size_t best_distance = 3;  // more changes than two and it is another word
  for (const QueryField& field : query_fields()) {
    for (const std::string& candidate : {field.name, field.alias}) {
      if (candidate.empty()) continue;
      const std::size_t changes = distance(wanted, candidate);
      if (changes < best_distance && changes < candidate.size()) {
        best_distance = changes;
        best = candidate;
      }
    }
  }
  return best;
}

}  // namespace willitrun
