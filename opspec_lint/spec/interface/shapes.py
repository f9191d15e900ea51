"""Relations between shapes, and which Python values a dtype accepts.

A shape is a tuple of sizes, with None for a size that is not fixed, or None as a whole for an unknown rank.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Shape: TypeAlias = "tuple[int | None, ...] | None"
    Relation: TypeAlias = Literal["same", "widened", "narrowed", "incomparable"]


def compare_shapes(old: Shape, new: Shape) -> Relation:
    """Return the relation of two shapes: `widened` if the new one accepts more, `narrowed` if it accepts less.

    Shapes are `incomparable` if a fixed size differs, or if one dimension is widened and another narrowed.
    """
    if old == new:
        return "same"
    if new is None:
        return "widened"
    if old is None:
        return "narrowed"
    if len(old) != len(new):
        return "incomparable"
    changed = {_compare_sizes(was, now) for was, now in zip(old, new, strict=True) if was != now}
    return changed.pop() if len(changed) == 1 else "incomparable"


def _compare_sizes(old: int | None, new: int | None) -> Relation:
    """Return the relation of two different sizes."""
    if new is None:
        return "widened"
    return "narrowed" if old is None else "incomparable"


def accepts_shape(old: Shape, new: Shape) -> bool:
    """Return whether a new shape accepts everything that an old one accepted."""
    return compare_shapes(old, new) in ("same", "widened")


def is_static(shape: Shape) -> bool:
    """Return whether a shape has dimensions, all of a fixed size."""
    return bool(shape) and None not in shape  # type: ignore[operator]


_NUMERIC_DTYPES = ("bool", "uint", "int", "float", "half", "double", "bfloat", "complex")


def is_numeric_dtype(dtype: str) -> bool:
    """Return whether a dtype holds numbers or booleans, and not strings, resources or variants."""
    return dtype.startswith(_NUMERIC_DTYPES)


_DTYPES_BY_VALUE_TYPE = {
    "bool": ("bool",),
    "int": ("int", "uint", "float", "half", "double", "bfloat", "complex"),
    "float": ("float", "half", "double", "bfloat", "complex"),
    "str": ("string",),
}
"""The prefixes of the dtypes that a tensor of a Python value can have, by the type of the value."""


def converts_to_dtype(value: object, dtype: str) -> bool:
    """Return whether a Python value can be converted to a tensor of a dtype."""
    return dtype.startswith(_DTYPES_BY_VALUE_TYPE.get(type(value).__name__, ("nothing",)))
