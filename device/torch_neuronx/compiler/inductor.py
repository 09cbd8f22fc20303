"""The real compiler, mode "inductor": PyTorch's Inductor makes C++ kernels for this CPU.

Inductor's own saved artifact names the kernels' shared libraries but does not hold them. The payload is a zip of both, and
is unpacked where Inductor looks for them, so that another process loads a graph without compiling anything.
"""

import contextlib
import functools
import io
import os
import pathlib
import shutil
import tempfile
import unittest.mock
import zipfile

import torch

from .. import environment

_ARTIFACT = "artifact.bin"


def build(graph_module: torch.fx.GraphModule, inputs) -> bytes:
    """Compiles the graph and returns the payload of a file. `inputs` are (fake) tensors of the graph's inputs."""
    from torch._inductor import standalone_compile

    _prepare_instruction_set()
    fake_mode, fake_inputs = _fake_cpu_inputs(inputs)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="build_", dir=_folder("build")))
    try:
        with _inductor_in(folder):
            artifact = standalone_compile(
                graph_module,
                fake_inputs,
                dynamic_shapes="from_example_inputs",
                fake_mode=fake_mode,
                options={},
            )
            artifact.save(path=str(folder / _ARTIFACT), format="binary")
        return _pack(folder)
    finally:
        shutil.rmtree(folder)


def load(key: str, payload: bytes):
    """A function of the graph's inputs that returns its outputs."""
    from torch._inductor.standalone_compile import CompiledArtifact

    _prepare_instruction_set()
    folder = _unpack(key, payload)
    with _inductor_in(folder):
        return CompiledArtifact.load(path=str(folder / _ARTIFACT), format="binary")


def _fake_cpu_inputs(inputs):
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    fake_mode = FakeTensorMode(shape_env=ShapeEnv())
    with fake_mode:
        fakes = [
            torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="cpu")
            if isinstance(value, torch.Tensor)
            else value
            for value in inputs
        ]
    return fake_mode, fakes


def _folder(name: str, parent: pathlib.Path | None = None) -> pathlib.Path:
    folder = (parent or environment.work_dir()) / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def _inductor_in(folder: pathlib.Path):
    """Inductor keeps its files in `folder`. Precompiled headers, which all graphs share, save half of a compilation."""
    from torch._inductor.runtime.cache_dir_utils import temporary_cache_dir

    can_check_headers = shutil.which("openssl") is not None  # Inductor calls it to see whether headers changed
    with (
        temporary_cache_dir(str(folder)),
        torch._inductor.config.patch(cpp_cache_precompile_headers=can_check_headers),
    ):
        yield


@functools.cache
def _prepare_instruction_set() -> None:
    """Lets Inductor try the CPU's vector instructions once per host: it compiles a small program for each set, and would
    load each of them in a process of its own whenever a process asks."""
    from torch._inductor.cpu_vec_isa import VecISA, pick_vec_isa
    from torch._inductor.runtime.cache_dir_utils import temporary_cache_dir

    folder = _folder(f"instruction_set_{torch.__version__}", environment.host_dir())
    with (
        temporary_cache_dir(str(folder)),
        unittest.mock.patch.object(VecISA, "_probe_load", _remembering(VecISA._probe_load)),
    ):
        pick_vec_isa()


def _remembering(probe):
    """`probe`, which is asked no more about a library that it has loaded."""

    def loads(isa, library: str) -> bool:
        mark = pathlib.Path(f"{library}.loads")
        if not mark.exists() and probe(isa, library):
            mark.touch()
        return mark.exists()

    return loads


def _pack(folder: pathlib.Path) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(folder.rglob("*")):
            if path.suffix == ".so" or path.name == _ARTIFACT:
                # A fixed time, so that equal content gives equal bytes.
                entry = zipfile.ZipInfo(str(path.relative_to(folder)))
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, compresslevel=1)
    return content.getvalue()


def _unpack(key: str, payload: bytes) -> pathlib.Path:
    """The folder of the unpacked payload; complete whenever it exists, also when several processes unpack at once."""
    folder = _folder("loaded") / key
    if folder.exists():
        return folder
    partial = pathlib.Path(tempfile.mkdtemp(prefix=f"{key}.", dir=folder.parent))
    with zipfile.ZipFile(io.BytesIO(payload)) as archive:
        archive.extractall(partial)
    try:
        os.rename(partial, folder)
    except OSError:
        if not folder.exists():
            raise
        shutil.rmtree(partial)  # another process was first
    return folder
