#include "hub/hub_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "base/hex.h"
#include "base/text.h"

namespace willitrun {
namespace {

namespace json = boost::json;

constexpr std::size_t kCommitDigits = 40;
constexpr std::size_t kSha256Digits = 64;

/// A listed path for a message: without what could upset a terminal, and not endless.
std::string to_printable(std::string_view text) {
  constexpr std::size_t kMaxShown = 200;
  std::string shown = to_valid_utf8(text.substr(0, kMaxShown));
  std::ranges::replace_if(shown, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return shown;
}

Result<json::value> parse_document(std::string_view text) {
  boost::system::error_code error;
  json::value document = json::parse(text, error);
  if (error) return fail(Code::Corruption, fmt::format("the Hub's answer is not JSON: {}", error.message()));
  return document;
}

/// Reads the fields of one object; the first field of a wrong type is kept as the error.
class FieldReader {
 public:
  explicit FieldReader(const json::object& object) : object_(object) {}

  std::string text(std::string_view name) {
    const json::value* value = find(name);
    if (value == nullptr) return {};
    if (!value->is_string()) return refuse<std::string>(name);
    return std::string(value->get_string());
  }

  bool boolean(std::string_view name) {
    const json::value* value = find(name);
    if (value == nullptr) return false;
    return value->is_bool() ? value->get_bool() : refuse<bool>(name);
  }

  double number(std::string_view name) {
    const json::value* value = find(name);
    if (value == nullptr) return 0;
    const double number = value->is_number() ? value->to_number<double>() : HUGE_VAL;
    return std::isfinite(number) ? number : refuse<double>(name);
  }

  std::int64_t count(std::string_view name) {
    const json::value* value = find(name);
    if (value == nullptr) return 0;
    boost::system::error_code error;
    const std::int64_t number = value->is_number() ? value->to_number<std::int64_t>(error) : -1;
    return error || number < 0 ? refuse<std::int64_t>(name) : number;
  }

  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> texts;
    const json::value* value = find(name);
    if (value == nullptr) return texts;
    if (!value->is_array()) return refuse<std::vector<std::string>>(name);
    for (const json::value& item : value->get_array()) {
      if (!item.is_string()) return refuse<std::vector<std::string>>(name);
      texts.emplace_back(item.get_string());
    }
    return texts;
  }

  std::optional<Time> time(std::string_view name) {
    const std::string written = text(name);
    if (written.empty()) return std::nullopt;
    const auto time = parse_time(written);
    return time ? time : refuse<std::optional<Time>>(name);
  }

  /// `false`, or how access is granted.
  Gate gate(std::string_view name) {
    const json::value* value = find(name);
    if (value == nullptr || (value->is_bool() && !value->get_bool())) return Gate::None;
    if (value->is_bool()) return Gate::Manual;
    return from_text<Gate>(text(name)).value_or(Gate::Manual);
  }

  const json::object* object(std::string_view name) {
    const json::value* value = find(name);
    if (value == nullptr) return nullptr;
    return value->is_object() ? &value->get_object() : refuse<const json::object*>(name);
  }

  Status finish() const {
    if (wrong_.empty()) return {};
    return fail(Code::Corruption, fmt::format("the Hub's answer has an improper '{}'", wrong_));
  }

 private:
  const json::value* find(std::string_view name) const {
    const json::value* value = object_.if_contains(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  }

  template <class T>
  T refuse(std::string_view name) {
    if (wrong_.empty()) wrong_ = name;
    return T{};
  }

  const json::object& object_;
  std::string wrong_;
};

Result<ModelInfo> read_model_info(const json::value& value) {
  if (!value.is_object()) return fail(Code::Corruption, "the Hub's answer is not a model's description");
  FieldReader fields(value.get_object());
  ModelInfo info;
  info.id = fields.text("id");
  info.sha = fields.text("sha");
  info.pipeline_tag = fields.text("pipeline_tag");
  info.library_name = fields.text("library_name");
  info.gated = fields.gate("gated");
  info.is_private = fields.boolean("private");
  info.is_local = fields.boolean("local");
  info.downloads = fields.count("downloads");
  info.likes = fields.count("likes");
  info.trending_score = fields.number("trendingScore");
  info.tags = fields.texts("tags");
  info.created_at = fields.time("createdAt");
  info.last_modified = fields.time("lastModified");
  RETURN_IF_ERROR(fields.finish());
  if (!is_hub_id(info.id)) return fail(Code::Corruption, "the Hub's answer has an improper 'id'");
  if (!info.sha.empty() && !is_lower_hex(info.sha, kCommitDigits))
    return fail(Code::Corruption, fmt::format("the Hub's answer for '{}' has an improper 'sha'", info.id));
  return info;
}

Status check_file(const HubFile& file, bool is_lfs) {
  if (!is_safe_path(file.path))
    return fail(Code::Corruption, fmt::format("the Hub lists the unsafe path '{}'", to_printable(file.path)));
  if (!is_lower_hex(file.oid, kCommitDigits) || (is_lfs && !is_lower_hex(file.lfs_sha256, kSha256Digits)))
    return fail(Code::Corruption, fmt::format("the Hub lists '{}' without a proper digest", file.path));
  return {};
}

Result<HubFile> read_tree_entry(const json::object& entry) {
  FieldReader fields(entry);
  HubFile file = {.path = fields.text("path"), .oid = fields.text("oid")};
  file.size_bytes = static_cast<std::uint64_t>(fields.count("size"));
  const json::object* lfs = fields.object("lfs");
  if (lfs != nullptr) {
    FieldReader lfs_fields(*lfs);
    file.lfs_sha256 = lfs_fields.text("oid");
    file.size_bytes = static_cast<std::uint64_t>(lfs_fields.count("size"));
    RETURN_IF_ERROR(lfs_fields.finish());
  }
  RETURN_IF_ERROR(fields.finish());
  RETURN_IF_ERROR(check_file(file, lfs != nullptr));
  return file;
}

Result<HubFile> read_cached_entry(std::string_view path, const json::object& entry) {
  FieldReader fields(entry);
  HubFile file = {.path = std::string(path), .oid = fields.text("blob_id"), .lfs_sha256 = fields.text("lfs_sha256")};
  const bool is_lfs = !file.lfs_sha256.empty();
  file.size_bytes = static_cast<std::uint64_t>(fields.count(is_lfs ? "lfs_size" : "size"));
  RETURN_IF_ERROR(fields.finish());
  RETURN_IF_ERROR(check_file(file, is_lfs));
  return file;
}

}  // namespace

Result<ModelInfo> parse_model_info(std::string_view text) {
  ASSIGN_OR_RETURN(const json::value document, parse_document(text));
  return read_model_info(document);
}

Result<std::vector<ModelInfo>> parse_model_list(std::string_view text) {
  ASSIGN_OR_RETURN(const json::value document, parse_document(text));
  if (!document.is_array()) return fail(Code::Corruption, "the Hub's answer is not a list of models");
  std::vector<ModelInfo> models;
  for (const json::value& item : document.get_array()) {
    ASSIGN_OR_RETURN(models.emplace_back(), read_model_info(item));
  }
  return models;
}

Result<std::vector<HubFile>> parse_tree(std::string_view text) {
  ASSIGN_OR_RETURN(const json::value document, parse_document(text));
  if (!document.is_array()) return fail(Code::Corruption, "the Hub's answer is not a list of files");
  std::vector<HubFile> files;
  for (const json::value& item : document.get_array()) {
    if (!item.is_object()) return fail(Code::Corruption, "the Hub's list of files holds something else");
    const json::value* type = item.get_object().if_contains("type");
    if (type != nullptr && *type == "directory") continue;
    ASSIGN_OR_RETURN(files.emplace_back(), read_tree_entry(item.get_object()));
  }
  return files;
}

Result<std::string> parse_commit(std::string_view text) {
  ASSIGN_OR_RETURN(const json::value document, parse_document(text));
  const json::value* sha = document.is_object() ? document.get_object().if_contains("sha") : nullptr;
  if (sha == nullptr || !sha->is_string() || !is_lower_hex(std::string_view(sha->get_string()), kCommitDigits))
    return fail(Code::Corruption, "the Hub's answer has an improper 'sha'");
  return std::string(sha->get_string());
}

std::string to_json(const ModelInfo& info) {
  json::object object = {{"id", info.id},
                         {"sha", info.sha},
                         {"pipeline_tag", info.pipeline_tag},
                         {"library_name", info.library_name},
                         {"private", info.is_private},
                         {"local", info.is_local},
                         {"downloads", info.downloads},
                         {"likes", info.likes},
                         {"trendingScore", info.trending_score},
                         {"tags", json::value_from(info.tags)}};
  object["gated"] = info.gated == Gate::None ? json::value(false) : json::value(to_text(info.gated));
  if (info.created_at) object["createdAt"] = to_text(*info.created_at);
  if (info.last_modified) object["lastModified"] = to_text(*info.last_modified);
  return json::serialize(object);
}

Result<std::vector<HubFile>> parse_cached_tree(std::string_view text) {
  ASSIGN_OR_RETURN(const json::value document, parse_document(text));
  const json::value* entries = document.is_object() ? document.get_object().if_contains("files") : nullptr;
  if (entries == nullptr || !entries->is_object()) return fail(Code::Corruption, "a kept list of files is not one");
  std::vector<HubFile> files;
  for (const auto& [path, entry] : entries->get_object()) {
    if (!entry.is_object()) return fail(Code::Corruption, "a kept list of files holds something else");
    ASSIGN_OR_RETURN(files.emplace_back(), read_cached_entry(path, entry.get_object()));
  }
  std::ranges::sort(files, {}, &HubFile::path);
  return files;
}

std::string to_cached_tree(std::span<const HubFile> files) {
  json::object entries;
  for (const HubFile& file : files) {
    json::object entry = {{"size", file.size_bytes}, {"blob_id", file.oid}};
    if (!file.lfs_sha256.empty()) {
      entry["lfs_sha256"] = file.lfs_sha256;
      entry["lfs_size"] = file.size_bytes;
    }
    entries[file.path] = std::move(entry);
  }
  return json::serialize(json::object{{"format_version", 1}, {"files", std::move(entries)}});
}

}  // namespace willitrun
