"""The program that PyTorch's verifiers run in an interpreter with PyTorch: it loads whole models."""

from importlib import import_module


def start() -> str:
    """Import PyTorch, and return its version."""
    return str(import_module("torch").__version__)


def torch__export__load(path: str) -> "dict[str, str]":
    """Load a program of torch.export."""
    import_module("torch.export").load(path)
    return {}


def torch__jit__load(path: str) -> "dict[str, str]":
    """Load a program of TorchScript on the CPU."""
    import_module("torch").jit.load(path, map_location="cpu")
    return {}
