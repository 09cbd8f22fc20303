#include "lab/judge_worker.h"

#include <fmt/format.h>

#include "base/text.h"
#include "os/clock.h"

namespace willitrun {
namespace {

constexpr double kStartLimit_s = 180;  // Importing PyTorch and loading the model, on a busy machine.
constexpr double kAnswerLimit_s = 60;
constexpr std::size_t kComplaintCap = 2000;

}  // namespace

Status JudgeWorker::start() {
  ASSIGN_OR_RETURN(const auto model, parts_.model());
  const ProcessSpec spec{.argv = {parts_.python, "-u", parts_.script, "--model", model},
                         .environment = {"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", "HOME=/nonexistent"},
                         .input_from_pipe = true};
  received_.clear();
  complaint_.clear();
  ASSIGN_OR_RETURN(ChildProcess worker, ChildProcess::start(spec));
  worker_.emplace(std::move(worker));
  ASSIGN_OR_RETURN(const std::string ready, read_line(kStartLimit_s));
  if (ready.contains(R"("ready": 1)")) return {};
  return fail(Code::Unavailable, fmt::format("the judge speaks another protocol: {}", ready));
}

Result<std::string> JudgeWorker::read_line(double limit_s) {
  const double deadline = system_clock().monotonic_s() + limit_s;
  for (;;) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    const double left_s = deadline - system_clock().monotonic_s();
    if (left_s <= 0) return fail(Code::Unavailable, fmt::format("the judge did not answer within {} s", limit_s));
    ASSIGN_OR_RETURN(const auto event, worker_->wait(left_s));
    if (event.kind == ChildProcess::Event::Kind::End)
      return fail(Code::Unavailable, fmt::format("the judge ended: {}", trim(complaint_)));
    std::string& to = event.stream == Stream::Output ? received_ : complaint_;
    to += event.bytes;
    if (complaint_.size() > kComplaintCap) complaint_.erase(0, complaint_.size() - kComplaintCap);
  }
}

Result<FluencyFigures> JudgeWorker::converse(std::string_view text) {
  if (!worker_) RETURN_IF_ERROR(start());
  const std::int64_t id = ++last_id_;
  RETURN_IF_ERROR(worker_->write_input(encode_judge_request(id, text)));
  ASSIGN_OR_RETURN(const std::string line, read_line(kAnswerLimit_s));
  ASSIGN_OR_RETURN(JudgeReply reply, decode_judge_reply(line));
  if (reply.id != id) return fail(Code::Unavailable, "the judge answered another question");
  return std::move(reply.figures);
}

Result<FluencyFigures> JudgeWorker::measure(std::string_view text) {
  auto figures = converse(text);
  if (!figures) {
    worker_.reset();
    // Whatever is wrong with the judge is not the model's doing.
    return fail(Code::Unavailable, fmt::format("no fluency judge: {}", figures.error().message));
  }
  return figures;
}

}  // namespace willitrun
