"""The part of the verifier `onnx.checker` that runs in an interpreter with onnx: it checks whole models."""

from importlib import import_module


def start() -> str:
    """Import onnx, and return its version."""
    import_module("onnx.checker")
    return str(import_module("onnx").__version__)


def load_path(path: str) -> "dict[str, str]":
    """Check the model in a file like the audit does: without types, and without weights in other files."""
    model = import_module("onnx").load(path, load_external_data=False)
    import_module("onnx.checker").check_model(model)
    return {}
