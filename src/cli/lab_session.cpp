#include "cli/lab_session.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"
#include "cli/data_files.h"
#include "cli/open_hub.h"
#include "cli/queued_tests.h"
#include "cli/row_printer.h"
#include "domain/row_json.h"
#include "hub/files_to_fetch.h"
#include "lab/judge_worker.h"
#include "os/file.h"
#include "os/interrupt.h"

namespace willitrun {
namespace {

constexpr double kShareOfHostMemory = 0.8;

/// Memory of this host in bytes: the first line of /proc/meminfo, `MemTotal:  24687 kB`.
std::uint64_t host_memory_bytes() {
  const std::string text = read_file("/proc/meminfo", 1 << 16).value_or("");
  for (const std::string_view word : split(text.substr(0, text.find('\n')), ' '))
    if (const auto kilobytes = parse_uint(word)) return *kilobytes * 1024;
  return 0;
}

std::uint64_t bytes_of_gib(double gib) { return static_cast<std::uint64_t>(gib * static_cast<double>(1 << 30)); }

std::uint64_t memory_limit(const LabOptions& options) {
  if (options.memory_gib > 0) return bytes_of_gib(options.memory_gib);
  return static_cast<std::uint64_t>(static_cast<double>(host_memory_bytes()) * kShareOfHostMemory);
}

std::uint64_t disk_budget(const LabOptions& options) {
  return options.disk_budget_gib > 0 ? bytes_of_gib(options.disk_budget_gib) : UINT64_MAX;
}

/// The scratch space lies in memory, so it is a part of it.
SandboxLimits limits_for(std::uint64_t memory_bytes) {
  SandboxLimits limits{.memory_bytes = memory_bytes};
  limits.scratch_bytes = std::min(limits.scratch_bytes, memory_bytes / 4);
  return limits;
}

/// Refuses to run model code without a sandbox, unless the operator said so.
Result<SandboxTools> sandbox_tools(const LabOptions& options) {
  SandboxTools tools = find_sandbox_tools();
  if (tools.bubblewrap || options.no_sandbox) return tools;
  return fail(Code::Unavailable,
              fmt::format("no sandbox: {}; `willitrun doctor` says what to install, --no-sandbox runs "
                          "model code with your rights and your network",
                          tools.obstacle));
}

constexpr const char* kJudgeModel = "HuggingFaceTB/SmolLM2-135M-Instruct";

/// Fetches the judge model unless it is a folder. WILLITRUN_JUDGE_MODEL names another one.
Result<std::filesystem::path> judge_model(ModelHub& models) {
  const std::string named = environment_variable("WILLITRUN_JUDGE_MODEL");
  ASSIGN_OR_RETURN(const ModelRef ref, parse_model_ref(named.empty() ? kJudgeModel : named));
  if (ref.kind == ModelRef::Kind::Folder) return ref.id;
  ASSIGN_OR_RETURN(const ModelInfo info, models.hub().model_info(ref));
  ASSIGN_OR_RETURN(const auto files, models.hub().list_files(repo_of(info)));
  ASSIGN_OR_RETURN(const Snapshot snapshot,
                   models.mirror().fetch(models.hub(), repo_of(info), files_to_fetch(files, {}), {}));
  return snapshot.folder();
}

/// The judge runs in our own environment, on the CPU, whatever the target is.
JudgeParts judge_parts(ModelHub& models) {
  return {.python = project_environment() / "bin" / "python",
          .script = data_folder() / "python" / "judge.py",
          .model = [&models] { return judge_model(models); }};
}

std::size_t longest_name(const std::vector<CampaignModel>& models) {
  std::size_t width = 0;
  for (const CampaignModel& model : models) width = std::max(width, model.request.model.id.size());
  return width;
}

ExitStatus worse(ExitStatus a, ExitStatus b) { return static_cast<int>(a) > static_cast<int>(b) ? a : b; }

/// Prints what run_campaign hands out.
class Rows {
 public:
  Rows(const LabOptions& options, LiveLine& live, std::size_t name_width)
      : as_json_(options.as_json), live_(live), printer_(name_width) {}

  void take(const CampaignRow& row) {
    live_.clear();
    if (as_json_) {
      fmt::print("{}\n", to_json(row.verdict));
      std::fflush(stdout);
    } else {
      printer_.print(row);
    }
    live_.count();
    status_ = worse(status_, exit_status_of(row.verdict));
  }

  ExitStatus finish() const {
    if (!as_json_) printer_.print_summary();
    return status_;
  }

 private:
  bool as_json_;
  LiveLine& live_;
  RowPrinter printer_;
  ExitStatus status_ = ExitStatus::Ok;
};

}  // namespace

void add_lab_options(CLI::App& command, LabOptions& options) {
  command.add_option("--target", options.target, "Kind of device to test on")->capture_default_str();
  command.add_option("--transformers", options.transformers, "Transformers version (default: the target's)");
  command.add_option("--timeout", options.timeout_s, "Seconds that a run may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--silence", options.silence_s, "Seconds that a run may go on without a sign of life")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--memory", options.memory_gib, "GiB of memory that a run may use (default: 80 % of the host's)")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--disk-budget", options.disk_budget_gib,
                  "GiB that downloaded models may take; the least recently used go first (default: no limit)")
      ->check(CLI::PositiveNumber);
  command.add_flag("--no-sandbox", options.no_sandbox, "Run model code with your rights and your network");
  command.add_flag("--no-reference", options.no_reference,
                   "Compare with no CPU run: the judge's word on fluency is then all the evidence there is");
  command.add_flag("--install-missing", options.install_missing,
                   "Install Python packages that a model asks for (wheels, into the home), and try again");
  command.add_flag("--force", options.force, "Test again what has not changed since it was last tested");
  command.add_flag("--json", options.as_json, "Print one JSON row per line");
}

Result<ExitStatus> run_lab(const Session& session, const LabOptions& options, std::vector<CampaignModel> models) {
  const std::atomic<bool>& stop = stop_on_signals();
  ASSIGN_OR_RETURN(Target target, load_target(options.target));
  const std::string version =
      options.transformers.empty() ? target.interpreters.front().transformers : options.transformers;
  ASSIGN_OR_RETURN(const PlanTable plan_table, load_plan_table(version));
  ASSIGN_OR_RETURN(InterpreterFacts interpreter, probe_interpreter(target, version));
  ASSIGN_OR_RETURN(SandboxTools tools, sandbox_tools(options));
  ASSIGN_OR_RETURN(const Home home, session.home());
  ASSIGN_OR_RETURN(Journal journal, Journal::open(home.journal()));
  ASSIGN_OR_RETURN(const auto model_hub, open_model_hub(session, disk_budget(options)));
  LocalExecutor executor(std::move(tools), !options.no_sandbox);
  LiveLine live(!session.quiet, models.size());
  JudgeWorker judge(judge_parts(*model_hub));
  const Lab lab{home, model_hub->hub(), model_hub->mirror(), journal, executor, judge, live, stop};
  const Bench bench{.target = target,
                    .interpreter = std::move(interpreter),
                    .plan_table = plan_table,
                    .limits = limits_for(memory_limit(options)),
                    .limit_s = options.timeout_s,
                    .with_reference = !options.no_reference,
                    .silence_s = options.silence_s};
  Rows rows(options, live, longest_name(models));
  const CampaignOptions campaign{.force = options.force, .install_missing = options.install_missing};
  Status closed;
  const Status ran = run_campaign(lab, bench, models, campaign, [&](const CampaignRow& row) {
    rows.take(row);
    if (closed) closed = close_requests(journal, row.verdict, options.transformers);
  });
  live.clear();
  if (!ran) return fail(ran.error());
  if (!closed) return fail(closed.error());
  return rows.finish();
}

}  // namespace willitrun
