#pragma once

#include <string>

namespace willitrun {

/// What a report of tests should say.
struct SampleReport {
  bool reference = false;
  std::string last_stage = "done";  ///< Marks up to this one; `result` only with `done`.
  int first_token = 1;              ///< Tokens count up from here.
};

/// Writes a report as run.py does (docs/formats/report.md), 32 tokens. For tests.
std::string sample_report(const SampleReport& sample);

/// The logits file of a run in which each token of such a report was the likeliest by far: 32 rows of 64 logits.
std::string sample_logits(const SampleReport& sample);

}  // namespace willitrun
