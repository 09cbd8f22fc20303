"""Codes and status names of the real stack, with words of our own."""

# Value -> (name, what it means).
NRT_STATUS = {
    1: ("NRT_FAILURE", "the operation failed"),
    2: ("NRT_INVALID", "the compiled graph or its tensors are invalid"),
    3: ("NRT_INVALID_HANDLE", "the handle is not valid"),
    4: ("NRT_RESOURCE", "a resource could not be allocated"),
    5: ("NRT_TIMEOUT", "the operation took too long"),
    6: ("NRT_HW_ERROR", "the hardware failed"),
    7: ("NRT_QUEUE_FULL", "the execution queue is full"),
    9: ("NRT_LOAD_NOT_ENOUGH_NC", "there are not enough free cores for the graph"),
    10: ("NRT_UNSUPPORTED_NEFF_VERSION", "the graph was compiled for another runtime version"),
    11: ("NRT_FAIL_HOST_MEM_ALLOC", "the host has no memory left"),
    13: ("NRT_UNINITIALIZED", "the runtime is not initialised"),
    14: ("NRT_CLOSED", "the runtime is closed already"),
    101: ("NRT_EXEC_UNIT_UNRECOVERABLE", "the execution unit cannot recover"),
    1002: ("NRT_EXEC_BAD_INPUT", "the input of the execution is invalid"),
    1003: ("NRT_EXEC_COMPLETED_WITH_NUM_ERR", "the execution produced NaN"),
    1004: ("NRT_EXEC_COMPLETED_WITH_ERR", "the execution completed with errors"),
    1005: ("NRT_EXEC_NC_BUSY", "the core is in use by another process"),
    1006: ("NRT_EXEC_OOB", "an indirect access was out of bounds"),
    1200: ("NRT_EXEC_HW_ERR_COLLECTIVES", "a collective operation is stuck"),
    1201: ("NRT_EXEC_HW_ERR_HBM_UE", "device memory has an error that cannot be corrected"),
    1202: ("NRT_EXEC_HW_ERR_NC_UE", "on-chip memory has a parity error"),
    1203: ("NRT_EXEC_HW_ERR_DMA_ABORT", "a DMA engine aborted"),
    1204: ("NRT_EXEC_SW_NQ_OVERFLOW", "the notification queue overflowed"),
    1205: ("NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE", "device memory has an error that a repair can mend"),
    1206: ("NRT_NETWORK_PROXY_FAILURE", "the network proxy failed"),
}

# Code -> what it means; other codes get a general text.
_NCC_WORDS = {
    "NCC_EBVF030": "the graph needs more instructions than the limit",
    "NCC_EMOD025": "the graph has a dynamic shape",
    "NCC_EOOM001": "the graph's tensors do not fit the device's memory",
    "NCC_EOOM002": "the graph's tensors do not fit the device's memory",
    "NCC_EVRF009": "the graph's tensors do not fit the device's memory",
    "NCC_EXSP001": "the graph's tensors do not fit the device's memory",
    "NCC_EUOC002": "the graph has an operator that is not supported",
    "NCC_EVRF001": "the graph has an operator that is not supported",
    "NCC_EVRF004": "the graph has a complex data type, which is not supported",
    "NCC_EVRF035": "an integer matrix product is not supported on this target",
    "NCC_EARG001": "the flags ask for a configuration that does not exist",
}

OUT_OF_MEMORY = "NRT allocation failed for size 1073741824: injected fault (OOM), status NRT_RESOURCE (4)"
COMPILER_KILLED = "neuronx-cc: Backend exited with code -9: the compiler was killed for host memory"


def nrt_message(call: str, status: int) -> str:
    """A runtime failure: `nrt_execute: status=1004 ...`."""
    name, words = NRT_STATUS[status]
    return f'{call}: status={status} ({name}), error message="{words}"'


def ncc_message(code: str) -> str:
    """A compiler failure; codes of internal errors (NCC_I...) come with the compiler's exit status."""
    if code.startswith("NCC_I"):
        return f"[INTERNAL_ERROR] [{code}] the compiler met an internal error; neuronx-cc exited with status 70"
    return f"[{code}] {_NCC_WORDS.get(code, 'the graph cannot be compiled')}"
