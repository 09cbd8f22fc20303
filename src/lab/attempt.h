#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "domain/model_ref.h"
#include "domain/row.h"
#include "domain/target.h"
#include "hub/hub.h"
#include "hub/mirror.h"
#include "lab/executor.h"
#include "lab/extra_packages.h"
#include "lab/fluency_judge.h"
#include "lab/interpreter.h"
#include "lab/progress.h"
#include "os/home.h"
#include "plan/plan_table.h"
#include "store/journal.h"

namespace willitrun {

/// What a lab works with. Everything outlives it; tests replace the parts.
struct Lab {
  Home home;
  Hub& hub;
  Mirror& mirror;
  Journal& journal;
  Executor& executor;
  FluencyJudge& judge;
  Progress& progress;
  const std::atomic<bool>& stop;  ///< Becomes true when the user interrupts.
};

/// What models are tested on and with: the same for every model of a campaign.
struct Bench {
  Target target;
  InterpreterFacts interpreter;  ///< Runs the device's scripts.
  const PlanTable& plan_table;
  SandboxLimits limits;
  double limit_s = 1800;       ///< Wall-clock limit of a run.
  bool with_reference = true;  ///< Compare with a CPU run where the host can hold the model.
  double silence_s = 900;      ///< Longest time without a sign of life in the report: compiling one graph may be slow.
};

/// One model to test.
struct AttemptRequest {
  ModelRef model;
  bool remote_code = false;  ///< Allow code from the model's repository to run, in the sandbox.
  ExtraPackages packages;    ///< What it needs beside the stack.
};

/// Walks a model once through all marks, from its name to a verdict, and returns the attempt's finished row together
/// with the verdict row that now holds. Each mark is in the journal before it is entered. An error means that not even
/// the journal could be written; everything else that goes wrong is in the row.
struct FinishedAttempt {
  Row attempt;
  Row verdict;
  bool is_worth_retrying = false;  ///< Nothing was learnt about the model, and another try may help.
};
Result<FinishedAttempt> run_attempt(const Lab& lab, const Bench& bench, const AttemptRequest& request);

/// Names everything that the result of a test depends on, as far as it is known without running it: model, plan,
/// script, stack, limits, sandbox. Tests with equal digests need not run twice. Errors of the hub come through as they
/// are.
Result<std::string> inputs_digest(const Lab& lab, const Bench& bench, const AttemptRequest& request);

}  // namespace willitrun
