#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>

#include "cli/command.h"
#include "cli/version.h"

namespace willitrun {

ExitStatus exit_status_of(Code code) {
  switch (code) {
    case Code::InvalidArgument: return ExitStatus::Usage;
    case Code::Cancelled: return ExitStatus::Interrupted;
    default: return ExitStatus::NoAnswer;
  }
}

namespace {

int run(int argc, char** argv) {
  CLI::App app("Does a Hugging Face model run, unmodified, on AWS Trainium? Look it up, plan it, test it.",
               "willitrun");
  Session session;
  Command chosen;
  app.set_version_flag("--version", version_text());
  app.add_option("--home", session.home_option, "Folder that holds everything (default: WILLITRUN_HOME)")
      ->type_name("DIR");
  app.add_flag("-q,--quiet", session.quiet, "Print results only");
  app.add_flag("-v,--verbose", session.verbose, "Print more about what is done");
  app.require_subcommand(1);
  app.fallthrough();
  for (const AddCommand add : all_commands()) add(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitStatus::Usage);
  }
  const auto status = chosen(session);
  if (status) return static_cast<int>(*status);
  fmt::print(stderr, "willitrun: {}\n", status.error().message);
  return static_cast<int>(exit_status_of(status.error().code));
}

}  // namespace
}  // namespace willitrun

// An exception that reaches this point is a bug of ours: the program ends with its text.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // A reader that went away is an ordinary write error.
  return willitrun::run(argc, argv);
}
