"""The part of the verifier `InferenceSession` that runs in an interpreter with ONNX Runtime: it opens whole models."""

from importlib import import_module


class NotTriedError(Exception):
    """A model cannot be tried on this machine."""


def start() -> str:
    """Import ONNX Runtime, and return its version."""
    runtime = import_module("onnxruntime")
    runtime.set_default_logger_severity(4)
    return str(runtime.__version__)


def load_path(path: str) -> "dict[str, str]":
    """Open a session of the model in a file on the CPU."""
    try:
        import_module("onnxruntime").InferenceSession(path, providers=["CPUExecutionProvider"])
    except Exception as error:
        # StringNormalizer asks the operating system for a locale when its kernel is made.
        if "Failed to construct locale" in str(error):
            raise NotTriedError("this machine lacks the locale of a node") from None
        raise
    return {}
