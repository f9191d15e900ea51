"""Loads whole TFLite models: the end of the text of the verifier `tflite.Interpreter`."""


def load_path(path: str) -> "dict[str, str]":
    """Make an interpreter of a model."""
    with open(path, "rb") as stream:
        load(stream.read())  # type: ignore[name-defined]  # noqa: F821 - it stands before
    return {}
