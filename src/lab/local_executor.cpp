#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/head_tail.h"
#include "lab/executor.h"
#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLogCap = 1 << 20;
constexpr const char* kJobFolder = "/job";
constexpr const char* kModelCache = "/models";
constexpr const char* kGraphFolder = "/neff_cache";
constexpr int kFirstSignalStatus = 128;  // What bwrap exits with when signal N ended its program is 128 + N.

/// Where a script's own caches go, and what keeps it from the network; beside the target's environment.
std::map<std::string, std::string> script_environment(const ScriptJob& job, const fs::path& model_cache,
                                                      const fs::path& graph_folder) {
  std::map<std::string, std::string> environment = {
      {"PATH", "/usr/local/bin:/usr/bin:/bin"},
      {"LC_ALL", "C.UTF-8"},
      {"HOME", "/tmp/home"},
      {"USER", "willitrun"},  // Python asks for a user name; the sandbox has no password file.
      {"LOGNAME", "willitrun"},
      {"TMPDIR", "/tmp"},
      {"HF_HOME", "/tmp/home/huggingface"},
      {"HF_HUB_CACHE", model_cache},
      {"HF_HUB_OFFLINE", "1"},
      {"HF_HUB_DISABLE_TELEMETRY", "1"},
      {"PYTHONDONTWRITEBYTECODE", "1"},
      {"PYTHONUNBUFFERED", "1"},
      {"PYTHONFAULTHANDLER", "1"},  // A crash prints where it was.
      {"TOKENIZERS_PARALLELISM", "false"},
  };
  if (job.graph_folder) {
    environment["TORCH_NEURONX_NEFF_CACHE_DIR"] = graph_folder;
    // Its locks lie there too, so that attempts that run at once compile a graph once.
    environment["TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR"] = graph_folder / ".local";
  }
  for (const auto& [name, value] : job.environment) environment[name] = value;
  return environment;
}

/// Device nodes of the Neuron driver.
std::vector<fs::path> neuron_devices() {
  std::vector<fs::path> devices;
  for (const std::string& name : list_folder("/dev").value_or(std::vector<std::string>()))
    if (name.starts_with("neuron")) devices.push_back(fs::path("/dev") / name);
  return devices;
}

SandboxSpec sandbox_for(const ScriptJob& job) {
  SandboxSpec spec;
  spec.readable = {"/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"};
  for (const fs::path& folder : job.python_folders)
    if (!folder.string().starts_with("/usr/")) spec.readable.push_back(folder);
  std::erase(spec.readable, "/usr");
  spec.readable.insert(spec.readable.begin(), "/usr");
  if (job.needs_neuron_devices) {
    spec.readable.insert(spec.readable.end(), {"/sys", "/opt/aws"});
    spec.devices = neuron_devices();
  }
  const fs::path inside = kJobFolder;
  for (const std::string& name : job.inputs) spec.read_only.push_back({job.folder / name, inside / name});
  for (const std::string& name : job.outputs) spec.writable_files.push_back({job.folder / name, inside / name});
  if (job.model.is_repository)
    spec.read_only.push_back({job.model.path, kModelCache / job.model.path.filename()});
  else
    spec.read_only.push_back({job.model.path, job.model.path});
  if (job.graph_folder) spec.writable_folders.push_back({*job.graph_folder, kGraphFolder});
  spec.environment = script_environment(job, kModelCache, kGraphFolder);
  spec.folder = inside;
  spec.limits = job.limits;
  return spec;
}

/// Outputs exist before the start, because single files are all that the sandbox lets a script write; and its user is
/// another one.
Status make_outputs(const ScriptJob& job) {
  for (const std::string& name : job.outputs) {
    // No sync: what the script writes is kept only once it was read and judged.
    if (!std::ofstream(job.folder / name, std::ios::trunc))
      return fail(errno_error("cannot create", job.folder / name));
    std::error_code error;
    fs::permissions(job.folder / name, fs::perms(0666), error);
    if (error)
      return fail(Code::Io,
                  fmt::format("cannot open '{}' to the sandbox: {}", (job.folder / name).string(), error.message()));
  }
  return {};
}

/// The sandbox passes the script's own signal on as an exit status.
ProcessExit seen_inside(ProcessExit end) {
  if (!end.status || *end.status <= kFirstSignalStatus || *end.status > kFirstSignalStatus + 64) return end;
  end.signal = *end.status - kFirstSignalStatus;
  end.status.reset();
  return end;
}

}  // namespace

ProcessSpec LocalExecutor::process_for(const ScriptJob& job) const {
  std::vector<std::string> command = {job.python, "-u"};
  command.insert(command.end(), job.arguments.begin(), job.arguments.end());
  ProcessSpec spec;
  spec.limits.file_bytes = job.limits.file_bytes;
  if (!tools_.cgroups.memory) spec.limits.data_bytes = job.limits.memory_bytes;
  if (!tools_.cgroups.pids) spec.limits.processes = static_cast<std::uint64_t>(job.limits.processes);
  if (sandboxed_) {
    spec.argv = sandbox_argv(tools_, sandbox_for(job), command);
    return spec;
  }
  spec.argv = std::move(command);
  spec.folder = job.folder;
  for (const auto& [name, value] : script_environment(job, job.model.path.parent_path(), job.graph_folder.value_or("")))
    spec.environment.push_back(fmt::format("{}={}", name, value));
  return spec;
}

Result<ScriptOutcome> LocalExecutor::run(const ScriptJob& job, const RunCheck& check) {
  RETURN_IF_ERROR(make_outputs(job));
  const bool runs_as_another_user = sandboxed_ && tools_.setpriv;
  if (job.graph_folder && runs_as_another_user) RETURN_IF_ERROR(give_to_user(*job.graph_folder, kSandboxUser));
  ASSIGN_OR_RETURN(const Cgroup group, Cgroup::create(tools_.cgroups, {.memory_bytes = job.limits.memory_bytes,
                                                                       .processes = job.limits.processes}));
  ProcessSpec spec = process_for(job);
  spec.cgroups = group.folders();
  HeadTail log(kLogCap);
  const RunOptions options{
      .limit_s = job.limit_s, .on_output = [&](Stream, std::string_view bytes) { log.add(bytes); }, .check = check};
  ASSIGN_OR_RETURN(const ProcessOutcome outcome, run_process(spec, options));
  return ScriptOutcome{.end = sandboxed_ ? seen_inside(outcome.end) : outcome.end,
                       .stopped = outcome.stopped,
                       .num_memory_kills = group.num_memory_kills(),
                       .num_refused_forks = group.num_refused_forks(),
                       .log = log.text(),
                       .wall_s = outcome.wall_s};
}

}  // namespace willitrun
