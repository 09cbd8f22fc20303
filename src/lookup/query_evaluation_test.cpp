// Queries are evaluated twice on random homes: over bitmaps, and here one model and one row at a time, straight from
// the language's definition.
#include "lookup/query_evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "domain/row_stack.h"
#include "domain/version_order.h"
#include "lookup/query_match.h"
#include "lookup/sample_snapshot.h"
#include "lookup/view.h"

namespace willitrun {
namespace {

using Kind = QueryNode::Kind;

/// The definition of queries, in the plainest form.
class Definition {
 public:
  Definition(const SnapshotInput& input, std::string target, const std::optional<Stack>& shown)
      : input_(input), target_(std::move(target)), shown_(shown) {}

  bool holds(const QueryNode& node, const RankedModel& model) const {
    const auto child_holds = [&](const QueryNode& child) { return holds(child, model); };
    switch (node.kind) {
      case Kind::All: return std::ranges::all_of(node.children, child_holds);
      case Kind::Any: return std::ranges::any_of(node.children, child_holds);
      case Kind::Not: return !holds(node.children[0], model);
      case Kind::Name: return matches(node.name, model.id);
      case Kind::Condition: return holds(node.condition, model, shown_row(model));
      case Kind::Sequence: return sequence_holds(node, model);
      default: break;
    }
    const std::vector<const Row*> rows = rows_of(model);
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(rows, [&](const Row* row) { return holds(node.children[0], model, row); }));
    if (node.kind == Kind::EveryStack) return !rows.empty() && count == rows.size();
    if (node.kind == Kind::NoStack) return count == 0;
    if (node.kind == Kind::CountStacks) return node.count.holds(static_cast<double>(count));
    return count > 0;
  }

 private:
  bool holds(const QueryNode& node, const RankedModel& model, const Row* row) const {
    const auto child_holds = [&](const QueryNode& child) { return holds(child, model, row); };
    switch (node.kind) {
      case Kind::All: return std::ranges::all_of(node.children, child_holds);
      case Kind::Any: return std::ranges::any_of(node.children, child_holds);
      case Kind::Not: return !holds(node.children[0], model, row);
      case Kind::Name: return matches(node.name, model.id);
      default: return holds(node.condition, model, row);
    }
  }

  bool holds(const Condition& condition, const RankedModel& model, const Row* row) const {
    const std::string& field = condition.field->name;
    if (field == "verdict")
      return text_matches(condition, row != nullptr ? shown_verdict(*row) : word_without_result(model));
    if (field == "model") return text_matches(condition, model.id);
    if (field == "owner") return text_matches(condition, model.id.substr(0, model.id.find('/')));
    if (field == "task") return text_matches(condition, model.task);
    if (field == "downloads")
      return model.downloads && number_matches(condition, static_cast<double>(*model.downloads));
    if (field == "gated") return number_matches(condition, model.gated ? 1 : 0);
    if (field == "exclusion") return text_matches(condition, exclusion_of(model));
    return row != nullptr && holds(condition, find_row_column(field)->get(*row));
  }

  static bool holds(const Condition& condition, const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return text_matches(condition, *text);
    if (const auto* number = std::get_if<std::int32_t>(&cell)) return number_matches(condition, *number);
    if (const auto* number = std::get_if<double>(&cell)) return number_matches(condition, *number);
    if (const auto* flag = std::get_if<bool>(&cell)) return number_matches(condition, *flag ? 1 : 0);
    if (const auto* time = std::get_if<Time>(&cell))
      return number_matches(condition, static_cast<double>(time->time_since_epoch().count()));
    return false;
  }

  bool sequence_holds(const QueryNode& node, const RankedModel& model) const {
    const auto rows = rows_of(model);
    return std::ranges::any_of(rows, [&](const Row* row) {
      return run_holds(node, model, row, &Row::transformers, &Row::neuronx_cc) ||
             run_holds(node, model, row, &Row::neuronx_cc, &Row::transformers);
    });
  }

  /// Follows the steps from `row` along results with the same `fixed` part and the next larger `moving` part.
  bool run_holds(const QueryNode& node, const RankedModel& model, const Row* row,
                 std::optional<std::string> Row::* fixed, std::optional<std::string> Row::* moving) const {
    for (std::size_t step = 0; step < node.children.size(); ++step) {
      if (row == nullptr || !holds(node.children[step], model, row)) return false;
      const Row* next = nullptr;
      for (const Row* other : rows_of(model)) {
        if (other->*fixed != row->*fixed || compare_versions(*(other->*moving), *(row->*moving)) <= 0) continue;
        if (next == nullptr || compare_versions(*(other->*moving), *(next->*moving)) < 0) next = other;
      }
      row = next;
    }
    return true;
  }

  std::vector<const Row*> rows_of(const RankedModel& model) const {
    std::vector<const Row*> rows;
    for (const Row& row : input_.rows)
      if (row.model_id == model.id && shown_target(row) == target_) rows.push_back(&row);
    return rows;
  }

  const Row* shown_row(const RankedModel& model) const {
    for (const Row* row : rows_of(model))
      if (shown_ && stack_key(stack_of(*row)) == stack_key(*shown_)) return row;
    return nullptr;
  }

  std::string exclusion_of(const RankedModel& model) const {
    for (const auto& [id, exclusion] : input_.excluded)
      if (id == model.id) return exclusion.reason;
    return "";
  }

  std::string word_without_result(const RankedModel& model) const {
    return exclusion_of(model).empty() ? "UNTESTED" : "EXCLUDED";
  }

  const SnapshotInput& input_;
  std::string target_;
  std::optional<Stack> shown_;
};

template <class T>
T pick(std::mt19937& random, std::initializer_list<T> values) {
  return *(values.begin() + static_cast<std::ptrdiff_t>(random() % values.size()));
}

Row random_row(std::mt19937& random, const std::string& id, const char* cc, const char* transformers) {
  Row row =
      sample_row(id, pick(random, {"PASS", "PASS", "FAIL", "FLAKY", "INDETERMINATE", "ODD_WORD"}), cc, transformers);
  if (random() % 3 == 0) row.target = "trn2-emulated";
  if (random() % 3 != 0) row.cores = pick(random, {1, 2, 4, 16});
  if (random() % 2 == 0) row.stage = pick(random, {"load", "compile", "execute"});
  if (random() % 2 == 0) row.signature = pick(random, {"nki:NCC_EVRF009", "hang", "device_oom:NRT 4"});
  if (random() % 2 == 0) row.tokens_per_s = pick(random, {0.0, 12.5, 1e6});
  if (random() % 2 == 0) row.tested_at = parse_time(pick(random, {"2026-10-01", "2026-10-31T12:00:00Z"}));
  if (random() % 2 == 0) row.emulated = *row.target == "trn2-emulated";
  return row;
}

SnapshotInput random_input(std::mt19937& random) {
  SnapshotInput input;
  for (std::size_t i = 0; i < 30; ++i) {
    RankedModel model = sample_model(pick(random, {"Qwen", "meta-llama", "big"}) + ("/Model-" + std::to_string(i)),
                                     static_cast<std::int64_t>(random() % 2'000'000),
                                     pick(random, {"text-generation", "image-text-to-text"}));
    model.gated = random() % 4 == 0;
    if (random() % 5 == 0) model.downloads.reset();
    for (const char* cc : {"2.9.1", "2.27.1", "2.28.3"})
      for (const char* transformers : {"5.9.0", "5.10.2", "5.24.0"})
        if (random() % 3 != 0) input.rows.push_back(random_row(random, model.id, cc, transformers));
    if (random() % 6 == 0) input.excluded.push_back({model.id, {model.id, ExclusionKind::Priority, "Not now", "", {}}});
    input.models.push_back(std::move(model));
  }
  return input;
}

std::string random_condition(std::mt19937& random) {
  return pick<const char*>(random, {"cores<=4",
                                    "cores:2..4",
                                    "cores!=4",
                                    "stage:compile",
                                    "stage:!load",
                                    "sig:NCC_EVRF009",
                                    "sig=hang",
                                    "verdict:pass|flaky",
                                    "verdict:odd*",
                                    "is:untested",
                                    "is:excluded|flaky",
                                    "is:emulated",
                                    "cc:2.28",
                                    "cc>=2.27",
                                    "cc<2.27",
                                    "tf:5.10",
                                    "tf=5.9.0",
                                    "downloads>1M",
                                    "downloads:..500k",
                                    "org:Qwen",
                                    "model:model-1",
                                    "task:text-*",
                                    "tokens_per_s>0",
                                    "tested_at:2026-10-31",
                                    "tested_at<2026-10-31",
                                    "gated:true",
                                    "model-2",
                                    "exclusion:now",
                                    "library:transformers"});
}

std::string random_query(std::mt19937& random, int depth, bool over_stacks) {
  if (depth == 0) return random_condition(random);
  const auto part = [&] { return random_query(random, depth - 1, over_stacks); };
  const auto inside = [&] { return random_query(random, depth - 1, true); };
  switch (random() % (over_stacks ? 4 : 10)) {
    case 0: return "(" + part() + " or " + part() + ")";
    case 1: return part() + " " + part();
    case 2: return "not (" + part() + ")";
    case 3: return random_condition(random);
    case 4: return "seq((" + inside() + ") (" + inside() + "))";
    case 5: return "seq(is:pass (" + inside() + ") !is:pass)";
    case 6: return "all(" + inside() + ")";
    case 7: return "any(" + inside() + ")";
    case 8: return "none(" + inside() + ")";
    default: return "count>=" + std::to_string(random() % 4) + "(" + inside() + ")";
  }
}

TEST(QueryEvaluation, AgreesWithTheDefinitionOnRandomHomes) {
  std::mt19937 random(17);
  for (int round = 0; round < 12; ++round) {
    const SnapshotInput input = random_input(random);
    const auto snapshot = snapshot_of(input);
    const std::string target = pick<const char*>(random, {"trn2", "trn2-emulated", "none-such"});
    const ShownResults shown = shown_results(*snapshot, {.target = target}).value();
    const Definition definition(input, target,
                                shown.stack ? std::optional(snapshot->stacks()[*shown.stack]) : std::nullopt);
    for (int i = 0; i < 120; ++i) {
      const std::string text = random_query(random, static_cast<int>(random() % 4), false);
      const auto query = parse_query(text);
      ASSERT_TRUE(query) << text << ": " << query.error().message;
      const Bitmap found = evaluate(*snapshot, shown, query->where);
      for (const RankedModel& model : input.models)
        ASSERT_EQ(found.test(*snapshot->find_model(model.id)), definition.holds(query->where, model))
            << text << " for " << model.id;
    }
  }
}

std::vector<std::string> models_where(std::string_view text) {
  const auto snapshot = snapshot_of(sample_input());
  const ShownResults shown = shown_results(*snapshot, {}).value();
  std::vector<std::string> ids;
  evaluate(*snapshot, shown, parse_query(text).value().where).for_each([&](std::size_t model) {
    ids.emplace_back(snapshot->model_id(static_cast<ModelNumber>(model)));
  });
  return ids;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(QueryEvaluation, AnswersTheProductsQuestions) {
  EXPECT_THAT(models_where("seq(cc@2.27:pass cc@2.28:!pass)"), ElementsAre("meta-llama/Llama-3.1-8B-Instruct"));
  EXPECT_THAT(models_where("stage:compile cores<=4"), ElementsAre("meta-llama/Llama-3.1-8B-Instruct"));
  EXPECT_THAT(models_where("sig:ncc_ixro"), ElementsAre("meta-llama/Llama-3.1-8B-Instruct"));
  EXPECT_THAT(models_where("org:Qwen downloads>1M"), ElementsAre("Qwen/Qwen3-0.6B", "Qwen/Qwen2.5-VL-3B-Instruct"));
  EXPECT_THAT(models_where("is:excluded"), ElementsAre("TheBloke/Llama-2-7B-GGUF"));
  EXPECT_THAT(models_where("is:flaky|too_large"), ElementsAre("openai/gpt-oss-20b", "big/model-700b"));
  EXPECT_THAT(models_where("count>=4(is:pass)"), ElementsAre("Qwen/Qwen3-0.6B"));
  EXPECT_THAT(models_where("is:predicted"), IsEmpty());
}

TEST(QueryEvaluation, EmulatedPassesAreNotOfTrainium) {
  EXPECT_THAT(models_where("gpt2 is:pass"), IsEmpty());
  EXPECT_THAT(models_where("is:emulated"), IsEmpty());
}

/// Every field can be asked for and sorted by, so that none is forgotten in a table.
TEST(QueryEvaluation, KnowsEveryField) {
  const auto snapshot = snapshot_of(sample_input());
  const ShownResults shown = shown_results(*snapshot, {}).value();
  for (const QueryField& field : query_fields()) {
    const char* value = field.kind == FieldKind::Number   ? "1"
                        : field.kind == FieldKind::Moment ? "2026-10-30"
                        : field.kind == FieldKind::Flag   ? "true"
                                                          : "x";
    const Query query =
        parse_query(field.name + ":" + value + " any(" + field.name + ":" + value + ") sort:" + field.name).value();
    evaluate(*snapshot, shown, query.where);
    std::vector<ModelNumber> models = {0, 1, 2, 3};
    sort_models(*snapshot, shown, query.sort, models);
    EXPECT_EQ(models.size(), 4U);
  }
}

TEST(QuerySort, AbsentValuesComeLastEitherWay) {
  const auto snapshot = snapshot_of(sample_input());
  const ShownResults shown = shown_results(*snapshot, {}).value();
  const auto sorted = [&](std::string_view text) {
    std::vector<ModelNumber> models = {7, 6, 5, 0};
    sort_models(*snapshot, shown, parse_query(text).value().sort, models);
    return models;
  };
  EXPECT_THAT(sorted("sort:downloads"), ElementsAre(6, 5, 0, 7));
  EXPECT_THAT(sorted("sort:-downloads"), ElementsAre(0, 5, 6, 7));
  EXPECT_THAT(sorted("sort:verdict sort:-model"), ElementsAre(5, 0, 7, 6));
}

Condition condition_of(std::string_view text) { return parse_query(text).value().where.condition; }

TEST(QueryMatch, ColonMeansWhatTheFieldIs) {
  EXPECT_TRUE(text_matches(condition_of("stage:compile"), "compile"));
  EXPECT_FALSE(text_matches(condition_of("stage:comp"), "compile"));
  EXPECT_TRUE(text_matches(condition_of("stage:comp*"), "compile"));
  EXPECT_TRUE(text_matches(condition_of("owner:*lla*a"), "meta-LLAMA"));
  EXPECT_TRUE(text_matches(condition_of("sig:evrf"), "nki:NCC_EVRF009"));
  EXPECT_FALSE(text_matches(condition_of("sig=evrf"), "nki:NCC_EVRF009"));
  EXPECT_TRUE(text_matches(condition_of("cc:2.28"), "2.28.7631.0+1a"));
  EXPECT_FALSE(text_matches(condition_of("cc:2.2"), "2.28.7631.0"));
  EXPECT_TRUE(text_matches(condition_of("cc>2.9"), "2.28"));
  EXPECT_FALSE(text_matches(condition_of("stage:*"), ""));
}

}  // namespace
}  // namespace willitrun
