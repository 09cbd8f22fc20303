#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "domain/row_stack.h"
#include "lookup/address_key.h"
#include "lookup/model_page.h"
#include "lookup/outcomes.h"
#include "os/sha256.h"
#include "server/address.h"
#include "server/routes.h"
#include "server/stack_results.h"
#include "server/xml_text.h"

// Atom feeds (RFC 4287). Addresses are relative to the feed's own, so that the same feed works below any path. Ids are
// UUIDs made from what the entry is about: they stay the same wherever and whenever the feed is written.
namespace willitrun {
namespace {

constexpr std::size_t kMaxEntries = 100;

/// A name-based UUID (RFC 9562, version 8) of a text.
std::string uuid_of(std::string_view text) {
  std::string hex = sha256_hex(text).substr(0, 32);
  hex[12] = '8';
  hex[16] = "89ab"[(hex[16] <= '9' ? hex[16] - '0' : hex[16] - 'a' + 10) % 4];
  return fmt::format("urn:uuid:{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20));
}

struct Feed {
  std::string about;  ///< What makes it another feed: part of its id.
  std::string title;
  std::string root;  ///< The way from the feed to the site's root: `../../../`.
  std::string self;  ///< The feed's own address, seen from the root.
  std::vector<CellNumber> cells;
};

Time moment_of(const LookupSnapshot& snapshot, CellNumber cell) {
  return tested_at(snapshot, cell).value_or(Time{});  // 1970 for a row that does not tell
}

std::string model_path(std::string_view id) {
  const std::size_t slash = id.find('/');
  if (slash == std::string_view::npos) return "-/" + encode_segment(id);
  return encode_segment(id.substr(0, slash)) + "/" + encode_segment(id.substr(slash + 1));
}

std::string summary_of(const Row& row) {
  std::string text = fmt::format("{} on {}, {}", row.verdict.value_or(""), target_of(row), short_name(stack_of(row)));
  if (row.emulated.value_or(false)) text += " (emulated: not a Trainium result)";
  if (row.evidence) text += fmt::format("; evidence: {}", *row.evidence);
  if (row.stage) text += fmt::format("; stage: {}", *row.stage);
  if (row.signature) text += fmt::format("; signature: {}", *row.signature);
  if (row.notes) text += fmt::format("; {}", *row.notes);
  return text;
}

std::string entry_of(const LookupSnapshot& snapshot, CellNumber cell, const Feed& feed) {
  const Row row = snapshot.row_of(cell);
  const std::string id = row.model_id.value_or(""), stack = short_name(stack_of(row)), target = target_of(row);
  const std::string updated = to_text(moment_of(snapshot, cell));
  return fmt::format(
      "  <entry>\n    <id>{}</id>\n    <title>{}</title>\n    <updated>{}</updated>\n"
      "    <link href=\"{}\"/>\n    <summary>{}</summary>\n  </entry>\n",
      uuid_of(fmt::format("{}\n{}\n{}\n{}", id, target, stack, updated)),
      xml_text(fmt::format("{}: {} on {} {}", id, row.verdict.value_or(""), target, stack)), updated,
      xml_text(feed.root + "model/" + model_path(id) + "/"), xml_text(summary_of(row)));
}

Response feed_response(const LookupSnapshot& snapshot, Feed feed) {
  std::ranges::stable_sort(feed.cells, std::greater<>(), [&](CellNumber cell) { return moment_of(snapshot, cell); });
  if (feed.cells.size() > kMaxEntries) feed.cells.resize(kMaxEntries);
  const Time newest = feed.cells.empty() ? Time{} : moment_of(snapshot, feed.cells.front());
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n  <id>{}</id>\n"
      "  <title>{}</title>\n  <updated>{}</updated>\n  <author><name>willitrun</name></author>\n"
      "  <link rel=\"self\" type=\"application/atom+xml\" href=\"{}\"/>\n  <link href=\"{}\"/>\n",
      uuid_of(feed.about), xml_text(feed.title), to_text(newest), xml_text(feed.root + feed.self), xml_text(feed.root));
  for (const CellNumber cell : feed.cells) text += entry_of(snapshot, cell, feed);
  Response response = text_response("application/atom+xml", text + "</feed>\n");
  response.set("Cache-Control", "max-age=300");
  return response;
}

template <class Wanted>
std::vector<CellNumber> cells_where(const LookupSnapshot& snapshot, Wanted wanted) {
  std::vector<CellNumber> cells;
  for (CellNumber cell = 0; cell < snapshot.num_cells(); ++cell)
    if (wanted(cell)) cells.push_back(cell);
  return cells;
}

}  // namespace

Result<Response> answer_model_feed(const Call& call) {
  const LookupSnapshot& snapshot = call.snapshot();
  ASSIGN_OR_RETURN(const ModelNumber model, find_model(snapshot, call.model_id()));
  const std::string id(snapshot.model_id(model));
  return feed_response(snapshot,
                       {"model " + id, id + " on Trainium", "../../../", "feed/model/" + model_path(id) + ".atom",
                        cells_where(snapshot, [&](CellNumber cell) { return snapshot.model_of(cell) == model; })});
}

Result<Response> answer_org_feed(const Call& call) {
  const LookupSnapshot& snapshot = call.snapshot();
  const std::string owner = call.parts[0], prefix = owner == "-" ? "" : owner + "/";
  const auto is_owners = [&](ModelNumber model) {
    return prefix.empty() ? !snapshot.model_id(model).contains('/') : snapshot.model_id(model).starts_with(prefix);
  };
  bool is_known = false;
  for (ModelNumber model = 0; model < snapshot.num_models() && !is_known; ++model) is_known = is_owners(model);
  if (!is_known) return fail(Code::NotFound, fmt::format("this home knows no model of '{}'", owner));
  return feed_response(snapshot,
                       {"org " + owner, fmt::format("Models of {} on Trainium", owner), "../../",
                        "feed/org/" + encode_segment(owner) + ".atom",
                        cells_where(snapshot, [&](CellNumber cell) { return is_owners(snapshot.model_of(cell)); })});
}

Result<Response> answer_signature_feed(const Call& call) {
  const LookupSnapshot& snapshot = call.snapshot();
  const OutcomeReader reader(snapshot);
  std::string signature;
  auto cells = cells_where(snapshot, [&](CellNumber cell) {
    const Outcome outcome = reader.read(snapshot.model_of(cell), cell);
    if (outcome.verdict != "FAIL") return false;
    const std::string_view name = cluster_name(outcome);
    if (name != call.parts[0] && address_key(name) != call.parts[0]) return false;
    signature = name;
    return true;
  });
  if (cells.empty()) return fail(Code::NotFound, fmt::format("no result has the signature '{}'", call.parts[0]));
  const std::string title = fmt::format("Models that meet {}", signature);
  return feed_response(snapshot, {"signature " + signature, title, "../../",
                                  "feed/signature/" + address_key(signature) + ".atom", std::move(cells)});
}

}  // namespace willitrun
