#include "lab/extra_packages.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "os/file.h"
#include "os/file_lock.h"
#include "os/process.h"
#include "os/sha256.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves the declaration to the program

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr double kInstallLimit_s = 600;

/// Modules whose package has another name.
struct OtherName {
  std::string_view module, package;
};
constexpr auto kOtherNames = std::to_array<OtherName>({{"PIL", "pillow"},
                                                       {"bs4", "beautifulsoup4"},
                                                       {"cv2", "opencv-python-headless"},
                                                       {"google.protobuf", "protobuf"},
                                                       {"skimage", "scikit-image"},
                                                       {"sklearn", "scikit-learn"},
                                                       {"yaml", "pyyaml"}});

bool is_package_name(std::string_view name) {
  const auto is_allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_'; };
  return !name.empty() && name.size() <= 100 && std::isalnum(static_cast<unsigned char>(name.front())) != 0 &&
         std::ranges::all_of(name, is_allowed);
}

std::string package_of(std::string_view module) {
  for (const OtherName& other : kOtherNames)
    if (module == other.module || module.starts_with(fmt::format("{}.", other.module)))
      return std::string(other.package);
  return std::string(module.substr(0, module.find('.')));
}

/// Another version of these would be another stack.
bool is_part_of_stack(std::string_view name) {
  return name == "torch" || name == "transformers" || name == "nki" || name.contains("neuron");
}

/// The environment of this process: pip needs what the operator has set for it (index, proxy, certificates).
std::vector<std::string> whole_environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

/// `name==version` of every `<name>-<version>.dist-info` in a folder.
Result<std::vector<std::string>> pins_in(const fs::path& folder) {
  constexpr std::string_view kEnd = ".dist-info";
  ASSIGN_OR_RETURN(const auto names, list_folder(folder));
  std::vector<std::string> pins;
  for (std::string_view name : names) {
    if (!name.ends_with(kEnd)) continue;
    name.remove_suffix(kEnd.size());
    const auto dash = name.rfind('-');
    if (dash != std::string_view::npos)
      pins.push_back(fmt::format("{}=={}", name.substr(0, dash), name.substr(dash + 1)));
  }
  return pins;
}

Status run_pip(const fs::path& python, const fs::path& into, const std::vector<std::string>& names) {
  ProcessSpec spec{.argv = {python, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check",
                            "--no-deps", "--only-binary", ":all:", "--target", into, "--"},
                   .environment = whole_environment()};
  spec.argv.insert(spec.argv.end(), names.begin(), names.end());
  const auto ran = output_of(spec, kInstallLimit_s);
  return ran ? Status() : fail(ran.error());
}

}  // namespace

std::vector<std::string> missing_packages(const Row& attempt) {
  if (attempt.failure_class != "missing_dependency" || !attempt.signature) return {};
  const std::string_view signature = *attempt.signature;
  const auto colon = signature.find(':');
  if (colon == std::string_view::npos) return {};
  std::vector<std::string> packages;
  for (const std::string_view part : split(signature.substr(colon + 1), ','))
    if (const std::string_view module = trim(part); is_package_name(module)) packages.push_back(package_of(module));
  std::ranges::sort(packages);
  return packages;
}

Result<ExtraPackages> install_packages(const Home& home, const InterpreterFacts& interpreter,
                                       const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (is_part_of_stack(name))
      return fail(Code::InvalidArgument, fmt::format("'{}' belongs to the stack: it is not installed beside it", name));
  const std::string identity =
      fmt::format("{}\n{}\n{}", interpreter.python.string(), interpreter.package_lock, join(names, " "));
  const fs::path folder = home.packages() / sha256_hex(identity).substr(0, 16);
  RETURN_IF_ERROR(make_folder(home.packages()));
  ASSIGN_OR_RETURN(const FileLock lock, FileLock::acquire(folder.string() + ".lock"));
  std::error_code error;
  if (!fs::exists(folder, error)) {
    const fs::path unfinished = folder.string() + ".part";
    RETURN_IF_ERROR(remove_tree(unfinished));
    RETURN_IF_ERROR(run_pip(interpreter.python, unfinished, names));
    RETURN_IF_ERROR(rename_and_sync(unfinished, folder));
  }
  ASSIGN_OR_RETURN(auto pins, pins_in(folder));
  return ExtraPackages{std::move(pins), folder};
}

}  // namespace willitrun
