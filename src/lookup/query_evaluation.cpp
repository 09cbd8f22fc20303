// Every part of a query becomes a bitmap: of models, or inside an operator over stacks of the target's results. A
// condition on words is decided once per different word, and a pass over the column's numbers gives the bits. `and`
// looks at the second part only where the first one holds, when that is seldom.
#include "lookup/query_evaluation.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "lookup/code_bits.h"
#include "lookup/query_match.h"

namespace willitrun {
namespace {

using Kind = QueryNode::Kind;

/// Which texts of a column answer the condition, by number.
std::vector<std::uint8_t> accepted(const Condition& condition, const TextColumn& column) {
  std::vector<std::uint8_t> accept;
  accept.reserve(column.texts().size());
  for (std::size_t code = 0; code < column.texts().size(); ++code)
    accept.push_back(text_matches(condition, column.texts()[code]) ? 1 : 0);
  return accept;
}

/// A test of one cell or model against one column.
template <class Column, class Use>
auto with_test(const Condition& condition, const Column& column, Use use) {
  if constexpr (std::is_same_v<Column, TextColumn>) {
    const auto accept = accepted(condition, column);
    return column.visit_codes(
        [&](const auto& codes) { return use([&](std::size_t i) { return accept[codes[i]] != 0; }); });
  } else {
    return use([&](std::size_t i) {
      const auto number = column[i];
      return is_present(number) && number_matches(condition, static_cast<double>(number));
    });
  }
}

/// Calls use(test) with a test of model numbers against a field of the model.
template <class Use>
auto with_model_test(const LookupSnapshot& snapshot, const Condition& condition, Use use) {
  const ModelTable& models = snapshot.models();
  const std::string& name = condition.field->name;
  for (const auto& [field, column] : {std::pair("task", &models.task), std::pair("license", &models.license),
                                      std::pair("exclusion", &models.exclusion)})
    if (name == field) return with_test(condition, *column, use);
  for (const auto& [field, column] : {std::pair("downloads", &models.downloads), std::pair("likes", &models.likes),
                                      std::pair("parameters", &models.parameters)})
    if (name == field) return with_test(condition, *column, use);
  for (const auto& [field, column] :
       {std::pair("downloads_rank", &models.downloads_rank), std::pair("trending_rank", &models.trending_rank),
        std::pair("selected_rank", &models.selected_rank)})
    if (name == field) return with_test(condition, *column, use);
  for (const auto& [field, flags] :
       {std::pair("gated", &models.gated), std::pair("removed", &models.removed), std::pair("local", &models.local)})
    if (name == field)
      return use(
          [&condition, bits = flags](std::size_t i) { return number_matches(condition, bits->test(i) ? 1 : 0); });
  if (name == "trending_score") return with_test(condition, models.trending_score, use);
  const bool only_owner = name == "owner";
  CHECK(only_owner || name == "model");
  return use([&](std::size_t i) {
    const std::string_view id = snapshot.model_id(static_cast<ModelNumber>(i));
    const std::size_t slash = id.find('/');
    if (!only_owner) return text_matches(condition, id);
    return slash != std::string_view::npos && text_matches(condition, id.substr(0, slash));
  });
}

/// Evaluates over all results of one target. Bit i is cell `range.first + i`.
class OverCells {
 public:
  OverCells(const LookupSnapshot& snapshot, std::uint32_t target)
      : snapshot_(snapshot), target_(target), range_(snapshot.cells_of_target(target)) {}

  Bitmap evaluate(const QueryNode& node) const {
    switch (node.kind) {
      case Kind::All: return every(node);
      case Kind::Any: return some(node);
      case Kind::Not: return opposite(evaluate(node.children[0]));
      case Kind::Name: return where_model([&](ModelNumber m) { return matches(node.name, snapshot_.model_id(m)); });
      case Kind::Condition: return condition(node.condition);
      default: CHECK(false); return {};  // The parser refuses an operator over stacks inside another.
    }
  }

  /// Results that begin a run as seq() asks for, along compilers or along library versions: at least one for each model
  /// that has such a run.
  Bitmap sequence(const QueryNode& node) const {
    std::vector<Bitmap> steps;
    for (const QueryNode& child : node.children) steps.push_back(evaluate(child));
    Bitmap along_compilers = steps.back();
    for (std::size_t step = steps.size() - 1; step-- > 0;) {
      along_compilers = along_compilers.next();
      along_compilers &= steps[step];
      along_compilers &= snapshot_.has_next_compiler(target_);
    }
    along_compilers |= sequence_along_libraries(std::move(steps), along_compilers);
    return along_compilers;
  }

  /// Models for which `holds(number of set results, number of results)`.
  template <class Holds>
  Bitmap models_where(const Bitmap& cells, Holds holds) const {
    return Bitmap::where(snapshot_.num_models(), [&](std::size_t model) {
      const CellRange range = snapshot_.cells_of(target_, static_cast<ModelNumber>(model));
      return holds(cells.count(range.first - range_.first, range.last - range_.first), range.size());
    });
  }

 private:
  static Bitmap opposite(Bitmap bits) {
    bits.flip();
    return bits;
  }

  /// Links lead anywhere, so each bit is followed on its own; runs lie within one model, so models that are known to
  /// have one (`known`) are left out.
  Bitmap sequence_along_libraries(std::vector<Bitmap> steps, const Bitmap& known) const {
    Bitmap open(range_.size());
    for (ModelNumber model = 0; model < snapshot_.num_models(); ++model) {
      const CellRange cells = snapshot_.cells_of(target_, model);
      const std::size_t first = cells.first - range_.first;
      const std::size_t last = cells.last - range_.first;
      if (known.count(first, last) == 0) open.set(first, last);
    }
    Bitmap run = std::move(steps.back());
    for (std::size_t step = steps.size() - 1; step-- > 0;) {
      steps[step] &= open;
      Bitmap linked(range_.size());
      steps[step].for_each([&](std::size_t i) {
        const CellNumber next = snapshot_.next_library(range_.first + static_cast<CellNumber>(i));
        if (next != kNone && run.test(next - range_.first)) linked.set(i);
      });
      run = std::move(linked);
    }
    run &= open;
    return run;
  }

  Bitmap every(const QueryNode& node) const {
    Bitmap bits = Bitmap::all(range_.size());
    for (const QueryNode& child : node.children) {
      const bool few = bits.count() < range_.size() / 16;
      if (few && child.kind == Kind::Condition)
        keep_where(child.condition, bits);
      else if (few && child.kind == Kind::Not && child.children[0].kind == Kind::Condition)
        keep_where(child.children[0].condition, bits, false);
      else
        bits &= evaluate(child);
    }
    return bits;
  }

  Bitmap some(const QueryNode& node) const {
    Bitmap bits(range_.size());
    for (const QueryNode& child : node.children) bits |= evaluate(child);
    return bits;
  }

  /// Calls use(test) with a test of bit numbers.
  template <class Use>
  auto with_cell_test(const Condition& condition, Use use) const {
    const std::size_t first = range_.first;
    const auto shifted = [&](auto test) { return use([&](std::size_t i) { return test(first + i); }); };
    if (condition.field->owner == FieldOwner::Verdict) return with_test(condition, snapshot_.verdicts(), shifted);
    if (condition.field->owner == FieldOwner::Model)
      return with_model_test(snapshot_, condition, [&](auto test) {
        return shifted([&](std::size_t cell) { return test(snapshot_.model_of(static_cast<CellNumber>(cell))); });
      });
    const CellColumn* column = snapshot_.column(condition.field->name);
    CHECK(column != nullptr);
    if (column->is_empty()) return use([](std::size_t) { return false; });
    return std::visit([&](const auto& values) { return with_test(condition, values, shifted); }, column->values());
  }

  Bitmap condition(const Condition& condition) const {
    if (auto bits = on_stacks(condition)) return *std::move(bits);
    if (condition.field->owner == FieldOwner::Model) return where_model_of(condition);
    if (auto bits = on_few_texts(condition)) return *std::move(bits);
    return with_cell_test(condition, [&](auto test) { return Bitmap::where(range_.size(), test); });
  }

  void keep_where(const Condition& condition, Bitmap& bits, bool wanted = true) const {
    Bitmap kept(range_.size());
    with_cell_test(condition, [&](auto test) {
      bits.for_each([&](std::size_t i) {
        if (test(i) == wanted) kept.set(i);
      });
    });
    bits = std::move(kept);
  }

  /// A condition on the parts that make a stack is decided per stack, and the cells of few stacks are listed.
  std::optional<Bitmap> on_stacks(const Condition& condition) const {
    constexpr std::array<std::pair<std::string_view, std::string Stack::*>, 4> kParts = {
        {{"neuronx_cc", &Stack::neuronx_cc},
         {"transformers", &Stack::transformers},
         {"library_version", &Stack::library_version},
         {"library", &Stack::library}}};
    const auto* part = std::ranges::find(kParts, condition.field->name, [](const auto& pair) { return pair.first; });
    if (part == kParts.end()) return std::nullopt;
    std::vector<StackNumber> stacks;
    std::size_t num_cells = 0;
    for (StackNumber stack = 0; stack < snapshot_.stacks().size(); ++stack) {
      if (!text_matches(condition, snapshot_.stacks()[stack].*part->second)) continue;
      stacks.push_back(stack);
      num_cells += snapshot_.cells_on(target_, stack).size();
    }
    if (num_cells > range_.size() / 8) return std::nullopt;
    Bitmap bits(range_.size());
    for (const StackNumber stack : stacks)
      for (const CellNumber cell : snapshot_.cells_on(target_, stack)) bits.set(cell - range_.first);
    return bits;
  }

  /// A condition on a column that has at most 256 different texts.
  std::optional<Bitmap> on_few_texts(const Condition& condition) const {
    const TextColumn* column = &snapshot_.verdicts();
    if (condition.field->owner != FieldOwner::Verdict) {
      const CellColumn* cells = snapshot_.column(condition.field->name);
      column = cells == nullptr || cells->is_empty() ? nullptr : std::get_if<TextColumn>(&cells->values());
    }
    if (column == nullptr) return std::nullopt;
    return column->visit_codes([&](const auto& codes) -> std::optional<Bitmap> {
      if constexpr (sizeof(codes[0]) == 1)
        return where_accepted(codes.subspan(range_.first, range_.size()), accepted(condition, *column));
      else
        return std::nullopt;
    });
  }

  template <class Test>
  Bitmap where_model(Test test) const {
    Bitmap bits(range_.size());
    for (ModelNumber model = 0; model < snapshot_.num_models(); ++model) {
      const CellRange range = snapshot_.cells_of(target_, model);
      if (range.size() == 0 || !test(model)) continue;
      for (CellNumber cell = range.first; cell < range.last; ++cell) bits.set(cell - range_.first);
    }
    return bits;
  }

  Bitmap where_model_of(const Condition& condition) const {
    return with_model_test(snapshot_, condition, [&](auto test) { return where_model(test); });
  }

  const LookupSnapshot& snapshot_;
  std::uint32_t target_;
  CellRange range_;
};

/// Evaluates over the models, each with its shown result.
class OverModels {
 public:
  OverModels(const LookupSnapshot& snapshot, const ShownResults& shown) : snapshot_(snapshot), shown_(shown) {}

  Bitmap evaluate(const QueryNode& node) const {
    switch (node.kind) {
      case Kind::All: {
        Bitmap bits = Bitmap::all(snapshot_.num_models());
        for (const QueryNode& child : node.children) bits &= evaluate(child);
        return bits;
      }
      case Kind::Any: {
        Bitmap bits(snapshot_.num_models());
        for (const QueryNode& child : node.children) bits |= evaluate(child);
        return bits;
      }
      case Kind::Not: {
        Bitmap bits = evaluate(node.children[0]);
        bits.flip();
        return bits;
      }
      case Kind::Name: return named(node.name);
      case Kind::Condition: return condition(node.condition);
      default: return over_stacks(node);
    }
  }

 private:
  Bitmap named(const NameQuery& name) const {
    Bitmap bits(snapshot_.num_models());
    for (const std::uint32_t model : snapshot_.names().find(name, 0, snapshot_.num_models()).names) bits.set(model);
    return bits;
  }

  Bitmap condition(const Condition& condition) const {
    const std::size_t size = snapshot_.num_models();
    if (condition.field->owner == FieldOwner::Verdict)
      return Bitmap::where(size, [&](std::size_t model) {
        return text_matches(condition, shown_word(snapshot_, shown_, static_cast<ModelNumber>(model)));
      });
    if (condition.field->owner == FieldOwner::Model)
      return with_model_test(snapshot_, condition, [&](auto test) { return Bitmap::where(size, test); });
    const CellColumn* column = snapshot_.column(condition.field->name);
    CHECK(column != nullptr);
    if (column->is_empty()) return Bitmap(size);
    return std::visit(
        [&](const auto& values) {
          return with_test(condition, values, [&](auto test) {
            return Bitmap::where(size, [&](std::size_t model) {
              const CellNumber cell = shown_.cells[model];
              return cell != kNone && test(cell);
            });
          });
        },
        column->values());
  }

  Bitmap over_stacks(const QueryNode& node) const {
    const auto holds = [&](std::size_t set, std::size_t all) {
      switch (node.kind) {
        case Kind::EveryStack: return all > 0 && set == all;
        case Kind::NoStack: return set == 0;
        case Kind::CountStacks: return node.count.holds(static_cast<double>(set));
        default: return set > 0;
      }
    };
    if (!shown_.target) return Bitmap::where(snapshot_.num_models(), [&](std::size_t) { return holds(0, 0); });
    const OverCells cells(snapshot_, *shown_.target);
    const Bitmap bits = node.kind == Kind::Sequence ? cells.sequence(node) : cells.evaluate(node.children[0]);
    return cells.models_where(bits, holds);
  }

  const LookupSnapshot& snapshot_;
  const ShownResults& shown_;
};

}  // namespace

std::string_view word_of(const LookupSnapshot& snapshot, ModelNumber model, CellNumber cell) {
  if (cell != kNone) return snapshot.verdicts().text(cell);
  return snapshot.models().exclusion.code(model) != 0 ? "EXCLUDED" : "UNTESTED";
}

std::string_view shown_word(const LookupSnapshot& snapshot, const ShownResults& shown, ModelNumber model) {
  return word_of(snapshot, model, shown.cells[model]);
}

Bitmap evaluate(const LookupSnapshot& snapshot, const ShownResults& shown, const QueryNode& where) {
  return OverModels(snapshot, shown).evaluate(where);
}

}  // namespace willitrun
