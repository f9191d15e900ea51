"""The patch entry of the next version that a change of an op needs, in the form of a patch file.

An entry is one line of YAML in flow style, so that it can be pasted into a list `op_patches`. What a patch can do is
what Paddle's patch_util.cc reads.
"""

from __future__ import annotations

import json

from opspec_lint.frameworks.paddle.saved.pir.patches import ARRAY, PLAIN_TYPES, SCALAR, TYPES_SINCE_DATA, NewEntry
from opspec_lint.kit.record import Record
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle_pir.compare.versions import Versions
    from opspec_lint.spec.model import Attr

_NEW_OP = "make a new op, and leave this one as it is"
_INTEGERS = frozenset(f"pir::{name}Attribute" for name in ("Bool", "Int32", "Int64", "Index"))
_NUMBERS = frozenset({*_INTEGERS, "pir::FloatAttribute", "pir::DoubleAttribute"})
_BOOL = "pir::BoolAttribute"
_OF_SCALAR = {
    "bool": "pir::BoolAttribute",
    "int": "pir::Int32Attribute",
    "int64_t": "pir::Int64Attribute",
    "float": "pir::FloatAttribute",
    "double": "pir::DoubleAttribute",
    "std::string": "pir::StrAttribute",
}


class Remedy(Record):
    """What a change needs: the action of a patch, () where no patch of one op can do it, and a remark.

    `is_known` is whether the action is complete, and `is_exact` whether programs keep their values under it.
    """

    action: tuple[tuple[str, str], ...] = ()
    said: str = ""
    is_known: bool = True
    is_exact: bool = True

    @property
    def flow(self) -> str:
        """The action on one line."""
        return f"{{{', '.join(f'{key}: {value}' for key, value in self.action)}}}"


class Remedies:
    """What the changes of an op ask for.

    Args:
        op: its name, as programs have it.
        versions: which patches the loader applies, and what it calls the value of an action.
        taken: the file of a release that has an entry for the op already, None for none.
    """

    def __init__(self, op: str, versions: Versions, taken: int | None) -> None:
        self._op = op
        self._versions = versions
        self._taken = taken
        self._key = versions.value_key

    def add_attr(self, attr: Attr) -> Remedy:
        """The patch that gives old programs a new attr."""
        kind = stored_type(str(attr.type) if isinstance(attr.type, str) else "")
        typed = self._typed(kind)
        if typed is None:
            return Remedy(said=f"no patch can make an attr of type {attr.type}")
        default = attr.default_value
        known = default not in (None, UNKNOWN) and (kind not in TYPES_SINCE_DATA or isinstance(default, (list, tuple)))
        shown = self._value(kind, values.thaw(default)) if known else "VALUE"
        said = "" if known else f"VALUE is what programs without '{attr.name}' were run with"
        action = _action("add_attr", attr.name, ("type", typed), (self._key, shown))
        return Remedy(action=action, said=said, is_known=known)

    def modify_type(self, name: str, old: str, new: str) -> Remedy:
        """The patch that makes the attr of old programs one of the new type."""
        kind, before = stored_type(new), stored_type(old)
        typed = self._typed(kind)
        if typed is None:
            return Remedy(said=f"no patch can make an attr of type {new}")
        action = _action("modify_attr", name, ("type", typed))
        if not converts(before, kind):
            said = "VALUE has to be right for all old programs"
            return Remedy(action=(*action, (self._key, "VALUE")), said=said, is_known=False)
        if kind.startswith(ARRAY):
            action = (*action, (self._key, f"[{{type: {_items(kind)}}}]"))
        is_exact = not _truncates(before, kind)
        return Remedy(action=action, said="" if is_exact else "old values lose their fractions", is_exact=is_exact)

    def rename_attr(self, old: str, new: str) -> Remedy:
        """The patch that gives the attr of old programs its new name."""
        return Remedy(action=_action("modify_attr_name", old, (self._key, new)))

    def rename_op(self, new: str) -> Remedy:
        """The patch that makes old programs name the op that took its place."""
        return Remedy(action=_action("modify_name", self._op, (self._key, new)))

    def add_output(self, place: int, *, is_behind: bool) -> Remedy:
        """The patch that gives old programs an output; the loader works out its type again.

        Args:
            place: its place.
            is_behind: whether an output that old programs have stands before it. What used that one would use the new
                one (measured with 3.3.1, and read in `ProgramReader::ReadOp`).
        """
        if is_behind:
            return Remedy(said="a patch can only add an output that stands before all others")
        return Remedy(action=_action("add_output", place, *self._tensor()))

    @staticmethod
    def delete_input(place: int) -> Remedy:
        """The patch that takes an input from old programs."""
        return Remedy(action=_action("delete_input", place))

    def of_pair(self, action: str, place: int, *, gives: bool) -> Remedy:
        """Return the pair of ops that could, for what no patch of one op can do.

        Args:
            action: `add_value` or `delete_value`.
            place: the place of the input or output.
            gives: whether the op gives the value; else it takes it.
        """
        ops = f"[{self._op}, OTHER]" if gives else f"[OTHER, {self._op}]"
        places = f"[{place}, PLACE]" if gives else f"[PLACE, {place}]"
        kind = self._tensor() if action == "add_value" else ()
        made = Remedy(action=_action(action, places, *kind))
        entry = f"- {{op_pair: {ops}, actions: [{made.flow}]}}"
        return Remedy(said=f"where one OTHER op always stands beside it, `op_pair_patches` can: `{entry}`")

    def advice(self, remedy: Remedy, every: Sequence[Remedy]) -> str:
        """Return the advice for a change: with all others of the op, as a loader reads one entry of an op and no more.

        Args:
            remedy: what the change asks for.
            every: what all changes of the op ask for.
        """
        if self._taken is not None and all(each.action for each in every):
            hidden = f"patch/{self._taken}.yaml has an entry for '{self._op}', and the loader applies no second one"
            return f"{_NEW_OP}; {hidden}"
        if not all(each.action for each in every):
            return "; ".join(each for each in (_NEW_OP, "" if remedy.action else remedy.said) if each)
        said = dict.fromkeys(each.said for each in every if each.said)
        listed = ", ".join(each.flow for each in _in_order(every))
        return "; ".join([self._versions.recipe(f"- {{op_name: {self._op}, actions: [{listed}]}}"), *said])

    def entry(self, every: Sequence[Remedy]) -> NewEntry | None:
        """Return the entry of `advice`, None where there is none, or it lacks a value that nobody knows.

        Args:
            every: what all changes of the op ask for.
        """
        if self._taken is not None or not all(each.action and each.is_known for each in every):
            return None
        return NewEntry(
            op=self._op,
            actions=tuple(each.action for each in _in_order(every)),
            number=self._versions.file,
            is_next=self._versions.is_behind,
            is_exact=all(each.is_exact for each in every),
        )

    def _tensor(self) -> tuple[tuple[str, str], ...]:
        return ("type", "pir::DenseTensorType"), (self._key, '[pir::Float32Type, [-1], "NCHW", [], 0]')

    def _typed(self, kind: str) -> str | None:
        """Return the type as a patch says it, None for one that no patch can make."""
        if kind.startswith(ARRAY):
            return ARRAY if _items(kind) in PLAIN_TYPES else None
        return kind if kind in PLAIN_TYPES or (kind in TYPES_SINCE_DATA and self._key == "data") else None

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


def _action(action: str, on: object, *more: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    return ("action", action), ("object", str(on)), *more


def _in_order(every: Sequence[Remedy]) -> list[Remedy]:
    """Return remedies without those that ask for the same, in the order of their actions.

    A place counts after the actions before it, so that of several places the last comes first.
    """
    once = {each.action: each for each in reversed(every)}
    return sorted((once[each] for each in dict.fromkeys(each.action for each in every)), key=_last_place_first)


def _last_place_first(remedy: Remedy) -> int:
    said = dict(remedy.action)
    return -int(said["object"]) if said["action"] == "delete_input" else 0


def _items(kind: str) -> str:
    return kind[len(ARRAY) + 1 : -1]


def converts(old: str, new: str) -> bool:
    """Tell whether the saved value stays: the loader reads a number as one of any type, but no number as a bool."""
    if old.startswith(ARRAY) and new.startswith(ARRAY):
        return converts(_items(old), _items(new))
    return old == new or (old in _NUMBERS and new in _NUMBERS and new != _BOOL)


def _truncates(old: str, new: str) -> bool:
    if old.startswith(ARRAY) and new.startswith(ARRAY):
        return _truncates(_items(old), _items(new))
    return new in _INTEGERS and old not in _INTEGERS
