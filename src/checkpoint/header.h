#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/dtype.h"
#include "checkpoint/fault.h"

namespace willitrun {

/// Largest header that safetensors accepts (MAX_HEADER_SIZE in its tensor.rs).
inline constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

/// Bytes in front of the header that hold its length.
inline constexpr std::uint64_t kLengthBytes = 8;

/// One tensor as a header describes it. Offsets count from the end of the header.
struct TensorInfo {
  std::string_view name;  ///< Points into the Header that it belongs to.
  Dtype dtype = Dtype::F32;
  std::uint8_t rank = 0;
  std::uint32_t first_dimension = 0;  ///< Index of the first dimension in Header::dimensions.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size_bytes() const { return end - begin; }
};

/// The checked header of one safetensors file. Movable, not copyable: tensors point into `text`.
struct Header {
  std::unique_ptr<const std::string> text;
  std::vector<TensorInfo> tensors;        ///< In the order of the file.
  std::vector<std::uint64_t> dimensions;  ///< The dimensions of all tensors, one after the other.
  std::vector<std::string> unescaped;     ///< Names that were written with escapes.
  bool is_aligned = true;                 ///< The data starts at a multiple of 8.
  bool has_leading_space = false;

  /// The shape of one of `tensors`.
  std::span<const std::uint64_t> shape(const TensorInfo& tensor) const {
    return std::span(dimensions).subspan(tensor.first_dimension, tensor.rank);
  }
};

/// Reads the length of the header from the first bytes of a file, so that nothing is fetched for a length that cannot
/// be: `bad_header` when it is larger than the format or the file allows, `not_safetensors` when the bytes are those of
/// an LFS pointer, a web page or another format.
Checked<std::uint64_t> header_length(std::string_view first_bytes, std::uint64_t file_size);

/// Reads and checks a header: `text` is what lies between the length and the data of a file of `file_size` bytes.
/// Strict: every rule of the format is checked, and the tensors must cover the data exactly, without holes.
Checked<Header> parse_header(std::string text, std::uint64_t file_size);

}  // namespace willitrun
