#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "domain/target.h"
#include "os/home.h"

namespace CLI {
class App;
}

namespace willitrun {

/// What the program's exit status tells a script (docs/cli.md).
enum class ExitStatus {
  Ok = 0,
  No = 1,  ///< The answer is no: FAIL, does not fit, invalid files, falls short.
  Usage = 2,
  NoAnswer = 3,  ///< An error of ours or of the environment, unavailable, indeterminate.
  Interrupted = 130,
};

/// What every command gets: the options that all commands share, and where things lie. Nothing is opened before it is
/// asked for.
struct Session {
  std::string home_option;  ///< --home, or empty.
  bool quiet = false;
  bool verbose = false;

  /// Opens the home (--home, WILLITRUN_HOME or the default).
  Result<Home> home() const { return open_home(home_option); }
};

/// A command that was chosen and has its options: returns the exit status or what went wrong.
using Command = std::function<Result<ExitStatus>(const Session&)>;

/// Adds one subcommand to the program. When the user chooses it, `chosen` becomes its Command.
using AddCommand = void (*)(CLI::App& app, Command& chosen);

/// All commands, in the order in which --help shows them.
const std::vector<AddCommand>& all_commands();

/// Maps an error to the exit status: InvalidArgument is wrong usage, Cancelled an interruption, everything else no
/// answer.
ExitStatus exit_status_of(Code code);

}  // namespace willitrun
