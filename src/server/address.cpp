#include "server/address.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace willitrun {
namespace {

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::unexpected<Error> bad(std::string_view what) {
  return fail(Code::InvalidArgument, fmt::format("the address {}", what));
}

/// Undoes percent-encoding. In a query `+` is a space.
Result<std::string> decode(std::string_view text, bool in_query) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && in_query) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const auto high = i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
      const auto low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
      if (!high || !low) return bad("has a '%' without two hexadecimal digits");
      decoded += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  if (std::ranges::any_of(decoded, is_control)) return bad("holds a control character");
  if (!is_utf8(decoded)) return bad("is not UTF-8");
  return decoded;
}

Status read_path(std::string_view path, Address& address) {
  if (!path.starts_with('/')) return bad("does not start with '/'");
  address.ends_in_slash = path.ends_with('/');
  if (path == "//") return bad("has an empty or a dot segment");
  path.remove_prefix(1);
  if (address.ends_in_slash && !path.empty()) path.remove_suffix(1);
  if (path.empty()) return {};
  for (const std::string_view part : split(path, '/')) {
    ASSIGN_OR_RETURN(std::string segment, decode(part, false));
    if (segment.empty() || segment == "." || segment == "..") return bad("has an empty or a dot segment");
    address.segments.push_back(std::move(segment));
  }
  return {};
}

Status read_query(std::string_view query, Address& address) {
  if (query.empty()) return {};
  for (const std::string_view part : split(query, '&')) {
    const std::size_t equals = std::min(part.find('='), part.size());
    ASSIGN_OR_RETURN(std::string name, decode(part.substr(0, equals), true));
    ASSIGN_OR_RETURN(std::string value, decode(equals == part.size() ? "" : part.substr(equals + 1), true));
    if (std::ranges::find(address.query, name, &std::pair<std::string, std::string>::first) != address.query.end())
      return fail(Code::InvalidArgument, fmt::format("the parameter '{}' is given twice", name));
    address.query.emplace_back(std::move(name), std::move(value));
  }
  return {};
}

}  // namespace

std::string_view Address::value(std::string_view name) const {
  const auto found = std::ranges::find(query, name, &std::pair<std::string, std::string>::first);
  return found == query.end() ? std::string_view() : found->second;
}

Result<Address> parse_address(std::string_view target) {
  Address address;
  const std::size_t question = std::min(target.find('?'), target.size());
  RETURN_IF_ERROR(read_path(target.substr(0, question), address));
  if (question < target.size()) RETURN_IF_ERROR(read_query(target.substr(question + 1), address));
  return address;
}

std::string encode_segment(std::string_view text) {
  std::string encoded;
  for (const char byte : text) {
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || std::string_view("-._~").contains(byte);
    if (is_plain)
      encoded += byte;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
  }
  return encoded;
}

std::string path_of(const Address& address) {
  std::string path = "/";
  for (const std::string& segment : address.segments) path += encode_segment(segment) + "/";
  if (!address.ends_in_slash && !address.segments.empty()) path.pop_back();
  return path;
}

}  // namespace willitrun
