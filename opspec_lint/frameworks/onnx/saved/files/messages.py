"""Protobuf classes for the parts of an ONNX model, made from `onnx.proto` at run time."""

from __future__ import annotations

import os
from functools import cache

from opspec_lint.kit.protobuf import PACKAGE, descriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DATA_TYPES = (
    *("undefined", "float", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16"),
    *("double", "uint32", "uint64", "complex64", "complex128", "bfloat16", "float8e4m3fn", "float8e4m3fnuz"),
    *("float8e5m2", "float8e5m2fnuz", "uint4", "int4", "float4e2m1", "float8e8m0", "uint2", "int2"),
)
"""The names of `TensorProto.DataType`, by code."""


def type_name(code: int) -> str:
    """Return the name of a tensor element type, or its number if it is unknown."""
    return DATA_TYPES[code] if 0 <= code < len(DATA_TYPES) else str(code)


@cache
def message(name: str) -> Any:
    """Return the class of a message of `onnx.proto`, such as "NodeProto"."""
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{PACKAGE}.{name}"))


@cache
def _pool() -> Any:
    """Return a descriptor pool with `onnx.proto`."""
    from google.protobuf import descriptor_pool

    with open(os.path.join(os.path.dirname(__file__), "onnx.proto"), encoding="utf-8") as stream:
        text = stream.read()
    # A separate pool: the default one would conflict with an onnx package that registers the same names in this
    # process.
    pool = descriptor_pool.DescriptorPool()
    # `writes_zeros`: proto2 semantics, so that HasField tells a stated 0 from an absent field.
    pool.AddSerializedFile(descriptor(text, "onnx.proto", writes_zeros=True))
    return pool


def text(name: bytes) -> str:
    """Return a name as text; bytes that are not UTF-8 become backslash escapes."""
    return name.decode("utf-8", "backslashreplace")
