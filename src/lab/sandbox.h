#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "os/cgroup.h"

namespace willitrun {

/// What of this host a sandbox can be made of. Absent parts weaken it; without `bubblewrap` there is none.
struct SandboxTools {
  std::optional<std::filesystem::path> bubblewrap;  ///< A bwrap that really works here.
  std::optional<std::filesystem::path> setpriv;     ///< Set when we are root and can give it up inside.
  CgroupParents cgroups;
  std::string obstacle;  ///< Why there is no sandbox; empty when there is one.
};

/// Looks for the tools and tries them.
SandboxTools find_sandbox_tools();

/// Something of the host that is seen inside under another or the same path.
struct Mount {
  std::filesystem::path from, to;

  bool operator==(const Mount&) const = default;
};

/// How much a run may use.
struct SandboxLimits {
  std::uint64_t memory_bytes = 0;
  int processes = 512;                                   ///< Threads count too.
  std::uint64_t scratch_bytes = std::uint64_t{2} << 30;  ///< /tmp, in memory.
  std::uint64_t file_bytes = std::uint64_t{1} << 30;     ///< Each file, inside /tmp and outside.
};

/// What a script sees of the host: these mounts, a private /tmp, /proc and /dev, an environment of its own, no network.
struct SandboxSpec {
  std::vector<std::filesystem::path> readable;  ///< Folders and files, at their own paths; missing ones are left out.
  std::vector<Mount> read_only;
  std::vector<Mount>
      writable_files;  ///< Existing files; without the following nothing else of the host can be written.
  std::vector<Mount>
      writable_folders;  ///< Existing folders. Nothing bounds what is written there: for trusted code only.
  std::vector<std::filesystem::path> devices;  ///< Device nodes.
  std::map<std::string, std::string> environment;
  std::filesystem::path folder;  ///< Working folder inside.
  SandboxLimits limits;
};

/// User and group inside when we are root outside: nobody.
constexpr unsigned kSandboxUser = 65534;

/// Writes the command line that runs `command` inside the sandbox. `tools.bubblewrap` is set. Pure.
std::vector<std::string> sandbox_argv(const SandboxTools& tools, const SandboxSpec& spec,
                                      const std::vector<std::string>& command);

/// Names the limits that hold and those that do not, for people: `memory: control group`.
std::vector<std::string> describe_limits(const SandboxTools& tools);

}  // namespace willitrun
