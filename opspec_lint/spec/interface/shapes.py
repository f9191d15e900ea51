"""How two shapes and two dtypes are to one another: the one place that decides what takes what.

A shape is a tuple of sizes, None for one that is not fixed, or None as a whole where not even the rank is known.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Shape: TypeAlias = "tuple[int | None, ...] | None"
    Relation: TypeAlias = Literal["same", "widened", "narrowed", "incomparable"]


def compare_shapes(old: Shape, new: Shape) -> Relation:
    """Return how two shapes relate: `widened` if the new one takes more than the old one, `narrowed` if it takes less.

    If the size of any dimension differs, they are `incomparable`.
    """
    if old == new:
        return "same"
    if new is None:
        return "widened"
    if old is None:
        return "narrowed"
    if len(old) != len(new):
        return "incomparable"
    changed = {_of_size(was, now) for was, now in zip(old, new, strict=True) if was != now}
    return changed.pop() if len(changed) == 1 else "incomparable"


def _of_size(old: int | None, new: int | None) -> Relation:
    if new is None:
        return "widened"
    return "narrowed" if old is None else "incomparable"


def accepts_shape(old: Shape, new: Shape) -> bool:
    """Tell whether a new shape takes all that an old one took."""
    return compare_shapes(old, new) in ("same", "widened")


def is_static(shape: Shape) -> bool:
    """Tell whether a shape has dimensions, and each of them one size."""
    return bool(shape) and None not in shape  # type: ignore[operator]


_NUMBERS = ("bool", "uint", "int", "float", "half", "double", "bfloat", "complex")


def is_numeric_dtype(dtype: str) -> bool:
    """Tell whether a dtype is one that numpy casts others of its kind to: no string, resource or variant."""
    return dtype.startswith(_NUMBERS)


_OF_VALUES = {
    "bool": ("bool",),
    "int": ("int", "uint", "float", "half", "double", "bfloat", "complex"),
    "float": ("float", "half", "double", "bfloat", "complex"),
    "str": ("string",),
}
"""The dtypes that tensors made of a value of Python can have, by the type of the value."""


def converts_to_dtype(value: object, dtype: str) -> bool:
    """Tell whether a value of Python becomes a tensor of a dtype when one is asked for."""
    return dtype.startswith(_OF_VALUES.get(type(value).__name__, ("nothing",)))
