#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "domain/enum_text.h"
#include "domain/plan_code.h"

namespace willitrun {

/// How a model is spread over cores.
enum class Mode { Single, Tp, Ep, TpEp };

constexpr auto enum_names(std::type_identity<Mode>) {
  return std::to_array<EnumName<Mode>>(
      {{Mode::Single, "single"}, {Mode::Tp, "tp"}, {Mode::Ep, "ep"}, {Mode::TpEp, "tp_ep"}});
}

enum class PlanStatus {
  Fits,
  TooLarge,     ///< No core count both divides the model and holds it.
  CannotRun,    ///< This version of the library cannot, whatever the size.
  Invalid,      ///< The files are wrong.
  Unavailable,  ///< The files could not be had.
};

constexpr auto enum_names(std::type_identity<PlanStatus>) {
  return std::to_array<EnumName<PlanStatus>>({{PlanStatus::Fits, "fits"},
                                              {PlanStatus::TooLarge, "too_large"},
                                              {PlanStatus::CannotRun, "cannot_run"},
                                              {PlanStatus::Invalid, "invalid"},
                                              {PlanStatus::Unavailable, "unavailable"}});
}

/// Byte counts of a plan. `per_core` is the parameter bytes of the fullest core.
struct PlanBytes {
  std::uint64_t stored = 0;  ///< Bytes of the weight files' tensors.
  std::uint64_t loaded =
      0;  ///< Bytes of the parameters on the device after dequantising, casting, tying once, skipping.
  std::uint64_t buffers = 0;  ///< What the model registers beside its parameters (rotary tables, ...).
  std::uint64_t per_core = 0;
  std::uint64_t kv_cache_per_core = 0;  ///< Static cache for prompt + new tokens.
  std::uint64_t reserve_per_core = 0;
  std::uint64_t capacity_per_core = 0;
};

/// One combination of core count and mode that was considered.
struct PlanOption {
  int cores = 1;
  Mode mode = Mode::Single;
  bool fits = false;
  /// Parameter bytes of the fullest core, as the library would cut them, also where the count does not divide; 0 when
  /// there is no plan for more cores.
  std::uint64_t per_core = 0;
  std::uint64_t kv_cache_per_core = 0;
  std::optional<PlanNote> reason;  ///< Why it was rejected.
};

/// What was planned: the model in one line.
struct PlannedModel {
  std::string id;  ///< Hub id, or the folder's path.
  std::string revision;
  std::string task;  ///< The Hub's pipeline tag: `text-generation`, `image-text-to-text`, ...
  std::string model_type;
  std::vector<std::string> architectures;
};

/// Tokens that the static cache must hold.
struct TokenBudget {
  int prompt_tokens = 64;
  int new_tokens = 32;
};

/// Which cores hold the model, in which mode, with how many bytes each; or the reason why none.
///
/// It fits when per_core + buffers + kv_cache_per_core + reserve_per_core <= capacity_per_core.
struct Plan {
  PlannedModel model;
  std::string target;
  std::string transformers;  ///< Version of the plan table that was used.
  PlanStatus status = PlanStatus::Invalid;
  std::optional<PlanNote> reason;  ///< Set unless status is Fits.
  TokenBudget tokens;
  std::optional<Mode> mode;      ///< Set when status is Fits.
  int cores = 0;                 ///< 0 unless status is Fits.
  std::uint64_t parameters = 0;  ///< Logical count; tied weights once.
  std::string dtype;             ///< PyTorch's name of the dtype that weights are loaded in: `bfloat16`.
  PlanBytes bytes;
  std::vector<PlanOption> options;
  std::vector<PlanNote> notes;
};

}  // namespace willitrun
