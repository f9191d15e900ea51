"""Paddle's programs as protobuf messages; the classes are built at run time from `program.proto`."""

from __future__ import annotations

import os
from functools import cache

from opspec_lint.kit.protobuf import PACKAGE, descriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VAR_TYPES = {
    0: "bool",
    1: "int16",
    2: "int32",
    3: "int64",
    4: "float16",
    5: "float32",
    6: "float64",
    7: "LOD_TENSOR",
    8: "SELECTED_ROWS",
    9: "FEED_MINIBATCH",
    10: "FETCH_LIST",
    11: "STEP_SCOPES",
    12: "LOD_RANK_TABLE",
    13: "LOD_TENSOR_ARRAY",
    14: "PLACE_LIST",
    15: "READER",
    17: "RAW",
    18: "TUPLE",
    19: "size_t",
    20: "uint8",
    21: "int8",
    22: "bfloat16",
    23: "complex64",
    24: "complex128",
    25: "STRING",
    26: "STRINGS",
    27: "VOCAB",
    28: "FEED_LIST",
    29: "pstring",
    30: "SPARSE_COO",
    31: "SPARSE_CSR",
    32: "float8_e4m3fn",
    33: "float8_e5m2",
}
"""The names of `VarType.Type` in framework.proto by code: element types, and types of variables that are no tensors."""


@cache
def message_class(name: str) -> Any:
    """Return the class of a message of `program.proto`, such as "ProgramDesc"."""
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{PACKAGE}.{name}"))


@cache
def writable_message_class(name: str) -> Any:
    """Return the class of a message to write: it keeps numbers that are 0, since Paddle requires these fields."""
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool(writes_zeros=True).FindMessageTypeByName(f"{PACKAGE}.{name}"))


@cache
def _pool(*, writes_zeros: bool = False) -> Any:
    """Return the descriptor pool of `program.proto`."""
    from google.protobuf import descriptor_pool

    path = os.path.join(os.path.dirname(__file__), "program.proto")
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(descriptor(text, "program.proto", writes_zeros=writes_zeros))
    return pool


def text(name: bytes) -> str:
    """Return a name as text; bytes that are no UTF-8 become escapes."""
    return name.decode("utf-8", "backslashreplace")
