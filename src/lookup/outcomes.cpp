#include "lookup/outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "domain/version_order.h"

namespace willitrun {
namespace {

const TextColumn* text_column(const LookupSnapshot& snapshot, std::string_view name) {
  const CellColumn* column = snapshot.column(name);
  return column == nullptr || column->is_empty() ? nullptr : &std::get<TextColumn>(column->values());
}

std::string_view text_of(const TextColumn* column, CellNumber cell) {
  return column == nullptr ? std::string_view() : column->text(cell);
}

bool fits(const Stack& stack, std::string_view name) {
  if (short_name(stack) == name) return true;
  const std::size_t slash = name.find('/');
  const auto fits_version = [](std::string_view version, std::string_view wanted) {
    return wanted.empty() || (wanted == "-" && version.empty()) || version_is_within(version, wanted);
  };
  if (slash != std::string_view::npos)
    return fits_version(stack.neuronx_cc, name.substr(0, slash)) &&
           fits_version(stack.transformers, name.substr(slash + 1));
  return version_is_within(stack.neuronx_cc, name) || version_is_within(stack.transformers, name);
}

/// Finds models that are the same on two cells by the numbers of their words, without a closer look.
class SameOutcome {
 public:
  explicit SameOutcome(const LookupSnapshot& snapshot)
      : verdicts_(snapshot.verdicts()),
        stage_(text_column(snapshot, "stage")),
        pass_(verdicts_.code_of("PASS")),
        fail_(verdicts_.code_of("FAIL")) {}

  /// What change_between() says, or nothing when it has to be asked.
  std::optional<Change> of(CellNumber a, CellNumber b) const {
    if (a == kNone || b == kNone) return std::nullopt;
    const std::uint32_t verdict = verdicts_.code(a);
    if (verdict == 0 || verdict != verdicts_.code(b)) return std::nullopt;
    if (verdict == pass_) return Change::SamePass;
    if (verdict == fail_ && stage_ != nullptr && stage_->code(a) == stage_->code(b)) return Change::SameFail;
    return std::nullopt;
  }

 private:
  const TextColumn& verdicts_;
  const TextColumn* stage_;
  std::uint32_t pass_;
  std::uint32_t fail_;
};

}  // namespace

OutcomeReader::OutcomeReader(const LookupSnapshot& snapshot)
    : snapshot_(snapshot),
      evidence_(text_column(snapshot, "evidence")),
      stage_(text_column(snapshot, "stage")),
      failure_class_(text_column(snapshot, "class")),
      signature_(text_column(snapshot, "signature")),
      revision_(text_column(snapshot, "model_revision")) {}

Outcome OutcomeReader::read(ModelNumber model, CellNumber cell) const {
  const std::int64_t downloads = snapshot_.models().downloads[model];
  Outcome outcome{.model = snapshot_.model_id(model), .verdict = word_of(snapshot_, model, cell)};
  outcome.downloads = is_present(downloads) ? downloads : 0;
  if (cell == kNone) return outcome;
  outcome.evidence = text_of(evidence_, cell);
  outcome.stage = text_of(stage_, cell);
  outcome.failure_class = text_of(failure_class_, cell);
  outcome.signature = text_of(signature_, cell);
  outcome.revision = text_of(revision_, cell);
  return outcome;
}

Result<StackNumber> find_stack(const LookupSnapshot& snapshot, std::uint32_t target, std::string_view name) {
  std::vector<std::string> known;
  for (auto stack = static_cast<StackNumber>(snapshot.stacks().size()); stack-- > 0;) {
    if (snapshot.cells_on(target, stack).empty()) continue;
    if (fits(snapshot.stacks()[stack], name)) return stack;
    known.push_back(short_name(snapshot.stacks()[stack]));
  }
  return fail(Code::InvalidArgument, fmt::format("no results on a stack '{}' of target '{}': there are {}",
                                                 to_valid_utf8(name), snapshot.targets()[target], join(known, ", ")));
}

Comparison compare_on(const LookupSnapshot& snapshot, std::uint32_t target, StackNumber before, StackNumber after) {
  const OutcomeReader reader(snapshot);
  const SameOutcome same(snapshot);
  const auto first = snapshot.cells_on(target, before);
  const auto second = snapshot.cells_on(target, after);
  Comparison comparison;
  comparison.reserve(std::max(first.size(), second.size()));
  // Both lists are in the order of models: walk them side by side.
  for (std::size_t i = 0, j = 0; i < first.size() || j < second.size();) {
    const ModelNumber model_a = i < first.size() ? snapshot.model_of(first[i]) : kNone;
    const ModelNumber model_b = j < second.size() ? snapshot.model_of(second[j]) : kNone;
    const ModelNumber model = std::min(model_a, model_b);
    const CellNumber cell_a = model_a == model ? first[i++] : kNone;
    const CellNumber cell_b = model_b == model ? second[j++] : kNone;
    if (const auto change = same.of(cell_a, cell_b)) {
      const std::int64_t downloads = snapshot.models().downloads[model];
      comparison.add_same(*change, is_present(downloads) ? downloads : 0);
      continue;
    }
    // A model that is excluded today still has no result there: it was added or removed, not excluded then.
    Outcome a = reader.read(model, cell_a);
    Outcome b = reader.read(model, cell_b);
    if (cell_a == kNone) a.verdict = "UNTESTED";
    if (cell_b == kNone) b.verdict = "UNTESTED";
    comparison.add(a, b);
  }
  return comparison;
}

std::vector<FailureCluster> failure_clusters(const LookupSnapshot& snapshot, const ShownResults& shown) {
  FailureClusters clusters;
  if (!shown.stack) return {};
  const OutcomeReader reader(snapshot);
  const CellColumn* tested_at = snapshot.column("tested_at");
  for (StackNumber stack = 0; stack <= *shown.stack; ++stack) {
    const std::string name = short_name(snapshot.stacks()[stack]);
    for (const CellNumber cell : snapshot.cells_on(*shown.target, stack)) {
      const Outcome outcome = reader.read(snapshot.model_of(cell), cell);
      if (outcome.verdict != "FAIL") continue;
      const Cell time = tested_at->get(cell);
      clusters.add({outcome, name,
                    std::holds_alternative<Time>(time) ? std::optional(std::get<Time>(time)) : std::nullopt,
                    stack == *shown.stack});
    }
  }
  return std::move(clusters).finish();
}

}  // namespace willitrun
