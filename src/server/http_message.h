#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace willitrun {

enum class Method { Get, Head, Options, Post, Other };

/// A request as far as answers depend on it.
struct Request {
  Method method = Method::Get;
  std::string target = "/";  ///< As it came: path and query, still percent-encoded.
  std::string body;
  std::string if_none_match, authorization, content_type, origin, host;
  bool accepts_gzip = false;
  bool accepts_html = false;  ///< A browser asks for a document, and people read the answer.
  std::string client;         ///< Address of the peer.
  bool from_here = false;     ///< The peer is this very machine, and no proxy speaks for somebody else.
};

/// The bytes of an answer: its own, or a part of something that it keeps alive (a mapped file).
class Body {
 public:
  Body() = default;
  explicit Body(std::string text) : Body(std::make_shared<const std::string>(std::move(text))) {}
  Body(std::shared_ptr<const void> owner, std::string_view bytes) : owner_(std::move(owner)), bytes_(bytes) {}

  std::string_view bytes() const { return bytes_; }

 private:
  explicit Body(std::shared_ptr<const std::string> text) : bytes_(*text) { owner_ = std::move(text); }

  std::shared_ptr<const void> owner_;
  std::string_view bytes_;
};

/// An answer. Content-Length, Date and Connection are the socket's matter, and so is leaving out the body for HEAD.
struct Response {
  int status = 200;
  std::vector<std::pair<std::string_view, std::string>> headers;
  Body body;
  bool is_event_stream = false;  ///< The body is what happens from now on, until one side ends it.
  std::string_view route;        ///< Pattern of the route that answered, for figures; empty for none.
  std::string trouble;           ///< What went wrong inside, for the operator's log; never sent.

  void set(std::string_view name, std::string value) { headers.emplace_back(name, std::move(value)); }
  std::string_view header(std::string_view name) const;
};

}  // namespace willitrun
