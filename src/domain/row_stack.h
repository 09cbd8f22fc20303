#pragma once

#include <span>
#include <string>

#include "domain/row.h"
#include "domain/stack.h"

namespace willitrun {

/// Reads the stack of a row from its version columns. Absent columns give empty texts.
Stack stack_of(const Row& row);

/// Tells whether stack_of() of the row would be this stack.
bool has_stack(const Row& row, const Stack& stack);

/// All fields of a Stack.
std::span<std::string Stack::* const> stack_parts();

/// Writes the stack into a row's version columns. Empty texts make columns absent.
void set_stack(Row& row, const Stack& stack);

/// Returns the target of a row; rows of the public dataset, which has no such column, are of `trn2`.
std::string target_of(const Row& row);

}  // namespace willitrun
