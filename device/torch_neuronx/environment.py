"""Every environment variable that the emulated device reads, in one place.

Of the emulation:
  NEURON_EMULATED_CORES          logical cores of the host (default 16: four Trainium2 devices)
  NEURON_EMULATED_CORE_BYTES     device memory of each core (default 24 GiB); small values force sharding
  NEURON_EMULATED_FALLBACK_OPS   comma-separated operators ("aten::histc") to report in get_fallback_ops()
  NEURON_EMULATED_COMPILER       "inductor" (default) or "graph" (runs the captured graph as it is)
  NEURON_EMULATED_FAULTS         TOML file of faults to inject (see faults/rules.py)
  NEURON_EMULATED_MODEL          model name that fault rules match, where the script's own text does not tell
  NEURON_EMULATED_WORK_DIR       where compiled files are unpacked

Of the real stack, with its meaning:
  NEURON_RT_VISIBLE_CORES, NEURON_CC_FLAGS, TORCH_NEURONX_NEFF_CACHE_DIR, TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR,
  TORCH_NEURONX_NEFF_CACHE_LOCK_TIMEOUT, TORCH_NEURONX_NEFF_DISABLE_CACHE, TORCH_NEURONX_METRICS_ENABLED,
  TORCH_NEURONX_DISABLE_FALLBACK_EXECUTION, LOCAL_RANK, RANK
"""

import os
import pathlib
import tempfile

DEFAULT_CORES = 16
DEFAULT_CORE_BYTES = 24 << 30
COMPILERS = ("inductor", "graph")


def _integer(name: str, default: int) -> int:
    text = os.environ.get(name)
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        raise RuntimeError(f"{name} must be a whole number, not {text!r}") from None


def _flag(name: str, default: bool) -> bool:
    text = os.environ.get(name, "1" if default else "0")
    if text not in ("0", "1"):
        raise RuntimeError(f"{name} must be 0 or 1, not {text!r}")
    return text == "1"


def parse_core_list(text: str) -> list[int]:
    """Reads the form of NEURON_RT_VISIBLE_CORES: "0", "0-3", "0,2,4-5"."""
    cores = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        try:
            cores.extend(range(int(first), int(last if dash else first) + 1))
        except ValueError:
            raise RuntimeError(f"NEURON_RT_VISIBLE_CORES must name cores like 0-3 or 0,2, not {text!r}") from None
    return cores


def num_cores() -> int:
    """Cores that this process sees. A rank sees the whole host, but may use only the core of its local rank."""
    on_host = _integer("NEURON_EMULATED_CORES", DEFAULT_CORES)
    visible = os.environ.get("NEURON_RT_VISIBLE_CORES")
    if visible is None or "LOCAL_RANK" in os.environ:
        return on_host
    cores = parse_core_list(visible)
    if any(core >= on_host for core in cores):
        raise RuntimeError(f"NEURON_RT_VISIBLE_CORES={visible} names a core that the host of {on_host} cores lacks")
    return len(cores)


def core_capacity_bytes() -> int:
    """Device memory of each core."""
    return _integer("NEURON_EMULATED_CORE_BYTES", DEFAULT_CORE_BYTES)


def fallback_operators() -> set[str]:
    """Operators to report as fallen back to the CPU."""
    return {name.strip() for name in os.environ.get("NEURON_EMULATED_FALLBACK_OPS", "").split(",") if name.strip()}


def compiler() -> str:
    """How graphs are compiled: one of COMPILERS."""
    name = os.environ.get("NEURON_EMULATED_COMPILER", COMPILERS[0])
    if name not in COMPILERS:
        raise RuntimeError(f"NEURON_EMULATED_COMPILER must be one of {', '.join(COMPILERS)}, not {name!r}")
    return name


def compiler_flags() -> str:
    """Flags of the user for the compiler; part of every cache key, as on the real stack."""
    return os.environ.get("NEURON_CC_FLAGS", "")


def faults_file() -> str | None:
    """The TOML file of faults, if any."""
    return os.environ.get("NEURON_EMULATED_FAULTS") or None


def cache_root() -> pathlib.Path:
    """The directory of compiled graphs."""
    return pathlib.Path(os.environ.get("TORCH_NEURONX_NEFF_CACHE_DIR", "/tmp/neff_cache"))


def lock_root() -> pathlib.Path:
    """The directory whose `locks/` keeps two processes from compiling one graph at once."""
    return pathlib.Path(os.environ.get("TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR", "/tmp/local_cache")) / "locks"


def lock_timeout_s() -> float:
    """How long to wait for another process that compiles the same graph, before compiling it as well."""
    return float(_integer("TORCH_NEURONX_NEFF_CACHE_LOCK_TIMEOUT", 1200))


def is_cache_disabled() -> bool:
    """Whether graphs are neither looked up nor kept."""
    return _flag("TORCH_NEURONX_NEFF_DISABLE_CACHE", False)


def are_metrics_enabled() -> bool:
    """Whether the counters are printed when the process ends."""
    return _flag("TORCH_NEURONX_METRICS_ENABLED", False)


def is_fallback_execution_disabled() -> bool:
    """Whether a graph that cannot be compiled raises (the default) or runs eagerly."""
    return _flag("TORCH_NEURONX_DISABLE_FALLBACK_EXECUTION", True)


def host_dir() -> pathlib.Path:
    """Where is kept what was found out about this host: beside the locks where their place is named, else in work_dir."""
    local = os.environ.get("TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR")
    return pathlib.Path(local) / f"emulated_{os.getuid()}" if local else work_dir()


def work_dir() -> pathlib.Path:
    """Where compiled files are unpacked; private to the user."""
    default = pathlib.Path(tempfile.gettempdir()) / f"neuron_emulated_{os.getuid()}"
    return pathlib.Path(os.environ.get("NEURON_EMULATED_WORK_DIR", default))
