#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace willitrun {

/// What the judge model measured on one text.
struct FluencyFigures {
  int tokens = 0;                  ///< Length of the text in the judge's tokens.
  std::optional<double> mean_nll;  ///< Mean negative log-likelihood per token; absent for an empty text.
  double repeated_trigrams = 0;    ///< Share of token trigrams that occurred before, 0 to 1.
  std::string language;            ///< ISO 639-1 code by py3langid.
  double language_probability = 0;
};

/// Whether a text counts as fluent English, and if not, why.
struct FluencyDecision {
  bool fluent = false;
  std::string reason;  ///< Empty when fluent.
};

/// The rule; how it was chosen and how often it errs: docs/judge.md.
FluencyDecision decide_fluency(const FluencyFigures& figures);

/// Tells whether `text` is little else than a copy of `prompt`: at least 8 of its words, and four of five of its word
/// trigrams, stand in the prompt. A copy is as fluent as the prompt, and proves nothing.
bool is_echo(std::string_view text, std::string_view prompt);

/// One line for the judge worker's standard input, newline included (docs/formats/judge.md).
std::string encode_judge_request(std::int64_t id, std::string_view text);

/// One answer of the judge worker.
struct JudgeReply {
  std::int64_t id = 0;
  FluencyFigures figures;
};

/// Reads one line of the worker's standard output. Unavailable when the worker says that it could not judge the text,
/// Corruption when the line is not as docs/formats/judge.md says.
Result<JudgeReply> decode_judge_reply(std::string_view line);

}  // namespace willitrun
