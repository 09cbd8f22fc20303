// How often the rules are right on excerpts of public failure reports, which lie outside of the repository
// (WILLITRUN_SHARED, or ../shared beside it). Rules were written with the odd-numbered ones in sight; the even-numbered
// ones were held out, so that only their figures say anything about other people's logs. No text of theirs is printed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/text.h"
#include "os/file.h"
#include "os/home.h"
#include "verify/classify.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

struct Excerpt {
  std::string name, text, stage, failure_class;
};

fs::path excerpts_folder() {
  const std::string shared = environment_variable("WILLITRUN_SHARED");
  return (shared.empty() ? fs::path(WILLITRUN_SOURCE_DIR) / ".." / "shared" : fs::path(shared)) / "data" / "errors";
}

/// The excerpts whose number is odd, or even. `labels.tsv`: file, source, stage, class, ... with a heading.
std::vector<Excerpt> read_excerpts(const fs::path& folder, bool odd) {
  std::vector<Excerpt> excerpts;
  const std::string labels = read_file(folder / "labels.tsv").value();
  for (const std::string_view line : split(labels, '\n')) {
    const auto fields = split(line, '\t');
    const auto number = parse_uint(fields[0].substr(0, fields[0].find('.')));
    if (!number || fields.size() < 4 || (*number % 2 == 1) != odd) continue;
    // What the labels call gibberish is `not_fluent` in the vocabulary.
    const std::string_view failure_class = fields[3] == "gibberish" ? "not_fluent" : fields[3];
    excerpts.push_back({std::string(fields[0]), read_file(folder / fields[0]).value(), std::string(fields[2]),
                        std::string(failure_class)});
  }
  return excerpts;
}

struct Accuracy {
  std::size_t total = 0, stages = 0, classes = 0;
  double stage_share() const { return static_cast<double>(stages) / static_cast<double>(total); }
  double class_share() const { return static_cast<double>(classes) / static_cast<double>(total); }
};

Accuracy measure(const std::vector<Excerpt>& excerpts, bool show_misses) {
  Accuracy accuracy;
  for (const Excerpt& excerpt : excerpts) {
    const Failure failure = classify({.log = excerpt.text});
    const bool right_class = failure.kind.name == excerpt.failure_class;
    ++accuracy.total;
    accuracy.stages += to_text(failure.kind.stage) == excerpt.stage;
    accuracy.classes += right_class;
    if (!right_class && show_misses)
      fmt::print("  {}: {} instead of {}\n", excerpt.name, failure.signature, excerpt.failure_class);
  }
  return accuracy;
}

void report(const char* name, const Accuracy& accuracy) {
  fmt::print("{}: {} excerpts, stage {:.1f} % ({}), class {:.1f} % ({})\n", name, accuracy.total,
             100 * accuracy.stage_share(), accuracy.stages, 100 * accuracy.class_share(), accuracy.classes);
}

class Excerpts : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(excerpts_folder() / "labels.tsv"))
      GTEST_SKIP() << "no excerpts in " << excerpts_folder() << "; set WILLITRUN_SHARED";
  }
};

TEST_F(Excerpts, ThatRulesWereWrittenWith) {
  const auto accuracy = measure(read_excerpts(excerpts_folder(), true), true);
  report("seen", accuracy);
  EXPECT_GE(accuracy.stage_share(), 0.95);
  EXPECT_GE(accuracy.class_share(), 0.95);
}

TEST_F(Excerpts, ThatWereHeldOut) {
  const auto accuracy = measure(read_excerpts(excerpts_folder(), false), false);
  report("held out", accuracy);
  // What is reached, as a floor that no change may fall below. The aim is 90 % and 75 %: docs/failures.md.
  EXPECT_GE(accuracy.stages, 29u);
  EXPECT_GE(accuracy.classes, 26u);
}

}  // namespace
}  // namespace willitrun
