"""The attr types of PIR: from their codes in a program's JSON to their names in declarations and patches."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir.patches import ARRAY, SCALAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
    "1.a_scalar": SCALAR,
    "1.a_dtype": "paddle::dialect::DataTypeAttribute",
    "1.a_place": "paddle::dialect::PlaceAttribute",
    "1.a_layout": "paddle::dialect::DataLayoutAttribute",
}
"""The types by the dialect number and code of the file format (op_attribute.h)."""


def json_attr_type(attr: Any) -> str:
    """Return the type of an attr from its JSON (`AT`); an array has the type of its first item in `<>`."""
    # `#` is the code of the type, and `D` the value: for an array, the JSON of its items.
    if not isinstance(attr, dict):
        return "?"
    name = _NAMES.get(str(attr.get("#")), str(attr.get("#")))
    items = attr.get("D")
    return f"{ARRAY}<{json_attr_type(items[0])}>" if name == ARRAY and isinstance(items, list) and items else name
