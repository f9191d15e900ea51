"""The end of the program of the verifier `tflite.Interpreter`, which loads whole models."""


def load_path(path: str) -> "dict[str, str]":
    """Create an interpreter for the model in a file, and allocate its tensors: that refuses unknown custom ops."""
    interpreter = modules[0].Interpreter(model_path=path)  # type: ignore[name-defined]  # noqa: F821 - it stands before
    interpreter.allocate_tensors()
    return {}
