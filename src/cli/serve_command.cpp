#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <condition_variable>
#include <thread>

#include "base/text.h"
#include "cli/command.h"
#include "cli/data_files.h"
#include "cli/home_site.h"
#include "cli/page_build.h"
#include "cli/version.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/open_files.h"
#include "server/event_hub.h"
#include "server/http_server.h"

namespace willitrun {
namespace {

struct Options {
  ServerOptions server{.port = 8080};
  std::string page;
  std::string token_file;
};

/// How often the home is looked at for something new.
constexpr std::chrono::seconds kLookEvery(1);

/// The token: the first line of the named file, else WILLITRUN_TOKEN.
Result<std::string> read_token(const std::string& file) {
  if (file.empty()) return environment_variable("WILLITRUN_TOKEN");
  ASSIGN_OR_RETURN(const std::string text, read_file(file, 4096));
  std::string token(trim(text.substr(0, text.find('\n'))));
  if (token.empty()) return fail(Code::InvalidArgument, fmt::format("'{}' holds no token in its first line", file));
  return token;
}

/// Looks at the home again and again and hands out what is new, until it is destroyed.
class HomeWatch {
 public:
  HomeWatch(HomeSite& home, Responder& responder, HttpServer& server)
      : thread_([this, &home, &responder, &server](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          while (!wake_.wait_for(lock, stop, kLookEvery, [&] { return stop.stop_requested(); }))
            look(home, responder, server);
        }) {}

 private:
  void look(HomeSite& home, Responder& responder, HttpServer& server) {
    auto content = home.changed_content();
    if (!content) {
      if (content.error().message != said_) fmt::print(stderr, "willitrun: {}\n", content.error().message);
      said_ = content.error().message;
      return;
    }
    said_.clear();
    if (!*content) return;
    responder.replace(std::move(*content));
    server.publish("snapshot", snapshot_event(*responder.content()));
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string said_;  ///< The last trouble, which is told once.
  std::jthread thread_;
};

Result<ExitStatus> run(const Options& options, const Session& session) {
  ASSIGN_OR_RETURN(const auto home, HomeSite::open(session));
  ASSIGN_OR_RETURN(const auto content, home->changed_content());
  Site site{.content = *content, .rows = home.get(), .queue = home.get()};
  ASSIGN_OR_RETURN(site.page, ServedFiles::read(page_folder(options.page)));
  ASSIGN_OR_RETURN(site.token, read_token(options.token_file));
  ASSIGN_OR_RETURN(site.targets, target_names());
  site.version = program_version();
  if (site.page->find("index.html") == nullptr && !session.quiet)
    fmt::print(stderr, "willitrun: there is no page in '{}', only the API; `make build` builds the page\n",
               page_folder(options.page).string());
  raise_open_file_limit();
  Responder responder(std::move(site), system_clock());
  ASSIGN_OR_RETURN(HttpServer server, HttpServer::listen(options.server, responder));
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  const HomeWatch watch(*home, responder, server);
  server.run();
  return ExitStatus::Ok;
}

}  // namespace

void add_serve_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("serve", "Serve the web page and the API (docs/http.md)");
  command->footer(
      "Prints the address once it listens. SIGTERM ends it after what is under way.\n"
      "Examples:\n"
      "  willitrun serve\n"
      "  willitrun serve --bind 0.0.0.0 --port 80 --token-file /etc/willitrun/token");
  command->add_option("--port", options->server.port, "TCP port; 0 takes a free one")->capture_default_str();
  command->add_option("--bind", options->server.bind_address, "Address to listen at")->capture_default_str();
  command->add_option("--threads", options->server.num_threads, "Threads that answer")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  command->add_option("--max-connections", options->server.limits.connections, "Open at a time")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--idle-timeout", options->server.limits.idle_s, "Seconds that a connection may lie idle")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 3600.0));
  command->add_option("--token-file", options->token_file,
                      "File with the token that allows asking for tests from other machines (or WILLITRUN_TOKEN)");
  command->add_option("--page", options->page, "Folder of the page build (default: the one that was installed)");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(*options, session); }; });
}

}  // namespace willitrun
