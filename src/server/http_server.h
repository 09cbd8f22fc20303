#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "server/responder.h"

namespace willitrun {

/// What one connection and all of them may cost.
struct ServerLimits {
  std::uint32_t header_bytes = 16 * 1024;
  std::uint64_t body_bytes = 16 * 1024;
  std::int64_t connections = 16'384;
  double idle_s = 60;   ///< Until a request's header is whole; also how long a connection may lie idle.
  double body_s = 10;   ///< From the header to the end of the body.
  double write_s = 30;  ///< Per piece of an answer (64 KiB): a reader that takes nothing for so long is dropped.
  double drain_s = 10;  ///< What is under way when the server is asked to stop may take so long.
};

struct ServerOptions {
  std::string bind_address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: one that is free.
  unsigned num_threads = 2;
  ServerLimits limits;
};

/// Speaks HTTP/1.1 over TCP and leaves every answer to a responder.
class HttpServer {
 public:
  /// Binds and listens. InvalidArgument for an address that is none, Unavailable when it is taken. `responder` outlives
  /// the server.
  static Result<HttpServer> listen(const ServerOptions& options, Responder& responder);

  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) = delete;
  ~HttpServer();

  /// `http://127.0.0.1:8080/`
  std::string address() const;

  /// Serves until SIGINT or SIGTERM. Then takes no more connections, ends those that lie idle and waits for the others;
  /// a second signal ends at once.
  void run();

  /// Tells everybody who listens at /api/v1/events. Any thread may call it while run() runs.
  void publish(const std::string& name, const std::string& data);

  /// What the sockets share; http_server.cpp alone knows it.
  struct State;

 private:
  explicit HttpServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace willitrun
