#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "lab/fluency_judge.h"
#include "os/process.h"

namespace willitrun {

/// Where the judge's parts are. `model` is asked for only when a text is to be judged: it may have to be fetched.
struct JudgeParts {
  std::filesystem::path python;
  std::filesystem::path script;  ///< python/judge.py
  std::function<Result<std::filesystem::path>()> model;
};

/// The judge model in a process of its own, started at the first text and kept (docs/formats/judge.md). A worker that
/// dies or does not answer is started again for the next text.
class JudgeWorker : public FluencyJudge {
 public:
  explicit JudgeWorker(JudgeParts parts) : parts_(std::move(parts)) {}

  Result<FluencyFigures> measure(std::string_view text) override;

 private:
  Status start();
  Result<std::string> read_line(double limit_s);
  Result<FluencyFigures> converse(std::string_view text);

  JudgeParts parts_;
  std::optional<ChildProcess> worker_;
  std::string received_;   ///< Output that is not a whole line yet.
  std::string complaint_;  ///< The end of what the worker wrote to standard error.
  std::int64_t last_id_ = 0;
};

}  // namespace willitrun
