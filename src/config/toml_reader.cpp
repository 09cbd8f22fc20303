#include "config/toml_reader.h"

#include <fmt/format.h>

#include <set>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace willitrun {
namespace {

/// What all tables of one document share: its name and the first error.
struct Document {
  toml::table root;
  std::string where;
  std::string error;
};

}  // namespace

struct TomlTable::State {
  std::shared_ptr<Document> document;
  const toml::table* table = nullptr;  ///< Null after an error, when a required table is absent.
  std::string prefix;                  ///< `cores.` inside [cores].
  std::set<std::string, std::less<>> read;

  void complain(std::string_view key, std::string_view problem) const {
    if (document->error.empty()) document->error = fmt::format("{}: '{}{}' {}", document->where, prefix, key, problem);
  }

  /// The node of `key`, marked as read; complains when it is required and absent.
  const toml::node* find(std::string_view key, bool required) {
    read.emplace(key);
    const toml::node* node = table == nullptr ? nullptr : table->get(key);
    if (node == nullptr && required) complain(key, "is missing");
    return node;
  }

  template <class T>
  std::optional<T> value(std::string_view key, bool required, std::string_view type) {
    const toml::node* node = find(key, required);
    if (node == nullptr) return std::nullopt;
    auto found = node->value_exact<T>();
    if (!found) complain(key, fmt::format("must be {}", type));
    return found;
  }

  template <class T>
  std::optional<std::vector<T>> values(std::string_view key, bool required, std::string_view type) {
    const toml::node* node = find(key, required);
    if (node == nullptr) return std::nullopt;
    std::vector<T> list;
    const toml::array* array = node->as_array();
    if (array == nullptr) complain(key, fmt::format("must be a list of {}", type));
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
      if (const auto item = (*array)[i].value_exact<T>()) {
        list.push_back(*item);
      } else {
        complain(key, fmt::format("must be a list of {}", type));
      }
    }
    return list;
  }

  std::int64_t not_negative(std::string_view key, std::int64_t number) const {
    if (number < 0) complain(key, "must not be negative");
    return number;
  }

  void check_unknown_keys() const {
    if (table == nullptr) return;
    for (const auto& [key, node] : *table)
      if (!read.contains(key.str())) complain(key.str(), "is not a known key");
  }
};

TomlTable::TomlTable(State state) : state_(std::make_unique<State>(std::move(state))) {}
TomlTable::TomlTable(TomlTable&&) noexcept = default;
TomlTable::~TomlTable() {
  if (state_) state_->check_unknown_keys();
}

Result<TomlTable> TomlTable::parse(std::string_view toml, std::string_view where) {
  toml::parse_result parsed = toml::parse(toml, where);
  if (!parsed) {
    const auto& error = parsed.error();
    return fail(Code::InvalidArgument, fmt::format("{}:{}:{}: {}", where, error.source().begin.line,
                                                   error.source().begin.column, error.description()));
  }
  auto document = std::make_shared<Document>(Document{std::move(parsed).table(), std::string(where), ""});
  State state;
  state.document = document;
  state.table = &document->root;
  return TomlTable(std::move(state));
}

std::string TomlTable::text(std::string_view key) {
  return state_->value<std::string>(key, true, "a text").value_or("");
}

std::string TomlTable::text_or(std::string_view key, std::string fallback) {
  return state_->value<std::string>(key, false, "a text").value_or(std::move(fallback));
}

std::int64_t TomlTable::integer(std::string_view key) {
  return state_->not_negative(key, state_->value<std::int64_t>(key, true, "a whole number").value_or(0));
}

std::int64_t TomlTable::integer_or(std::string_view key, std::int64_t fallback) {
  return state_->not_negative(key, state_->value<std::int64_t>(key, false, "a whole number").value_or(fallback));
}

bool TomlTable::boolean_or(std::string_view key, bool fallback) {
  return state_->value<bool>(key, false, "true or false").value_or(fallback);
}

std::vector<std::string> TomlTable::texts_or(std::string_view key, std::vector<std::string> fallback) {
  return state_->values<std::string>(key, false, "texts").value_or(std::move(fallback));
}

std::vector<std::int64_t> TomlTable::integers(std::string_view key) {
  auto numbers = state_->values<std::int64_t>(key, true, "whole numbers").value_or(std::vector<std::int64_t>());
  for (const auto number : numbers) state_->not_negative(key, number);
  return numbers;
}

std::map<std::string, std::string> TomlTable::text_map(std::string_view key) {
  std::map<std::string, std::string> map;
  const toml::node* node = state_->find(key, false);
  if (node == nullptr) return map;
  const toml::table* entries = node->as_table();
  if (entries == nullptr) {
    state_->complain(key, "must be a table of texts");
    return map;
  }
  for (const auto& [name, entry] : *entries) {
    const auto value = entry.value_exact<std::string>();
    if (!value) state_->complain(fmt::format("{}.{}", key, name.str()), "must be a text");
    map.emplace(std::string(name.str()), value.value_or(""));
  }
  return map;
}

TomlTable TomlTable::table(std::string_view key) {
  const toml::node* node = state_->find(key, true);
  if (node != nullptr && !node->is_table()) state_->complain(key, "must be a table");
  State child;
  child.document = state_->document;
  child.table = node == nullptr ? nullptr : node->as_table();
  child.prefix = fmt::format("{}{}.", state_->prefix, key);
  return TomlTable(std::move(child));
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  std::vector<TomlTable> list;
  const toml::node* node = state_->find(key, false);
  if (node == nullptr) return list;
  const toml::array* array = node->as_array();
  if (array == nullptr || !array->is_homogeneous(toml::node_type::table)) {
    state_->complain(key, "must be a list of tables");
    return list;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    State child;
    child.document = state_->document;
    child.table = (*array)[i].as_table();
    child.prefix = fmt::format("{}{}[{}].", state_->prefix, key, i);
    list.push_back(TomlTable(std::move(child)));
  }
  return list;
}

Status TomlTable::finish() {
  state_->check_unknown_keys();
  if (state_->document->error.empty()) return {};
  return fail(Code::InvalidArgument, state_->document->error);
}

}  // namespace willitrun
