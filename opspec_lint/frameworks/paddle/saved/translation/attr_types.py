"""The translation of attr types: from a ProgramDesc to PIR, and the values for absent attrs.

The rules are from Paddle's attribute_translator.cc, and from the checks that op_verify_gen.py generates for PIR ops,
measured with 3.0.0 and 3.3.1.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir.patches import ARRAY, SCALAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Spec

_ARRAY = f"{ARRAY}<"
_INT_ARRAY = "paddle::dialect::IntArrayAttribute"
_DTYPE, _PLACE = "paddle::dialect::DataTypeAttribute", "paddle::dialect::PlaceAttribute"
_INT64S = f"{_ARRAY}pir::Int64Attribute>"
_BOOL = "pir::BoolAttribute"

_ITEMS = {
    "BOOLEAN": _BOOL,
    "INT": "pir::Int32Attribute",
    "LONG": "pir::Int64Attribute",
    "FLOAT": "pir::FloatAttribute",
    "FLOAT64": "pir::DoubleAttribute",
    "STRING": "pir::StrAttribute",
}
_TRANSLATED = {
    **_ITEMS,
    **{f"{name}S": f"{_ARRAY}{kind}>" for name, kind in _ITEMS.items()},
    "SCALARS": f"{_ARRAY}{SCALAR}>",
}
"""The PIR type of an attr that is not converted. A single SCALAR is never translated."""

_CONVERTED: dict[str, tuple[str, ...]] = {
    _BOOL: ("INT", "LONG"),
    "pir::Int64Attribute": ("INT",),
    _INT64S: ("INTS",),
    f"{_ARRAY}pir::Int32Attribute>": ("LONGS",),
    _INT_ARRAY: ("INTS", "LONGS"),
    _DTYPE: ("INT",),
    _PLACE: (),
}
"""The types of an attr in a ProgramDesc that are converted to a PIR type."""
_CURRENT_VERSION = 4
"""The version of PIR whose translators are assumed for a spec that states none: the newest ones."""


UNDEFINED = object()
"""The value of a data type or place that the kernel chooses, which changes no meaning."""
FILLED: dict[str, Any] = {_BOOL: False, _DTYPE: UNDEFINED, _PLACE: UNDEFINED, _INT64S: ()}
"""The value of an absent attr by its type, whatever its default; without a value, the program is refused."""


def accepts(declared: str, given: str, value: Any = None) -> bool:
    """Return whether an attr of type `given` in a ProgramDesc becomes an attr of type `declared` in PIR.

    `value` is the node's: the items of an empty list are not checked.
    """
    if given in _CONVERTED.get(declared, ()):
        return True
    made = _TRANSLATED.get(given)
    if declared.startswith(SCALAR):
        return given in _ITEMS
    # An empty list has no item whose type could differ.
    if declared.startswith(_ARRAY) and (SCALAR in declared or value == []):
        return given.endswith("S") and made is not None
    return made == declared


def becomes_tensor(declared: str, given: str) -> bool:
    """Return whether an attr of a ProgramDesc becomes the tensor that is a mutable attr of a PIR op."""
    return given in (_CONVERTED[_INT_ARRAY] if declared == _INT_ARRAY else _ITEMS)


def fails_as_tensor(declared: str, given: str) -> bool:
    """Return whether an attr that becomes no such tensor is only refused when the op runs: a list for a Scalar."""
    return declared != _INT_ARRAY and given in _TRANSLATED


def is_created_as(declared: str, given: str) -> bool:
    """Return whether an attr that a translator creates with type `given` has the PIR type `declared`."""
    return _TRANSLATED[given] == declared or (declared.startswith(SCALAR) and given in _ITEMS)


def pir_version(spec: Spec) -> int:
    """Return the version of PIR that a release writes; the current one if its spec does not state it."""
    return _CURRENT_VERSION if spec.graph_versions is None else spec.graph_versions.producer
