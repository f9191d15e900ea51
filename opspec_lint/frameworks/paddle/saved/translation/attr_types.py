"""Which attrs of a ProgramDesc become attrs of a PIR op, and what is filled in for one that is not there.

The rules are those of Paddle's attribute_translator.cc, and of the checks that op_verify_gen.py writes into PIR ops,
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
_MADE = {
    **_ITEMS,
    **{f"{name}S": f"{_ARRAY}{kind}>" for name, kind in _ITEMS.items()},
    "SCALARS": f"{_ARRAY}{SCALAR}>",
}
"""What an attr becomes where nothing is converted. A single SCALAR is never translated."""

_CONVERTED: dict[str, tuple[str, ...]] = {
    _BOOL: ("INT", "LONG"),
    "pir::Int64Attribute": ("INT",),
    _INT64S: ("INTS",),
    f"{_ARRAY}pir::Int32Attribute>": ("LONGS",),
    _INT_ARRAY: ("INTS", "LONGS"),
    _DTYPE: ("INT",),
    _PLACE: (),
}
_NEWEST = 4
"""The version of PIR that a release is taken to write where its spec does not say."""


UNDEFINED = object()
"""A type or place that is left to the kernel: it changes no meaning."""
FILLED: dict[str, Any] = {_BOOL: False, _DTYPE: UNDEFINED, _PLACE: UNDEFINED, _INT64S: ()}
"""What stands for an attr that the node does not have, whatever its default; without it the program is refused."""


def takes(declared: str, given: str, value: Any = None) -> bool:
    """Tell whether an attr of a type of a ProgramDesc becomes an attr of a type of PIR.

    Args:
        declared: the type that the PIR op declares. Of one that is not known all is taken.
        given: the type that the node has.
        value: the value that the node has. Of an empty list no item is checked.
    """
    if given in _CONVERTED.get(declared, ()):
        return True
    made = _MADE.get(given)
    if declared.startswith(SCALAR):
        return given in _ITEMS
    if declared.startswith(_ARRAY) and (SCALAR in declared or value == []):
        return given.endswith("S") and made is not None
    return made == declared


def takes_as_tensor(declared: str, given: str) -> bool:
    """Tell whether an attr of a type of a ProgramDesc becomes the tensor that a mutable attr of a PIR op is."""
    return given in (_CONVERTED[_INT_ARRAY] if declared == _INT_ARRAY else _ITEMS)


def is_run_as_tensor(declared: str, given: str) -> bool:
    """Tell whether an attr that does not become such a tensor is only noticed when the op runs: a list for a Scalar."""
    return declared != _INT_ARRAY and given in _MADE


def is_made_of(declared: str, given: str) -> bool:
    """Tell whether an attr that a translator makes itself, of a type of a ProgramDesc, is of a type of PIR."""
    return _MADE[given] == declared or (declared.startswith(SCALAR) and given in _ITEMS)


def version_of(spec: Spec) -> int:
    """Return the version of PIR that a release writes, that of today where its spec does not say."""
    return _NEWEST if spec.graph_versions is None else spec.graph_versions.producer
