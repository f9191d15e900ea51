"""The nodes that a loader rewrites before it looks at them, by the version of their op that the program states.

Of all ops only these are rewritten: an old node has its values in one attr a type, and a new one in `values`.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr
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
"""The old attrs in the order in which they are read, with the type that the loader reads each as; it converts none
(program_converter.cc)."""
_NEW = "values"
_EMPTIED = ("set_value", "set_value_grad")
"""The ops whose `values` the loader empties where no old attr has values."""
_READS_ABSENT = "assign_value"
"""The op that a release keeps a version of, if it takes an op without a version for one of version 0."""


class Upgrade(Record):
    """A node as a loader reads it: its attrs, the attr that the loader empties, "" for none, and an unreadable attr.

    `unreadable` is an old attr of a type that the loader does not read, for which it refuses the whole program, and
    `expected` the type that it reads.
    """

    attrs: dict[str, Attr]
    empties: str = ""
    unreadable: Attr | None = None
    expected: str = ""


def upgrade(op: str, version: int | None, given: Mapping[str, Attr], spec: Spec) -> Upgrade | None:
    """A node after a loader has changed it, None where it leaves it as it is.

    Args:
        op: the op of the node.
        version: the version of the op that the program states, None where it states none.
        given: the attrs of the node.
        spec: the spec of the release that loads.
    """
    known = {} if isinstance(spec.op_versions, Unknown) else spec.op_versions
    if op not in _OPS or op.removesuffix("_grad") not in known:
        return None
    if version is None and _READS_ABSENT not in known:
        return None
    if not 0 <= (version or 0) < len(known[op.removesuffix("_grad")]):
        return None
    for name, expected in _OLD.items():
        if name in given and given[name].type != expected:
            return Upgrade(attrs=dict(given), unreadable=given[name], expected=expected)
    made = {name: attr for name, attr in given.items() if name not in _OLD}
    values: list[Any] = [value for name in _OLD if name in given and (value := given[name].value)][-1:]
    if _NEW in given and not values:
        return Upgrade(attrs=made, empties=_NEW if op in _EMPTIED else "")
    return Upgrade(attrs={**made, _NEW: Attr(name=_NEW, type="SCALARS", code=17, value=values[0] if values else [])})


def takes(op: str, attr: str, spec: Spec) -> bool:
    """Tell whether a loader moves the value of an attr that its op no longer has to the attr that took its place."""
    known = {} if isinstance(spec.op_versions, Unknown) else spec.op_versions
    return op in _OPS and attr in _OLD and op.removesuffix("_grad") in known and _READS_ABSENT in known
