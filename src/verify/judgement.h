#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "domain/failure.h"
#include "domain/verdict.h"
#include "verify/fluency.h"
#include "verify/logits.h"
#include "verify/report.h"
#include "verify/tolerance.h"

namespace willitrun {

/// A run that came to its end, with what it can be compared with. Pointers may be null: the thing could not be had.
struct Candidate {
  const ReportResult* run = nullptr;        ///< Never null.
  const ReportResult* reference = nullptr;  ///< The CPU run of the same checkpoint and prompt.
  const Logits* run_logits = nullptr;       ///< Teacher-forced over the reference's tokens.
  const Logits* reference_logits = nullptr;
  const FluencyFigures* fluency = nullptr;  ///< The judge model's figures on the run's text.
  Tolerance tolerance;
};

/// What one attempt proves.
struct Judgement {
  Verdict verdict = Verdict::Indeterminate;  ///< Pass, Fail, or Indeterminate when the evidence itself is at fault.
  Evidence evidence = Evidence::None;        ///< Other than None only with Pass.
  std::optional<Failure> failure;            ///< Set unless verdict is Pass.
  std::optional<int> first_mismatch;         ///< Index of the first token that differs from the reference's.
  std::optional<double> margin;  ///< The reference's logit gap between its token and the next best at that index.
  std::optional<double> max_logit_difference;  ///< Over all teacher-forced rows.
  std::optional<double> judge_score;           ///< Mean negative log-likelihood under the judge model.
  std::string note;                            ///< What a reader should know beside the verdict; may be empty.
};

/// Weighs a run against its reference, strongest evidence first:
///  - tokens: all tokens equal.
///  - near_tie: at the first difference the reference's two best lie within the tolerance, the run's token is the
///  second
///    of them, and teacher-forced logits agree from there on.
///  - logits: teacher-forced logits agree in every row, and the run's token is within the tolerance of the best.
///  - fluent: without any reference, the judge model's figures pass.
/// A reference that is itself broken (NaN, not repeatable) fails as reference_failed. Inputs that do not belong
/// together (other prompt, other length) are Indeterminate, a fault of the harness and not of the model.
Judgement judge(const Candidate& candidate);

}  // namespace willitrun
