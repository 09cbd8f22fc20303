#include "domain/row_stack.h"

#include <array>
#include <iterator>

namespace willitrun {
namespace {

/// A field of Stack and the column of Row that carries it.
struct VersionField {
  std::string Stack::* in_stack;
  std::optional<std::string> Row::* in_row;
};

constexpr VersionField kVersionFields[] = {
    {&Stack::library, &Row::library},
    {&Stack::library_version, &Row::library_version},
    {&Stack::neuronx_cc, &Row::neuronx_cc},
    {&Stack::neuron_cc_flags, &Row::neuron_cc_flags},
    {&Stack::transformers, &Row::transformers},
    {&Stack::accelerate, &Row::accelerate},
    {&Stack::torch_neuronx, &Row::torch_neuronx},
    {&Stack::torch, &Row::torch},
    {&Stack::nki, &Row::nki},
    {&Stack::python, &Row::python},
    {&Stack::neuron_driver, &Row::neuron_driver},
};

constexpr auto kParts = [] {
  std::array<std::string Stack::*, std::size(kVersionFields)> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = kVersionFields[i].in_stack;
  return parts;
}();

}  // namespace

std::span<std::string Stack::* const> stack_parts() { return kParts; }

bool has_stack(const Row& row, const Stack& stack) {
  for (const VersionField& field : kVersionFields) {
    const std::optional<std::string>& version = row.*field.in_row;
    if (version ? *version != stack.*field.in_stack : !(stack.*field.in_stack).empty()) return false;
  }
  return true;
}

Stack stack_of(const Row& row) {
  Stack stack;
  for (const VersionField& field : kVersionFields) stack.*field.in_stack = (row.*field.in_row).value_or("");
  return stack;
}

void set_stack(Row& row, const Stack& stack) {
  for (const VersionField& field : kVersionFields) {
    const std::string& version = stack.*field.in_stack;
    row.*field.in_row = version.empty() ? std::nullopt : std::optional(version);
  }
}

std::string target_of(const Row& row) { return row.target.value_or("trn2"); }

}  // namespace willitrun
