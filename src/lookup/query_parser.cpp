// A recursive-descent parser, one function per rule of docs/query.md. A query is at most 16 KiB long and 100 levels
// deep, so neither time nor stack can run away.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "lookup/query.h"
#include "lookup/query_values.h"

namespace willitrun {
namespace {

using Kind = QueryNode::Kind;

constexpr int kMaxDepth = 100;

/// A piece of the text: a parenthesis, or everything up to a space or parenthesis outside quotes.
struct Token {
  std::string_view text;    ///< Empty at the end.
  std::size_t begin = 0;    ///< Byte offset.
  bool opens_call = false;  ///< A `(` follows at once.
};

/// A comparison's place in a token.
struct Operator {
  std::size_t begin = 0;
  std::size_t length = 0;
  QueryComparison comparison = QueryComparison::Has;
  bool negated = false;
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::optional<Operator> find_operator(std::string_view token) {
  const std::size_t begin = token.find_first_of(":=<>!\"");
  if (begin == std::string_view::npos || token[begin] == '"') return std::nullopt;
  const std::string_view rest = token.substr(begin);
  Operator found{begin, 1};
  if (rest.starts_with("!=")) return Operator{begin, 2, QueryComparison::Equal, true};
  if (rest.starts_with("<=")) return Operator{begin, 2, QueryComparison::LessOrEqual};
  if (rest.starts_with(">=")) return Operator{begin, 2, QueryComparison::GreaterOrEqual};
  if (rest.starts_with(":!")) return Operator{begin, 2, QueryComparison::Has, true};
  switch (rest[0]) {
    case ':': return found;
    case '=': found.comparison = QueryComparison::Equal; return found;
    case '<': found.comparison = QueryComparison::Less; return found;
    case '>': found.comparison = QueryComparison::Greater; return found;
    default: return std::nullopt;
  }
}

QueryNode node_of(Condition condition) { return {.kind = Kind::Condition, .condition = std::move(condition)}; }

QueryNode node_of(Kind kind, std::vector<QueryNode> children) {
  return {.kind = kind, .children = std::move(children)};
}

QueryNode opposite(QueryNode node) {
  std::vector<QueryNode> child;
  child.push_back(std::move(node));
  return node_of(Kind::Not, std::move(child));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { advance(); }

  Result<Query> parse() {
    ASSIGN_OR_RETURN(QueryNode where, parse_any());
    if (!token_.text.empty()) return error(token_.begin, "this ')' closes nothing");
    return Query{std::move(where), std::move(sort_)};
  }

 private:
  /// Stops deep nesting before the stack does.
  struct Deeper {
    explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    int& depth_;
  };

  void advance() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const std::size_t begin = at_;
    bool quoted = false;
    while (at_ < text_.size() && (quoted || (!is_space(text_[at_]) && text_[at_] != '(' && text_[at_] != ')'))) {
      if (text_[at_] == '"') quoted = !quoted;
      ++at_;
    }
    if (at_ == begin && at_ < text_.size()) ++at_;  // a parenthesis
    token_ = {text_.substr(begin, at_ - begin), begin, at_ < text_.size() && text_[at_] == '('};
    unclosed_quote_ = quoted;
  }

  bool is(std::string_view word) const { return to_lower(token_.text) == word; }

  std::unexpected<Error> error(std::size_t byte, std::string_view message) const {
    const auto is_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    const auto column = 1 + std::ranges::count_if(text_.substr(0, byte), is_character);
    return fail(Code::InvalidArgument, fmt::format("query, column {}: {}", column, message));
  }

  // any := every { "or" every }
  Result<QueryNode> parse_any() {
    const Deeper deeper(depth_);
    if (depth_ > kMaxDepth) return error(token_.begin, "too many parentheses inside each other");
    std::vector<QueryNode> children(1);
    ASSIGN_OR_RETURN(children[0], parse_every());
    while (is("or")) {
      advance();
      if (ends_here()) return error(token_.begin, "something must follow 'or'");
      ASSIGN_OR_RETURN(children.emplace_back(), parse_every());
    }
    return children.size() == 1 ? std::move(children[0]) : node_of(Kind::Any, std::move(children));
  }

  bool ends_here() const { return token_.text.empty() || token_.text == ")"; }

  // every := { [ "and" ] unary }
  Result<QueryNode> parse_every() {
    std::vector<QueryNode> children;
    while (!ends_here() && !is("or")) {
      if (is("and")) {
        if (children.empty()) return error(token_.begin, "something must stand before 'and'");
        advance();
        if (ends_here() || is("or") || is("and")) return error(token_.begin, "something must follow 'and'");
      }
      if (token_.text.starts_with("sort:") || token_.text.starts_with("sort=")) {
        RETURN_IF_ERROR(parse_sort());
        continue;
      }
      ASSIGN_OR_RETURN(children.emplace_back(), parse_unary());
    }
    if (is("or") && children.empty()) return error(token_.begin, "something must stand before 'or'");
    return children.size() == 1 ? std::move(children[0]) : node_of(Kind::All, std::move(children));
  }

  // unary := { "not" | "!" } primary
  Result<QueryNode> parse_unary() {
    bool negated = false;
    for (;;) {
      if (is("not")) {
        negated = !negated;
        advance();
        if (ends_here()) return error(token_.begin, "something must follow 'not'");
      } else if (token_.text.starts_with('!')) {
        negated = !negated;
        token_.text.remove_prefix(1);
        ++token_.begin;
        if (token_.text.empty() && !token_.opens_call) return error(token_.begin, "something must follow '!'");
        if (token_.text.empty()) advance();
      } else {
        break;
      }
    }
    ASSIGN_OR_RETURN(QueryNode node, parse_primary());
    return negated ? opposite(std::move(node)) : std::move(node);
  }

  // primary := "(" any ")" | call | condition | name
  Result<QueryNode> parse_primary() {
    if (token_.text == "(") return parse_parentheses();
    if (unclosed_quote_) return error(token_.begin, "the quotation mark is not closed");
    if (token_.opens_call) return parse_call();
    const Token token = token_;
    advance();
    if (const auto found = find_operator(token.text)) return parse_condition(token, *found);
    return parse_name(token);
  }

  Result<QueryNode> parse_parentheses() {
    const std::size_t begin = token_.begin;
    advance();
    if (token_.text == ")") return error(begin, "there is nothing between these parentheses");
    ASSIGN_OR_RETURN(QueryNode node, parse_any());
    if (token_.text != ")") return error(begin, "this '(' is not closed");
    advance();
    return node;
  }

  Result<QueryNode> parse_call() {
    const Token name = token_;
    const std::string word = to_lower(name.text);
    QueryNode node;
    if (word == "seq")
      node.kind = Kind::Sequence;
    else if (word == "all")
      node.kind = Kind::EveryStack;
    else if (word == "any")
      node.kind = Kind::SomeStack;
    else if (word == "none")
      node.kind = Kind::NoStack;
    else if (word.starts_with("count"))
      node.kind = Kind::CountStacks;
    else
      return error(name.begin, fmt::format("no operator '{}(': there are seq, all, any, none and count>=N", name.text));
    if (over_stacks_) return error(name.begin, fmt::format("'{}' inside another operator over stacks", name.text));
    if (node.kind == Kind::CountStacks) {
      ASSIGN_OR_RETURN(node.count, parse_count(name));
    }
    advance();  // to the parenthesis
    over_stacks_ = true;
    if (node.kind == Kind::Sequence) {
      ASSIGN_OR_RETURN(node.children, parse_sequence(name));
    } else {
      ASSIGN_OR_RETURN(node.children.emplace_back(), parse_parentheses());
    }
    over_stacks_ = false;
    return node;
  }

  Result<NumberSpan> parse_count(const Token& name) {
    const auto found = find_operator(name.text);
    if (!found || found->begin != 5 || found->negated || found->comparison == QueryComparison::Has)
      return error(name.begin, "write count>=2(...), with one of < <= = >= >");
    const auto number = parse_uint(name.text.substr(found->begin + found->length));
    if (!number) return error(name.begin + found->begin + found->length, "count is compared with a whole number");
    return span_of(found->comparison, static_cast<double>(*number));
  }

  Result<std::vector<QueryNode>> parse_sequence(const Token& name) {
    advance();  // over the parenthesis
    std::vector<QueryNode> steps;
    while (!ends_here()) {
      ASSIGN_OR_RETURN(steps.emplace_back(), parse_unary());
    }
    if (token_.text != ")") return error(name.begin, "the '(' of 'seq' is not closed");
    if (steps.size() < 2) return error(name.begin, "seq needs two or more results in a row");
    advance();
    return steps;
  }

  Result<QueryNode> parse_name(const Token& token) {
    std::string_view text = token.text;
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    auto name = parse_name_query(text);
    if (!name) return error(token.begin, name.error().message);
    return QueryNode{.kind = Kind::Name, .name = std::move(*name)};
  }

  // condition := field [ "@" version ] operator values
  Result<QueryNode> parse_condition(const Token& token, const Operator& found) {
    std::string_view name = token.text.substr(0, found.begin);
    std::string_view values = token.text.substr(found.begin + found.length);
    const std::size_t values_begin = token.begin + found.begin + found.length;
    if (name.empty()) return error(token.begin, "a field must stand before the comparison");
    if (const std::size_t at = name.find('@'); at != std::string_view::npos)
      return parse_versioned(token, found, at, {values, values_begin});
    if (to_lower(name) == "is") return parse_is(found, {values, values_begin});
    ASSIGN_OR_RETURN(const QueryField* field, parse_field({name, token.begin}));
    auto condition = make_condition(*field, found.comparison, values);
    if (!condition) return error(values_begin, condition.error().message);
    QueryNode node = node_of(std::move(*condition));
    return found.negated ? opposite(std::move(node)) : std::move(node);
  }

  Result<const QueryField*> parse_field(const Token& name) const {
    const QueryField* field = find_query_field(name.text);
    if (field != nullptr) return field;
    const std::string similar = similar_field(name.text);
    return error(name.begin, fmt::format("there is no field '{}'{}", to_valid_utf8(name.text),
                                         similar.empty() ? std::string("; docs/query.md lists them")
                                                         : fmt::format(": do you mean '{}'?", similar)));
  }

  /// `cc@2.27:pass`: the result on that version has that verdict. Outside an operator over stacks, on any such stack.
  Result<QueryNode> parse_versioned(const Token& token, const Operator& found, std::size_t at, const Token& values) {
    ASSIGN_OR_RETURN(const QueryField* field, parse_field({token.text.substr(0, at), token.begin}));
    if (field->kind != FieldKind::Version)
      return error(token.begin, fmt::format("'{}' has no versions: write cc@2.28:pass or tf@5.24:pass", field->name));
    if (found.comparison != QueryComparison::Has && found.comparison != QueryComparison::Equal)
      return error(token.begin + found.begin, "a verdict has no order: use ':'");
    auto version = make_condition(*field, QueryComparison::Has, token.text.substr(at + 1, found.begin - at - 1));
    if (!version) return error(token.begin + at + 1, version.error().message);
    auto verdict = make_condition(*find_query_field("verdict"), found.comparison, values.text);
    if (!verdict) return error(values.begin, verdict.error().message);
    std::vector<QueryNode> both;
    both.push_back(node_of(std::move(*version)));
    both.push_back(found.negated ? opposite(node_of(std::move(*verdict))) : node_of(std::move(*verdict)));
    QueryNode node = node_of(Kind::All, std::move(both));
    if (over_stacks_) return node;
    std::vector<QueryNode> child;
    child.push_back(std::move(node));
    return node_of(Kind::SomeStack, std::move(child));
  }

  /// `is:flaky|untested`: flags by name, and verdicts.
  Result<QueryNode> parse_is(const Operator& found, const Token& values) const {
    if (found.comparison != QueryComparison::Has) return error(values.begin - found.length, "write is:untested");
    std::vector<QueryNode> alternatives;
    std::size_t begin = values.begin;
    for (const std::string_view word : split(values.text, '|')) {
      ASSIGN_OR_RETURN(alternatives.emplace_back(), parse_state({word, begin}));
      begin += word.size() + 1;
    }
    QueryNode node =
        alternatives.size() == 1 ? std::move(alternatives[0]) : node_of(Kind::Any, std::move(alternatives));
    return found.negated ? opposite(std::move(node)) : std::move(node);
  }

  Result<QueryNode> parse_state(const Token& word) const {
    const std::string state = to_lower(word.text);
    for (const char* verdict : {"pass", "fail", "too_large", "excluded", "untested", "flaky", "indeterminate"})
      if (state == verdict) return node_of(Condition{find_query_field("verdict"), {{TextMatch::Equal, state}}, {}});
    for (const char* flag : {"emulated", "gated", "removed", "local"})
      if (state == flag) return node_of(Condition{find_query_field(flag), {}, {{1, 1}}});
    if (state == "selected")
      return node_of(Condition{find_query_field("selected_rank"), {}, {span_of(QueryComparison::GreaterOrEqual, 1)}});
    if (state == "predicted") return node_of(Condition{find_query_field("evidence"), {{TextMatch::Equal, state}}, {}});
    return error(word.begin, fmt::format("nothing is '{}': there are untested, excluded, emulated, flaky, predicted, "
                                         "pass, fail, too_large, indeterminate, gated, removed, local and selected",
                                         to_valid_utf8(word.text)));
  }

  Status parse_sort() {
    std::size_t begin = token_.begin + 5;
    std::string_view name = token_.text.substr(5);
    if (depth_ > 1 || over_stacks_) return error(token_.begin, "'sort' stands outside parentheses");
    SortKey key;
    key.descending = name.starts_with('-');
    if (key.descending) {
      name.remove_prefix(1);
      ++begin;
    }
    ASSIGN_OR_RETURN(key.field, parse_field({name, begin}));
    sort_.push_back(key);
    advance();
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
  bool unclosed_quote_ = false;
  bool over_stacks_ = false;
  int depth_ = 0;
  std::vector<SortKey> sort_;
};

}  // namespace

Result<Query> parse_query(std::string_view text) {
  if (text.size() > kMaxQueryBytes)
    return fail(Code::InvalidArgument,
                fmt::format("the query is too long: at most {} bytes, this has {}", kMaxQueryBytes, text.size()));
  return Parser(text).parse();
}

}  // namespace willitrun
