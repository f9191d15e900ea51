"""What a change of an op asks of the patches of the version to come, in the words and the form of a patch file.

An entry is one line of YAML in flow style, so that it can be pasted into a list `op_patches`. What a patch can do is
what Paddle's patch_util.cc reads.
"""

from __future__ import annotations

import json

from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.patches import ARRAY, SCALAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Attr

_NEW_OP = "make a new op, and leave this one as it is"
_TYPES = frozenset(
    f"pir::{name}Attribute"
    for name in ("Bool", "Float", "Double", "Int32", "Int64", "Index", "TensorName", "Complex64", "Complex128", "Str")
)
_NUMBERS = frozenset(f"pir::{name}Attribute" for name in ("Bool", "Float", "Double", "Int32", "Int64", "Index"))
_OF_SCALAR = {
    "bool": "pir::BoolAttribute",
    "int": "pir::Int32Attribute",
    "int64_t": "pir::Int64Attribute",
    "float": "pir::FloatAttribute",
    "double": "pir::DoubleAttribute",
    "std::string": "pir::StrAttribute",
}
_DENSE = '{action: %s, object: %s, type: "pir::DenseTensorType", default: [pir::Float32Type, [-1], "NCHW", [], 0]}'


class Remedies:
    """The entries for an op.

    Args:
        op: its name, as programs have it.
        value_key: what the loader calls the value of an action: `default` up to PIR version 1, `data` since then.
    """

    def __init__(self, op: str, value_key: str) -> None:
        self._op = op
        self._key = value_key

    def add_attr(self, attr: Attr) -> str:
        """Return what makes old programs have a new attr."""
        kind = stored_type(str(attr.type) if isinstance(attr.type, str) else "")
        typed = _typed(kind)
        if typed is None:
            return f"no patch can make an attr of type {attr.type}: {_NEW_OP}"
        default = attr.default_value
        known = default not in (None, UNKNOWN)
        shown = self._value(kind, values.thaw(default)) if known else "VALUE"
        entry = self._entry(f"action: add_attr, object: {attr.name}, type: {typed}, {self._key}: {shown}")
        return entry if known else f"{entry}, with the VALUE that programs without it were run with"

    def modify_type(self, name: str, old: str, new: str) -> str:
        """Return what makes the attr of old programs one of the new type."""
        kind, before = stored_type(new), stored_type(old)
        typed = _typed(kind)
        if typed is None:
            return f"no patch can make an attr of type {new}: {_NEW_OP}"
        action = f"action: modify_attr, object: {name}, type: {typed}"
        if not _converts(before, kind):
            return self._entry(f"{action}, {self._key}: VALUE") + ", with a VALUE that is right for all old programs"
        if kind.startswith(ARRAY):
            return self._entry(f"{action}, {self._key}: [{{type: {_items(kind)}}}]")
        return self._entry(action)

    def rename_attr(self, old: str, new: str) -> str:
        """Return what makes the attr of old programs have its new name."""
        return self._entry(f"action: modify_attr_name, object: {old}, {self._key}: {new}")

    def rename_op(self, new: str) -> str:
        """Return what makes old programs name the op that took its place."""
        return self._entry(f"action: modify_name, object: {self._op}, {self._key}: {new}")

    def delete_input(self, place: int) -> str:
        """Return what takes an input from old programs."""
        return self._entry(f"action: delete_input, object: {place}")

    def add_output(self, place: int) -> str:
        """Return what gives old programs an output; the loader works out its type anew."""
        return f"- {{op_name: {self._op}, actions: [{_DENSE % ('add_output', place)}]}}"

    def of_pair(self, action: str, place: int, *, gives: bool) -> str:
        """Return the pair of ops that could, for what no patch of one op can do.

        Args:
            action: `add_value` or `delete_value`.
            place: the place of the input or output.
            gives: whether the op gives the value; else it takes it.
        """
        ops = f"[{self._op}, OTHER]" if gives else f"[OTHER, {self._op}]"
        places = f"[{place}, PLACE]" if gives else f"[PLACE, {place}]"
        return (
            f"{_NEW_OP}; where one OTHER op always stands beside it, `op_pair_patches` can: "
            f"- {{op_pair: {ops}, actions: [{{action: {action}, object: {places}}}]}}"
        )

    @staticmethod
    def new_op() -> str:
        """Return what is left to do where no patch can help."""
        return f"no patch can: {_NEW_OP}"

    def _entry(self, action: str) -> str:
        return f"- {{op_name: {self._op}, actions: [{{{action}}}]}}"

    def _value(self, kind: str, value: Any) -> str:
        if not kind.startswith(ARRAY):
            return json.dumps(value)
        inner = _items(kind)
        return f"[{', '.join(f'{{type: {inner}, {self._key}: {json.dumps(each)}}}' for each in value)}]"


def stored_type(kind: str) -> str:
    """Return the type that a program has for an attr of a declared type: of a Scalar, that of its value."""
    if not kind.startswith(SCALAR):
        return kind
    return _OF_SCALAR.get(kind[len(SCALAR) + 1 : -1], "pir::DoubleAttribute")


def _items(kind: str) -> str:
    return kind[len(ARRAY) + 1 : -1]


def _typed(kind: str) -> str | None:
    """Return the type as a patch says it, None for one that no patch can make."""
    if kind.startswith(ARRAY):
        return ARRAY if _items(kind) in _TYPES else None
    return kind if kind in _TYPES else None


def _converts(old: str, new: str) -> bool:
    """Tell whether the saved value stays, as the loader reads numbers as numbers of any type."""
    if old.startswith(ARRAY) and new.startswith(ARRAY):
        return _converts(_items(old), _items(new))
    return old in _NUMBERS and new in _NUMBERS
