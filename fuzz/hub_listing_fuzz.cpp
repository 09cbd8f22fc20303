#include <cstdint>

#include "base/check.h"
#include "hub/hub_json.h"

// The Hub's answers: what is accepted has only safe paths and reads back the same from the form that the mirror keeps.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace willitrun;
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  if (const auto files = parse_tree(json)) {
    for (const HubFile& file : *files) CHECK(is_safe_path(file.path));
  }
  if (const auto files = parse_cached_tree(json)) CHECK(parse_cached_tree(to_cached_tree(*files)) == *files);
  if (const auto models = parse_model_list(json))
    for (const ModelInfo& model : *models) CHECK(is_hub_id(model.id));
  if (const auto info = parse_model_info(json)) {
    auto again = parse_model_info(to_json(*info));
    CHECK(again.has_value());
    again->trending_score = info->trending_score;  // Boost.JSON reads a fraction to within one unit of the last place.
    CHECK(*again == *info);
  }
  return 0;
}
