#include "verify/failure_rules.h"

#include <fmt/format.h>

#include "base/text.h"
#include "domain/failure.h"

namespace willitrun {
namespace {

bool is_class(std::string_view word) {
  return word == kByNccUserCode || word == kByNccInternalCode || word == kByNrtStatus || find_failure_class(word);
}

/// Reads `CLASS[CONDITION]  PATTERN`.
Result<FailureRule> parse_rule(std::string_view line, RuleKind kind) {
  const auto space = line.find(' ');
  if (space == std::string_view::npos) return fail(Code::Corruption, "a rule needs a class and a pattern");
  std::string_view failure_class = line.substr(0, space);
  std::string_view condition;
  if (const auto bracket = failure_class.find('['); bracket != std::string_view::npos && failure_class.ends_with(']')) {
    condition = failure_class.substr(bracket + 1, failure_class.size() - bracket - 2);
    failure_class = failure_class.substr(0, bracket);
  }
  if (!is_class(failure_class)) return fail(Code::Corruption, fmt::format("unknown class '{}'", failure_class));
  const auto known = from_text<RuleCondition>(condition);
  if (!known) return fail(Code::Corruption, fmt::format("unknown condition '{}'", condition));
  return FailureRule{kind, failure_class, *known, trim(line.substr(space))};
}

/// Reads `== SECTION: what it is`.
Result<RuleKind> parse_section(std::string_view line) {
  const std::string_view name = trim(line.substr(2, line.find(':') - 2));
  const auto kind = from_text<RuleKind>(name);
  if (!kind) return fail(Code::Corruption, fmt::format("unknown section '{}'", name));
  return *kind;
}

}  // namespace

Result<std::vector<FailureRule>> parse_failure_rules(std::string_view text) {
  std::vector<FailureRule> rules;
  RuleKind kind = RuleKind::Cause;
  int number = 0;
  const auto failed = [&](const Error& error) {
    return fail(with_context(error, fmt::format("line {} of the failure rules", number)));
  };
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line);
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("==")) {
      const auto section = parse_section(line);
      if (!section) return failed(section.error());
      kind = *section;
      continue;
    }
    const auto rule = parse_rule(line, kind);
    if (!rule) return failed(rule.error());
    rules.push_back(*rule);
  }
  return rules;
}

}  // namespace willitrun
