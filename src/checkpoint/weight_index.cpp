#include "checkpoint/weight_index.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/text.h"
#include "checkpoint/json_scanner.h"

namespace willitrun {
namespace {

std::unexpected<PlanNote> broken(std::string_view what) {
  return fault(PlanCode::IndexMismatch, fmt::format("model.safetensors.index.json: {}", what));
}

class IndexReader {
 public:
  explicit IndexReader(WeightIndex& index) : index_(index), scan_(*index.text) {}

  Checked<void> read() {
    scan_.skip_space();
    if (!scan_.consume('{')) return broken("not a JSON object");
    if (!scan_.consume_after_space('}')) {
      do {
        scan_.skip_space();
        const auto key = scan_.string(index_.unescaped);
        if (!key || !scan_.consume_after_space(':')) return broken("not JSON");
        if (auto part = read_part(*key); !part) return part;
      } while (scan_.consume_after_space(','));
      if (!scan_.consume_after_space('}')) return broken("not JSON");
    }
    scan_.skip_space();
    if (!scan_.at_end()) return broken("text follows the JSON object");
    if (!has_map_) return broken("no 'weight_map'");
    return {};
  }

 private:
  Checked<void> read_part(std::string_view key) {
    scan_.skip_space();
    if (key == "weight_map") return read_map();
    if (key == "metadata") return read_metadata();
    if (!scan_.skip_value()) return broken("not JSON");
    return {};
  }

  Checked<void> read_metadata() {
    if (!scan_.consume('{')) return scan_.skip_value() ? Checked<void>{} : broken("not JSON");
    if (scan_.consume_after_space('}')) return {};
    do {
      scan_.skip_space();
      const auto key = scan_.string(index_.unescaped);
      if (!key || !scan_.consume_after_space(':')) return broken("not JSON");
      scan_.skip_space();
      const JsonScanner before = scan_;
      if (const auto number = scan_.unsigned_integer()) {
        if (*key == "total_size") index_.declared_bytes = *number;
        if (*key == "total_parameters") index_.declared_parameters = *number;
        continue;
      }
      scan_ = before;  // some writers put a float or a text here: no total, but no harm
      if (!scan_.skip_value()) return broken("not JSON");
    } while (scan_.consume_after_space(','));
    return scan_.consume_after_space('}') ? Checked<void>{} : broken("not JSON");
  }

  Checked<void> read_map() {
    if (has_map_) return broken("two 'weight_map's");
    has_map_ = true;
    if (!scan_.consume('{')) return broken("'weight_map' is not an object");
    index_.entries.reserve(index_.text->size() / 90);
    if (scan_.consume_after_space('}')) return {};
    do {
      scan_.skip_space();
      const auto tensor = scan_.string(index_.unescaped);
      if (!tensor || !scan_.consume_after_space(':')) return broken("not JSON");
      scan_.skip_space();
      const auto file = scan_.string(index_.unescaped);
      if (!file) return broken(fmt::format("no file name for tensor '{}'", *tensor));
      if (!stays_inside(*file))
        return fault(
            PlanCode::UnsafePath,
            fmt::format("model.safetensors.index.json names '{}', which lies outside the model's folder", *file));
      index_.entries.push_back({*tensor, number_of(*file)});
    } while (scan_.consume_after_space(','));
    return scan_.consume_after_space('}') ? Checked<void>{} : broken("not JSON");
  }

  std::uint32_t number_of(std::string_view file) {
    if (!index_.files.empty() && index_.files[last_] == file) return last_;
    const auto [entry, is_new] =
        numbers_.try_emplace(std::string(file), static_cast<std::uint32_t>(index_.files.size()));
    if (is_new) index_.files.emplace_back(file);
    return last_ = entry->second;
  }

  WeightIndex& index_;
  JsonScanner scan_;
  bool has_map_ = false;
  std::uint32_t last_ = 0;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace

bool stays_inside(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos)
    return false;
  for (const std::string_view part : split(name, '/'))
    if (part.empty() || part == "." || part == "..") return false;
  return true;
}

Checked<WeightIndex> parse_weight_index(std::string text) {
  if (!is_utf8(text)) return broken("not UTF-8");
  WeightIndex index;
  index.text = std::make_unique<const std::string>(std::move(text));
  if (auto read = IndexReader(index).read(); !read) return std::unexpected(read.error());
  return index;
}

}  // namespace willitrun
