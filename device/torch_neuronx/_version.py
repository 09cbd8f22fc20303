"""The version, and the one PyTorch it fits."""

__version__ = "2.13.0+emulated"
COMPILER_VERSION = "0.0.0+emu"
SUPPORTED_TORCH = "2.13.0"


def require_supported_torch(version: str) -> None:
    """Raises ImportError unless `version` is the PyTorch whose C++ interface the extension was built for."""
    if version.split("+")[0] != SUPPORTED_TORCH:
        raise ImportError(
            f"torch_neuronx {__version__} (emulated device) needs torch {SUPPORTED_TORCH}, found {version}; "
            "set TORCH_DEVICE_BACKEND_AUTOLOAD=0 to use torch without it"
        )
