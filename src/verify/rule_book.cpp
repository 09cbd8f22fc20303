#include "verify/rule_book.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/check.h"
#include "base/text.h"
#include "verify/device_codes.h"

namespace willitrun {
namespace {

/// Import names of what a target's own environment provides, and of vLLM, which runs models itself, beside all that
/// have `neuron` in their name. Anything else that a model imports is an extra package.
constexpr auto kStackPackages =
    std::to_array<std::string_view>({"torch", "torchvision", "torch_xla", "nki", "transformers", "accelerate",
                                     "safetensors", "tokenizers", "vllm", "huggingface_hub", "numpy"});

bool is_stack_package(std::string_view module) {
  if (to_lower(module).contains("neuron")) return true;
  const std::string name = to_lower(module.substr(0, module.find('.')));
  return std::ranges::any_of(kStackPackages, [&](std::string_view known) {
    return std::ranges::equal(name, known, [](char a, char b) { return a == b || (a == '-' && b == '_'); });
  });
}

/// Tells whether one of the shapes [a, b] and [c, d] is the other with both, or one, dimension cut into equal parts: a
/// rank's part of a tensor against the whole.
bool are_whole_factor_shapes(const std::vector<std::string_view>& sizes) {
  if (sizes.size() != 4) return false;
  bool differs_by_factor = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto one = parse_uint(sizes[i]);
    const auto two = parse_uint(sizes[i + 2]);
    if (!one || !two || *one == 0 || *two == 0) return false;
    const auto [small, large] = std::minmax(*one, *two);
    if (large % small != 0) return false;
    differs_by_factor |= large != small;
  }
  return differs_by_factor;
}

/// Answers conditions; looks through the whole text at most once for each thing that it is asked for.
class Conditions {
 public:
  Conditions(std::string_view text, const Surroundings& around) : text_(text), around_(around) {}

  bool hold(RuleCondition condition, const Captures& captures) {
    switch (condition) {
      case RuleCondition::None: return true;
      case RuleCondition::StackPackage: return is_stack_package(captures.words.front());
      case RuleCondition::OtherPackage: return !is_stack_package(captures.words.front());
      case RuleCondition::OwnCode: return !has_model_code();
      case RuleCondition::ModelCode: return has_model_code();
      case RuleCondition::Sharded: return around_.sharded.value_or(true);
      case RuleCondition::ExpertText: return has_experts();
      case RuleCondition::CompilerText: return around_.mark.value_or(Mark::Compile) == Mark::Compile && has_compiler();
      case RuleCondition::OfflineTokenizer:
        return around_.is_offline && mentions(tokenizer_, {"tokenization_", "processing_utils", "image_processing_"});
      case RuleCondition::OfflineConfig: return around_.is_offline && mentions(config_, {"configuration_"});
      case RuleCondition::WholeFactorShapes: return are_whole_factor_shapes(captures.numbers);
    }
    return false;
  }

 private:
  /// Whether a thing is mentioned, once that was asked.
  struct Mention {
    bool asked = false;
    bool found = false;
  };

  bool mentions(Mention& mention, std::initializer_list<std::string_view> words) const {
    if (!mention.asked)
      mention = {true, std::ranges::any_of(words, [&](std::string_view word) {
                   return text_.contains(word) || around_.traceback.contains(word);
                 })};
    return mention.found;
  }

  bool has_model_code() { return mentions(model_code_, {"transformers_modules"}); }
  bool has_experts() { return mentions(experts_, {"expert", "moe"}); }
  bool has_compiler() { return mentions(compiler_, {"neuron-cc", "neuronx-cc", "neuronxcc", "hlo", "HLO"}); }

  std::string_view text_;
  const Surroundings& around_;
  Mention model_code_, experts_, compiler_, tokenizer_, config_;
};

/// Fills in the class and details that the rule gives for what it captured; false when a code is not a known one.
bool decide(const FailureRule& rule, const Captures& captures, RuleMatch& match) {
  if (rule.failure_class == kByNrtStatus) {
    const auto status = find_nrt_status(captures.numbers.front());
    if (!status) return false;
    match.failure_class = status->failure_class;
    match.details = {"NRT_" + std::string(status->name)};
    return true;
  }
  if (rule.failure_class == kByNccUserCode || rule.failure_class == kByNccInternalCode) {
    const std::string code =
        std::string(rule.failure_class == kByNccUserCode ? "E" : "I").append(captures.words.front());
    const auto known = class_of_ncc_code(code);
    if (!known) return false;
    match.failure_class = *known;
    match.details = {"NCC_" + code};
    return true;
  }
  match.failure_class = rule.failure_class;
  match.details.assign(captures.words.begin(), captures.words.end());
  return true;
}

/// Tells whether a line calls itself a warning: by the word, or by the W that the loggers of PyTorch and TensorFlow put
/// before it (`W0131 12:00:00`, `[rank1]:[W131 12:00:00`, `2026-01-31 12:00:00: W file.cc`).
bool is_warning(std::string_view line, std::string_view lower) {
  if (lower.contains("warning")) return true;
  constexpr std::size_t kLongestPrefix = 32;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = line.find('W'); at < std::min(line.size(), kLongestPrefix); at = line.find('W', at + 1)) {
    const std::string_view rest = line.substr(at + 1);
    const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(rest, is_digit) - rest.begin());
    const std::string_view before = line.substr(0, at);
    const bool begins = before.empty() || before.ends_with('[') || before.ends_with(':') || before.ends_with(": ");
    if (begins && (digits == 0 || digits == 3 || digits == 4) && rest.substr(digits).starts_with(' ')) return true;
  }
  return false;
}

/// The line around the newest hit, with its lower-case form. Hits come in the order of their place, so each line is
/// looked at once however many hits it has.
class LineWindow {
 public:
  explicit LineWindow(std::string_view text) : text_(text) {}

  void move_to(std::size_t place) {
    if (place <= end_) return;
    const std::size_t before = text_.find_last_of(kLineEnds, place - 1);
    begin_ = before == std::string_view::npos ? 0 : before + 1;
    end_ = std::min(text_.find_first_of(kLineEnds, place), text_.size());
    lower_ = to_lower(line());
  }

  std::size_t begin() const { return begin_; }
  std::string_view line() const { return text_.substr(begin_, end_ - begin_); }
  const std::string& lower() const { return lower_; }

 private:
  static constexpr std::string_view kLineEnds = "\n\r";

  std::string_view text_;
  std::size_t begin_ = 0, end_ = 0;
  std::string lower_;
};

std::vector<std::string> literals_of(const std::vector<FailureRule>& rules) {
  std::vector<std::string> literals;
  for (const FailureRule& rule : rules) literals.push_back(LinePattern(rule.pattern).literal());
  return literals;
}

}  // namespace

RuleBook::RuleBook(const std::vector<FailureRule>& rules) : scanner_(literals_of(rules)) {
  for (const FailureRule& rule : rules) entries_.push_back({rule, LinePattern(rule.pattern)});
}

std::optional<RuleMatch> RuleBook::first_match(std::string_view text, Lines lines, const Surroundings& around) const {
  Conditions conditions(text, around);
  std::optional<RuleMatch> best;
  LineWindow window(text);
  std::vector<std::size_t> tried(entries_.size(), std::string_view::npos);  // by rule: begin of the last line tried
  scanner_.scan(text, [&](std::size_t id, std::size_t end) {
    const Entry& entry = entries_[id];
    if (entry.rule.kind >= RuleKind::Prose && around.is_own_run) return;
    // The parts at work are listed from the outermost to the innermost, as Python does it: the last one tells most.
    const bool last_wins = best && best->kind == RuleKind::Place && entry.rule.kind == RuleKind::Place;
    if (best && !last_wins && id >= best->rule) return;
    window.move_to(end);
    if (tried[id] == window.begin()) return;
    tried[id] = window.begin();
    if (last_wins && window.line().data() == best->line.data() && id >= best->rule) return;
    if (lines == Lines::NoWarnings && is_warning(window.line(), window.lower())) return;
    const auto captures = entry.pattern.match(window.line(), window.lower());
    if (!captures || !conditions.hold(entry.rule.condition, *captures)) return;
    RuleMatch match{id, entry.rule.kind, {}, {}, window.line()};
    if (decide(entry.rule, *captures, match)) best = std::move(match);
  });
  return best;
}

const RuleBook& failure_rule_book() {
  static const RuleBook book = [] {
    const auto rules = parse_failure_rules(kFailureRules);
    CHECK(rules);  // the file is part of the program, and a test reads it
    return RuleBook(*rules);
  }();
  return book;
}

}  // namespace willitrun
