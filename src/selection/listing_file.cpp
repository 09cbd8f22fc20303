#include "selection/listing_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <set>

#include "base/text.h"
#include "domain/model_ref.h"

namespace willitrun {
namespace {

namespace json = boost::json;

std::unexpected<Error> bad_line(std::size_t line, std::string_view problem) {
  return fail(Code::Corruption, fmt::format("line {}: {}", line, problem));
}

/// Calls `use` with every line and its number from 1; a last line end is no line.
template <class Use>
Status for_each_line(std::string_view text, Use use) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    RETURN_IF_ERROR(use(line, number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

/// Takes a model that was read, if its id is one and is new.
Status add(RankedModel model, std::size_t line, std::vector<RankedModel>& models, std::set<std::string>& ids) {
  if (!is_hub_id(model.id)) return bad_line(line, fmt::format("'{}' is no Hub id", to_valid_utf8(model.id)));
  if (!ids.insert(model.id).second) return bad_line(line, fmt::format("'{}' is here twice", model.id));
  models.push_back(std::move(model));
  return {};
}

std::optional<std::int64_t> to_count(std::string_view text) {
  const auto number = parse_uint(text);
  return number && *number <= INT64_MAX ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::optional<double> to_score(std::string_view text) {
  double score = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), score);
  return error == std::errc() && end == text.data() + text.size() && score >= 0 ? std::optional(score) : std::nullopt;
}

/// Puts one cell of a tab-separated list where it belongs. False when it is no value of its column.
bool set_cell(RankedModel& model, std::string_view column, std::string_view cell) {
  if (cell.empty()) return true;
  if (column == "id") model.id = cell;
  if (column == "library") model.library = cell;
  if (column == "license") model.license = cell;
  if (column == "gated") model.gated = cell != "0";
  if (column == "formats")
    for (const auto format : split(cell, ',')) model.formats.emplace_back(format);
  if (column == "downloads_30d") return (model.downloads = to_count(cell)).has_value();
  if (column == "likes") return (model.likes = to_count(cell)).has_value();
  if (column == "parameters") return (model.parameters = to_count(cell)).has_value();
  if (column == "trending_score") return (model.trending_score = to_score(cell)).has_value();
  return true;
}

Result<RankedModel> read_cells(std::string_view line, const std::vector<std::string_view>& columns,
                               std::size_t number) {
  const auto cells = split(line, '\t');
  if (cells.size() != columns.size())
    return bad_line(number, fmt::format("it has {} columns, the first line has {}", cells.size(), columns.size()));
  RankedModel model;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!set_cell(model, columns[i], cells[i]))
      return bad_line(number, fmt::format("'{}' is no value of column '{}'", to_valid_utf8(cells[i]), columns[i]));
  return model;
}

/// Reads the fields of one JSON object, under the first of several names that is there; remembers what had a wrong
/// type.
class Fields {
 public:
  explicit Fields(const json::object& object) : object_(object) {}

  std::string text(std::initializer_list<std::string_view> names) {
    const json::value* value = find(names);
    if (value == nullptr) return "";
    if (!value->is_string()) return wrong(), "";
    return std::string(value->get_string());
  }

  std::optional<std::int64_t> count(std::initializer_list<std::string_view> names) {
    const json::value* value = find(names);
    if (value == nullptr) return std::nullopt;
    boost::system::error_code error;
    const auto number = value->to_number<std::int64_t>(error);
    if (error || number < 0) return wrong(), std::nullopt;
    return number;
  }

  std::optional<double> score(std::initializer_list<std::string_view> names) {
    const json::value* value = find(names);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) return wrong(), std::nullopt;
    return value->to_number<double>();
  }

  /// False, zero and absence are false; `"auto"`, `"manual"` and true are true.
  bool flag(std::initializer_list<std::string_view> names) {
    const json::value* value = find(names);
    return value != nullptr && (value->is_string() || (value->is_bool() && value->get_bool()));
  }

  std::vector<std::string> texts(std::initializer_list<std::string_view> names) {
    const json::value* value = find(names);
    std::vector<std::string> list;
    if (value == nullptr) return list;
    if (!value->is_array()) return wrong(), list;
    for (const json::value& item : value->get_array())
      if (item.is_string()) list.emplace_back(item.get_string());
    return list;
  }

  const json::object* object(std::string_view name) {
    const json::value* value = find({name});
    return value == nullptr ? nullptr : value->if_object();
  }

  const std::string& wrong_field() const { return wrong_field_; }

 private:
  const json::value* find(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
      if (const json::value* value = object_.if_contains(name); value != nullptr && !value->is_null()) {
        name_ = name;
        return value;
      }
    return nullptr;
  }

  void wrong() {
    if (wrong_field_.empty()) wrong_field_ = name_;
  }

  const json::object& object_;
  std::string_view name_;
  std::string wrong_field_;
};

/// The Hub tells formats and licence of a model among its tags.
void read_tags(const std::vector<std::string>& tags, RankedModel& model) {
  constexpr std::string_view kLicense = "license:";
  for (const std::string& tag : tags) {
    const bool is_format = tag == "safetensors" || tag == "gguf" || tag == "onnx" || tag == "pytorch" || tag == "mlx";
    if (is_format && std::ranges::find(model.formats, tag) == model.formats.end()) model.formats.push_back(tag);
    if (tag.starts_with(kLicense) && model.license.empty()) model.license = tag.substr(kLicense.size());
  }
}

Result<RankedModel> read_object(std::string_view line, std::size_t number) {
  boost::system::error_code error;
  const json::value document = json::parse(line, error);
  if (error || !document.is_object()) return bad_line(number, "it is no JSON object");
  Fields fields(document.get_object());
  RankedModel model;
  model.id = fields.text({"id", "modelId"});
  model.task = fields.text({"pipeline_tag"});
  model.library = fields.text({"library_name", "library"});
  model.license = fields.text({"license"});
  model.formats = fields.texts({"formats"});
  model.downloads = fields.count({"downloads", "downloads_30d"});
  model.likes = fields.count({"likes"});
  model.trending_score = fields.score({"trendingScore", "trending_score"});
  model.parameters = fields.count({"parameters"});
  model.gated = fields.flag({"gated"});
  model.removed = fields.flag({"removed"});
  model.local = fields.flag({"local"});
  read_tags(fields.texts({"tags"}), model);
  if (const json::object* weights = fields.object("safetensors")) {
    Fields inner(*weights);
    model.parameters = inner.count({"total"});
  }
  if (!fields.wrong_field().empty())
    return bad_line(number, fmt::format("field '{}' has a value of the wrong type", fields.wrong_field()));
  return model;
}

}  // namespace

std::optional<ListingFileName> parse_listing_file_name(std::string_view name) {
  const bool is_tsv = name.ends_with(".tsv");
  if (!is_tsv && !name.ends_with(".jsonl")) return std::nullopt;
  const auto parts = split(name.substr(0, name.rfind('.')), '_');
  if (parts.size() < 3) return std::nullopt;
  const auto date = parse_time(parts.back());
  const std::string_view kind = parts[parts.size() - 2];
  if (!date || is_tsv == (kind == "models")) return std::nullopt;
  std::vector<std::string> source(parts.begin(), parts.end() - 2);
  return ListingFileName{join(source, "_"), is_tsv ? std::string(kind) : "", *date};
}

Result<std::vector<RankedModel>> parse_tsv_listing(std::string_view tsv, std::string_view task) {
  std::vector<RankedModel> models;
  std::set<std::string> ids;
  std::vector<std::string_view> columns;
  RETURN_IF_ERROR(for_each_line(tsv, [&](std::string_view line, std::size_t number) -> Status {
    if (number == 1) {
      columns = split(line, '\t');
      if (std::ranges::find(columns, "id") == columns.end()) return bad_line(1, "it names no column 'id'");
      return {};
    }
    ASSIGN_OR_RETURN(RankedModel model, read_cells(line, columns, number));
    model.task = task;
    return add(std::move(model), number, models, ids);
  }));
  if (columns.empty()) return fail(Code::Corruption, "the list is empty");
  return models;
}

Result<std::vector<RankedModel>> parse_jsonl_listing(std::string_view jsonl) {
  std::vector<RankedModel> models;
  std::set<std::string> ids;
  RETURN_IF_ERROR(for_each_line(jsonl, [&](std::string_view line, std::size_t number) -> Status {
    ASSIGN_OR_RETURN(RankedModel model, read_object(line, number));
    return add(std::move(model), number, models, ids);
  }));
  return models;
}

}  // namespace willitrun
