#include <gtest/gtest.h>

#include <set>

#include "domain/failure.h"
#include "domain/model_ref.h"
#include "domain/plan.h"
#include "domain/row_columns.h"
#include "domain/verdict.h"

namespace willitrun {
namespace {

template <class E>
void expect_round_trip() {
  std::set<std::string_view> texts;
  for (const auto& name : enum_names(std::type_identity<E>{})) {
    EXPECT_EQ(from_text<E>(to_text(name.value)), name.value);
    EXPECT_TRUE(texts.insert(name.text).second) << name.text;
  }
  EXPECT_EQ(from_text<E>("no such name"), std::nullopt);
}

TEST(EnumText, EveryEnumRoundTrips) {
  expect_round_trip<Mode>();
  expect_round_trip<PlanStatus>();
  expect_round_trip<PlanCode>();
  expect_round_trip<Mark>();
  expect_round_trip<Stage>();
  expect_round_trip<ChargedTo>();
  expect_round_trip<Verdict>();
  expect_round_trip<Evidence>();
}

TEST(FailureClasses, NamesAreUniqueAndFindThemselves) {
  std::set<std::string_view> names;
  for (const auto& kind : failure_classes()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(find_failure_class(kind.name)->stage, kind.stage);
  }
  EXPECT_FALSE(find_failure_class("no_such_class"));
}

TEST(FailureClasses, EverythingOfTheInfraStageIsChargedToInfra) {
  for (const auto& kind : failure_classes())
    if (kind.stage == Stage::Infra) {
      EXPECT_EQ(kind.charged_to, ChargedTo::Infra) << kind.name;
    }
}

TEST(ModelRef, ReadsHubIdsRevisionsAndFolders) {
  EXPECT_EQ(parse_model_ref("Qwen/Qwen3-0.6B").value(), (ModelRef{ModelRef::Kind::Hub, "Qwen/Qwen3-0.6B", ""}));
  EXPECT_EQ(parse_model_ref("gpt2@refs/pr/1").value(), (ModelRef{ModelRef::Kind::Hub, "gpt2", "refs/pr/1"}));
  EXPECT_EQ(parse_model_ref("./model").value().kind, ModelRef::Kind::Folder);
  EXPECT_EQ(to_text(parse_model_ref("a/b@main").value()), "a/b@main");
}

TEST(ModelRef, TakesLongNames) {  // 59 of 15,904 ids of a Hub listing have more than 96 characters in all.
  const std::string part(96, 'x');
  EXPECT_TRUE(is_hub_id(part + "/" + part));
  EXPECT_FALSE(is_hub_id(part + "x/b"));
  EXPECT_FALSE(is_hub_id("a/x" + part));
}

TEST(ModelRef, RefusesWhatTheHubWouldRefuse) {
  for (const char* text :
       {"", "a/b/c", "a//b", "a/../b", "-a/b", "a/b.", "a--b/c", "a b/c", "a/b.git", "a/b@", "a/b@x..y", "a/\xFF"})
    EXPECT_FALSE(parse_model_ref(text)) << text;
}

TEST(RowColumns, ThePublicColumnsComeFirstInTheirOrder) {
  const auto columns = row_columns();
  const std::vector<std::string_view> expected = {
      "model_id",        "library",      "tp",          "runner",          "result",    "notes",   "error",
      "exclusion",       "wall_s",       "hbm_peak_gb", "hbm_capacity_gb", "cpu_match", "english", "neuronx_cc",
      "library_version", "transformers", "accelerate",  "torch_neuronx",   "torch",     "nki",     "python",
      "neuron_driver",   "tested_at",    "run_py"};
  ASSERT_GE(columns.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(columns[i].name, expected[i]);
}

TEST(RowColumns, EachColumnReadsBackWhatItWroteAndNothingElse) {
  for (const auto& column : row_columns()) {
    const Cell value = [&]() -> Cell {
      switch (column.type) {
        case ColumnType::Bool: return true;
        case ColumnType::Int32: return std::int32_t{7};
        case ColumnType::Int64: return std::int64_t{7};
        case ColumnType::Double: return 7.5;
        case ColumnType::String: return std::string("seven");
        case ColumnType::Timestamp: return Time(std::chrono::milliseconds(7));
        case ColumnType::Int32List: return std::vector<std::int32_t>{7, 8};
        case ColumnType::StringList: return std::vector<std::string>{"seven"};
      }
      return {};
    }();
    Row row;
    column.set(row, value);
    EXPECT_EQ(column.get(row), value) << column.name;
    column.set(row, {});
    EXPECT_EQ(row, Row()) << column.name;
  }
}

TEST(RowColumns, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const auto& column : row_columns()) EXPECT_TRUE(names.insert(column.name).second) << column.name;
  EXPECT_EQ(find_row_column("neuron_cores"), find_row_column("tp"));
}

}  // namespace
}  // namespace willitrun
