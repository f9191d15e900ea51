"""The part of the prover `onnx.checker` that runs in an interpreter with onnx: it checks models."""

from importlib import import_module


def start() -> str:
    """Import onnx, and return its version."""
    import_module("onnx.checker")
    return str(import_module("onnx").__version__)


def load(data: bytes) -> "dict[str, str]":
    """Check a model. Returns no attributes, because the checker shows none."""
    import_module("onnx.checker").check_model(import_module("onnx").load_model_from_string(data))
    return {}
