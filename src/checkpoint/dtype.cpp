#include "checkpoint/dtype.h"

namespace willitrun {
namespace {

struct TorchName {
  Dtype dtype;
  std::string_view name;
};

// PyTorch's names; where two name one dtype, the first is the one that we write.
constexpr auto kTorchNames = std::to_array<TorchName>({
    {Dtype::Bool, "bool"},
    {Dtype::U8, "uint8"},
    {Dtype::I8, "int8"},
    {Dtype::F8E5M2, "float8_e5m2"},
    {Dtype::F8E4M3, "float8_e4m3fn"},
    {Dtype::F8E8M0, "float8_e8m0fnu"},
    {Dtype::F8E4M3Fnuz, "float8_e4m3fnuz"},
    {Dtype::F8E5M2Fnuz, "float8_e5m2fnuz"},
    {Dtype::F4, "float4_e2m1fn_x2"},
    {Dtype::I16, "int16"},
    {Dtype::U16, "uint16"},
    {Dtype::F16, "float16"},
    {Dtype::BF16, "bfloat16"},
    {Dtype::I32, "int32"},
    {Dtype::U32, "uint32"},
    {Dtype::F32, "float32"},
    {Dtype::C64, "complex64"},
    {Dtype::F64, "float64"},
    {Dtype::I64, "int64"},
    {Dtype::U64, "uint64"},
    {Dtype::F16, "half"},
    {Dtype::F32, "float"},
    {Dtype::F64, "double"},
    {Dtype::I64, "long"},
});

}  // namespace

unsigned bits_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::F4: return 4;
    case Dtype::F6E2M3:
    case Dtype::F6E3M2: return 6;
    case Dtype::Bool:
    case Dtype::U8:
    case Dtype::I8:
    case Dtype::F8E5M2:
    case Dtype::F8E4M3:
    case Dtype::F8E8M0:
    case Dtype::F8E4M3Fnuz:
    case Dtype::F8E5M2Fnuz: return 8;
    case Dtype::I16:
    case Dtype::U16:
    case Dtype::F16:
    case Dtype::BF16: return 16;
    case Dtype::I32:
    case Dtype::U32:
    case Dtype::F32: return 32;
    case Dtype::C64:
    case Dtype::F64:
    case Dtype::I64:
    case Dtype::U64: return 64;
  }
  return 0;
}

bool is_floating(Dtype dtype) {
  return is_small_float(dtype) || dtype == Dtype::F16 || dtype == Dtype::BF16 || dtype == Dtype::F32 ||
         dtype == Dtype::F64;
}

bool is_small_float(Dtype dtype) {
  switch (dtype) {
    case Dtype::F4:
    case Dtype::F6E2M3:
    case Dtype::F6E3M2:
    case Dtype::F8E5M2:
    case Dtype::F8E4M3:
    case Dtype::F8E8M0:
    case Dtype::F8E4M3Fnuz:
    case Dtype::F8E5M2Fnuz: return true;
    default: return false;
  }
}

std::optional<Dtype> dtype_from_torch(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (const TorchName& entry : kTorchNames)
    if (entry.name == name) return entry.dtype;
  return std::nullopt;
}

std::string_view torch_name(Dtype dtype) {
  for (const TorchName& entry : kTorchNames)
    if (entry.dtype == dtype) return entry.name;
  return to_text(dtype);
}

}  // namespace willitrun
