// Looks for the word's rarest byte with the C library's memchr, which every platform has made fast, and compares the
// whole word only there.
#include "search/kernel_portable.h"

#include <cstring>

#include "search/fold.h"
#include "search/kernels.h"

namespace willitrun {

std::size_t find_portable(std::string_view text, std::string_view word) {
  if (word.size() > text.size()) return std::string_view::npos;
  const std::size_t rare = rare_pair(word).first;
  // Every place of the rare byte from which the whole word still lies inside the text.
  const char* at = text.data() + rare;
  const char* const end = text.data() + text.size() - word.size() + rare + 1;
  while (at < end) {
    const void* found = std::memchr(at, word[rare], static_cast<std::size_t>(end - at));
    if (found == nullptr) break;
    at = static_cast<const char*>(found);
    if (std::memcmp(at - rare, word.data(), word.size()) == 0) return static_cast<std::size_t>(at - rare - text.data());
    ++at;
  }
  return std::string_view::npos;
}

std::uint64_t count_names_portable(std::string_view text, std::string_view word) {
  std::uint64_t count = 0;
  for (;;) {
    const std::size_t found = find_portable(text, word);
    if (found == std::string_view::npos) return count;
    ++count;
    const std::size_t end = text.find(kNameEnd, found + word.size());
    if (end == std::string_view::npos) return count;
    text.remove_prefix(end + 1);
  }
}

}  // namespace willitrun
