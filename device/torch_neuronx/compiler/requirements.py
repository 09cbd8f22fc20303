"""What a compiled graph needs of the host, and whether a host offers it.

Kernels are built for this very CPU (-march=native) against this very PyTorch, with a fixed number of threads; a graph that
is run as captured needs the PyTorch alone.
"""

import functools
import pathlib
import platform
import re
import subprocess

import torch

_INSTRUCTION_SETS = re.compile(
    r"(mmx|sse|ssse|avx|amx|fma|f16c|bmi|abm|popcnt|movbe|adx|v?aes|v?pclmul|gfni|sha|neon|asimd|sve|fp16|bf16|i8mm)\w*"
)


@functools.cache
def cpu_features() -> list[str]:
    """Instruction sets of this CPU, sorted; other flags of the kernel's list change without changing code."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    flags = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    return sorted(flag for flag in set(flags[1].split()) if _INSTRUCTION_SETS.fullmatch(flag)) if flags else []


@functools.cache
def toolchain() -> str:
    """The C++ compiler that Inductor uses: its path and the first line of its version."""
    from torch._inductor.cpp_builder import get_cpp_compiler

    compiler = get_cpp_compiler()
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    return f"{compiler}: {version.splitlines()[0]}"


def of_this_host(mode: str) -> dict:
    """What graphs compiled here in `mode` need."""
    needs = {"torch": torch.__version__}
    if mode == "inductor":
        needs |= {
            "machine": platform.machine(),
            "cpu_features": cpu_features(),
            "toolchain": toolchain(),
            "threads": torch.get_num_threads(),
        }
    return needs


def unmet(requires: dict, host: dict) -> str | None:
    """The first need in `requires` that `host` does not meet, in words; None when all are met."""
    for name, needed in requires.items():
        offered = host.get(name)
        if name == "cpu_features":
            lacking = sorted(set(needed) - set(offered or []))
            if lacking:
                return f"other CPU: it lacks {' '.join(lacking)}"
        elif needed != offered:
            return f"other {name}: needs {needed}, host has {offered}"
    return None
