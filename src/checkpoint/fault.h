#pragma once

#include <expected>
#include <string>
#include <utility>

#include "domain/plan_code.h"

namespace willitrun {

/// A value, or what is wrong with the model's files, in the vocabulary of plans. Wrong files are an answer about the
/// model and no error of the program, so they do not travel as Error.
template <class T>
using Checked = std::expected<T, PlanNote>;

/// Makes the fault half of a Checked value.
inline std::unexpected<PlanNote> fault(PlanCode code, std::string message) {
  return std::unexpected(PlanNote{code, std::move(message)});
}

}  // namespace willitrun
