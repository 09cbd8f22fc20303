#include "store/redaction.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "domain/row_columns.h"
#include "os/sha256.h"

namespace willitrun {
namespace {

constexpr std::string_view kSecret = "<secret>";
constexpr std::string_view kHost = "<host>";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter_or_digit(char c) { return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_name_character(char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; }
bool is_host_character(char c) { return is_letter_or_digit(c) || c == '-' || c == '.'; }
bool is_value_character(char c) { return c > ' ' && c != '"' && c != '\'' && c != ',' && c != ')' && c != ';'; }

/// Tells whether the part of `text` in [begin, end) is not inside a longer word.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  return (begin == 0 || !is_letter_or_digit(text[begin - 1])) && (end == text.size() || !is_letter_or_digit(text[end]));
}

std::string replace_words(std::string_view text, std::string_view word, std::string_view with) {
  std::string replaced;
  std::size_t from = 0;
  while (!word.empty()) {
    const auto at = text.find(word, from);
    if (at == std::string_view::npos) break;
    const std::size_t end = at + word.size();
    replaced += text.substr(from, at - from);
    replaced += stands_alone(text, at, end) ? with : word;
    from = end;
  }
  return replaced.append(text.substr(from));
}

/// Replaces each longest run of characters of one kind for which `replacement` gives something.
template <class IsPart, class Replacement>
std::string replace_runs(std::string_view text, IsPart is_part, Replacement replacement) {
  std::string replaced;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_part(text[end])) ++end;
    if (end == i) {
      replaced += text[i++];
      continue;
    }
    const std::string_view run = text.substr(i, end - i);
    const std::optional<std::string_view> with = replacement(run);
    replaced += with ? *with : run;
    i = end;
  }
  return replaced;
}

/// Access tokens that tell what they are: Hugging Face, GitHub, AWS key ids.
std::optional<std::string_view> token_by_form(std::string_view word) {
  constexpr std::size_t kShortest = 16;
  for (const std::string_view prefix : {"hf_", "api_org_", "ghp_", "gho_", "ghs_", "github_pat_", "AKIA", "ASIA"})
    if (word.starts_with(prefix) && word.size() >= prefix.size() + kShortest) return kSecret;
  return std::nullopt;
}

/// `NAME_TOKEN=value`, `AWS_SECRET_ACCESS_KEY=value`, `Bearer value`: the value goes.
std::string replace_assigned_secrets(std::string_view text) {
  std::string replaced;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end == i) {
      replaced += text[i++];
      continue;
    }
    const std::string_view name = text.substr(i, end - i);
    replaced += name;
    i = end;
    const bool is_variable = std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; }) &&
                             (name.ends_with("TOKEN") || name.contains("SECRET") || name.ends_with("PASSWORD") ||
                              name.ends_with("ACCESS_KEY") || name.ends_with("API_KEY"));
    const std::string_view separator = is_variable ? "=" : " ";
    if ((!is_variable && name != "Bearer") || !text.substr(i).starts_with(separator)) continue;
    replaced += separator;
    std::size_t value_end = ++i;
    while (value_end < text.size() && is_value_character(text[value_end])) ++value_end;
    if (value_end > i) replaced += kSecret;
    i = value_end;
  }
  return replaced;
}

/// `https://user:password@host/`: what is before the `@` goes.
std::string replace_url_credentials(std::string_view text) {
  constexpr std::string_view kStart = "://";
  std::string replaced;
  for (;;) {
    const auto at = text.find(kStart);
    if (at == std::string_view::npos) return replaced.append(text);
    const std::size_t begin = at + kStart.size();
    replaced += text.substr(0, begin);
    text.remove_prefix(begin);
    const auto end = std::min(text.find_first_of("/ \t\r\n\"'<>?#"), text.size());
    const auto sign = text.substr(0, end).rfind('@');
    if (sign == std::string_view::npos) continue;
    replaced += kSecret;
    text.remove_prefix(sign);
  }
}

/// `/home/name`, `/Users/name` and `/root`, where a path can begin.
std::string replace_home_folders(std::string_view text) {
  std::string replaced;
  for (std::size_t i = 0; i < text.size();) {
    const bool may_begin = i == 0 || !(is_name_character(text[i - 1]) || text[i - 1] == '.');
    const std::string_view rest = text.substr(i);
    std::size_t length = 0;
    for (const std::string_view parent : {"/home/", "/Users/"})
      if (may_begin && rest.starts_with(parent)) {
        length = parent.size();
        while (length < rest.size() && (is_name_character(rest[length]) || rest[length] == '.')) ++length;
      }
    if (may_begin && rest.starts_with("/root") && (rest.size() == 5 || !is_name_character(rest[5]))) length = 5;
    if (length > 0) {
      replaced += '~';
      i += length;
    } else {
      replaced += text[i++];
    }
  }
  return replaced;
}

/// Numbers of an address `a.b.c.d`; nothing for anything else, such as versions with large parts.
std::optional<std::vector<std::uint64_t>> address_parts(std::string_view word, char separator) {
  std::vector<std::uint64_t> parts;
  for (const auto part : split(word, separator)) {
    const auto number = parse_uint(part);
    if (!number || *number > 255) return std::nullopt;
    parts.push_back(*number);
  }
  return parts.size() == 4 ? std::optional(parts) : std::nullopt;
}

std::optional<std::string_view> host_by_form(std::string_view word) {
  while (word.ends_with('.')) word.remove_suffix(1);
  if (word.ends_with(".internal") || word.ends_with(".compute.amazonaws.com")) return kHost;
  if (word.starts_with("ip-") && address_parts(word.substr(3), '-')) return kHost;
  const auto address = address_parts(word, '.');
  if (!address) return std::nullopt;
  const auto& parts = *address;
  const bool is_private =
      parts[0] == 10 || (parts[0] == 192 && parts[1] == 168) || (parts[0] == 172 && parts[1] >= 16 && parts[1] <= 31);
  return is_private ? std::optional(kHost) : std::nullopt;
}

bool is_local(const Row& row) { return row.local_model.value_or(false); }

Row redacted(Row row, const PrivateWords& words) {
  const std::optional<std::string> script = row.run_py;
  for (const RowColumn& column : row_columns()) {
    if (column.name == "model_id" || column.name == "prompt" || column.name == "text") continue;
    Cell cell = column.get(row);
    if (const auto* text = std::get_if<std::string>(&cell)) column.set(row, redact(*text, words));
  }
  if (row.run_py != script && row.script_sha256) row.script_sha256 = sha256_hex(*row.run_py);
  return row;
}

std::vector<Row> publishable_rows(std::vector<Row> rows, const PrivateWords& words) {
  std::erase_if(rows, is_local);
  for (Row& row : rows) row = redacted(std::move(row), words);
  return rows;
}

}  // namespace

std::string redact(std::string_view text, const PrivateWords& words) {
  std::string safe(text);
  for (const std::string& secret : words.secrets) safe = replace_words(safe, secret, kSecret);
  for (const std::string& folder : words.folders) safe = replace_words(safe, folder, "~");
  safe = replace_runs(safe, is_name_character, token_by_form);
  safe = replace_assigned_secrets(safe);
  safe = replace_url_credentials(safe);
  safe = replace_home_folders(safe);
  for (const std::string& host : words.hosts) safe = replace_words(safe, host, kHost);
  return replace_runs(safe, is_host_character, host_by_form);
}

Dataset publishable(Dataset dataset, const PrivateWords& words) {
  dataset.verdicts = publishable_rows(std::move(dataset.verdicts), words);
  dataset.attempts = publishable_rows(std::move(dataset.attempts), words);
  return dataset;
}

}  // namespace willitrun
