#include "os/cgroup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "base/text.h"
#include "os/file.h"
#include "os/file_descriptor.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "willitrun-";

/// Which group of a hierarchy this process is in: lines are `id:controllers:path`; v2's has no controllers.
std::string own_path(std::string_view own_groups, std::string_view controller) {
  for (const std::string_view line : split(own_groups, '\n')) {
    const auto parts = split(line, ':');
    if (parts.size() < 3) continue;
    const auto names = split(parts[1], ',');
    if (std::ranges::find(names, controller) != names.end()) return std::string(parts[2]);
  }
  return "/";
}

fs::path below(const fs::path& mount, std::string_view path) { return path == "/" ? mount : mount / path.substr(1); }

/// Control files take one write() and nothing else: no temporary name, no rename.
Status write_control(const fs::path& file, std::string_view value) {
  const FileDescriptor fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd.is_open()) return fail(errno_error("cannot open", file));
  if (::write(fd.get(), value.data(), value.size()) < 0) return fail(errno_error("cannot write", file));
  return {};
}

/// The number after `key` in a file of `key number` lines; 0 when it is not there.
int counter(const fs::path& file, std::string_view key) {
  const std::string text = read_file(file).value_or("");
  for (const std::string_view line : split(text, '\n'))
    if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == ' ')
      return static_cast<int>(parse_uint(line.substr(key.size() + 1)).value_or(0));
  return 0;
}

bool is_v2(const fs::path& group) {
  std::error_code ignored;
  return fs::exists(group / "cgroup.controllers", ignored);
}

Result<fs::path> make_group(const fs::path& parent) {
  static std::atomic<int> counter_of_groups = 0;
  const fs::path group = parent / fmt::format("{}{}-{}", kPrefix, ::getpid(), counter_of_groups++);
  std::error_code error;
  fs::create_directory(group, error);
  if (error) {
    errno = error.value();
    return fail(errno_error("cannot make the control group", group));
  }
  return group;
}

/// The kernel needs a moment to take the last process out of a group.
void remove_group(const fs::path& group) {
  for (int i = 0; i < 200 && ::rmdir(group.c_str()) != 0 && errno == EBUSY; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

/// Removes the empty groups of programs that were killed before they could.
void remove_left_groups(const fs::path& parent) {
  for (const std::string& name : list_folder(parent).value_or(std::vector<std::string>())) {
    if (!name.starts_with(kPrefix)) continue;
    const auto pid = parse_uint(split(std::string_view(name).substr(kPrefix.size()), '-')[0]);
    if (pid && ::kill(static_cast<pid_t>(*pid), 0) != 0 && errno == ESRCH) ::rmdir((parent / name).c_str());
  }
}

Status limit_memory(const fs::path& group, std::uint64_t bytes) {
  const std::string value = fmt::format("{}", bytes);
  if (!is_v2(group)) return write_control(group / "memory.limit_in_bytes", value);
  RETURN_IF_ERROR(write_control(group / "memory.max", value));
  // One process over the limit takes the whole tree with it: half a run proves nothing.
  return write_control(group / "memory.oom.group", "1");
}

/// Returns `parent` when a group with that controller's limit file can be made in it.
std::optional<fs::path> if_usable(const std::optional<fs::path>& parent, std::string_view v1_file,
                                  std::string_view v2_file) {
  if (!parent) return std::nullopt;
  remove_left_groups(*parent);
  const auto group = make_group(*parent);
  if (!group) return std::nullopt;
  std::error_code ignored;
  const bool has_file = fs::exists(*group / v1_file, ignored) || fs::exists(*group / v2_file, ignored);
  remove_group(*group);
  return has_file ? parent : std::nullopt;
}

}  // namespace

CgroupParents find_cgroup_parents(std::string_view mounts, std::string_view own_groups) {
  CgroupParents parents;
  std::optional<fs::path> unified;
  for (const std::string_view line : split(mounts, '\n')) {
    const auto fields = split(line, ' ');  // device, mount point, type, options, 0, 0
    if (fields.size() < 4) continue;
    const fs::path mount(fields[1]);
    if (fields[2] == "cgroup2") unified = below(mount, own_path(own_groups, ""));
    if (fields[2] != "cgroup") continue;
    const auto options = split(fields[3], ',');
    const auto has = [&](std::string_view name) { return std::ranges::find(options, name) != options.end(); };
    if (has("pids")) parents.pids = below(mount, own_path(own_groups, "pids"));
    if (has("memory")) parents.memory = below(mount, own_path(own_groups, "memory"));
  }
  if (!parents.pids) parents.pids = unified;
  if (!parents.memory) parents.memory = unified;
  return parents;
}

CgroupParents usable_cgroup_parents() {
  const std::string mounts = read_file("/proc/self/mounts").value_or("");
  const std::string own_groups = read_file("/proc/self/cgroup").value_or("");
  const CgroupParents own = find_cgroup_parents(mounts, own_groups);
  const CgroupParents top =
      find_cgroup_parents(mounts, "");  // In v2, a group with processes can have no limited children.
  CgroupParents usable{if_usable(own.pids, "pids.max", "pids.max"),
                       if_usable(own.memory, "memory.limit_in_bytes", "memory.max")};
  if (!usable.pids) usable.pids = if_usable(top.pids, "pids.max", "pids.max");
  if (!usable.memory) usable.memory = if_usable(top.memory, "memory.limit_in_bytes", "memory.max");
  return usable;
}

Result<Cgroup> Cgroup::create(const CgroupParents& parents, const CgroupLimits& limits) {
  Cgroup group;
  if (parents.pids) {
    ASSIGN_OR_RETURN(group.pids_, make_group(*parents.pids));
    RETURN_IF_ERROR(write_control(*group.pids_ / "pids.max", fmt::format("{}", limits.processes)));
  }
  if (parents.memory) {
    if (parents.memory == parents.pids) {
      group.memory_ = group.pids_;
    } else {
      ASSIGN_OR_RETURN(group.memory_, make_group(*parents.memory));
    }
    RETURN_IF_ERROR(limit_memory(*group.memory_, limits.memory_bytes));
  }
  return group;
}

Cgroup::Cgroup(Cgroup&& other) noexcept
    : pids_(std::exchange(other.pids_, std::nullopt)), memory_(std::exchange(other.memory_, std::nullopt)) {}

Cgroup::~Cgroup() {
  for (const fs::path& folder : folders()) remove_group(folder);
}

std::vector<fs::path> Cgroup::folders() const {
  std::vector<fs::path> folders;
  if (pids_) folders.push_back(*pids_);
  if (memory_ && memory_ != pids_) folders.push_back(*memory_);
  return folders;
}

int Cgroup::num_memory_kills() const {
  if (!memory_) return 0;
  return counter(*memory_ / (is_v2(*memory_) ? "memory.events" : "memory.oom_control"), "oom_kill");
}

int Cgroup::num_refused_forks() const { return pids_ ? counter(*pids_ / "pids.events", "max") : 0; }

}  // namespace willitrun
