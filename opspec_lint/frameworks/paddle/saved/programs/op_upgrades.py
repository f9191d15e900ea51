"""The nodes that a loader rewrites before it checks them, by the version of their op in the program.

Only these ops are rewritten: an old node has its values in one attr per type, and a new one in `values`.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.kit.record import Record
from opspec_lint.spec.model import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.model import Spec

_OPS = ("set_value", "set_value_grad", "assign_value")
_OLD = {
    "bool_values": "INTS",
    "fp32_values": "FLOATS",
    "int32_values": "INTS",
    "int64_values": "LONGS",
    "fp64_values": "FLOAT64S",
    "fp16_values": "FLOATS",
}
"""The old attrs in reading order, with the type that the loader expects; it converts none (program_converter.cc)."""
_NEW, _NEW_TYPE = "values", "SCALARS"
_EMPTIED = ("set_value", "set_value_grad")
"""The ops whose `values` the loader empties if no old attr has values."""
_READS_ABSENT = "assign_value"
"""The op that has versions in a release which takes an op without a version for version 0."""


class Upgrade(Record):
    """A node as a loader rewrites it: its attrs, the attr that is emptied ("" for none), and an unreadable attr.

    `unreadable` is an old attr of an unexpected type, for which the whole program is refused; `expected` is the
    expected type.
    """

    attrs: dict[str, Attr]
    empties: str = ""
    unreadable: Attr | None = None
    expected: str = ""


def upgrade(op: str, version: int | None, given: Mapping[str, Attr], spec: Spec) -> Upgrade | None:
    """Return the rewrite of a node by a loader; None if the loader leaves the node as it is.

    `version` is the version of the op in the program, None if not stated; `spec` is the release that loads it.
    """
    versions_by_op = {} if isinstance(spec.op_versions, Unknown) else spec.op_versions
    if op not in _OPS or op.removesuffix("_grad") not in versions_by_op:
        return None
    # A release without versions of assign_value leaves nodes without a version alone (program_converter.cc).
    if version is None and _READS_ABSENT not in versions_by_op:
        return None
    if not 0 <= (version or 0) < len(versions_by_op[op.removesuffix("_grad")]):
        return None
    for name, expected in _OLD.items():
        if name in given and given[name].type != expected:
            return Upgrade(attrs=dict(given), unreadable=given[name], expected=expected)
    kept_attrs = {name: attr for name, attr in given.items() if name not in _OLD}
    old_values: list[Any] = [given[name].value for name in _OLD if name in given and given[name].value]
    if _NEW in given and not old_values:
        return Upgrade(attrs=kept_attrs, empties=_NEW if op in _EMPTIED else "")
    # The loader assigns the old attrs one after the other: the last one counts.
    value = old_values[-1] if old_values else []
    new_attr = Attr(name=_NEW, type=_NEW_TYPE, code=ATTR_TYPES.index(_NEW_TYPE), value=value)
    return Upgrade(attrs={**kept_attrs, _NEW: new_attr})


def moves_attr(op: str, attr: str, spec: Spec) -> bool:
    """Return whether a loader moves the value of a removed attr to the attr that replaced it."""
    versions_by_op = {} if isinstance(spec.op_versions, Unknown) else spec.op_versions
    return (
        op in _OPS and attr in _OLD and op.removesuffix("_grad") in versions_by_op and _READS_ABSENT in versions_by_op
    )
