#include <gtest/gtest.h>

#include <fstream>

#include "base/time.h"
#include "lookup/query.h"
#include "lookup/query_values.h"

namespace willitrun {
namespace {

std::string error_of(std::string_view text) {
  const auto query = parse_query(text);
  return query ? "no error" : query.error().message;
}

TEST(QueryParser, SaysAtWhichColumnAndWhatCouldBeMeant) {
  EXPECT_EQ(error_of("qwen coers<=4"), "query, column 6: there is no field 'coers': do you mean 'cores'?");
  EXPECT_EQ(error_of("xyzzy:1"), "query, column 1: there is no field 'xyzzy'; docs/query.md lists them");
  EXPECT_EQ(error_of("cores<=many"), "query, column 8: 'many' is no number: write 4, 1.5k, 1M, 7B or 20GiB");
  EXPECT_EQ(
      error_of("is:works"),
      "query, column 4: nothing is 'works': there are untested, excluded, emulated, flaky, predicted, pass, fail, "
      "too_large, indeterminate, gated, removed, local and selected");
  EXPECT_EQ(error_of("is:flaky|works").substr(0, 17), "query, column 10:");
  EXPECT_EQ(error_of("(qwen"), "query, column 1: this '(' is not closed");
  EXPECT_EQ(error_of("qwen)"), "query, column 5: this ')' closes nothing");
  EXPECT_EQ(error_of("qwen ()"), "query, column 6: there is nothing between these parentheses");
  EXPECT_EQ(error_of("or qwen"), "query, column 1: something must stand before 'or'");
  EXPECT_EQ(error_of("qwen or"), "query, column 8: something must follow 'or'");
  EXPECT_EQ(error_of("qwen and"), "query, column 9: something must follow 'and'");
  EXPECT_EQ(error_of("not"), "query, column 4: something must follow 'not'");
  EXPECT_EQ(error_of("notes:\"out of"), "query, column 1: the quotation mark is not closed");
  EXPECT_EQ(error_of("stage<compile"), "query, column 7: 'stage' has no order: use ':' or '='");
  EXPECT_EQ(error_of("cores:"), "query, column 7: 'cores' is compared with nothing");
  EXPECT_EQ(error_of("cores:8..2"), "query, column 7: the range '8..2' is empty");
  EXPECT_EQ(error_of("tested_at>soon"), "query, column 11: 'soon' is no date: write 2026-10-31");
}

TEST(QueryParser, CountsColumnsInCharacters) {
  EXPECT_EQ(error_of("h\xC3\xA9h\xC3\xA9 coers=1").substr(0, 16), "query, column 6:");
}

TEST(QueryParser, ExplainsOperatorsOverStacks) {
  EXPECT_EQ(error_of("seq(is:pass)"), "query, column 1: seq needs two or more results in a row");
  EXPECT_EQ(error_of("any(all(is:pass))"), "query, column 5: 'all' inside another operator over stacks");
  EXPECT_EQ(error_of("some(is:pass)"),
            "query, column 1: no operator 'some(': there are seq, all, any, none and count>=N");
  EXPECT_EQ(error_of("count(is:pass)"), "query, column 1: write count>=2(...), with one of < <= = >= >");
  EXPECT_EQ(error_of("count>=x(is:pass)"), "query, column 8: count is compared with a whole number");
  EXPECT_EQ(error_of("stage@2.28:pass"),
            "query, column 1: 'stage' has no versions: write cc@2.28:pass or tf@5.24:pass");
  EXPECT_EQ(error_of("(qwen sort:downloads)"), "query, column 7: 'sort' stands outside parentheses");
}

TEST(QueryParser, TheSameQueryMayBeWrittenInSeveralWays) {
  const auto same = [](std::string_view a, std::string_view b) {
    return parse_query(a).value() == parse_query(b).value();
  };
  EXPECT_TRUE(same("qwen cores<=4", "qwen AND cores<=4"));
  EXPECT_TRUE(same("stage:!compile", "not stage:compile"));
  EXPECT_TRUE(same("stage:!compile", "!stage:compile"));
  EXPECT_TRUE(same("cores!=4", "not (cores=4)"));
  EXPECT_TRUE(same("is:pass|fail", "is:pass or is:fail"));
  EXPECT_TRUE(same("org:Qwen", "OWNER:qwen"));
  EXPECT_TRUE(same("cc@2.28:pass", "any(cc:2.28 verdict:pass)"));
  EXPECT_TRUE(same("not not qwen", "qwen"));
  EXPECT_TRUE(same("  ", ""));
  EXPECT_FALSE(same("a b or c", "a (b or c)"));
  EXPECT_TRUE(same("a b or c", "(a b) or c"));
}

TEST(QueryParser, ReadsTheProductsExamples) {
  for (const char* text : {"task:text-generation cores<=4 seq(cc@2.27:pass cc@2.28:!pass)", "stage:compile",
                           "sig:NCC_EVRF009", "org:Qwen downloads>1M", "is:untested|excluded|emulated|flaky|predicted",
                           "count>=2(is:pass)", "all(is:pass)", "none(stage:compile)", "sort:-downloads qwen"})
    EXPECT_TRUE(parse_query(text)) << text;
}

/// The lines of the n-th code block of docs/query.md.
std::vector<std::string> documented(std::size_t block) {
  std::ifstream file(std::string(WILLITRUN_SOURCE_DIR) + "/docs/query.md");
  std::vector<std::string> lines;
  std::size_t fences = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```"))
      ++fences;
    else if (fences == 2 * block + 1)
      lines.push_back(line);
  }
  return lines;
}

TEST(QueryParser, TheDocumentsExamplesCanBeRead) {
  const auto examples = documented(0);
  EXPECT_GE(examples.size(), 10U);
  for (const std::string& line : examples) EXPECT_EQ(error_of(line.substr(0, line.find("   "))), "no error") << line;
}

TEST(QueryParser, TheDocumentsMistakesAreWhatIsSaid) {
  const auto mistakes = documented(1);
  ASSERT_EQ(mistakes.size(), 4U);
  EXPECT_EQ(error_of("qwen coers<=4"), mistakes[0]);
  EXPECT_EQ(error_of("cores<=many"), mistakes[1]);
  EXPECT_EQ(error_of("seq(is:pass)"), mistakes[2]);
  EXPECT_EQ(error_of("(qwen"), mistakes[3]);
}

TEST(QueryParser, QuotesMakeAWordOfAnything) {
  const Query query = parse_query("\"or\"").value();
  EXPECT_EQ(query.where.kind, QueryNode::Kind::Name);
  EXPECT_EQ(query.where.name.words.front(), "or");
}

TEST(QueryParser, RefusesWhatIsTooLongOrTooDeep) {
  EXPECT_EQ(error_of(std::string(1 << 20, 'a')), "the query is too long: at most 16384 bytes, this has 1048576");
  EXPECT_NE(error_of(std::string(8000, '(')).find("too many parentheses"), std::string::npos);
  EXPECT_TRUE(parse_query(std::string(50, '(') + "a" + std::string(50, ')')));
  EXPECT_TRUE(parse_query(std::string(8001, '!') + "a"));
}

TEST(QueryValues, NumbersHaveMultiples) {
  EXPECT_EQ(parse_number("1.5k").value(), 1500);
  EXPECT_EQ(parse_number("1M").value(), 1e6);
  EXPECT_EQ(parse_number("7B").value(), 7e9);
  EXPECT_EQ(parse_number("2GiB").value(), 2147483648.0);
  for (const char* bad : {"", "k", "1x", "1e999", "nan", "inf", "--1"}) EXPECT_FALSE(parse_number(bad)) << bad;
}

TEST(QueryValues, ADateIsAWholeDay) {
  const auto condition = make_condition(*find_query_field("tested_at"), QueryComparison::Equal, "2026-10-31").value();
  const auto ms = [](std::string_view text) {
    return static_cast<double>(parse_time(text)->time_since_epoch().count());
  };
  EXPECT_TRUE(condition.numbers[0].holds(ms("2026-10-31T23:59:59.999Z")));
  EXPECT_FALSE(condition.numbers[0].holds(ms("2026-11-01")));
  const auto later = make_condition(*find_query_field("tested_at"), QueryComparison::Greater, "2026-10-31").value();
  EXPECT_FALSE(later.numbers[0].holds(ms("2026-10-31T12:00:00Z")));
  EXPECT_TRUE(later.numbers[0].holds(ms("2026-11-01")));
}

}  // namespace
}  // namespace willitrun
