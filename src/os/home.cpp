#include "os/home.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/text.h"
#include "os/file.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

Result<fs::path> home_path(std::string_view option) {
  if (!option.empty()) return fs::path(option);
  if (const auto named = environment_variable("WILLITRUN_HOME"); !named.empty()) return fs::path(named);
  if (const auto data = environment_variable("XDG_DATA_HOME"); !data.empty()) return fs::path(data) / "willitrun";
  if (const auto user = environment_variable("HOME"); !user.empty()) return fs::path(user) / ".local/share/willitrun";
  return fail(Code::InvalidArgument, "no place for data: give --home DIR or set WILLITRUN_HOME");
}

Status check_version(const fs::path& root) {
  const auto text = read_file(root / "version", 64);
  if (!text && text.error().code == Code::NotFound)
    return write_file_atomically(root / "version", fmt::format("{}\n", kHomeVersion));
  if (!text) return fail(text.error());
  const auto version = parse_uint(trim(*text));
  if (!version) return fail(Code::Corruption, fmt::format("'{}' holds no version number", (root / "version").string()));
  if (*version > kHomeVersion)
    return fail(Code::InvalidArgument,
                fmt::format("the home '{}' was written by a newer willitrun (format {}, this program knows {}): "
                            "install the newer program or name another home",
                            root.string(), *version, kHomeVersion));
  return {};
}

}  // namespace

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<Home> open_home(std::string_view option) {
  ASSIGN_OR_RETURN(const fs::path path, home_path(option));
  RETURN_IF_ERROR(make_folder(path));
  std::error_code error;
  const fs::path root = fs::canonical(path, error);
  if (error) return fail(Code::Io, fmt::format("cannot find '{}': {}", path.string(), error.message()));
  RETURN_IF_ERROR(check_version(root));
  return Home{root};
}

}  // namespace willitrun
