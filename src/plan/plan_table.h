#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plan/table_records.h"

namespace willitrun {

/// How a style cuts a parameter of some rank: `parts` equal pieces along `dimension`, each cut by itself.
struct Cut {
  int dimension = 0;
  int parts = 1;
  bool rounds_up = true;
};

/// What a quantised checkpoint becomes on a device.
enum class QuantOutcome { Keeps, Dequantises, Cannot, Unknown };

class TableDocument;

/// The facts about one Transformers version, read from plans/transformers-<version>.json. Immutable; cheap to copy.
class PlanTable {
 public:
  static Result<PlanTable> parse(std::string text);

  const std::string& version() const { return version_; }

  /// Tells whether the version knows a configuration class of this type, planned or not.
  bool knows_type(std::string_view type) const;

  /// Records; empty ones for names that the table does not have.
  std::optional<TypeRecord> type(std::string_view name) const;
  std::optional<ClassRecord> model_class(std::string_view name) const;
  std::vector<Transform> conversions(std::string_view name) const;

  /// How `style` cuts a parameter whose last name part is `leaf`; nothing when every rank keeps all of it.
  std::optional<Cut> cut(std::string_view style, std::string_view leaf, std::size_t rank) const;

  /// What becomes of a quantisation method on a device, and in words when it cannot be loaded.
  std::pair<QuantOutcome, std::string> quantiser(std::string_view method, std::string_view device) const;

  /// Tells whether the version has a style of this name. A plan that names another one fails when it is applied.
  bool knows_style(std::string_view style) const;

  bool offers_tp() const;
  bool offers_tp_ep() const;
  /// Whether the ep plan alone can be used by a class that also has a tp plan.
  bool offers_ep_beside_tp_plan() const;

  /// The configuration fields that must divide when a projection of this name is cut by `style`; empty when none.
  std::vector<std::string> head_fields(std::string_view projection, std::string_view style) const;
  /// Whether a cut of this projection cuts the heads of the cache.
  bool cuts_cache(std::string_view projection, std::string_view style) const;
  bool wants_whole_experts(std::string_view style) const;
  bool wants_even_split(std::string_view style) const;

 private:
  explicit PlanTable(std::shared_ptr<const TableDocument> document);

  std::shared_ptr<const TableDocument> document_;
  std::string version_;
};

}  // namespace willitrun
