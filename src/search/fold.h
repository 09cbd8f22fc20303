#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace willitrun {

/// Ends every name in an index. Folding never makes it, so no query can hold it.
constexpr char kNameEnd = '\0';

/// Folds one byte of a name or a query to the form that search compares: ASCII letters in lower case; `-`, `_`, `.` and
/// the space are one separator (written `-`); control bytes are one byte of their own. `/`, the line between owner and
/// name, and the bytes of non-ASCII characters stay as they are. One byte gives one byte, so positions are kept.
constexpr char fold(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  if (byte >= 'A' && byte <= 'Z') return static_cast<char>(code + 32);
  if (byte == '_' || byte == '.' || byte == ' ') return '-';
  if (code < 0x20 || code == 0x7F) return '\x01';
  return byte;
}

/// All 256 values of fold(), by byte.
constexpr std::array<char, 256> kFoldTable = [] {
  std::array<char, 256> table{};
  for (unsigned code = 0; code < table.size(); ++code) table[code] = fold(static_cast<char>(code));
  return table;
}();

/// Returns `text` with every byte folded.
std::string fold_text(std::string_view text);

/// Number of symbols that grams are made of.
constexpr unsigned kNumSymbols = 40;

/// Returns the symbol (below kNumSymbols) of a folded byte: letters, digits, the separator and `/` have their own, all
/// other bytes share one.
constexpr unsigned symbol_of(char folded) {
  if (folded >= 'a' && folded <= 'z') return 1U + static_cast<unsigned>(folded - 'a');
  if (folded >= '0' && folded <= '9') return 27U + static_cast<unsigned>(folded - '0');
  if (folded == '-') return 37;
  if (folded == '/') return 38;
  return 0;
}

}  // namespace willitrun
