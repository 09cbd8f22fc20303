#include "verify/fluency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <vector>

#include "base/text.h"
#include "verify/json_fields.h"

namespace willitrun {
namespace {

namespace json = boost::json;

// Chosen on one set of texts, reported on another: docs/judge.md.
constexpr double kMaxMeanNll = 4.7;
constexpr double kMaxRepeatedTrigrams = 0.2;
constexpr int kMinTokens = 4;

// An answer takes words over from its question ("The capital of France is"), but hardly eight of them and nothing else.
constexpr std::size_t kMinEchoedWords = 8;
constexpr double kMinEchoedTrigrams = 0.8;

/// The words of a text, in lower case: runs of ASCII letters and digits and of whatever is beyond ASCII.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : to_lower(text)) {
    const bool in_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (in_word) words.back() += c;
    if (!in_word && !words.back().empty()) words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::vector<std::array<std::string, 3>> trigrams_of(const std::vector<std::string>& words) {
  std::vector<std::array<std::string, 3>> trigrams;
  for (std::size_t i = 2; i < words.size(); ++i) trigrams.push_back({words[i - 2], words[i - 1], words[i]});
  return trigrams;
}

}  // namespace

FluencyDecision decide_fluency(const FluencyFigures& figures) {
  if (!figures.mean_nll || figures.tokens < kMinTokens)
    return {false, fmt::format("too short to be judged: {} tokens", figures.tokens)};
  if (figures.repeated_trigrams > kMaxRepeatedTrigrams)
    return {false, fmt::format("it repeats itself: {:.0f} % of its trigrams occurred before",
                               100 * figures.repeated_trigrams)};
  if (figures.language != "en")
    return {false, fmt::format("not English: language '{}', probability {:.2f}", figures.language,
                               figures.language_probability)};
  if (*figures.mean_nll > kMaxMeanNll)
    return {false, fmt::format("unlikely text: mean negative log-likelihood {:.2f} per token", *figures.mean_nll)};
  return {true, {}};
}

bool is_echo(std::string_view text, std::string_view prompt) {
  const auto words = words_of(text);
  if (words.size() < kMinEchoedWords) return false;
  const auto trigrams = trigrams_of(words);
  const auto prompted = trigrams_of(words_of(prompt));
  const auto echoed = std::ranges::count_if(
      trigrams, [&](const auto& trigram) { return std::ranges::find(prompted, trigram) != prompted.end(); });
  return static_cast<double>(echoed) >= kMinEchoedTrigrams * static_cast<double>(trigrams.size());
}

std::string encode_judge_request(std::int64_t id, std::string_view text) {
  return json::serialize(json::object{{"id", id}, {"text", to_valid_utf8(text)}}) + "\n";
}

Result<JudgeReply> decode_judge_reply(std::string_view line) {
  boost::system::error_code error;
  const json::value value = json::parse(line, error);
  if (error || !value.is_object()) return fail(Code::Corruption, "the judge's answer is not a JSON object");
  JsonFields fields(value.get_object());
  JudgeReply reply;
  reply.id = fields.integer("id");
  if (fields.has("error")) {
    const std::string problem = fields.text("error");
    RETURN_IF_ERROR(fields.status());
    return fail(Code::Unavailable, "the judge could not judge the text: " + problem);
  }
  reply.figures.tokens = fields.count("tokens");
  reply.figures.mean_nll = fields.optional_number("mean_nll");
  reply.figures.repeated_trigrams = fields.number("repeated_trigrams");
  reply.figures.language = fields.text("language");
  reply.figures.language_probability = fields.number("language_probability");
  if (auto status = fields.status(); !status) return fail(with_context(status.error(), "the judge's answer"));
  return reply;
}

}  // namespace willitrun
