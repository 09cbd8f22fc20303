#include "lab/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "base/text.h"
#include "os/file.h"
#include "os/process.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

// Distributions and paths as the interpreter itself sees them; nothing of them is imported.
constexpr const char* kQuestion = R"(
import json, os, platform, sys
from importlib import metadata
packages = {}
for d in metadata.distributions():
    name = d.metadata['Name']
    if name: packages.setdefault(name.lower().replace('_', '-'), d.version)
folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(sys.executable), *sys.path]
folders += [os.path.dirname(os.path.realpath(sys.executable))]
print(json.dumps({'python': platform.python_version(), 'packages': packages,
                  'folders': [f for f in folders if f and os.path.exists(f)]}))
)";

constexpr const char* kDriverVersion = "/sys/module/neuron/version";

using Packages = std::map<std::string, std::string>;

std::string version_of(const Packages& packages, const std::string& name) {
  const auto found = packages.find(name);
  return found == packages.end() ? "" : found->second;
}

Stack make_stack(const Packages& packages, const Target& target, std::string_view driver) {
  Stack stack;
  stack.transformers = version_of(packages, "transformers");
  stack.library_version = stack.transformers;
  stack.accelerate = version_of(packages, "accelerate");
  stack.torch = version_of(packages, "torch");
  if (target.device != "neuron") return stack;
  stack.torch_neuronx = version_of(packages, "torch-neuronx");
  stack.neuronx_cc = version_of(packages, "neuronx-cc");
  stack.nki = version_of(packages, "nki");
  stack.neuron_driver = driver;
  if (const auto flags = target.environment.find("NEURON_CC_FLAGS"); flags != target.environment.end())
    stack.neuron_cc_flags = flags->second;
  return stack;
}

/// Keeps folders that do not lie in another one, each once.
std::vector<fs::path> outermost(std::vector<fs::path> folders) {
  std::ranges::sort(folders);  // A parent comes before what lies in it.
  std::vector<fs::path> kept;
  for (const fs::path& folder : folders) {
    const auto holds = [&](const fs::path& parent) {
      return folder == parent || folder.string().starts_with(parent.string() + "/");
    };
    if (std::ranges::none_of(kept, holds)) kept.push_back(folder);
  }
  return kept;
}

}  // namespace

Result<InterpreterFacts> read_interpreter_answer(std::string_view text, const Target& target, std::string_view driver) {
  boost::system::error_code error;
  const json::value answer = json::parse(text, error);
  const json::object* object = error ? nullptr : answer.if_object();
  const auto* packages = object == nullptr ? nullptr : object->if_contains("packages");
  const auto* folders = object == nullptr ? nullptr : object->if_contains("folders");
  const auto* python = object == nullptr ? nullptr : object->if_contains("python");
  if (packages == nullptr || !packages->is_object() || folders == nullptr || !folders->is_array() ||
      python == nullptr || !python->is_string())
    return fail(Code::Unavailable, "the interpreter's answer about itself cannot be read");
  Packages versions;
  for (const auto& [name, version] : packages->get_object())
    if (version.is_string()) versions[name] = version.get_string();
  InterpreterFacts facts;
  facts.stack = make_stack(versions, target, driver);
  facts.stack.python = python->get_string();
  for (const auto& [name, version] : versions) facts.package_lock += fmt::format("{}=={}\n", name, version);
  for (const json::value& folder : folders->get_array())
    if (folder.is_string()) facts.folders.emplace_back(std::string(folder.get_string()));
  facts.folders = outermost(std::move(facts.folders));
  return facts;
}

Result<InterpreterFacts> probe_interpreter(const Target& target, const std::string& transformers) {
  const auto wanted = std::ranges::find(target.interpreters, transformers, &Interpreter::transformers);
  if (wanted == target.interpreters.end())
    return fail(Code::NotFound,
                fmt::format("target '{}' names no interpreter for Transformers {}", target.name, transformers));
  if (wanted->path.empty())
    return fail(Code::NotFound,
                fmt::format("target '{}' has no interpreter on this host: `willitrun doctor` says what to install",
                            target.name));
  std::error_code error;
  if (!fs::exists(wanted->path, error))
    return fail(Code::NotFound,
                fmt::format("the interpreter '{}' of target '{}' is not there: `willitrun doctor` says what to install",
                            wanted->path, target.name));
  // Isolated (-I): neither the user's site folder nor PYTHON* variables, which a script would not see either.
  const ProcessSpec spec{
      .argv = {wanted->path, "-I", "-c", kQuestion}, .environment = {"LC_ALL=C.UTF-8"}, .folder = "/"};
  ASSIGN_OR_RETURN(const std::string answer, output_of(spec, 60));
  const std::string driver = read_file(kDriverVersion, 256).value_or("");
  ASSIGN_OR_RETURN(InterpreterFacts facts, read_interpreter_answer(answer, target, trim(driver)));
  facts.python = wanted->path;
  if (facts.stack.transformers != transformers)
    return fail(Code::Unavailable,
                fmt::format("'{}' has Transformers '{}' instead of {}: `willitrun doctor` says what to install",
                            wanted->path, facts.stack.transformers, transformers));
  return facts;
}

}  // namespace willitrun
