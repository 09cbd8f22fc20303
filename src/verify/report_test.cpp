#include "verify/report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::string kStart =
    R"({"event":"start","t":1.5,"rank":null,"schema":1,"pid":7,"model":"a/b","revision":"abc","task":"text-generation",)"
    R"("mode":"tp","cores":2,"device":"neuron","backend":"neuron","reference":false,"transformers":"5.24.0",)"
    R"("new_tokens":2,"env":{"NEURON_CC_FLAGS":"-O1"}})"
    "\n";

std::string stage(std::string_view name, std::string_view rank) {
  return fmt::format(R"({{"event":"stage","t":2,"rank":{},"stage":"{}"}})"
                     "\n",
                     rank, name);
}

std::string result(std::string_view tokens = "[5,6]") {
  return fmt::format(
      R"({{"event":"result","t":9,"rank":null,"prompt":"Hi","prompt_tokens":3,"tokens":{},"tokenizer_size":9,"eos_at":1,"text":"x",)"
      R"("top2_tokens":[[5,4],[6,1]],"top2_logits":[[9.5,9],null],"finite":false,"repeatable":true,"load_s":1.5,)"
      R"("cold_s":3,"warm_s":1,"compile_s":2,"first_token_s":0.5,"tokens_per_s":40,"graphs":2,"graphs_after_first":0,)"
      R"("cache_class":"StaticCache","compile_cache_hits":null,"compile_cache_misses":2,"fallback_ops":["aten::nonzero"],)"
      R"("parameter_bytes_per_core":3000000000,"buffer_bytes_per_core":10,"peak_bytes_per_core":4000000000,)"
      R"("memory_meter":"device_allocator","capacity_bytes_per_core":null,"peak_bytes":[1,2],"parameter_bytes":[1,2],)"
      R"("versions":{{"torch":"2.13.0","nki":null}},"teacher":{{"tokens":2,"agree":[true,false]}},)"
      R"("logits":{{"file":"logits.npy","shape":[2,9],"dtype":"float32"}}}})"
      "\n",
      tokens);
}

TEST(Report, ReadsEveryFieldOfAGoodRun) {
  const auto report =
      parse_report(kStart + stage("place", "0") + stage("place", "1") + result() + stage("done", "null"));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->start);
  EXPECT_EQ(report->start->mode, Mode::Tp);
  EXPECT_EQ(report->start->cores, 2);
  EXPECT_EQ(report->start->backend, "neuron");
  EXPECT_THAT(report->start->env, ElementsAre(Pair("NEURON_CC_FLAGS", "-O1")));
  ASSERT_TRUE(report->result);
  EXPECT_THAT(report->result->tokens, ElementsAre(5, 6));
  EXPECT_EQ(report->result->tokenizer_size, 9);
  EXPECT_EQ(report->result->eos_at, 1);
  ASSERT_EQ(report->result->top_two.size(), 2u);
  EXPECT_EQ(report->result->top_two[0]->second, 4);
  EXPECT_EQ(report->result->top_two[0]->second_logit, 9.0);
  EXPECT_FALSE(report->result->top_two[1]);
  EXPECT_FALSE(report->result->finite);
  EXPECT_EQ(report->result->compile_cache_hits, std::nullopt);
  EXPECT_EQ(report->result->compile_cache_misses, 2);
  EXPECT_EQ(report->result->parameter_bytes_per_core, 3'000'000'000);
  EXPECT_EQ(report->result->capacity_bytes_per_core, std::nullopt);
  EXPECT_THAT(*report->result->fallback_ops, ElementsAre("aten::nonzero"));
  EXPECT_THAT(report->result->versions, ElementsAre(Pair("torch", "2.13.0")));
  EXPECT_THAT(*report->result->teacher_agrees, ElementsAre(true, false));
  EXPECT_EQ(report->result->logits_file, "logits.npy");
  EXPECT_TRUE(report->done);
  EXPECT_FALSE(report->torn);
  EXPECT_EQ(report->reached(), Mark::Done);
}

TEST(Report, ALocalFolderHasNoRevision) {
  std::string start = kStart;
  start.replace(start.find("\"abc\""), 5, "null");
  const auto report = parse_report(start);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->start->revision, std::nullopt);
}

TEST(Report, WhatARunOfOursDoesNotWriteIsNotBelieved) {
  const std::string done = stage("done", "null");
  for (const auto& [text, says] : {std::pair{result(), "a 'result' before the 'start'"},
                                   {kStart + result("[5]"), "not as long as"},
                                   {kStart + result() + result(), "a second 'result'"},
                                   {kStart + result() + done + result(), "an event after 'done'"},
                                   {kStart + done + stage("place", "0"), "an event after 'done'"}}) {
    const auto report = parse_report(text);
    ASSERT_FALSE(report) << text;
    EXPECT_THAT(report.error().message, HasSubstr(says));
  }
}

TEST(Report, AnEmptyTextIsARunThatDiedBeforeItsFirstWord) {
  const auto report = parse_report("");
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->start);
  EXPECT_EQ(report->reached(), std::nullopt);
}

TEST(Report, ATornLastLineIsIgnoredAtEveryLength) {
  const std::string whole = kStart + stage("load", "0") + result();
  const std::size_t before = (kStart + stage("load", "0")).size();
  for (std::size_t size = before; size < whole.size(); ++size) {
    const auto report = parse_report(whole.substr(0, size));
    ASSERT_TRUE(report) << size << ": " << report.error().message;
    EXPECT_FALSE(report->result);
    EXPECT_EQ(report->torn, size > before);
    EXPECT_EQ(report->reached(), Mark::Load);
  }
}

TEST(Report, ReachedIsTheEarliestLastMarkOfTheRanks) {
  const auto report = parse_report(kStart + stage("place", "0") + stage("place", "1") + stage("load", "0") +
                                   stage("compile", "0") + stage("load", "1"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->reached(), Mark::Load);
}

TEST(Report, ReachedIsTheStageOfTheFirstErrorEvenWhenOtherRanksWereBehind) {
  const auto report = parse_report(
      kStart + stage("load", "0") + stage("compile", "1") +
      R"({"event":"error","t":3,"rank":1,"stage":"compile","type":"RuntimeError","message":"a","traceback":"b"})"
      "\n"
      R"({"event":"error","t":4,"rank":0,"stage":"load","type":"RankDied","message":"c","traceback":"","exit_code":null,"signal":"SIGTERM"})"
      "\n");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->reached(), Mark::Compile);
  ASSERT_EQ(report->errors.size(), 2u);
  EXPECT_EQ(report->errors[0].rank, 1);
  EXPECT_EQ(report->errors[1].signal, "SIGTERM");
  EXPECT_EQ(report->errors[1].exit_code, std::nullopt);
}

TEST(Report, ReachedByARankThatDiedWithoutAWordIsItsLastMark) {
  const auto report = parse_report(
      kStart + stage("place", "0") + stage("place", "1") + stage("load", "1") +
      R"({"event":"error","t":3,"rank":1,"stage":null,"type":"RankDied","message":"a","traceback":"","exit_code":3,"signal":null})"
      "\n");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->reached(), Mark::Load);
  EXPECT_EQ(report->errors[0].exit_code, 3);
}

TEST(Report, UnknownEventsAndFieldsAreIgnored) {
  const auto report = parse_report(R"({"event":"weather","t":1,"rank":0,"rain":true})"
                                   "\n" +
                                   kStart);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->start);
}

TEST(Report, ANewerSchemaIsRefusedByName) {
  const auto report = parse_report(R"({"event":"start","t":1,"rank":null,"schema":2})"
                                   "\n");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Code::InvalidArgument);
  EXPECT_THAT(report.error().message, HasSubstr("schema 2"));
}

struct BadLine {
  const char* name;
  std::string line;
  const char* says;
};

class BadLines : public testing::TestWithParam<BadLine> {};

TEST_P(BadLines, AreCorruptionWithTheLineNumber) {
  const bool needs_start = GetParam().line.contains("\"result\"");
  const auto report = parse_report((needs_start ? kStart : stage("place", "0")) + GetParam().line + "\n");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Code::Corruption);
  EXPECT_THAT(report.error().message, HasSubstr("line 2"));
  EXPECT_THAT(report.error().message, HasSubstr(GetParam().says));
}

std::string without(std::string text, std::string_view part, std::string_view instead = "") {
  text.replace(text.find(part), part.size(), instead);
  text.pop_back();  // the newline
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    Report, BadLines,
    testing::Values(
        BadLine{"not_json", "hello", "not JSON"}, BadLine{"list", "[1]", "not a JSON object"},
        BadLine{"two_documents", R"({"event":"x"} {"event":"y"})", "not JSON"},
        BadLine{"no_event", R"({"rank":0})", "'event' is missing"},
        BadLine{"event_is_a_number", R"({"event":3})", "'event' is not a text"},
        BadLine{"unknown_stage", R"({"event":"stage","rank":0,"stage":"lunch"})", "'stage' holds an unknown word"},
        BadLine{"rank_is_a_text", R"({"event":"stage","rank":"0","stage":"load"})", "'rank' is not a count"},
        BadLine{"rank_is_negative", R"({"event":"stage","rank":-1,"stage":"load"})", "'rank' is not a count"},
        BadLine{"rank_is_fractional", R"({"event":"stage","rank":0.5,"stage":"load"})", "'rank' is not a count"},
        BadLine{"huge_token", without(result("[5,5000000000]"), ""), "'tokens'"},
        BadLine{"negative_token", without(result("[5,-1]"), ""), "'tokens'"},
        BadLine{"fewer_tops_than_tokens", without(result("[5,6,7]"), ""), "'top2_tokens' is not as long"},
        BadLine{"half_a_top", without(result(), "[[9.5,9],null]", "[[9.5],null]"), "'top2_tokens'"},
        BadLine{"top_without_tokens", without(result(), "[[5,4],[6,1]]", "[null,[6,1]]"), "'top2_tokens'"},
        BadLine{"finite_is_a_number", without(result(), R"("finite":false)", R"("finite":0)"), "'finite'"},
        BadLine{"missing_field", without(result(), R"("memory_meter":"device_allocator",)"),
                "'memory_meter' is missing"},
        BadLine{"teacher_is_a_list", without(result(), R"({"tokens":2,"agree":[true,false]})", "[true]"), "'teacher'"},
        BadLine{"not_utf8", "{\"event\":\"\xff\"}", "not JSON"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Report, ASecondResultIsCorruption) {
  const auto report = parse_report(result() + result());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, Code::Corruption);
}

}  // namespace
}  // namespace willitrun
