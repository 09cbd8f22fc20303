#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "domain/enum_text.h"

namespace willitrun {

/// The 22 element types of safetensors 0.8, named as its headers name them.
enum class Dtype {
  Bool,
  F4,
  F6E2M3,
  F6E3M2,
  U8,
  I8,
  F8E5M2,
  F8E4M3,
  F8E8M0,
  F8E4M3Fnuz,
  F8E5M2Fnuz,
  I16,
  U16,
  F16,
  BF16,
  I32,
  U32,
  F32,
  C64,
  F64,
  I64,
  U64,
};

constexpr auto enum_names(std::type_identity<Dtype>) {
  using enum Dtype;
  return std::to_array<EnumName<Dtype>>({
      {Bool, "BOOL"},
      {F4, "F4"},
      {F6E2M3, "F6_E2M3"},
      {F6E3M2, "F6_E3M2"},
      {U8, "U8"},
      {I8, "I8"},
      {F8E5M2, "F8_E5M2"},
      {F8E4M3, "F8_E4M3"},
      {F8E8M0, "F8_E8M0"},
      {F8E4M3Fnuz, "F8_E4M3FNUZ"},
      {F8E5M2Fnuz, "F8_E5M2FNUZ"},
      {I16, "I16"},
      {U16, "U16"},
      {F16, "F16"},
      {BF16, "BF16"},
      {I32, "I32"},
      {U32, "U32"},
      {F32, "F32"},
      {C64, "C64"},
      {F64, "F64"},
      {I64, "I64"},
      {U64, "U64"},
  });
}

/// Bits of one element.
unsigned bits_of(Dtype dtype);

/// Tells whether elements are floating-point numbers, of any width.
bool is_floating(Dtype dtype);

/// Tells whether elements are floating-point numbers of 8 bits or fewer, which only quantised checkpoints hold.
bool is_small_float(Dtype dtype);

/// Reads PyTorch's name of a dtype (`bfloat16`, `torch.float16`, `float`); nothing when it names none of ours.
std::optional<Dtype> dtype_from_torch(std::string_view name);

/// Returns PyTorch's name of a dtype: `bfloat16`.
std::string_view torch_name(Dtype dtype);

}  // namespace willitrun
