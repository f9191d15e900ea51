"""Paddle's attr types: the attr type of a C++ type, and the conversion of C++ values to an attr type."""

from __future__ import annotations

import re

from opspec_lint.cpp.numbers import convert_number
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import Null, Unordered, describe, std_string
from opspec_lint.kit.float32 import to_float32
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.type_names import CType

_SCALARS = {
    "int": "INT",
    "int32_t": "INT",
    "float": "FLOAT",
    "std::string": "STRING",
    "string": "STRING",
    "bool": "BOOLEAN",
    "BlockDesc*": "BLOCK",
    "BlockDescBind*": "BLOCK",  # the name of 2017
    "int64_t": "LONG",
    "double": "FLOAT64",
    "VarDesc*": "VAR",
    "Scalar": "SCALAR",
}
_BY_C_TYPE = {"long": "LONG", **{name: _SCALARS[name] for name in ("int", "float", "string", "bool", "double")}}
_VECTORS = {scalar: f"{scalar}S" for scalar in _SCALARS.values()}
_ELEMENTS = {vector: scalar for scalar, vector in _VECTORS.items()}
_ZEROS: dict[str, Any] = {"INT": 0, "LONG": 0, "FLOAT": 0.0, "FLOAT64": 0.0, "BOOLEAN": False, "STRING": ""}
_NAMESPACE = pattern(r"\b(?!std::)[A-Za-z_]\w*::")
_VECTOR = pattern(r"(?:std::)?vector<(.*)>")


def attr_type(text: str) -> str | None:
    """Return the attr type of a C++ type as Paddle names it (`std::vector<int>` -> `INTS`); None if there is none."""
    plain = _NAMESPACE.sub("", text.replace("::std::", "std::")).removeprefix("::")
    plain = re.sub(r"\s+", "", re.sub(r"\b(?:const|typename|class|struct)\b\s*", "", plain))
    # Again: the parts of `phi :: Scalar` are one name only without blank space.
    plain = _NAMESPACE.sub("", plain)
    vector = _VECTOR.fullmatch(plain)
    # A hostile source may nest vectors without end, and each level is a recursion.
    if vector:
        return _VECTORS.get(attr_type(vector[1]) or "") if len(plain) < 200 else None
    return _SCALARS.get(plain)


def attr_type_of_c_type(kind: CType | None) -> str | None:
    """Return the attr type of a parsed C++ type (a result of `c_type`); None if there is none."""
    if isinstance(kind, tuple):
        container, item = kind
        return _VECTORS.get(attr_type_of_c_type(item) or "") if container == "vector" else None
    return _BY_C_TYPE.get(kind or "")


def to_attr_value(value: Any, kind: str) -> Any:
    """Return the value that an attr of type `kind` gets from a C++ value; lists become tuples.

    Raises UnresolvedError for a value that the type cannot hold.
    """
    element = _ELEMENTS.get(kind)
    if element is not None:
        if isinstance(value, list) and not isinstance(value, Unordered):
            return tuple([to_attr_value(item, element) for item in value])
    elif isinstance(value, list):
        # `SetDefault({})` value-initializes a scalar, and `SetDefault({1})` is 1.
        if not value and kind in _ZEROS:
            return _ZEROS[kind]
        if len(value) == 1 and not isinstance(value[0], list):
            return to_attr_value(value[0], kind)
    elif kind in ("BLOCK", "VAR"):
        if isinstance(value, Null):
            return None
    elif kind == "STRING":
        if isinstance(value, str):
            return std_string(value)
    elif isinstance(value, (bool, int, float)):
        return _number(value, kind)
    raise UnresolvedError(f"a default of type {kind} cannot be {describe(value)}")


def _number(value: float, kind: str) -> Any:
    """Return a number as C++ converts it to the scalar type `kind`."""
    if kind == "BOOLEAN":
        return bool(value)
    if kind == "FLOAT":
        return to_float32(value)
    if kind == "FLOAT64":
        return float(value)
    if kind in ("INT", "LONG"):
        return int(convert_number(value, "int" if kind == "INT" else "long"))
    raise UnresolvedError(f"a default of type {kind} cannot be {describe(value)}")


def to_plain_value(value: Any) -> Any:
    """Return a value as plain data: marshal refuses subclasses of numbers and strings."""
    if isinstance(value, list):
        return [to_plain_value(item) for item in value]
    if isinstance(value, Null):
        return None
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return std_string(value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value
