"""The probe of `tflite-runtime`: it runs in the interpreter that has the runtime, and returns the op versions it takes.

Python 3.6 or later, and its standard library. `_probe_main`, which is executed behind it, writes the result to a file:
{"version", "package", "ops", "reference", "types"}.

A runtime looks up a kernel for every operator code of a model, used or not. So a model of 140 bytes that names one op
in one version is accepted or refused, and the message of the refusal names the op.

A custom op is looked up by its name, and refused once its node is prepared. The candidates are the strings in the
runtime's library: every string that can be a name is tried, at 10,000 a second.
"""

# ruff: noqa: TC004 - at run time, the text of `probe_tools` is in front of this one
import os
import re
import struct
import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.sources.probe_tools import in_children

PACKAGES = ("ai_edge_litert", "tflite_runtime", "tensorflow")
MOST_OPS = 1000
"""Codes that are tried; a runtime refuses codes beyond its enum with another message."""
MOST_VERSIONS = 40
MOST_TYPES = 64
UNSUPPORTED = "Unsupported data type"
"""The message about a tensor of a type that the runtime does not know."""
GAP = 12
"""Versions that are tried before an op counts as one without a kernel."""
PLACEHOLDER = 127
"""The code in the byte field for all that do not fit into it."""
REFUSED = re.compile(r"builtin opcode '(\w+)' version")
"""The refusal of a builtin op, with its name."""
REFUSALS = ("Didn't find op for builtin opcode", "builtin_code out of range", "has no custom_code")
CUSTOM = 32
LIBRARY = re.compile(r"\.(?:so|pyd|dll|dylib)(?:\.[0-9.]+)?$")
NAME = re.compile(rb"(?<=\0)(?!Flex)[A-Za-z][A-Za-z0-9_.:/-]{1,63}(?=\0)")
"""A text of a library that can be the name of a custom op; those of TensorFlow's ops are left to the Flex delegate."""
UNRESOLVED = "unresolved custom op"
"""The message about a custom op that no kernel is registered for."""
EMPTY_MAP = b"\0\0\1\0\0\x24\1"
"""Options of a custom op: an empty map of FlexBuffers, as some kernels read them without a look at their size."""


def probe() -> "dict[str, Any]":
    """Import the runtime and return its version, and the range of each op in both resolvers, None without a kernel."""
    # Before the import, when TensorFlow reads them: a look-up of kernels needs neither its log nor a GPU.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    package, module = runtime()
    load = loader(module, None)
    names = op_names(load)
    resolvers = [None]  # type: list[Any]
    reference = getattr(getattr(module, "OpResolverType", None), "BUILTIN_REF", None)
    if reference:
        resolvers.append(reference)
    loads = [loader(module, resolver) for resolver in resolvers]
    ranges = [{name: range_of(load, code) for code, name in names.items()} for load in loads]
    # A kernel may end the process, so custom ops are tried in a child: Windows has no fork.
    if hasattr(os, "fork"):
        texts = op_texts(module)
        custom = [custom_ranges(texts, custom_loader(module, resolver)) for resolver in resolvers]
        for builtin, own in zip(ranges, custom):  # noqa: B905 - Python 3.6
            builtin.update((name, own.get(name)) for name in set().union(*custom))
    return {
        "package": package,
        "version": version_of(package),
        "ops": ranges[0],
        "reference": ranges[1] if reference else None,
        "types": [number for number in range(MOST_TYPES) if takes_type(module, number)],
    }


def runtime() -> "tuple[str, Any]":
    """Return the name of the first package that is installed, and its module with the interpreter."""
    for package in PACKAGES[:-1]:
        try:
            return package, import_module(package + ".interpreter")
        except ModuleNotFoundError as error:  # noqa: PERF203 - a handful
            # The package is installed, and a dependency is missing: that error is the one to show.
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


def op_texts(module: "Any") -> "list[str]":
    """Return the texts that can be names of custom ops, of the libraries that are next to the interpreter."""
    home = module.Interpreter.__module__
    folder, root = (os.path.dirname(str(import_module(name).__file__)) for name in (home, home.partition(".")[0]))
    texts = library_texts(folder)
    while not texts and folder != root:  # TensorFlow 2.19 has one library for TFLite and all else
        folder = os.path.dirname(folder)
        texts = library_texts(folder)
    return texts


def library_texts(folder: str) -> "list[str]":
    """Return the possible names of ops among the texts of the libraries in a folder that look up custom ops."""
    texts = set()  # type: set[bytes]
    for parent, _, files in os.walk(folder):
        for file in filter(LIBRARY.search, files):
            with open(os.path.join(parent, file), "rb") as stream:
                data = stream.read()
            # The library that looks up custom ops contains the message of a failed look-up; other strings are no names.
            if UNRESOLVED.encode() in data:
                texts.update(NAME.findall(data))
    return [text.decode("ascii") for text in sorted(texts)]


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


def custom_loader(module: "Any", resolver: "Any") -> "Callable[[str, int], bool]":
    """Return a function that tells whether a resolver has a custom op of a name in a version."""
    more = {} if resolver is None else {"experimental_op_resolver_type": resolver}

    def is_resolved(name: str, version: int) -> bool:
        try:
            module.Interpreter(model_content=custom_model(name, version), **more).allocate_tensors()
        except Exception as error:  # a kernel may refuse a node without inputs in any way
            return UNRESOLVED not in str(error)
        return True

    return is_resolved


def custom_ranges(names: "list[str]", is_resolved: "Callable[[str, int], bool]") -> "dict[str, list[int]]":
    """Return the least and the greatest version of each custom op, by what models call it."""
    ranges = {}
    for name, _ in resolved([(name, 1) for name in names], is_resolved):
        taken = resolved([(name, version) for version in range(1, GAP)], is_resolved)
        versions = [version for _, version in taken]
        ranges["CUSTOM:" + name] = [versions[0], versions[-1]]
    return ranges


def resolved(ops: "list[tuple[str, int]]", is_resolved: "Callable[[str, int], bool]") -> "list[tuple[str, int]]":
    """Return the custom ops that are resolved: a kernel that ends the process exists, so its op is resolved."""
    answers = in_children(lambda op: is_resolved(*op), ops)
    return [op for op, answer in zip(ops, answers) if answer is not False]  # noqa: B905 - Python 3.6


def takes_type(module: "Any", number: int) -> bool:
    """Return whether a runtime takes a model with a tensor of a type."""
    try:
        module.Interpreter(model_content=typed_model(number))
    except (RuntimeError, SystemError, ValueError) as error:
        if UNSUPPORTED not in str(error.__cause__ or error):
            raise
        return False
    return True


def refusal(message: str) -> str:
    """Return the message of a runtime that refuses a model; any other message means that it does not work.

    Raises:
        RuntimeError: the runtime failed before it looked for a kernel.
    """
    if not any(text in message for text in REFUSALS):
        more = "; install numpy<2 with it" if "numpy" in message else ""
        raise RuntimeError(message.strip() + more)
    return message


def op_names(load: "Callable[[int, int], str]") -> "dict[int, str]":
    """Return the names of the ops by code: a runtime names the op when it refuses a version that never exists."""
    names = {CUSTOM: "CUSTOM"}
    for code in range(MOST_OPS):
        message = load(code, 1 << 20)
        match = REFUSED.search(message)
        if match:
            names[code] = match.group(1)
        elif "out of range" in message:
            break
    return names


def range_of(load: "Callable[[int, int], str]", code: int) -> "list[int] | None":
    """Return the least and greatest version of an op that loads, None if none does."""
    taken = []
    for version in range(1, MOST_VERSIONS):
        # CUSTOM is refused in every version, as the model gives it no name.
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


def typed_model(number: int) -> bytes:
    """Return a model with a tensor of a type, and no operator."""
    bare = model(0, 1)
    tensors = struct.pack("<I", 36)  # the offset of the tensors, at 104, in the place of an empty vector
    return b"".join(
        (
            bare[:104] + tensors + bare[108:],
            struct.pack("<II", 1, 16),  # the tensors, at 140
            struct.pack("<HHHHHH", 10, 16, 4, 12, 8, 0),  # vtable of Tensor, at 148
            struct.pack("<iIIb3x", 12, 12, 0, number),  # Tensor, at 160: shape, buffer, type
            struct.pack("<Ii", 1, 1),  # the shape, at 176
        )
    )


def custom_model(name: str, version: int) -> bytes:
    """Return a model with a node of a custom op, without inputs and outputs."""
    text = name.encode("ascii")
    return b"".join(
        (
            struct.pack("<I4s", 24, b"TFL3"),
            struct.pack("<HHHHHHHH", 14, 20, 4, 8, 12, 0, 16, 0),  # vtable of Model, at 8
            struct.pack("<iIIII", 16, 3, 12, 48, 88),  # Model, at 24: version 3, codes, subgraphs, buffers
            struct.pack("<II", 1, 16),  # the operator codes, at 44
            struct.pack("<HHHHHH", 12, 20, 16, 12, 4, 8),  # vtable of OperatorCode, at 52
            struct.pack("<iiiIb3x", 12, version, CUSTOM, 128, CUSTOM),  # OperatorCode, at 64, with the name
            struct.pack("<II", 1, 16),  # the subgraphs, at 84
            struct.pack("<HHHHHH", 12, 20, 4, 8, 12, 16),  # vtable of SubGraph, at 92
            struct.pack("<iIIII", 12, 16, 12, 8, 24),  # SubGraph, at 104: tensors, inputs, outputs, operators
            struct.pack("<I", 0),  # the empty vector, at 124
            struct.pack("<II", 1, 8),  # the buffers, at 128
            struct.pack("<HHi", 4, 4, 4),  # vtable of Buffer, at 136, and Buffer
            struct.pack("<II", 1, 20),  # the operators, at 144
            struct.pack("<HHHHHHHH", 16, 20, 4, 8, 12, 0, 0, 16),  # vtable of Operator, at 152
            struct.pack("<iIIII", 16, 0, 24, 20, 4),  # Operator, at 168: code, inputs, outputs, options
            struct.pack("<I8s", len(EMPTY_MAP), EMPTY_MAP),  # the options, at 188
            struct.pack("<I", 0),  # the empty vector of the operator, at 200
            struct.pack("<I", len(text)) + text + bytes(4 - len(text) % 4),  # the name, at 204
        )
    )
