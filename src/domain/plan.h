#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "domain/enum_text.h"

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

/// Why a plan is what it is. The same codes serve as reasons (the plan failed) and as notes (worth knowing).
enum class PlanCode {
  BadHeader,
  NotSafetensors,
  IndexMismatch,
  Gated,
  NotFound,
  Network,
  BadConfig,
  UnknownModelType,
  RemoteCode,
  NoPlan,
  HeadsNotDivisible,
  ExpertsNotDivisible,
  VocabNotDivisible,
  TooLarge,
  QuantUnsupported,
  QuantDequantised,
  TiedHeadInFile,
  TiedMismatch,
  GhostTensor,
  MissingShard,
  UnusedShard,
  StrayWeights,
  DuplicateTensor,
  UnsafePath,
  DeclaredTotalWrong,
  ConfigDisagrees,
  Tokenizer,
  StaticCache,
  UnsupportedTask,
  NoWeights,
};

constexpr auto enum_names(std::type_identity<PlanCode>) {
  using enum PlanCode;
  return std::to_array<EnumName<PlanCode>>({
      {BadHeader, "bad_header"},
      {NotSafetensors, "not_safetensors"},
      {IndexMismatch, "index_mismatch"},
      {Gated, "gated"},
      {NotFound, "not_found"},
      {Network, "network"},
      {BadConfig, "bad_config"},
      {UnknownModelType, "unknown_model_type"},
      {RemoteCode, "remote_code"},
      {NoPlan, "no_plan"},
      {HeadsNotDivisible, "heads_not_divisible"},
      {ExpertsNotDivisible, "experts_not_divisible"},
      {VocabNotDivisible, "vocab_not_divisible"},
      {TooLarge, "too_large"},
      {QuantUnsupported, "quant_unsupported"},
      {QuantDequantised, "quant_dequantised"},
      {TiedHeadInFile, "tied_head_in_file"},
      {TiedMismatch, "tied_mismatch"},
      {GhostTensor, "ghost_tensor"},
      {MissingShard, "missing_shard"},
      {UnusedShard, "unused_shard"},
      {StrayWeights, "stray_weights"},
      {DuplicateTensor, "duplicate_tensor"},
      {UnsafePath, "unsafe_path"},
      {DeclaredTotalWrong, "declared_total_wrong"},
      {ConfigDisagrees, "config_disagrees"},
      {Tokenizer, "tokenizer"},
      {StaticCache, "static_cache"},
      {UnsupportedTask, "unsupported_task"},
      {NoWeights, "no_weights"},
  });
}

/// A code with its explanation in words.
struct PlanNote {
  PlanCode code;
  std::string message;
};

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
  std::uint64_t per_core = 0;  ///< Parameter bytes of the fullest core; 0 when the count does not divide.
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
