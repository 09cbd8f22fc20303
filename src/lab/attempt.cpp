// The path of one model. Each step gives a value to the next one, or the attempt's end; the order of the marks:
//
//   resolve    which revision, which files, and does it fit: only listing, configuration and headers are read
//   download   the files that the run needs
//   config     run.py
//   reference  the CPU run, from the cache when it was made before
//   place ... generate   the run itself, in the sandbox; these marks come from its report
//   compare    evidence and verdict
//   done
//
// A mark is in the journal before its step begins, so that whatever kills us, the last one says where.
#include "lab/attempt.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <filesystem>

#include "cache/graph_folder.h"
#include "domain/row_stack.h"
#include "hub/files_to_fetch.h"
#include "lab/attempt_end.h"
#include "lab/attempt_row.h"
#include "lab/found_model.h"
#include "lab/preparation.h"
#include "lab/reference_cache.h"
#include "lab/script_run.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/sha256.h"
#include "verify/logits.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScriptFile = "run.py";
constexpr const char* kTeacherFile = "teacher.json";

template <class T>
Step<T> as_step(Result<T> result) {
  if (result) {
    if constexpr (std::is_void_v<T>)
      return {};
    else
      return std::move(*result);
  }
  return std::unexpected(end_with(result.error()));
}

class Attempt {
 public:
  Attempt(const Lab& lab, const Bench& bench, const AttemptRequest& request)
      : lab_(lab), bench_(bench), request_(request) {}

  Result<FinishedAttempt> run();

 private:
  Step<Judgement> walk();
  Step<void> enter(Mark mark);
  Step<void> resolve();
  Step<void> download();
  Step<void> write_script();
  Step<std::optional<Reference>> find_reference();
  Step<Reference> make_reference(const std::string& digest);
  Step<ScriptRun> run_device(const std::optional<Reference>& reference);
  Step<Judgement> compare(const ScriptRun& run, const std::optional<Reference>& reference);

  Step<std::optional<fs::path>> find_graph_folder() const;
  ScriptJob new_job(const fs::path& folder) const;
  std::string package_lock() const;
  Step<ScriptRun> execute(const ScriptJob& job, Mark during);

  const Lab& lab_;
  const Bench& bench_;
  const AttemptRequest& request_;

  std::string id_;
  fs::path folder_;
  Row row_;
  std::string details_;  ///< The failure's text at length.
  FoundModel model_;
  Plan plan_;
  std::string script_;
  ModelPlace place_;
  std::optional<Snapshot> snapshot_;  ///< Keeps the files while we need them.
};

Result<FinishedAttempt> Attempt::run() {
  row_.model_id = request_.model.id;
  row_.target = bench_.target.name;
  row_.emulated = bench_.target.emulated;
  row_.library = "transformers";
  row_.remote_code = request_.remote_code;
  row_.sandboxed = lab_.executor.is_sandboxed();
  set_limits(row_, bench_, lab_.executor.guards());
  row_.package_lock = package_lock();
  set_stack(row_, bench_.interpreter.stack);
  ASSIGN_OR_RETURN(id_, lab_.journal.begin_attempt(row_));
  folder_ = lab_.home.attempts() / id_;
  const Step<Judgement> judgement = walk();
  bool retry = false;
  if (judgement) {
    set_judgement(row_, *judgement);
  } else {
    set_end(row_, judgement.error(), details_);
    retry = is_worth_retrying(judgement.error());
  }
  ASSIGN_OR_RETURN(Row verdict, lab_.journal.finish_attempt(id_, row_, verdict_of_attempts));
  row_.attempt_id = id_;
  return FinishedAttempt{row_, std::move(verdict), retry};
}

Step<Judgement> Attempt::walk() {
  RETURN_IF_ERROR(resolve());
  RETURN_IF_ERROR(download());
  RETURN_IF_ERROR(write_script());
  ASSIGN_OR_RETURN(const auto reference, find_reference());
  ASSIGN_OR_RETURN(const ScriptRun run, run_device(reference));
  RETURN_IF_ERROR(enter(Mark::Compare));
  ASSIGN_OR_RETURN(const Judgement judgement, compare(run, reference));
  RETURN_IF_ERROR(enter(Mark::Done));
  return judgement;
}

Step<void> Attempt::enter(Mark mark) {
  if (lab_.stop) return std::unexpected(end_with(Error{Code::Cancelled, "interrupted"}));
  row_.reached = std::string(to_text(mark));
  lab_.progress.on_mark(request_.model.id, mark);
  return as_step(lab_.journal.add_mark(id_, mark));
}

Step<void> Attempt::resolve() {
  RETURN_IF_ERROR(enter(Mark::Resolve));
  ASSIGN_OR_RETURN(model_, as_step(find_model(lab_.hub, request_.model)));
  row_.model_id = model_.id;
  if (!model_.revision.empty()) row_.model_revision = model_.revision;
  row_.local_model = model_.is_local;
  plan_ = plan_files(*model_.files, bench_.plan_table, bench_.target, {model_.id, model_.revision});
  set_plan(row_, plan_, bench_.target);
  if (plan_.status != PlanStatus::Fits)
    row_.inputs_digest = digest_of_inputs(model_, plan_, "", bench_, request_, lab_.executor.is_sandboxed());
  if (plan_.status == PlanStatus::TooLarge) {
    if (plan_.reason) row_.notes = plan_.reason->message;
    return std::unexpected(AttemptEnd{Verdict::TooLarge, std::nullopt});
  }
  if (auto failure = failure_of(plan_)) return std::unexpected(end_with(std::move(*failure)));
  return {};
}

Step<void> Attempt::download() {
  RETURN_IF_ERROR(enter(Mark::Download));
  if (model_.is_folder) {
    place_ = {model_.id, false};
    return {};
  }
  FetchOptions options{.remote_code = request_.remote_code};
  if (const auto index = weight_index_of(model_.hub_files)) {
    ASSIGN_OR_RETURN(const std::string json, as_step(model_.files->read(*index)));
    ASSIGN_OR_RETURN(options.indexed_shards, as_step(shards_of_index(json)));
  }
  const double started = system_clock().monotonic_s();
  const auto files = files_to_fetch(model_.hub_files, options);
  const DownloadProgress progress = [&](std::uint64_t new_bytes) { lab_.progress.on_download(new_bytes); };
  ASSIGN_OR_RETURN(Snapshot snapshot, as_step(lab_.mirror.fetch(lab_.hub, repo_of(model_.info), files, progress)));
  row_.download_s = system_clock().monotonic_s() - started;
  place_ = {snapshot.repository(), true};
  snapshot_.emplace(std::move(snapshot));
  return {};
}

Step<void> Attempt::write_script() {
  RETURN_IF_ERROR(enter(Mark::Config));
  ASSIGN_OR_RETURN(script_, as_step(willitrun::write_script(plan_, bench_, request_)));
  row_.run_py = script_;
  row_.script_sha256 = sha256_hex(script_);
  row_.inputs_digest = digest_of_inputs(model_, plan_, script_, bench_, request_, lab_.executor.is_sandboxed());
  return as_step(write_file_atomically(folder_ / kScriptFile, script_));
}

/// Nothing where the operator wants none, or the host cannot hold the whole model.
Step<std::optional<Reference>> Attempt::find_reference() {
  if (!bench_.with_reference) return std::nullopt;
  if (plan_.bytes.loaded + plan_.bytes.loaded / 4 > bench_.limits.memory_bytes) return std::nullopt;
  RETURN_IF_ERROR(enter(Mark::Reference));
  const std::string digest = digest_of({.model_identity = model_.identity,
                                        .script = script_,
                                        .package_lock = package_lock(),
                                        .python = bench_.interpreter.stack.python,
                                        .environment = canonical_environment(bench_.target),
                                        .remote_code = request_.remote_code});
  if (auto known = ReferenceCache(lab_.home.references()).find(digest)) return known;
  ASSIGN_OR_RETURN(auto made, make_reference(digest));
  return made;
}

Step<Reference> Attempt::make_reference(const std::string& digest) {
  ScriptJob job = new_job(folder_ / "reference");
  job.arguments.push_back("--reference");
  RETURN_IF_ERROR(as_step(write_file_atomically(job.folder / kScriptFile, script_)));
  ASSIGN_OR_RETURN(const ScriptRun run, execute(job, Mark::Reference));
  row_.reference_s = run.outcome.wall_s;
  auto stored = as_step(ReferenceCache(lab_.home.references()).store(digest, job.folder));
  RETURN_IF_ERROR(as_step(remove_tree(job.folder)));
  return stored;
}

Step<ScriptRun> Attempt::run_device(const std::optional<Reference>& reference) {
  ScriptJob job = new_job(folder_);
  if (reference) {
    const std::string tokens = boost::json::serialize(boost::json::value_from(reference->report.result->tokens));
    RETURN_IF_ERROR(as_step(write_file_atomically(folder_ / kTeacherFile, tokens)));
    job.inputs.emplace_back(kTeacherFile);
    job.arguments.insert(job.arguments.end(), {"--teacher", kTeacherFile});
  }
  job.needs_neuron_devices = bench_.target.device == "neuron" && !bench_.target.emulated;
  ASSIGN_OR_RETURN(job.graph_folder, find_graph_folder());
  RETURN_IF_ERROR(enter(Mark::Place));
  ASSIGN_OR_RETURN(ScriptRun run, execute(job, Mark::Place));
  set_outcome(row_, run.outcome);
  set_result(row_, *run.report.result);
  return run;
}

/// The interpreter's packages and those beside them, one `name==version` per line.
std::string Attempt::package_lock() const {
  std::string lock = bench_.interpreter.package_lock;
  for (const std::string& pin : request_.packages.pins) lock += pin + "\n";
  return lock;
}

/// Loading a compiled graph runs what is in it. Code of the model's own, or of a package that only it wants, may write
/// anything under any name, so what it compiles is kept for nobody, itself included, and it reaches no others' graphs.
Step<std::optional<fs::path>> Attempt::find_graph_folder() const {
  const std::string& compiler = bench_.interpreter.stack.neuronx_cc;
  const bool runs_other_code = request_.remote_code || !request_.packages.pins.empty();
  if (compiler.empty() || runs_other_code) return std::nullopt;
  ASSIGN_OR_RETURN(fs::path folder, as_step(open_graph_folder(lab_.home.graphs(), compiler)));
  return folder;
}

ScriptJob Attempt::new_job(const fs::path& folder) const {
  ScriptJob job{.folder = folder,
                .inputs = {kScriptFile},
                .outputs = {kReportFile, kLogitsFile},
                .arguments = {kScriptFile, "--report", kReportFile, "--logits", kLogitsFile},
                .python = bench_.interpreter.python,
                .python_folders = bench_.interpreter.folders,
                .model = place_,
                .environment = bench_.target.environment,
                .limits = bench_.limits,
                .limit_s = bench_.limit_s};
  if (request_.packages.folder.empty()) return job;
  job.python_folders.push_back(request_.packages.folder);
  std::string& python_path = job.environment["PYTHONPATH"];
  python_path += (python_path.empty() ? "" : ":") + request_.packages.folder.string();
  return job;
}

/// Runs the script, its marks into the journal; the attempt's end when the run did not come to its own.
Step<ScriptRun> Attempt::execute(const ScriptJob& job, Mark during) {
  std::optional<AttemptEnd> trouble;
  const MarkListener on_mark = [&](Mark mark) {
    // A reference run's marks are not the attempt's.
    if (during != Mark::Place || mark <= Mark::Place || mark >= Mark::Compare) return true;
    if (auto entered = enter(mark); !entered) trouble = entered.error();
    return !trouble;
  };
  ASSIGN_OR_RETURN(ScriptRun run, as_step(watch_run(lab_, bench_, job, on_mark)));
  if (trouble) return std::unexpected(*trouble);
  if (run.is_complete()) return run;
  if (during == Mark::Place) set_outcome(row_, run.outcome);
  details_ = run.complaint();
  return std::unexpected(end_with(classify(facts_of(run, job, during, lab_.executor.is_sandboxed()))));
}

/// Logits that cannot be read are no evidence, for or against.
std::optional<Logits> read_logits(const fs::path& file) {
  const auto bytes = read_file(file);
  if (!bytes) return std::nullopt;
  auto logits = parse_logits(*bytes);
  return logits ? std::optional(std::move(*logits)) : std::nullopt;
}

Step<Judgement> Attempt::compare(const ScriptRun& run, const std::optional<Reference>& reference) {
  Candidate candidate{.run = &*run.report.result, .tolerance = tolerance_for(bench_.target.device, plan_.dtype)};
  std::optional<Logits> run_logits, reference_logits;
  FluencyFigures figures;
  if (reference) {
    candidate.reference = &*reference->report.result;
    row_.reference_tokens = candidate.reference->tokens;
    row_.reference_text = candidate.reference->text;
    run_logits = read_logits(folder_ / kLogitsFile);
    reference_logits = read_logits(reference->logits);
    candidate.run_logits = run_logits ? &*run_logits : nullptr;
    candidate.reference_logits = reference_logits ? &*reference_logits : nullptr;
  } else {
    ASSIGN_OR_RETURN(figures, as_step(lab_.judge.measure(candidate.run->text)));
    candidate.fluency = &figures;
  }
  RETURN_IF_ERROR(as_step(remove_tree(folder_ / kLogitsFile)));  // Large, and judged now.
  return judge(candidate);
}

}  // namespace

Result<FinishedAttempt> run_attempt(const Lab& lab, const Bench& bench, const AttemptRequest& request) {
  return Attempt(lab, bench, request).run();
}

}  // namespace willitrun
