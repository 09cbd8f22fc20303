#include "verify/logits.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/text.h"

namespace willitrun {
namespace {

static_assert(std::endian::native == std::endian::little, "parse_logits copies little-endian numbers as they are");

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);

/// Returns the text between `key` and `end` in a NumPy header, which is a Python dictionary in a fixed style.
std::string_view header_field(std::string_view header, std::string_view key, std::string_view end) {
  const auto at = header.find(key);
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + key.size());
  return header.substr(0, header.find(end));
}

/// Reads `2, 49152` as two sizes; nothing for another number of dimensions.
std::optional<std::pair<std::size_t, std::size_t>> read_shape(std::string_view text) {
  const auto parts = split(text, ',');
  if (parts.size() != 2) return std::nullopt;
  const auto rows = parse_uint(trim(parts[0]));
  const auto columns = parse_uint(trim(parts[1]));
  constexpr std::uint64_t kMax = 1u << 30;  // far above any vocabulary; keeps the product from wrapping
  if (!rows || !columns || *rows == 0 || *columns < 2 || *rows > kMax || *columns > kMax) return std::nullopt;
  return std::pair{*rows, *columns};
}

}  // namespace

Result<Logits> parse_logits(std::string_view npy) {
  if (!npy.starts_with(kMagic) || npy.size() < kMagic.size() + 2)
    return fail(Code::Corruption, "logits are not a NumPy file of format 1.0");
  npy.remove_prefix(kMagic.size());
  const std::size_t length = static_cast<unsigned char>(npy[0]) + 256u * static_cast<unsigned char>(npy[1]);
  npy.remove_prefix(2);
  if (npy.size() < length) return fail(Code::Corruption, "logits end inside their header");
  const std::string_view header = npy.substr(0, length);
  npy.remove_prefix(length);
  if (header_field(header, "'descr': '", "'") != "<f4" || header_field(header, "'fortran_order': ", ",") != "False")
    return fail(Code::Corruption, "logits are not little-endian float32 in C order");
  const auto shape = read_shape(header_field(header, "'shape': (", ")"));
  if (!shape) return fail(Code::Corruption, "logits do not have the shape [steps, vocabulary]");
  Logits logits{shape->first, shape->second, {}};
  if (npy.size() != logits.steps * logits.vocabulary * sizeof(float))
    return fail(Code::Corruption,
                fmt::format("logits of shape [{}, {}] in {} bytes", logits.steps, logits.vocabulary, npy.size()));
  logits.values.resize(logits.steps * logits.vocabulary);
  std::memcpy(logits.values.data(), npy.data(), npy.size());
  return logits;
}

std::optional<TopTwo> top_two(std::span<const float> row) {
  std::size_t best = 0;
  std::size_t second = row.size();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isnan(row[i])) return std::nullopt;
    if (i == 0) continue;
    if (row[i] > row[best]) {
      second = best;
      best = i;
    } else if (second == row.size() || row[i] > row[second]) {
      second = i;
    }
  }
  return TopTwo{static_cast<std::int32_t>(best), static_cast<std::int32_t>(second), row[best], row[second]};
}

}  // namespace willitrun
