"""Writes down what a TensorFlow says of its ops: what of `tensorflow_runtime` runs in that TensorFlow's interpreter.

Python 3.6 or later, and its standard library. `_probe_main`, which is executed behind it, writes down what it answers:
{"version", "commit", "graph_versions", "op_list"}.
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
    }


def graph_versions(tensorflow: "Any") -> "dict[str, Any]":
    """Return the versions of the graphs that this release writes and reads."""
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
    """Return the day on which the version of graphs was raised, which the header that holds it says in a comment."""
    header = os.path.join(include, "tensorflow", "core", "public", "version.h")
    if not os.path.exists(header):
        return None
    with open(header, encoding="utf-8") as stream:
        text = stream.read()
    found = re.search(rf"TF_GRAPH_DEF_VERSION +{producer} +// Updated: (\d{{4}})/(\d+)/(\d+)", text)
    return "{}-{:0>2}-{:0>2}".format(*found.groups()) if found else None


class Buffer(ctypes.Structure):
    """TF_Buffer of TensorFlow's C API."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t), ("deallocator", ctypes.c_void_p)]


def op_list() -> bytes:
    """Return the result of TF_GetAllOpList of the C API: the ops of the library that Python loaded."""
    library = ctypes.CDLL(loaded_library())
    library.TF_GetAllOpList.restype = ctypes.POINTER(Buffer)
    buffer = library.TF_GetAllOpList().contents
    return ctypes.string_at(buffer.data, buffer.length)


def loaded_library() -> str:
    """Return the path of the native module that TensorFlow's Python interface is made of."""
    folder = os.path.dirname(str(import_module("tensorflow.python").__file__))
    for name in sorted(os.listdir(folder)):
        if name.startswith("_pywrap_tensorflow_internal."):
            return os.path.join(folder, name)
    raise FileNotFoundError(f"no _pywrap_tensorflow_internal in {folder}")
