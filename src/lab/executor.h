#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "lab/sandbox.h"
#include "os/process.h"

namespace willitrun {

/// A model's files as a script finds them.
struct ModelPlace {
  std::filesystem::path path;  ///< A folder, or a repository of the mirror (`models--owner--name`).
  bool is_repository = false;
};

/// One run of a script. It sees its own folder, its interpreter, the model, and nothing else of the host.
struct ScriptJob {
  std::filesystem::path folder;        ///< Holds the files below; the script's working folder.
  std::vector<std::string> inputs;     ///< Names of files in `folder` that the script reads, itself included.
  std::vector<std::string> outputs;    ///< Names of files in `folder` that it may write; made empty before the start.
  std::vector<std::string> arguments;  ///< The script and its options; file names are relative to the working folder.
  std::filesystem::path python;
  std::vector<std::filesystem::path> python_folders;
  ModelPlace model;
  std::map<std::string, std::string> environment;
  bool needs_neuron_devices = false;
  /// Compiled graphs that outlive the run: the script reads them and adds its own. Nothing: they are gone with it.
  std::optional<std::filesystem::path> graph_folder;
  SandboxLimits limits;
  double limit_s = 0;  ///< Wall-clock limit.
};

/// How a run went, as far as the outside can tell.
struct ScriptOutcome {
  ProcessExit end;                    ///< Of the script itself, also when it ran in a sandbox.
  std::optional<StopReason> stopped;  ///< Set when we ended it.
  int num_memory_kills = 0;           ///< Processes that the kernel killed for the memory limit.
  int num_refused_forks = 0;
  std::string log;  ///< Standard output and error, head and tail.
  double wall_s = 0;
};

/// Asked many times a second while a script runs; a reason ends the run.
using RunCheck = std::function<std::optional<StopReason>()>;

/// Runs scripts. Tests replace it.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Runs a script to its end. An error means that it could not be run, never that it failed.
  virtual Result<ScriptOutcome> run(const ScriptJob& job, const RunCheck& check) = 0;

  /// Whether scripts run inside a sandbox.
  virtual bool is_sandboxed() const = 0;

  /// What keeps scripts to their limits, for people.
  virtual std::string guards() const = 0;
};

/// Runs scripts on this host: in a sandbox, or, when the operator switched it off, without.
class LocalExecutor : public Executor {
 public:
  /// Without `sandboxed`, model code sees the network and every file of the user.
  LocalExecutor(SandboxTools tools, bool sandboxed) : tools_(std::move(tools)), sandboxed_(sandboxed) {}

  Result<ScriptOutcome> run(const ScriptJob& job, const RunCheck& check) override;
  bool is_sandboxed() const override { return sandboxed_; }
  std::string guards() const override { return join(describe_limits(tools_), "; "); }

 private:
  ProcessSpec process_for(const ScriptJob& job) const;

  SandboxTools tools_;
  bool sandboxed_;
};

}  // namespace willitrun
