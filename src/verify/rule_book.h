#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/failure.h"
#include "verify/failure_rules.h"
#include "verify/line_pattern.h"
#include "verify/literal_scanner.h"

namespace willitrun {

/// The rule that speaks for a text.
struct RuleMatch {
  std::size_t rule = 0;  ///< Place in the book: causes first, then symptoms.
  bool is_cause = false;
  std::string_view failure_class;
  std::vector<std::string> details;  ///< Captured words, or the name of a device code: they go into the signature.
  std::string_view line;             ///< The line of the text that matched.
};

/// Which lines of a text are asked.
enum class Lines {
  All,
  NoWarnings,  ///< Not those that call themselves a warning: a log is full of them, and the run went on.
};

/// What conditions ask beside the line.
struct Surroundings {
  std::optional<bool> sharded;  ///< Nothing when it is not known how the model was spread.
  std::optional<Mark> mark;     ///< Nothing when it is not known how far the run came.
  std::string_view traceback;   ///< Read in addition to the text itself.
};

/// The rule tables, ready to search a text in one pass: the longest literal of each rule is looked for with a
/// LiteralScanner, and only where it stands the whole pattern is tried, once per rule and line.
class RuleBook {
 public:
  RuleBook(std::span<const FailureRule> causes, std::span<const FailureRule> symptoms);

  /// Returns the first rule that matches a line of `text`, with the first such line.
  std::optional<RuleMatch> first_match(std::string_view text, Lines lines, const Surroundings& around) const;

 private:
  struct Entry {
    FailureRule rule;
    LinePattern pattern;
  };

  std::vector<Entry> entries_;
  std::size_t num_causes_;
  LiteralScanner scanner_;
};

/// The book of cause_rules() and symptom_rules(), made at first use.
const RuleBook& failure_rule_book();

}  // namespace willitrun
