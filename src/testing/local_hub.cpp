#include "testing/local_hub.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/check.h"

extern char** environ;

namespace willitrun {

// The server prints its address once it listens, so reading that line is waiting for it.
LocalHub::LocalHub(const std::filesystem::path& source, const std::filesystem::path& mirror) {
  std::array<int, 2> pipe = {};
  CHECK(::pipe2(pipe.data(), O_CLOEXEC) == 0);
  posix_spawn_file_actions_t actions;
  CHECK(::posix_spawn_file_actions_init(&actions) == 0);
  CHECK(::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO) == 0);
  std::string program = (source / "python" / "local_hub").string();
  std::string folder = mirror.string();
  std::array<char, 8> python = {"python3"};
  std::array<char, 14> with_faults = {"--with-faults"};
  const std::array<char*, 5> arguments = {python.data(), program.data(), folder.data(), with_faults.data(), nullptr};
  CHECK(::posix_spawnp(&process_, python.data(), &actions, nullptr, arguments.data(), environ) == 0);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  char letter = '\0';
  while (::read(pipe[0], &letter, 1) == 1 && letter != '\n') address_ += letter;
  ::close(pipe[0]);
  CHECK(!address_.empty());
}

LocalHub::~LocalHub() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace willitrun
