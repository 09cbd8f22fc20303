#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace willitrun {

/// Returns the failure class of a neuronx-cc code without its `NCC_`: `EVRF009`, `IBIR297`; nothing for a text that is
/// no such code (a letter, three letters, three digits). Codes that are not listed yet are compile_error (E) or
/// compiler_internal (I).
std::optional<std::string_view> class_of_ncc_code(std::string_view code);

/// A status of the Neuron runtime (nrt_status).
struct NrtStatus {
  std::int32_t value;
  std::string_view name;  ///< Without `NRT_`, in the SDK's spelling.
  std::string_view failure_class;
};

/// Returns the status of that number; nothing for success, for a failure without particulars, and for unknown numbers.
std::optional<NrtStatus> find_nrt_status(std::string_view number);

}  // namespace willitrun
