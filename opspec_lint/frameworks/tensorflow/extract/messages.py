"""Message classes for TensorFlow's op declarations, built from `opdef.proto` without TensorFlow."""

from __future__ import annotations

import os
from functools import cache

from opspec_lint.kit.protobuf import PACKAGE, descriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_PREFIX = "DT_"
FIELD_BY_TYPE = {
    "string": "s",
    "int": "i",
    "float": "f",
    "bool": "b",
    "type": "type",
    "shape": "shape",
    "tensor": "tensor",
    "func": "func",
}
"""The field of an AttrValue, and of its lists, by type of the attr.

The order is that in which TensorFlow tries the types in a string, and in which it checks the fields.
"""
TYPE_BY_FIELD = {field: kind for kind, field in FIELD_BY_TYPE.items()}


@cache
def message(name: str) -> Any:
    """Return the message class with this name in `opdef.proto`, such as "OpList"."""
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{PACKAGE}.{name}"))


@cache
def enum_names(name: str) -> Mapping[int, str]:
    """Return the names of the values of an enum of `opdef.proto`, by number."""
    return {value.number: value.name for value in _pool().FindEnumTypeByName(f"{PACKAGE}.{name}").values}


def data_type(number: int) -> str:
    """Return the name of a data type as TensorFlow prints it, "float" for DT_FLOAT; the number if it has no name."""
    return enum_names("DataType").get(number, str(number)).removeprefix(_PREFIX).lower()


_PYTHON = {"float": "float32", "double": "float64", "half": "float16"}


def python_name(data_type: str) -> str:
    """Return the name of a data type in TensorFlow's Python API: "float32" for "float"."""
    return _PYTHON.get(data_type, data_type)


def data_type_number(name: str) -> int:
    """Return the number of a data type by its name or, without one, its number as text; else ValueError."""
    number = _data_type_numbers().get(name.upper())
    return int(name) if number is None else number


@cache
def _data_type_numbers() -> Mapping[str, int]:
    """Return the numbers of data types by their names in capital letters."""
    return {name.removeprefix(_PREFIX): number for number, name in enum_names("DataType").items()}


@cache
def _pool() -> Any:
    from google.protobuf import descriptor_pool

    # A separate pool: in the default one, a TensorFlow in the same process would conflict with these messages.
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(descriptor(opdef_proto(), "opdef.proto"))
    return pool


def opdef_proto() -> str:
    """Return the text of `opdef.proto`."""
    with open(os.path.join(os.path.dirname(__file__), "opdef.proto"), encoding="utf-8") as stream:
        return stream.read()
