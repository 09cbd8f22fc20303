// bubblewrap builds the sandbox out of kernel namespaces: the script sees an empty root with the few folders that are
// named, its own process ids, and a network without anything but itself.
//
// What limits it, and why each limit really holds:
//  * memory and processes: control groups where the host has them. They bind root, which RLIMIT_NPROC does not.
//  * disk: nothing of the host can be written but single files made before the start, each at most RLIMIT_FSIZE long;
//    all else is a tmpfs with a size, so that an endless writer meets its end in memory that is counted. The one folder
//    that can be written, that of compiled graphs, is given to no model that brings code of its own.
//  * privileges: no capabilities, no new ones; as root, the user is changed to nobody after the mounts are made.
#include "lab/sandbox.h"

#include <fmt/format.h>
#include <unistd.h>

#include <set>

#include "os/process.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;

void add(Arguments& to, std::initializer_list<std::string> more) { to.insert(to.end(), more.begin(), more.end()); }

void add_namespaces(Arguments& argv, bool as_root) {
  // As root no user namespace: inside one, only user 0 would exist and could not be given up.
  add(argv, {"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"});
  if (!as_root) add(argv, {"--unshare-user", "--disable-userns"});
  add(argv, {"--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv"});
}

void add_tmpfs(Arguments& argv, const std::string& folder, std::uint64_t size_bytes) {
  add(argv, {"--perms", "1777", "--size", fmt::format("{}", size_bytes), "--tmpfs", folder});
}

/// Makes the folders above what is mounted: those that bwrap makes by itself are closed to other users.
void add_parents(Arguments& argv, const SandboxSpec& spec) {
  std::set<fs::path> parents;
  const auto add_above = [&](const fs::path& path) {
    for (fs::path at = path.parent_path(); at.has_relative_path(); at = at.parent_path()) parents.insert(at);
  };
  for (const fs::path& path : spec.readable) add_above(path);
  for (const Mount& mount : spec.read_only) add_above(mount.to);
  for (const Mount& mount : spec.writable_files) add_above(mount.to);
  for (const Mount& mount : spec.writable_folders) add_above(mount.to);
  for (const fs::path& parent : parents) add(argv, {"--perms", "0755", "--dir", parent});
}

void add_mounts(Arguments& argv, const SandboxSpec& spec) {
  add(argv, {"--proc", "/proc", "--dev", "/dev"});
  add_tmpfs(argv, "/dev/shm", spec.limits.scratch_bytes);
  add_tmpfs(argv, "/tmp", spec.limits.scratch_bytes);
  add_parents(argv, spec);
  for (const fs::path& path : spec.readable) add(argv, {"--ro-bind-try", path, path});
  for (const Mount& mount : spec.read_only) add(argv, {"--ro-bind", mount.from, mount.to});
  for (const Mount& mount : spec.writable_files) add(argv, {"--bind", mount.from, mount.to});
  for (const Mount& mount : spec.writable_folders) add(argv, {"--bind", mount.from, mount.to});
  for (const fs::path& device : spec.devices) add(argv, {"--dev-bind", device, device});
  // bwrap makes both as tmpfs without a size: nobody may fill them.
  add(argv, {"--remount-ro", "/dev", "--remount-ro", "/"});
}

/// Gives up root for good, after bwrap made the mounts with it.
void add_user_change(Arguments& argv, const fs::path& setpriv) {
  const std::string user = fmt::format("{}", kSandboxUser);
  add(argv, {setpriv, "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all",
             "--no-new-privs", "--"});
}

/// Tries to run /bin/true in a sandbox; the error says what bwrap said.
Status try_sandbox(const SandboxTools& tools) {
  SandboxSpec spec;
  spec.readable = {"/usr", "/bin", "/lib", "/lib64"};
  spec.folder = "/tmp";
  spec.limits.scratch_bytes = 1 << 20;
  const auto ran = output_of({.argv = sandbox_argv(tools, spec, {"/bin/true"})}, 10);
  if (!ran) return fail(ran.error());
  return {};
}

}  // namespace

std::vector<std::string> sandbox_argv(const SandboxTools& tools, const SandboxSpec& spec,
                                      const std::vector<std::string>& command) {
  const bool as_root = tools.setpriv.has_value();
  Arguments argv = {*tools.bubblewrap};
  add_namespaces(argv, as_root);
  if (as_root) add(argv, {"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"});
  add_mounts(argv, spec);
  for (const auto& [name, value] : spec.environment) add(argv, {"--setenv", name, value});
  add(argv, {"--chdir", spec.folder, "--"});
  if (as_root) add_user_change(argv, *tools.setpriv);
  argv.insert(argv.end(), command.begin(), command.end());
  return argv;
}

SandboxTools find_sandbox_tools() {
  SandboxTools tools;
  tools.cgroups = usable_cgroup_parents();
  tools.bubblewrap = find_program("bwrap");
  if (!tools.bubblewrap) {
    tools.obstacle = "bubblewrap is not installed";
    return tools;
  }
  if (::geteuid() == 0) tools.setpriv = find_program("setpriv");
  if (const auto works = try_sandbox(tools); !works) {
    tools.bubblewrap.reset();
    tools.obstacle = fmt::format("bubblewrap does not work here: {}", works.error().message);
  }
  return tools;
}

std::vector<std::string> describe_limits(const SandboxTools& tools) {
  const auto group_or = [](bool has_group, std::string_view otherwise) {
    return has_group ? std::string("control group") : std::string(otherwise);
  };
  const bool other_user = tools.setpriv.has_value() || ::geteuid() != 0;
  return {
      fmt::format("memory: {}", group_or(tools.cgroups.memory.has_value(), "per process only (RLIMIT_DATA)")),
      fmt::format("processes: {}",
                  group_or(tools.cgroups.pids.has_value(), other_user ? "per user (RLIMIT_NPROC)" : "none")),
      fmt::format("disk: {}", tools.bubblewrap ? "tmpfs with a size, RLIMIT_FSIZE" : "per file only (RLIMIT_FSIZE)"),
      fmt::format("network: {}", tools.bubblewrap ? "none inside" : "open"),
      fmt::format("user: {}", other_user ? "not root" : "root")};
}

}  // namespace willitrun
