"""The end of the program of the verifier `tflite.Interpreter`, which loads whole models."""


def load_path(path: str) -> "dict[str, str]":
    """Create an interpreter for the model in a file."""
    with open(path, "rb") as stream:
        load(stream.read())  # type: ignore[name-defined]  # noqa: F821 - it stands before
    return {}
