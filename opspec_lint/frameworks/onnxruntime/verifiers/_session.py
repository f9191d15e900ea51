"""Opens whole ONNX models: the text that the verifier `InferenceSession` executes in an interpreter with it."""

from importlib import import_module


def start() -> str:
    """Import ONNX Runtime, and return its version."""
    runtime = import_module("onnxruntime")
    runtime.set_default_logger_severity(4)
    return str(runtime.__version__)


def load_path(path: str) -> "dict[str, str]":
    """Open a session of a model on the CPU."""
    import_module("onnxruntime").InferenceSession(path, providers=["CPUExecutionProvider"])
    return {}
