// How a run is weighed against its reference.
//
// Greedy decoding feeds each chosen token back, so two correct runs may part for good at one step where two tokens are
// nearly equal; comparing what follows says nothing then. Teacher forcing repairs that: the run is made again with the
// reference's tokens forced, so that every step sees the same context, and logits can be compared row by row. What has
// to be shown for a PASS in spite of different tokens is therefore
//
//   - at the first difference the reference itself was undecided, within what the device and dtype may differ by, and
//   - in the same contexts the run computes the same logits, within the same tolerance, from there on (near_tie) or
//     throughout (logits).
//
// The tolerance is relative to the largest absolute logit of a row, because rounding errors grow with the values.

#include "verify/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/signature.h"

namespace willitrun {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void fail_with(Judgement& judgement, Failure failure) {
  const bool infra = failure.kind.charged_to == ChargedTo::Infra;
  judgement.verdict = infra ? Verdict::Indeterminate : Verdict::Fail;
  judgement.evidence = Evidence::None;
  judgement.failure = std::move(failure);
}

void pass_with(Judgement& judgement, Evidence evidence) {
  judgement.verdict = Verdict::Pass;
  judgement.evidence = evidence;
}

double scale_of(std::span<const float> row) {
  double largest = 0;
  for (const float value : row) largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest;
}

/// How two rows of logits differ.
struct Difference {
  double largest = 0;  ///< Infinite where a value is not finite.
  double rms = 0;
};

Difference difference(std::span<const float> a, std::span<const float> b) {
  Difference result;
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!std::isfinite(d)) return {kInfinity, kInfinity};
    result.largest = std::max(result.largest, d);
    squares += d * d;
  }
  result.rms = std::sqrt(squares / static_cast<double>(a.size()));
  return result;
}

/// Teacher-forced logits of a run beside the reference's.
class ForcedLogits {
 public:
  ForcedLogits(const Logits& run, const Logits& reference, const Tolerance& tolerance) : tolerance_(tolerance) {
    for (std::size_t step = 0; step < reference.steps; ++step) {
      differences_.push_back(difference(run.row(step), reference.row(step)));
      scales_.push_back(scale_of(reference.row(step)));
    }
  }

  double largest() const { return std::ranges::max(differences_, {}, &Difference::largest).largest; }

  /// The first step from `from` on whose rows differ by more than the tolerance.
  std::optional<std::size_t> first_disagreement(std::size_t from) const {
    for (std::size_t step = from; step < differences_.size(); ++step)
      if (!(differences_[step].largest <= allowed_largest(step) && differences_[step].rms <= allowed_rms(step)))
        return step;
    return std::nullopt;
  }

  std::string describe(std::size_t step) const {
    return fmt::format("logits of step {} differ by up to {:.4g} (tolerance {:.4g}), root mean square {:.4g} ({:.4g})",
                       step, differences_[step].largest, allowed_largest(step), differences_[step].rms,
                       allowed_rms(step));
  }

 private:
  double allowed_largest(std::size_t step) const { return tolerance_.largest * scales_[step]; }
  double allowed_rms(std::size_t step) const { return tolerance_.rms * scales_[step]; }

  const Tolerance& tolerance_;
  std::vector<Difference> differences_;
  std::vector<double> scales_;
};

/// Returns what is wrong with the inputs themselves; empty when they belong together.
std::string mismatch_of_inputs(const Candidate& c) {
  if (c.run->tokens.empty()) return "the run has no tokens";
  if (c.reference == nullptr) return {};
  if (c.run->prompt != c.reference->prompt || c.run->prompt_tokens != c.reference->prompt_tokens)
    return "run and reference had different prompts";
  if (c.run->tokens.size() != c.reference->tokens.size())
    return fmt::format("the run has {} tokens, the reference {}", c.run->tokens.size(), c.reference->tokens.size());
  if (c.reference->top_two.size() != c.reference->tokens.size()) return "the reference lacks its two best tokens";
  if (c.run_logits == nullptr || c.reference_logits == nullptr) return {};
  if (c.run_logits->vocabulary != c.reference_logits->vocabulary || c.run_logits->steps != c.reference_logits->steps ||
      c.run_logits->steps != c.reference->tokens.size())
    return fmt::format("logits of shape [{}, {}] against [{}, {}] for {} tokens", c.run_logits->steps,
                       c.run_logits->vocabulary, c.reference_logits->steps, c.reference_logits->vocabulary,
                       c.reference->tokens.size());
  return {};
}

/// The first token that the tokenizer has no text for.
std::optional<std::int32_t> unknown_token(const Candidate& c) {
  const auto found = std::ranges::find_if(c.run->tokens, [&](std::int32_t id) { return id >= c.run->tokenizer_size; });
  if (found == c.run->tokens.end()) return std::nullopt;
  return *found;
}

/// The reference's two best at a step, from its logits if there are any: their order among equals is known there.
std::optional<TopTwo> reference_best(const Candidate& c, std::size_t step) {
  if (c.reference_logits != nullptr) return top_two(c.reference_logits->row(step));
  return c.reference->top_two[step];
}

/// A step where the tokens part.
struct Parting {
  std::size_t step;
  std::int32_t run_token;
  std::int32_t reference_token;
  double margin;   ///< Between the reference's token and the best other one.
  double allowed;  ///< Tolerance at this step.
  bool runner_up;  ///< The run's token is that other one.
};

Parting look_at_parting(const Candidate& c, std::size_t step) {
  Parting parting{step, c.run->tokens[step], c.reference->tokens[step], kInfinity, 0, false};
  const auto best = reference_best(c, step);
  if (!best) return parting;
  const std::int32_t other = best->best == parting.reference_token ? best->second : best->best;
  parting.margin = std::abs(best->best_logit - best->second_logit);
  parting.runner_up = parting.run_token == other;
  const double scale =
      c.reference_logits != nullptr ? scale_of(c.reference_logits->row(step)) : std::abs(best->best_logit);
  parting.allowed = c.tolerance.tie * scale;
  return parting;
}

/// Whether the reference, too, finds the run's token within the tolerance of its own.
bool reference_allows(const Candidate& c, const Parting& parting) {
  const auto row = c.reference_logits->row(parting.step);
  if (static_cast<std::size_t>(parting.run_token) >= row.size()) return false;
  const double gap = static_cast<double>(row[static_cast<std::size_t>(parting.reference_token)]) -
                     static_cast<double>(row[static_cast<std::size_t>(parting.run_token)]);
  return gap <= parting.allowed;
}

std::string describe(const Parting& parting) {
  return fmt::format("token {} is {} instead of {}; the reference's margin there is {:.4g}, the tolerance {:.4g}",
                     parting.step, parting.run_token, parting.reference_token, parting.margin, parting.allowed);
}

/// Judges a run whose tokens part from the reference's.
void judge_parting(const Candidate& c, const Parting& parting, const ForcedLogits* forced, Judgement& judgement) {
  const bool near_tie = parting.runner_up && parting.margin <= parting.allowed;
  if (forced == nullptr) {
    if (!near_tie) return fail_with(judgement, make_failure("token_mismatch", {}, describe(parting)));
    return fail_with(judgement,
                     make_failure("harness_error", {"no_logits"},
                                  describe(parting) + "; without teacher-forced logits it cannot be decided"));
  }
  if (near_tie) {
    const auto drift = forced->first_disagreement(parting.step);
    if (!drift) return pass_with(judgement, Evidence::NearTie);
    return fail_with(judgement, make_failure("numeric_drift", {},
                                             fmt::format("{}; {}", describe(parting), forced->describe(*drift))));
  }
  if (!forced->first_disagreement(0) && reference_allows(c, parting)) return pass_with(judgement, Evidence::Logits);
  fail_with(judgement, make_failure("token_mismatch", {}, describe(parting)));
}

void judge_by_reference(const Candidate& c, Judgement& judgement) {
  if (!c.reference->finite)
    return fail_with(judgement, make_failure("reference_failed", {"nan"}, "the reference's own logits are not finite"));
  if (!c.reference->repeatable)
    return fail_with(judgement, make_failure("reference_failed", {"not_repeatable"},
                                             "the reference gave other tokens the second time"));
  std::optional<ForcedLogits> forced;
  if (c.run_logits != nullptr && c.reference_logits != nullptr) {
    forced.emplace(*c.run_logits, *c.reference_logits, c.tolerance);
    judgement.max_logit_difference = forced->largest();
  }
  const auto [run, reference] = std::ranges::mismatch(c.run->tokens, c.reference->tokens);
  if (run == c.run->tokens.end()) {
    pass_with(judgement, Evidence::Tokens);
  } else {
    const auto step = static_cast<std::size_t>(run - c.run->tokens.begin());
    const Parting parting = look_at_parting(c, step);
    judgement.first_mismatch = static_cast<int>(step);
    judgement.margin = parting.margin;
    judge_parting(c, parting, forced ? &*forced : nullptr, judgement);
  }
  if (judgement.verdict == Verdict::Pass && !c.run->repeatable) {
    // With agreeing logits the second generation can only have taken the other side of a near tie.
    if (!forced || forced->first_disagreement(0))
      return fail_with(judgement,
                       make_failure("token_mismatch", {"not_repeatable"}, "the second generation gave other tokens"));
    judgement.note = "the second generation gave other tokens";
  }
}

void judge_by_fluency(const Candidate& c, Judgement& judgement) {
  if (!c.run->repeatable)
    return fail_with(judgement,
                     make_failure("token_mismatch", {"not_repeatable"}, "the second generation gave other tokens"));
  if (const auto token = unknown_token(c))
    return fail_with(judgement, make_failure("not_fluent", {"unknown_token"},
                                             fmt::format("token {} is beyond the tokenizer's {} entries", *token,
                                                         c.run->tokenizer_size)));
  if (c.fluency == nullptr)
    return fail_with(judgement,
                     make_failure("harness_error", {"no_judge"}, "neither a reference nor a judge's figures"));
  judgement.judge_score = c.fluency->mean_nll;
  if (is_echo(c.run->text, c.run->prompt))
    return fail_with(judgement, make_failure("not_fluent", {"echo"}, "the text is a copy of the prompt"));
  const FluencyDecision decision = decide_fluency(*c.fluency);
  if (decision.fluent) return pass_with(judgement, Evidence::Fluent);
  fail_with(judgement, make_failure("not_fluent", {}, decision.reason));
}

}  // namespace

Judgement judge(const Candidate& c) {
  Judgement judgement;
  if (const std::string problem = mismatch_of_inputs(c); !problem.empty()) {
    fail_with(judgement, make_failure("harness_error", {"inputs"}, problem));
    return judgement;
  }
  if (!c.run->finite && (c.reference == nullptr || c.reference->finite)) {
    fail_with(judgement, make_failure("nan_output", {}, "logits hold NaN or infinite values"));
    return judgement;
  }
  if (c.reference != nullptr) {
    judge_by_reference(c, judgement);
    if (const auto token = unknown_token(c); token && judgement.note.empty())
      judgement.note = fmt::format("token {} is beyond the tokenizer's {} entries", *token, c.run->tokenizer_size);
  } else {
    judge_by_fluency(c, judgement);
  }
  return judgement;
}

}  // namespace willitrun
