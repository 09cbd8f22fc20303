#include "os/process_identity.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "base/text.h"
#include "os/file.h"

namespace willitrun {
namespace {

/// What /proc/<pid>/stat says about a process.
struct ProcessStat {
  char state = 0;
  std::int64_t start_ticks = 0;
};

/// Reads /proc/<pid>/stat; nothing when there is no such process.
Result<std::optional<ProcessStat>> read_stat(std::int64_t pid) {
  const auto text = read_file(fmt::format("/proc/{}/stat", pid));
  if (!text && text.error().code == Code::NotFound) return std::nullopt;
  if (!text && text.error().message.ends_with("No such process"))
    return std::nullopt;  // it ended between open and read
  if (!text) return fail(text.error());
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const auto name_end = text->rfind(')');
  if (name_end == std::string::npos) return fail(Code::Io, fmt::format("cannot understand '/proc/{}/stat'", pid));
  const auto fields = split(trim(std::string_view(*text).substr(name_end + 1)), ' ');
  constexpr std::size_t kState = 0, kStart = 19;  // fields 3 and 22 of proc(5)
  const auto start = fields.size() > kStart ? parse_uint(fields[kStart]) : std::nullopt;
  if (!start || fields[kState].size() != 1)
    return fail(Code::Io, fmt::format("cannot understand '/proc/{}/stat'", pid));
  return ProcessStat{fields[kState].front(), static_cast<std::int64_t>(*start)};
}

Result<std::string> read_boot_id() {
  ASSIGN_OR_RETURN(const std::string text, read_file("/proc/sys/kernel/random/boot_id"));
  return std::string(trim(text));
}

}  // namespace

Result<ProcessIdentity> this_process() {
  const std::int64_t pid = ::getpid();
  ASSIGN_OR_RETURN(const auto stat, read_stat(pid));
  if (!stat) return fail(Code::Io, "cannot find this process in /proc");
  ASSIGN_OR_RETURN(std::string boot_id, read_boot_id());
  return ProcessIdentity{pid, stat->start_ticks, std::move(boot_id)};
}

Result<bool> is_running(const ProcessIdentity& process) {
  ASSIGN_OR_RETURN(const std::string boot_id, read_boot_id());
  if (boot_id != process.boot_id) return false;
  ASSIGN_OR_RETURN(const auto stat, read_stat(process.pid));
  return stat && stat->start_ticks == process.start_ticks && stat->state != 'Z' && stat->state != 'X';
}

}  // namespace willitrun
