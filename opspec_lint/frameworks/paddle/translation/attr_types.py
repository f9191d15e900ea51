"""Which attrs of a ProgramDesc become attrs of a PIR op, and what is filled in for one that is not there.

The rules are those of Paddle's attribute_translator.cc, measured with 3.0.0 and 3.3.1.
"""

from __future__ import annotations

from opspec_lint.spec.patches import ARRAY, SCALAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Spec

_ARRAY = f"{ARRAY}<"
_INT_ARRAY = "paddle::dialect::IntArrayAttribute"
_DTYPE, _PLACE = "paddle::dialect::DataTypeAttribute", "paddle::dialect::PlaceAttribute"
_INT64S = f"{_ARRAY}pir::Int64Attribute>"

_ITEMS = {
    "BOOLEAN": "pir::BoolAttribute",
    "INT": "pir::Int32Attribute",
    "LONG": "pir::Int64Attribute",
    "FLOAT": "pir::FloatAttribute",
    "FLOAT64": "pir::DoubleAttribute",
    "STRING": "pir::StrAttribute",
}
_MADE = {
    **_ITEMS,
    **{f"{name}S": f"{_ARRAY}{kind}>" for name, kind in _ITEMS.items()},
    "SCALARS": f"{_ARRAY}{SCALAR}>",
}
"""What an attr becomes where nothing is converted. A single SCALAR is never translated."""

_CONVERTED: dict[str, tuple[str, ...]] = {
    "pir::BoolAttribute": ("INT", "LONG"),
    "pir::Int64Attribute": ("INT",),
    _INT64S: ("INTS",),
    f"{_ARRAY}pir::Int32Attribute>": ("LONGS",),
    _INT_ARRAY: ("INTS", "LONGS"),
    _DTYPE: ("INT",),
    _PLACE: (),
}
_SINCE_DOUBLES: dict[str, tuple[str, ...]] = {
    "pir::DoubleAttribute": ("FLOAT",),
    f"{_ARRAY}pir::DoubleAttribute>": ("FLOATS",),
}
DOUBLES = 4
"""The version of PIR that is known to convert FLOAT to double, as 1 does not: the two are measured."""

FILLED = {"pir::BoolAttribute": "false", _DTYPE: "UNDEFINED", _PLACE: "an undefined place", _INT64S: "[]"}
"""What stands for an attr that the node does not have, whatever its default; without it the program is refused."""


def takes(declared: str, given: str, pir_version: int) -> bool:
    """Tell whether an attr of a type of a ProgramDesc becomes an attr of a type of PIR.

    Args:
        declared: the type that the PIR op declares. Of one that is not known all is taken.
        given: the type that the node has.
        pir_version: the version of PIR that the release writes.
    """
    if given in _CONVERTED.get(declared, ()) or (pir_version >= DOUBLES and given in _SINCE_DOUBLES.get(declared, ())):
        return True
    made = _MADE.get(given)
    if declared.startswith(SCALAR):
        return given in _ITEMS
    if declared.startswith(_ARRAY) and SCALAR in declared:
        return given.endswith("S") and made is not None
    return made == declared


def version_of(spec: Spec) -> int:
    """Return the version of PIR that a release writes, that of today where its spec does not say."""
    return DOUBLES if spec.graph_versions is None else spec.graph_versions.producer
