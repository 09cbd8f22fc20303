#include "server/http_server.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <ctime>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

#include "server/event_hub.h"
#include "server/handler.h"
#include "server/received_request.h"

// One coroutine per connection, on a strand of its own, over a few threads: a connection that waits costs its socket
// and little memory, and a slow one holds up nobody. Every wait has a deadline.
namespace willitrun {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = net::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr auto kToken = net::as_tuple(net::use_awaitable);
constexpr std::size_t kPieceBytes = 64 * 1024;
constexpr double kHeartbeat_s = 15;
constexpr std::size_t kMaxPendingEvents = 64;

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

std::string http_date() { return fmt::format("{:%a, %d %b %Y %T GMT}", fmt::gmtime(std::time(nullptr))); }

bool is_loopback(const net::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return net::ip::make_address_v4(net::ip::v4_mapped, address.to_v6()).is_loopback();
  return address.is_loopback();
}

using Parsed = http::request<http::string_body>;

Request request_from(Parsed& parsed, const net::ip::address& client) {
  const auto text = [](beast::string_view view) { return std::string_view(view.data(), view.size()); };
  ReceivedRequest received{.method = text(parsed.method_string()),
                           .target = std::string(text(parsed.target())),
                           .body = std::move(parsed.body()),
                           .client = client.to_string(),
                           .is_loopback = is_loopback(client)};
  for (const auto& field : parsed) received.headers.emplace_back(text(field.name_string()), text(field.value()));
  return request_of(std::move(received));
}

}  // namespace

class Connection;

/// What all connections share.
struct HttpServer::State {
  State(const ServerOptions& chosen, Responder& answers)
      : options(chosen),
        responder(answers),
        io(static_cast<int>(chosen.num_threads)),
        acceptor(net::make_strand(io)),
        signals(io, SIGINT, SIGTERM),
        drain_deadline(io) {}

  net::awaitable<void> accept_connections();
  net::awaitable<void> wait_for_signals();
  void start_to_drain();
  void leave(Connection* connection);

  ServerOptions options;
  Responder& responder;
  EventHub events;
  std::atomic<bool> is_draining = false;
  std::mutex mutex;  ///< Guards the set.
  std::unordered_set<Connection*> connections;
  net::io_context io;  ///< Behind what connections use: those that are left end with it.
  Tcp::acceptor acceptor;
  net::signal_set signals;
  net::steady_timer drain_deadline;
};

/// A client's connection. Everything runs on the socket's strand; the coroutine keeps the object alive.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Tcp::socket socket, HttpServer::State& server) : stream_(std::move(socket)), server_(server) {}

  ~Connection() { server_.leave(this); }

  void start() {
    net::co_spawn(
        stream_.get_executor(), [self = shared_from_this()] { return self->run(); },
        [](const std::exception_ptr& exception) {
          if (exception) fmt::print(stderr, "willitrun: a connection ended with an exception\n");
        });
  }

  /// Asks the connection to end after what is under way. Any thread may call it.
  void drain() {
    net::post(stream_.get_executor(), [self = shared_from_this()] {
      ErrorCode ignored;
      if (self->wake_) self->wake_->cancel();
      const bool has_input = self->buffer_.size() > 0 || self->stream_.socket().available(ignored) > 0;
      if (self->is_idle_ && !has_input) self->stream_.cancel();
    });
  }

 private:
  net::awaitable<void> run();
  net::awaitable<bool> serve_one();
  net::awaitable<bool> refuse(ErrorCode error);
  net::awaitable<bool> write(const Response& response, bool without_body, bool keep_alive);
  net::awaitable<bool> write_pieces(std::string_view bytes);
  net::awaitable<void> stream_events(const Response& response);
  net::awaitable<void> close();

  template <class Message>
  void fill_header(Message& message, const Response& response, bool keep_alive) {
    message.result(static_cast<unsigned>(response.status));
    message.version(version_);
    for (const auto& [name, value] : response.headers) message.set(beast::string_view(name.data(), name.size()), value);
    message.set(http::field::date, http_date());
    message.keep_alive(keep_alive);
  }

  beast::tcp_stream stream_;
  HttpServer::State& server_;
  beast::flat_buffer buffer_;
  net::ip::address client_;
  unsigned version_ = 11;
  bool is_idle_ = false;
  std::unique_ptr<net::steady_timer> wake_;  ///< Set while events are streamed.
  std::deque<std::string> pending_events_;
};

net::awaitable<void> Connection::run() {
  ErrorCode error;
  const auto peer = stream_.socket().remote_endpoint(error);
  if (error) co_return;
  client_ = peer.address();
  stream_.socket().set_option(Tcp::no_delay(true), error);
  while (co_await serve_one()) {
  }
  co_await close();
}

net::awaitable<bool> Connection::serve_one() {
  const ServerLimits& limits = server_.options.limits;
  http::request_parser<http::string_body> parser;
  parser.header_limit(limits.header_bytes);
  parser.body_limit(limits.body_bytes);
  stream_.expires_after(milliseconds(limits.idle_s));
  is_idle_ = true;
  const auto [header_error, header_bytes] = co_await http::async_read_header(stream_, buffer_, parser, kToken);
  is_idle_ = false;
  if (header_error) co_return co_await refuse(header_error);
  version_ = parser.get().version();
  stream_.expires_after(milliseconds(limits.body_s));
  const auto [body_error, body_bytes] = co_await http::async_read(stream_, buffer_, parser, kToken);
  if (body_error) co_return co_await refuse(body_error);
  Parsed parsed = parser.release();
  const bool keep_alive = parsed.keep_alive() && !server_.is_draining;
  const bool is_head = parsed.method() == http::verb::head;
  const Response response = server_.responder.answer(request_from(parsed, client_));
  if (parsed.method() == http::verb::post && response.status < 300)
    server_.events.publish(server_sent_event("queue", "{}"));
  if (response.is_event_stream) {
    co_await stream_events(response);
    co_return false;
  }
  co_return co_await write(response, is_head, keep_alive) && keep_alive;
}

/// Answers a request that could not be read, when there is somebody to answer.
net::awaitable<bool> Connection::refuse(ErrorCode error) {
  if (error.category() != http::make_error_code(http::error::bad_method).category() ||
      error == http::error::end_of_stream || error == http::error::partial_message)
    co_return false;
  const int status = error == http::error::header_limit ? 431 : error == http::error::body_limit ? 413 : 400;
  Response response = error_response(status, "invalid_argument",
                                     status == 400 ? "this is no HTTP request" : "the request is too large");
  response.set("Cache-Control", "no-store");
  server_.responder.metrics().count("", status, 0);
  co_await write(response, false, false);
  co_return false;
}

net::awaitable<bool> Connection::write(const Response& response, bool without_body, bool keep_alive) {
  const std::string_view bytes = response.body.bytes();
  stream_.expires_after(milliseconds(server_.options.limits.write_s));
  if (!without_body && bytes.size() <= kPieceBytes) {
    http::response<http::span_body<const char>> message;
    fill_header(message, response, keep_alive);
    message.body() = {bytes.data(), bytes.size()};
    if (response.status != 204 && response.status != 304) message.content_length(bytes.size());
    const auto [error, sent] = co_await http::async_write(stream_, message, kToken);
    co_return !error;
  }
  http::response<http::empty_body> head;
  fill_header(head, response, keep_alive);
  if (response.status != 204 && response.status != 304) head.content_length(bytes.size());
  http::response_serializer<http::empty_body> serializer(head);
  const auto [error, sent] = co_await http::async_write_header(stream_, serializer, kToken);
  if (error) co_return false;
  co_return without_body || co_await write_pieces(bytes);
}

net::awaitable<bool> Connection::write_pieces(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPieceBytes);
    stream_.expires_after(milliseconds(server_.options.limits.write_s));
    const auto [error, sent] = co_await net::async_write(stream_, net::buffer(piece.data(), piece.size()), kToken);
    if (error) co_return false;
    bytes.remove_prefix(piece.size());
  }
  co_return true;
}

net::awaitable<void> Connection::stream_events(const Response& response) {
  wake_ = std::make_unique<net::steady_timer>(stream_.get_executor());
  const auto listener = server_.events.listen([weak = weak_from_this()](const std::string& event) {
    const auto self = weak.lock();
    if (!self) return;
    net::post(self->stream_.get_executor(), [self, event] {
      // A reader that is too slow loses the oldest: each event tells a state, and the newest one counts.
      if (self->pending_events_.size() == kMaxPendingEvents) self->pending_events_.pop_front();
      self->pending_events_.push_back(event);
      if (self->wake_) self->wake_->cancel();
    });
  });
  const auto content = server_.responder.content();
  http::response<http::empty_body> head;
  fill_header(head, response, false);
  http::response_serializer<http::empty_body> serializer(head);
  stream_.expires_after(milliseconds(server_.options.limits.write_s));
  auto [error, sent] = co_await http::async_write_header(stream_, serializer, kToken);
  std::string text = server_sent_event("snapshot", snapshot_event(*content));
  while (!error && !server_.is_draining) {
    stream_.expires_after(milliseconds(server_.options.limits.write_s));
    std::tie(error, sent) = co_await net::async_write(stream_, net::buffer(text), kToken);
    if (error) break;
    stream_.expires_never();
    if (pending_events_.empty() && !server_.is_draining) {
      wake_->expires_after(milliseconds(kHeartbeat_s));
      co_await wake_->async_wait(kToken);
    }
    text = pending_events_.empty() ? ": still here\n\n" : std::move(pending_events_.front());
    if (!pending_events_.empty()) pending_events_.pop_front();
  }
  server_.events.leave(listener);
  wake_.reset();
}

/// Ends the connection so that the client gets all of the last answer: says that nothing more comes, and takes what is
/// still on its way here, but not for ever.
net::awaitable<void> Connection::close() {
  constexpr int kMaxReads = 16;
  ErrorCode ignored;
  stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
  if (ignored) co_return;
  stream_.expires_after(std::chrono::seconds(1));
  char rest[4096];
  for (int i = 0; i < kMaxReads; ++i) {
    const auto [error, count] = co_await stream_.async_read_some(net::buffer(rest), kToken);
    if (error) break;
  }
}

net::awaitable<void> HttpServer::State::accept_connections() {
  while (!is_draining) {
    auto [error, socket] = co_await acceptor.async_accept(net::make_strand(io), kToken);
    if (error == net::error::operation_aborted || is_draining) co_return;
    if (error) {
      // Out of descriptors or memory: others will go.
      net::steady_timer pause(acceptor.get_executor(), std::chrono::milliseconds(100));
      co_await pause.async_wait(kToken);
      continue;
    }
    if (responder.metrics().num_open() >= options.limits.connections) {
      responder.metrics().connection_refused();
      continue;
    }
    const auto connection = std::make_shared<Connection>(std::move(socket), *this);
    responder.metrics().connection_opened();
    {
      const std::lock_guard lock(mutex);
      connections.insert(connection.get());
    }
    connection->start();
  }
}

void HttpServer::State::leave(Connection* connection) {
  responder.metrics().connection_closed();
  const std::lock_guard lock(mutex);
  connections.erase(connection);
  if (is_draining && connections.empty()) io.stop();
}

void HttpServer::State::start_to_drain() {
  is_draining = true;
  ErrorCode ignored;
  acceptor.close(ignored);
  std::vector<std::shared_ptr<Connection>> open;
  {
    const std::lock_guard lock(mutex);
    for (Connection* connection : connections)
      if (auto alive = connection->weak_from_this().lock()) open.push_back(std::move(alive));
    if (connections.empty()) io.stop();
  }
  for (const auto& connection : open) connection->drain();
}

net::awaitable<void> HttpServer::State::wait_for_signals() {
  co_await signals.async_wait(kToken);
  net::post(acceptor.get_executor(), [this] { start_to_drain(); });
  drain_deadline.expires_after(milliseconds(options.limits.drain_s));
  drain_deadline.async_wait([this](ErrorCode error) {
    if (!error) io.stop();
  });
  co_await signals.async_wait(kToken);
  io.stop();
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer::~HttpServer() = default;

Result<HttpServer> HttpServer::listen(const ServerOptions& options, Responder& responder) {
  ErrorCode error;
  const auto address = net::ip::make_address(options.bind_address, error);
  if (error)
    return fail(Code::InvalidArgument,
                fmt::format("'{}' is no address to listen at: give one like 127.0.0.1 or ::", options.bind_address));
  auto state = std::make_unique<State>(options, responder);
  const Tcp::endpoint endpoint(address, options.port);
  state->acceptor.open(endpoint.protocol(), error);
  if (!error) state->acceptor.set_option(net::socket_base::reuse_address(true), error);
  if (!error) state->acceptor.bind(endpoint, error);
  if (!error) state->acceptor.listen(net::socket_base::max_listen_connections, error);
  if (error)
    return fail(Code::Unavailable,
                fmt::format("cannot listen at {} port {}: {}", options.bind_address, options.port, error.message()));
  return HttpServer(std::move(state));
}

std::string HttpServer::address() const {
  ErrorCode error;
  const auto endpoint = state_->acceptor.local_endpoint(error);
  const std::string host =
      endpoint.address().is_v6() ? fmt::format("[{}]", endpoint.address().to_string()) : endpoint.address().to_string();
  return fmt::format("http://{}:{}/", host, endpoint.port());
}

void HttpServer::run() {
  const auto report = [](const std::exception_ptr& exception) {
    if (exception) std::rethrow_exception(exception);
  };
  net::co_spawn(state_->acceptor.get_executor(), state_->accept_connections(), report);
  net::co_spawn(state_->io, state_->wait_for_signals(), report);
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < state_->options.num_threads; ++i) others.emplace_back([this] { state_->io.run(); });
  state_->io.run();
}

void HttpServer::publish(const std::string& name, const std::string& data) {
  state_->events.publish(server_sent_event(name, data));
}

}  // namespace willitrun
