"""The types of attrs in PIR: what a program's JSON calls them, and what declarations and patches call them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ARRAY = "pir::ArrayAttribute"
"""The type of a list, behind which that of its items may stand: `pir::ArrayAttribute<pir::Int64Attribute>`."""
_SCALAR = "paddle::dialect::ScalarAttribute"

_NAMES = {
    "0.a_bool": "pir::BoolAttribute",
    "0.a_c64": "pir::Complex64Attribute",
    "0.a_c128": "pir::Complex128Attribute",
    "0.a_f32": "pir::FloatAttribute",
    "0.a_f64": "pir::DoubleAttribute",
    "0.a_i32": "pir::Int32Attribute",
    "0.a_i64": "pir::Int64Attribute",
    "0.a_index": "pir::IndexAttribute",
    "0.a_pointer": "pir::PointerAttribute",
    "0.a_type": "pir::TypeAttribute",
    "0.a_str": "pir::StrAttribute",
    "0.a_array": ARRAY,
    "0.a_tensorname": "pir::TensorNameAttribute",
    "1.a_intarray": "paddle::dialect::IntArrayAttribute",
    "1.a_scalar": _SCALAR,
    "1.a_dtype": "paddle::dialect::DataTypeAttribute",
    "1.a_place": "paddle::dialect::PlaceAttribute",
    "1.a_layout": "paddle::dialect::DataLayoutAttribute",
}
"""The types by the number of their dialect and the name that they have in a file (op_attribute.h)."""

_SCALARS = frozenset(
    f"pir::{name}Attribute" for name in ("Bool", "Int32", "Int64", "Index", "Float", "Double", "Str", "Complex64")
) | {_SCALAR, "pir::Complex128Attribute"}
"""What an attr of type Scalar takes (measured with `pd_op.full`: every number, and a text)."""


def of_json(attr: Any) -> str:
    """Return the type of an attr as a program has it, a list with the type of its first item.

    Args:
        attr: the `AT` of the attr: its type `#`, and its value `D`.
    """
    if not isinstance(attr, dict):
        return "?"
    name = _NAMES.get(str(attr.get("#")), str(attr.get("#")))
    items = attr.get("D")
    return f"{ARRAY}<{of_json(items[0])}>" if name == ARRAY and isinstance(items, list) and items else name


def fits(given: str, declared: str) -> bool:
    """Tell whether a loader reads an attr of one type as one of another.

    Args:
        given: what the program has. An empty list fits every list.
        declared: what the op declares. One that is not known fits all.
    """
    if declared in (given, ""):
        return True
    if declared.startswith(_SCALAR):
        return given.partition("<")[0] in _SCALARS
    if declared.startswith(ARRAY) and given.startswith(ARRAY):
        items = declared[len(ARRAY) + 1 : -1]
        return given == ARRAY or not items or fits(given[len(ARRAY) + 1 : -1], items)
    return False
