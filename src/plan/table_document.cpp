// Parsing the whole table took 100 ms of each process; finding its records takes two, and a plan then parses about
// twenty of them.
#include "plan/table_document.h"

#include <boost/json.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "checkpoint/json_scanner.h"

namespace willitrun {

namespace json = boost::json;

namespace {

/// Where the value of a key lies.
using Places = std::unordered_map<std::string_view, std::string_view>;

/// Notes the values of the object that comes next; false when it is not one.
bool find_members(JsonScanner& scan, std::string_view text, std::vector<std::string>& unescaped, Places& places) {
  if (!scan.consume_after_space('{')) return false;
  if (scan.consume_after_space('}')) return true;
  do {
    scan.skip_space();
    const auto key = scan.string(unescaped);
    if (!key || !scan.consume_after_space(':')) return false;
    scan.skip_space();
    const std::size_t start = scan.position();
    if (!scan.skip_value()) return false;
    places.emplace(*key, text.substr(start, scan.position() - start));
  } while (scan.consume_after_space(','));
  return scan.consume_after_space('}');
}

}  // namespace

struct TableDocument::State {
  std::string text;
  std::vector<std::string> unescaped;
  Places keys;
  std::mutex mutex;  ///< Guards the two below. Values stay where they are while more are added.
  std::unordered_map<std::string_view, Places> sections;
  std::map<const char*, json::value> parsed;

  const json::value& value_of(const Places& places, std::string_view key) {
    static const json::value kNothing;
    const auto place = places.find(key);
    if (place == places.end()) return kNothing;
    const auto [slot, is_new] = parsed.try_emplace(place->second.data());
    if (is_new) {
      boost::system::error_code error;  // cannot be: the walk has found the text to be JSON, and no deeper
      slot->second = json::parse(place->second, error, {}, {.max_depth = 128});
    }
    return slot->second;
  }

  const Places& section(std::string_view name) {
    const auto place = keys.find(name);
    const auto [slot, is_new] = sections.try_emplace(place == keys.end() ? std::string_view() : place->first);
    if (is_new && place != keys.end()) {
      JsonScanner scan(place->second);
      find_members(scan, place->second, unescaped, slot->second);
    }
    return slot->second;
  }
};

TableDocument::TableDocument(std::unique_ptr<State> state) : state_(std::move(state)) {}
TableDocument::~TableDocument() = default;

Result<std::shared_ptr<const TableDocument>> TableDocument::open(std::string text) {
  auto state = std::make_unique<State>();
  state->text = std::move(text);
  JsonScanner scan(state->text);
  const bool is_object = is_utf8(state->text) && find_members(scan, state->text, state->unescaped, state->keys);
  scan.skip_space();
  if (!is_object || !scan.at_end()) return fail(Code::Corruption, "the plan table is no JSON object");
  return std::shared_ptr<const TableDocument>(new TableDocument(std::move(state)));
}

const json::value& TableDocument::at(std::string_view key) const {
  const std::lock_guard lock(state_->mutex);
  return state_->value_of(state_->keys, key);
}

const json::value& TableDocument::at(std::string_view section, std::string_view name) const {
  const std::lock_guard lock(state_->mutex);
  return state_->value_of(state_->section(section), name);
}

}  // namespace willitrun
