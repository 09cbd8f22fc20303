"""How the package is found and what it calls itself."""

import importlib.metadata
import subprocess
import sys

import pytest
import torch
import torch_neuronx
from torch_neuronx import _version


def test_import_torch_alone_gives_the_device(run_python):
    done = run_python("import torch; print(torch.ones(2, device='neuron').device)")
    assert done.stdout.strip() == "neuron:0", done.stderr


def test_importing_the_package_first_works_too(run_python):
    done = run_python("import torch_neuronx, torch; print(torch.ones(2, device='neuron').sum().item())")
    assert done.stdout.strip() == "2.0", done.stderr


def test_autoload_can_be_turned_off(run_python):
    done = run_python("import torch; print(hasattr(torch, 'neuron'))", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    assert done.stdout.strip() == "False", done.stderr


def test_every_version_and_name_says_emulated():
    assert torch_neuronx.__version__ == importlib.metadata.version("torch-neuronx") == "2.13.0+emulated"
    assert importlib.metadata.version("neuronx-cc") == "0.0.0+emu" == _version.COMPILER_VERSION
    assert torch.neuron.get_device_name() == torch.neuron.get_device_properties().name == "trn2-emulated"


def test_compiler_stand_in_answers_its_version():
    done = subprocess.run(
        [sys.executable, "-c", "import neuronxcc, sys; sys.argv[1:] = ['--version']; sys.exit(neuronxcc.main())"],
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "NeuronX Compiler version 0.0.0+emu"


def test_another_torch_is_refused_by_name():
    _version.require_supported_torch("2.13.0+cpu")
    with pytest.raises(ImportError, match=r"needs torch 2\.13\.0, found 2\.14\.0"):
        _version.require_supported_torch("2.14.0")


def test_a_malformed_environment_is_refused_by_name(run_python):
    for name, value in (("NEURON_EMULATED_CORES", "many"), ("NEURON_EMULATED_CORE_BYTES", "24G")):
        done = run_python("import torch", **{name: value})
        assert done.returncode != 0 and name in done.stderr


@pytest.mark.parametrize("visible, count", [("0-3", "4"), ("5", "1"), ("0,2,4-5", "4")])
def test_visible_cores_are_counted(run_python, visible, count):
    done = run_python("import torch; print(torch.neuron.device_count())", NEURON_RT_VISIBLE_CORES=visible)
    assert done.stdout.strip() == count, done.stderr
