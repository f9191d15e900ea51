"""Loads ONNX models: what of the prover `InferenceSession` runs in an interpreter with ONNX Runtime."""

from importlib import import_module


def start() -> str:
    """Import ONNX Runtime, and return its version."""
    runtime = import_module("onnxruntime")
    runtime.set_default_logger_severity(4)
    return str(runtime.__version__)


def load(data: bytes) -> "dict[str, str]":
    """Load a model; a session shows no attributes."""
    import_module("onnxruntime").InferenceSession(data, providers=["CPUExecutionProvider"])
    return {}
