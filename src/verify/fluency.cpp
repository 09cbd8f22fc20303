#include "verify/fluency.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/text.h"
#include "verify/json_fields.h"

namespace willitrun {
namespace {

namespace json = boost::json;

// Chosen on one set of texts, reported on another: docs/judge.md.
constexpr double kMaxMeanNll = 4.7;
constexpr double kMaxRepeatedTrigrams = 0.2;
constexpr int kMinTokens = 4;

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
