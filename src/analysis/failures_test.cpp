#include "analysis/failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

FailedResult failed(std::string_view model, std::string_view signature, std::int64_t downloads, std::string_view stack,
                    bool is_current) {
  return {.outcome = {.model = model,
                      .verdict = "FAIL",
                      .stage = "compile",
                      .failure_class = "nki",
                      .signature = signature,
                      .downloads = downloads},
          .stack = stack,
          .tested_at = parse_time(is_current ? "2026-11-01" : "2026-10-01"),
          .is_current = is_current};
}

TEST(Failures, ThoseThatTouchTheMostDownloadsComeFirst) {
  FailureClusters clusters;
  clusters.add(failed("small/one", "nki:A", 1, "2", true));
  clusters.add(failed("small/two", "nki:A", 2, "2", true));
  clusters.add(failed("big/one", "nki:B", 100, "2", true));
  const auto found = std::move(clusters).finish();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].signature, "nki:B");
  EXPECT_EQ(found[1].downloads, 3);
  EXPECT_EQ(found[1].models.front().id, "small/two");
}

TEST(Failures, OlderStacksTellSinceWhenButDoNotCount) {
  FailureClusters clusters;
  clusters.add(failed("a/b", "nki:A", 5, "1", false));
  clusters.add(failed("a/c", "nki:A", 5, "1", false));
  clusters.add(failed("a/b", "nki:A", 5, "2", true));
  const auto found = std::move(clusters).finish();
  EXPECT_EQ(found[0].downloads, 5);
  EXPECT_EQ(found[0].models.size(), 1U);
  EXPECT_THAT(found[0].stacks, ElementsAre("1", "2"));
  EXPECT_EQ(found[0].first_seen, parse_time("2026-10-01"));
}

TEST(Failures, WhatIsMendedIsNoClusterAnyMore) {
  FailureClusters clusters;
  clusters.add(failed("a/b", "nki:A", 5, "1", false));
  EXPECT_THAT(std::move(clusters).finish(), IsEmpty());
}

TEST(Failures, WithoutASignatureTheClassNamesTheCluster) {
  EXPECT_EQ(cluster_name({.failure_class = "hang"}), "hang");
  EXPECT_EQ(cluster_name({}), "unclassified");
}

}  // namespace
}  // namespace willitrun
