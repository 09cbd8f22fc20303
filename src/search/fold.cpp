#include "search/fold.h"

#include <algorithm>

namespace willitrun {

std::string fold_text(std::string_view text) {
  std::string folded(text.size(), '\0');
  std::ranges::transform(text, folded.begin(), [](char c) { return kFoldTable[static_cast<unsigned char>(c)]; });
  return folded;
}

}  // namespace willitrun
