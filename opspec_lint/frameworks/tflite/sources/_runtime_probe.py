"""Writes down which versions of which ops a TFLite runtime takes: what of `tflite_runtime` runs in its interpreter.

Python 3.6 or later, and its standard library. `_probe_main`, which is executed behind it, writes down what it answers:
{"version", "package", "ops", "reference"}.

For every operator code of a model the runtime looks up a kernel, whether the code is used or not. So a model of 140
bytes that names one op in one version is taken or refused, and its message names the op.
"""

import os
import re
import struct
import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PACKAGES = ("ai_edge_litert", "tflite_runtime", "tensorflow")
MOST_OPS = 1000
"""Codes that are asked for; a runtime refuses all beyond its enum with a message of their own."""
MOST_VERSIONS = 40
GAP = 12
"""Versions that are tried before an op counts as one without a kernel."""
PLACEHOLDER = 127
"""The code in the byte field for all that do not fit into it."""
REFUSED = re.compile(r"builtin opcode '(\w+)' version")
REFUSALS = ("Didn't find op for builtin opcode", "builtin_code out of range", "has no custom_code")
CUSTOM = 32


def probe() -> "dict[str, Any]":
    """Import the runtime and return its version, and the range of each op in both resolvers, None without a kernel."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    package, module = runtime()
    load = loader(module, None)
    names = op_names(load)
    reference = getattr(getattr(module, "OpResolverType", None), "BUILTIN_REF", None)
    return {
        "package": package,
        "version": version_of(package),
        "ops": {name: range_of(load, code) for code, name in names.items()},
        "reference": reference and {name: range_of(loader(module, reference), code) for code, name in names.items()},
    }


def runtime() -> "tuple[str, Any]":
    """Return the name of the first package that is installed, and its module with the interpreter."""
    for package in PACKAGES[:-1]:
        try:
            return package, import_module(package + ".interpreter")
        except ModuleNotFoundError as error:  # noqa: PERF203 - a handful
            if error.name != package:
                raise
    import_module("tensorflow")
    for name in ("tensorflow.lite.python.interpreter", "tensorflow.lite"):
        try:
            return "tensorflow", import_module(name)
        except ModuleNotFoundError:  # noqa: PERF203 - a handful
            pass
    return "tensorflow", sys.modules["tensorflow"].lite


def version_of(package: str) -> "str | None":
    """Return the version of a package."""
    version = getattr(import_module(package), "__version__", None)
    if version is None:
        from importlib.metadata import version as installed

        version = installed(package.replace("_", "-"))
    return version


def loader(module: "Any", resolver: "Any") -> "Callable[[int, int], str]":
    """Return a function that loads a model of an op code in a version, and returns the refusal, "" if it loads."""
    more = {} if resolver is None else {"experimental_op_resolver_type": resolver}

    def load(code: int, version: int) -> str:
        try:
            module.Interpreter(model_content=model(code, version), **more)
        except (ImportError, RuntimeError, SystemError, ValueError) as error:  # SystemError is what 2.7 raises
            return refusal(str(error.__cause__ or error))
        return ""

    return load


def refusal(message: str) -> str:
    """Return the message of a runtime that refuses a model; any other message is one that it cannot be inspected.

    Raises:
        RuntimeError: the runtime did not get as far as looking for a kernel.
    """
    if not any(each in message for each in REFUSALS):
        more = "; install numpy<2 with it" if "numpy" in message else ""
        raise RuntimeError(message.strip() + more)
    return message


def op_names(load: "Callable[[int, int], str]") -> "dict[int, str]":
    """Return the names of the ops by their codes: a runtime names the op that it refuses in a version of never."""
    names = {CUSTOM: "CUSTOM"}
    for code in range(MOST_OPS):
        message = load(code, 1 << 20)
        found = REFUSED.search(message)
        if found:
            names[code] = found.group(1)
        elif "out of range" in message:
            break
    return names


def range_of(load: "Callable[[int, int], str]", code: int) -> "list[int] | None":
    """Return the least and the greatest version of an op that loads, None where none does."""
    taken = []
    for version in range(1, MOST_VERSIONS):
        if code != CUSTOM and not load(code, version):
            taken.append(version)
        elif taken or version >= GAP:
            break
    return [taken[0], taken[-1]] if taken else None


def model(code: int, version: int) -> bytes:
    """Return a model with one operator code, an empty subgraph and an empty buffer."""
    return b"".join(
        (
            struct.pack("<I4s", 24, b"TFL3"),
            struct.pack("<HHHHHHHH", 14, 20, 4, 8, 12, 0, 16, 0),  # vtable of Model, at 8
            struct.pack("<iIIII", 16, 3, 12, 44, 84),  # Model, at 24: version 3, codes, subgraphs, buffers
            struct.pack("<II", 1, 16),  # the operator codes, at 44
            struct.pack("<HHHHHH", 12, 16, 12, 0, 4, 8),  # vtable of OperatorCode, at 52
            struct.pack("<iiib3x", 12, version, code, min(code, PLACEHOLDER)),  # OperatorCode, at 64
            struct.pack("<II", 1, 16),  # the subgraphs, at 80
            struct.pack("<HHHHHH", 12, 20, 4, 8, 12, 16),  # vtable of SubGraph, at 88
            struct.pack("<iIIII", 12, 16, 12, 8, 4),  # SubGraph, at 100: tensors, inputs, outputs, operators
            struct.pack("<I", 0),  # the empty vector, at 120
            struct.pack("<II", 1, 8),  # the buffers, at 124
            struct.pack("<HHi", 4, 4, 4),  # vtable of Buffer, at 132, and Buffer
        )
    )
