"""The part of the prover `InferenceSession` that runs in an interpreter with ONNX Runtime: it loads models."""

from importlib import import_module


def start() -> str:
    """Import ONNX Runtime, and return its version."""
    runtime = import_module("onnxruntime")
    runtime.set_default_logger_severity(4)
    return str(runtime.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Load a model. Returns no attributes, because a session shows none."""
    import_module("onnxruntime").InferenceSession(data, providers=["CPUExecutionProvider"])
    return {}
