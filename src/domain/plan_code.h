#pragma once

#include <array>
#include <string>
#include <type_traits>

#include "domain/enum_text.h"

namespace willitrun {

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
  UnsizedBuffers,  ///< Buffers whose size is not known are not counted.
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
      {UnsizedBuffers, "unsized_buffers"},
  });
}

/// A code with its explanation in words.
struct PlanNote {
  PlanCode code;
  std::string message;
};

}  // namespace willitrun
