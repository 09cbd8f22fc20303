#include "cli/private_words.h"

#include <algorithm>

#include "base/text.h"
#include "hub/hub_settings.h"
#include "os/file.h"

namespace willitrun {
namespace {

/// The names of this machine, short and with its domain. `localhost` gives nothing away.
std::vector<std::string> host_names() {
  std::vector<std::string> names = {environment_variable("HOSTNAME")};
  if (const auto text = read_file("/proc/sys/kernel/hostname")) names.emplace_back(trim(*text));
  for (std::size_t i = names.size(); i > 0; --i) names.push_back(names[i - 1].substr(0, names[i - 1].find('.')));
  std::erase_if(names, [](const std::string& name) { return name.size() < 3 || name == "localhost"; });
  return names;
}

}  // namespace

PrivateWords private_words_of_machine(const Home& home) {
  PrivateWords words;
  words.folders = {home.root.string(), environment_variable("HOME")};
  words.hosts = host_names();
  for (const char* name : {"HF_TOKEN", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"})
    words.secrets.push_back(environment_variable(name));
  if (const auto settings = read_hub_settings(environment_variable)) words.secrets.push_back(settings->token);
  const auto says_nothing = [](const std::string& word) { return word.size() < 3; };
  std::erase_if(words.folders, says_nothing);
  std::erase_if(words.secrets, says_nothing);
  return words;
}

}  // namespace willitrun
