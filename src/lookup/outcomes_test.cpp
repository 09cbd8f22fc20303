#include "lookup/outcomes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lookup/sample_snapshot.h"
#include "lookup/view.h"

namespace willitrun {
namespace {

using testing::HasSubstr;

TEST(FindStack, TakesWholeNamesAndFirstParts) {
  const auto snapshot = snapshot_of(sample_input());
  const auto trn2 = snapshot->find_target("trn2").value();
  const auto name_of = [&](std::string_view text) {
    return short_name(snapshot->stacks()[find_stack(*snapshot, trn2, text).value()]);
  };
  EXPECT_EQ(name_of("2.27.1/5.10.2"), "2.27.1/5.10.2");
  EXPECT_EQ(name_of("2.27/5.10"), "2.27.1/5.10.2");
  EXPECT_EQ(name_of("2.27"), "2.27.1/5.24.0");
  EXPECT_EQ(name_of("5.10.2"), "2.28.1/5.10.2");
  EXPECT_THAT(find_stack(*snapshot, trn2, "2.29").error().message, HasSubstr("there are 2.28.1/5.24.0, 2.28.1/5.10.2"));
}

TEST(FindStack, AStackWithoutCompilerHasADash) {
  const auto snapshot = snapshot_of(sample_input());
  EXPECT_TRUE(find_stack(*snapshot, snapshot->find_target("cpu").value(), "-/5.24"));
}

TEST(CompareOn, PutsTwoStacksSideBySide) {
  const auto snapshot = snapshot_of(sample_input());
  const auto trn2 = snapshot->find_target("trn2").value();
  const Comparison comparison = compare_on(*snapshot, trn2, find_stack(*snapshot, trn2, "2.27/5.24").value(),
                                           find_stack(*snapshot, trn2, "2.28/5.24").value());
  EXPECT_EQ(comparison.num_models(Change::SamePass), 1U);
  EXPECT_EQ(comparison.num_models(Change::Regressed), 1U);
  EXPECT_EQ(comparison.num_models(Change::Added), 3U);
  EXPECT_EQ(comparison.changed().front().before.model, "meta-llama/Llama-3.1-8B-Instruct");
  EXPECT_EQ(comparison.changed().front().after.signature, "compiler_internal:NCC_IXRO002");
}

TEST(FailureClustersOfSnapshot, LookAtTheShownStack) {
  const auto snapshot = snapshot_of(sample_input());
  const auto clusters = failure_clusters(*snapshot, shown_results(*snapshot, {}).value());
  ASSERT_EQ(clusters.size(), 1U);
  EXPECT_EQ(clusters[0].signature, "compiler_internal:NCC_IXRO002");
  EXPECT_EQ(clusters[0].downloads, 5'000'000);
  EXPECT_TRUE(failure_clusters(*snapshot, shown_results(*snapshot, {.neuronx_cc = "2.27"}).value()).empty());
}

}  // namespace
}  // namespace willitrun
