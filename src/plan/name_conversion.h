#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plan/model_layout.h"
#include "plan/plan_table.h"

namespace willitrun {

/// What the loader makes of one checkpoint name.
struct Conversion {
  std::string name;                      ///< The name in the model (of the first target, for a converter).
  const Transform* converter = nullptr;  ///< Set when tensors are merged, split or reshaped on the way.
  int source = 0;                        ///< Which of the converter's sources the name matched.
  bool is_registered = false;            ///< The model has a tensor of that name; others are left unread.
};

/// The loader's conversion of checkpoint names for one model: renamings in turn, then at most one converter, then the
/// base model's prefix added or taken away (transformers, core_model_loading.py, rename_source_key).
class NameConversion {
 public:
  NameConversion(const PlanTable& table, const ModelLayout& layout);
  ~NameConversion();
  NameConversion(NameConversion&&) noexcept;

  Conversion convert(const std::string& checkpoint_name) const;

 private:
  struct Compiled;

  void collect(const PlanTable& table);
  std::string with_base_prefix(std::string name) const;

  const ModelLayout& layout_;
  std::vector<Compiled> transforms_;
};

}  // namespace willitrun
