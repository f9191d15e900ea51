"""The program that the source `tensorflow-runtime` runs in an interpreter with TensorFlow, to read its ops.

It needs Python 3.6 or later and the standard library. `_probe_main` is appended to it and writes the result of `probe`
to a file: {"version", "commit", "graph_versions", "op_list", "kernels"}.
"""

import base64
import ctypes
import os
import re
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def probe() -> "dict[str, Any]":
    """Import TensorFlow and return its version, commit, graph versions and serialized OpList."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    tensorflow = import_module("tensorflow")
    described = re.search("-g([0-9a-f]{7,40})", str(tensorflow.version.GIT_VERSION))
    return {
        "version": tensorflow.__version__,
        "commit": described.group(1) if described else None,
        "graph_versions": graph_versions(tensorflow),
        "op_list": base64.b64encode(op_list()).decode(),
        "kernels": cpu_kernels(),
    }


def graph_versions(tensorflow: "Any") -> "dict[str, Any]":
    """Return the graph versions that this release writes and reads."""
    version = tensorflow.version
    versions = {  # type: dict[str, Any]
        "producer": int(version.GRAPH_DEF_VERSION),
        "min_consumer": int(version.GRAPH_DEF_VERSION_MIN_CONSUMER),
        "min_producer": int(version.GRAPH_DEF_VERSION_MIN_PRODUCER),
    }
    day = producer_since(tensorflow.sysconfig.get_include(), versions["producer"])
    if day:
        versions["producer_since"] = day
    return versions


def producer_since(include: str, producer: int) -> "str | None":
    """Return the day of the last change of the graph version, from a comment in the installed header version.h."""
    header = os.path.join(include, "tensorflow", "core", "public", "version.h")
    if not os.path.exists(header):
        return None
    with open(header, encoding="utf-8") as stream:
        text = stream.read()
    match = re.search(rf"TF_GRAPH_DEF_VERSION +{producer} +// Updated: (\d{{4}})/(\d+)/(\d+)", text)
    return "{}-{:0>2}-{:0>2}".format(*match.groups()) if match else None


def cpu_kernels() -> "list[Any] | None":
    """Return op and types by attr, as numbers, of each kernel for the CPU; None if this release does not list them.

    A kernel for the device DEFAULT runs on every device. Kernels with a label are left out: only nodes that ask for the
    label run them. A kernel may also be restricted to values that are no types; that is not stated.
    """
    try:
        listed = import_module("tensorflow.python.framework.kernels").get_all_registered_kernels()
    except (ImportError, AttributeError):
        return None
    kernels = []
    for kernel in listed.kernel:
        if kernel.device_type in ("CPU", "DEFAULT") and not kernel.label:
            types = {limit.name: list(limit.allowed_values.list.type) for limit in kernel.constraint}
            kernels.append([kernel.op, {name: numbers for name, numbers in types.items() if numbers}])
    return kernels


class Buffer(ctypes.Structure):
    """TF_Buffer of TensorFlow's C API."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t), ("deallocator", ctypes.c_void_p)]


def op_list() -> bytes:
    """Return the OpList of all registered ops, by TF_GetAllOpList of the C API: Python's API does not offer it."""
    library = ctypes.CDLL(loaded_library())
    library.TF_GetAllOpList.restype = ctypes.POINTER(Buffer)
    buffer = library.TF_GetAllOpList().contents
    return ctypes.string_at(buffer.data, buffer.length)


def loaded_library() -> str:
    """Return the path of TensorFlow's native module, which Python has loaded."""
    folder = os.path.dirname(str(import_module("tensorflow.python").__file__))
    for name in sorted(os.listdir(folder)):
        if name.startswith("_pywrap_tensorflow_internal."):
            return os.path.join(folder, name)
    raise FileNotFoundError(f"no _pywrap_tensorflow_internal in {folder}")
