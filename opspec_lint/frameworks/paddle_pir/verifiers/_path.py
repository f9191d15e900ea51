"""The second part of the program of the verifier `pir_json`, after the prover's program: loads a whole model."""

import os
from importlib import import_module

PARAMETER = b'"#":"p"'
"""The op of a weight in the JSON of a program, without spaces."""


class NotTriedError(Exception):
    """Error for a model that no release can load as it is."""


def load_path(path: str) -> "dict[str, str]":
    """Load the program in a file or folder with its weights, and choose its kernels."""
    names = sorted(os.listdir(path)) if os.path.isdir(path) else []
    # Prefixes are paths without the suffix.
    prefixes = [os.path.join(path, os.path.splitext(name)[0]) for name in names if name.endswith(".json")]
    trained = [prefix for prefix in prefixes if os.path.exists(prefix + ".pdiparams")]
    # A folder may have other JSON files: the program is the one with weights beside it.
    prefix = (trained or prefixes)[0] if names else os.path.splitext(path)[0]
    if os.path.exists(prefix + ".pdiparams"):
        static = import_module("paddle").static
        executor = static.Executor(import_module("paddle").CPUPlace())
        choose_kernels(static.load_inference_model(prefix, executor)[0])  # type: ignore[name-defined]  # noqa: F821 - it stands before
        return {}
    with open(prefix + ".json", "rb") as stream:
        data = stream.read()
    if PARAMETER in data.replace(b" ", b""):
        raise NotTriedError("its weights are not beside it")
    load(data)  # type: ignore[name-defined]  # noqa: F821 - it stands before
    return {}
