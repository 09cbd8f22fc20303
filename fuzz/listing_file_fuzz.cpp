#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "selection/listing_file.h"
#include "selection/selection.h"

// The first line is a file's name, the rest its content, read as both kinds of list. Whatever is taken gets its places.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t line = bytes.find('\n');
  (void)parse_listing_file_name(bytes.substr(0, line));
  const std::string_view content = line == std::string_view::npos ? std::string_view() : bytes.substr(line + 1);
  auto tsv = parse_tsv_listing(content, "text-generation");
  auto jsonl = parse_jsonl_listing(content);
  for (auto* models : {&tsv, &jsonl}) {
    if (!*models) continue;
    rank_models(**models);
    for (const RankedModel& model : **models) CHECK(!model.id.empty());
  }
  return 0;
}
