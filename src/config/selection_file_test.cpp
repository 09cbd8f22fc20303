#include "config/selection_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/file.h"

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kRule = R"(
name = "selected"
tasks = ["text-generation"]
libraries = ["transformers"]
formats = ["safetensors"]
top_downloads = 10
)";

TEST(SelectionFile, ReadsEveryKey) {
  const auto rule = parse_selection_rule(std::string(kRule) + "top_trending = 5\nmax_parameters = 7_000\n", "x.toml");
  ASSERT_TRUE(rule) << rule.error().message;
  EXPECT_EQ(rule->name, "selected");
  EXPECT_THAT(rule->tasks, ElementsAre("text-generation"));
  EXPECT_THAT(rule->libraries, ElementsAre("transformers"));
  EXPECT_THAT(rule->formats, ElementsAre("safetensors"));
  EXPECT_EQ(rule->top_downloads, 10);
  EXPECT_EQ(rule->top_trending, 5);
  EXPECT_EQ(rule->max_parameters, 7000);
  EXPECT_FALSE(parse_selection_rule(kRule, "x.toml")->max_parameters);
}

TEST(SelectionFile, RefusesWhatItDoesNotKnowOrWhatSelectsNothing) {
  const auto message = [](const std::string& toml) {
    const auto rule = parse_selection_rule(toml, "x.toml");
    return rule ? "" : rule.error().message;
  };
  EXPECT_THAT(message(std::string(kRule) + "top_donwloads = 3\n"),
              HasSubstr("x.toml: 'top_donwloads' is not a known key"));
  EXPECT_THAT(message("name = \"x\"\ntasks = []\n"), HasSubstr("'tasks' must name at least one task"));
  EXPECT_THAT(message(std::string(kRule).replace(std::string(kRule).find("10"), 2, "0")),
              HasSubstr("nothing is ever selected"));
}

TEST(Exclusions, ReadKindOwnerAndExpiry) {
  const auto list = parse_exclusions(R"(
[[exclusion]]
model = "a/*"
kind = "incompatible"
reason = "why"
owner = "who"
expires = "2027-01-31"
[[exclusion]]
model = "b/c"
kind = "priority"
reason = "later"
owner = "who"
)",
                                     "x.toml");
  ASSERT_TRUE(list) << list.error().message;
  ASSERT_EQ(list->size(), 2U);
  EXPECT_EQ((*list)[0].model, "a/*");
  EXPECT_EQ((*list)[0].kind, ExclusionKind::Incompatible);
  EXPECT_EQ((*list)[0].reason, "why");
  EXPECT_EQ((*list)[0].owner, "who");
  EXPECT_EQ((*list)[0].expires, parse_time("2027-01-31"));
  EXPECT_EQ((*list)[1].kind, ExclusionKind::Priority);
  EXPECT_FALSE((*list)[1].expires);
}

TEST(Exclusions, NameWhatIsWrong) {
  const auto message = [](std::string_view change) {
    const auto list = parse_exclusions(
        "[[exclusion]]\nmodel = \"a/b\"\nreason = \"r\"\nowner = \"o\"\n" + std::string(change), "x.toml");
    return list ? "" : list.error().message;
  };
  EXPECT_THAT(message("kind = \"boring\"\n"), HasSubstr("the exclusion of 'a/b' has kind 'boring'"));
  EXPECT_THAT(message("kind = \"priority\"\nexpires = \"soon\"\n"), HasSubstr("expires on 'soon': use YYYY-MM-DD"));
  EXPECT_THAT(message(""), HasSubstr("'exclusion[0].kind' is missing"));
}

TEST(SelectionFile, OurOwnFilesAreWellFormed) {
  const std::filesystem::path folder = std::filesystem::path(WILLITRUN_SOURCE_DIR) / "selections";
  const auto rule = parse_selection_rule(read_file(folder / "selected.toml").value(), "selected.toml");
  EXPECT_TRUE(rule) << rule.error().message;
  const auto exclusions = parse_exclusions(read_file(folder / "exclusions.toml").value(), "exclusions.toml");
  EXPECT_TRUE(exclusions) << exclusions.error().message;
}

}  // namespace
}  // namespace willitrun
