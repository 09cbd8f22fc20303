// Codes and meanings: AWS Neuron SDK documentation, compiler/error-codes and neuron-runtime/api/nrt_status.

#include "verify/device_codes.h"

#include <algorithm>

#include "base/text.h"

namespace willitrun {
namespace {

struct NccCode {
  std::string_view code;
  std::string_view failure_class;
};

constexpr NccCode kNccCodes[] = {
    {"EARG001", "bad_compiler_flag"},
    {"EBIR023", "nki"},
    {"EBVF030", "too_many_instructions"},
    {"EHCA005", "custom_call"},
    {"EMOD025", "dynamic_shape"},
    {"EOOM001", "compiler_device_oom"},
    {"EOOM002", "compiler_device_oom"},
    {"ESFH002", "unsupported_dtype"},
    {"ESPP004", "unsupported_dtype"},
    {"ESPP047", "unsupported_dtype"},
    {"EUOC002", "unsupported_op"},
    {"EVRF001", "unsupported_op"},
    {"EVRF004", "unsupported_dtype"},
    {"EVRF005", "unsupported_dtype"},
    {"EVRF006", "unsupported_op"},
    {"EVRF007", "too_many_instructions"},
    {"EVRF009", "compiler_device_oom"},
    {"EVRF010", "op_constraint"},
    {"EVRF011", "op_constraint"},
    {"EVRF013", "op_constraint"},
    {"EVRF015", "custom_call"},
    {"EVRF016", "op_constraint"},
    {"EVRF017", "op_constraint"},
    {"EVRF018", "op_constraint"},
    {"EVRF019", "op_constraint"},
    {"EVRF022", "op_constraint"},
    {"EVRF024", "compiler_device_oom"},
    {"EVRF031", "op_constraint"},
    {"EVRF035", "integer_policy"},
    {"EVRF051", "unsupported_dtype"},
    {"EVRF052", "unsupported_dtype"},
    {"EVRF056", "op_constraint"},
    {"EVRF059", "nki"},
    {"EVRF060", "integer_policy"},
    {"EVRF061", "integer_policy"},
    {"EVRF062", "integer_policy"},
    {"EVRF063", "integer_policy"},
    {"EVRF064", "op_constraint"},
    {"EVRF065", "nki"},
    {"EXSP001", "compiler_device_oom"},
    {"EXTP004", "too_many_instructions"},
};

constexpr NrtStatus kNrtStatuses[] = {
    {2, "INVALID", "nrt_invalid"},
    {3, "INVALID_HANDLE", "nrt_invalid"},
    {4, "RESOURCE", "device_oom"},
    {5, "TIMEOUT", "nrt_timeout"},
    {6, "HW_ERROR", "device_hw"},
    {7, "QUEUE_FULL", "nrt_execute_error"},
    {9, "LOAD_NOT_ENOUGH_NC", "cores_busy"},
    {10, "UNSUPPORTED_NEFF_VERSION", "runtime_version"},
    {11, "FAIL_HOST_MEM_ALLOC", "device_oom"},
    {13, "UNINITIALIZED", "runtime_state"},
    {14, "CLOSED", "runtime_state"},
    {101, "EXEC_UNIT_UNRECOVERABLE", "device_hw"},
    {1002, "EXEC_BAD_INPUT", "nrt_invalid"},
    {1003, "EXEC_COMPLETED_WITH_NUM_ERR", "nan_output"},
    {1004, "EXEC_COMPLETED_WITH_ERR", "nrt_execute_error"},
    {1005, "EXEC_NC_BUSY", "cores_busy"},
    {1006, "EXEC_OOB", "oob_access"},
    {1200, "EXEC_HW_ERR_COLLECTIVES", "collective_timeout"},
    {1201, "EXEC_HW_ERR_HBM_UE", "device_hw"},
    {1202, "EXEC_HW_ERR_NC_UE", "device_hw"},
    {1203, "EXEC_HW_ERR_DMA_ABORT", "device_hw"},
    {1204, "EXEC_SW_NQ_OVERFLOW", "device_hw"},
    {1205, "EXEC_HW_ERR_REPAIRABLE_HBM_UE", "device_hw"},
    {1206, "NETWORK_PROXY_FAILURE", "device_hw"},
};

bool is_ncc_code(std::string_view code) {
  constexpr std::size_t kLetters = 4;
  constexpr std::size_t kDigits = 3;
  return code.size() == kLetters + kDigits &&
         std::ranges::all_of(code.substr(0, kLetters), [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         std::ranges::all_of(code.substr(kLetters), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<std::string_view> class_of_ncc_code(std::string_view code) {
  if (!is_ncc_code(code)) return std::nullopt;
  if (const auto* known = std::ranges::find(kNccCodes, code, &NccCode::code); known != std::end(kNccCodes))
    return known->failure_class;
  // EVRF036 to 058 without the ones above: operands and settings of two custom calls, QuantizeMX and ScaledMatmul.
  if (code >= "EVRF036" && code <= "EVRF058") return "custom_call";
  return code.front() == 'I' ? "compiler_internal" : "compile_error";
}

std::optional<NrtStatus> find_nrt_status(std::string_view number) {
  const auto value = parse_uint(number);
  if (!value) return std::nullopt;
  const auto* status = std::ranges::find_if(
      kNrtStatuses, [&](const NrtStatus& known) { return static_cast<std::uint64_t>(known.value) == *value; });
  if (status == std::end(kNrtStatuses)) return std::nullopt;
  return *status;
}

}  // namespace willitrun
