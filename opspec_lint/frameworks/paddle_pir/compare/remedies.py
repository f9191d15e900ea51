"""The patch entry that repairs the changes of an op, as text for a patch file.

An entry is one line of YAML in flow style, which can be pasted below `op_patches`. The possible actions are the ones
that Paddle's patch_util.cc reads.
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
"""The type that a program stores for a Scalar, by the C++ type of the value."""


class Remedy(Record):
    """The action of a patch that repairs a change, () if no patch of a single op can, and a remark about it.

    `is_known`: the action has no placeholder to fill in; `is_exact`: programs keep their values exactly.
    """

    action: tuple[tuple[str, str], ...] = ()
    remark: str = ""
    is_known: bool = True
    is_exact: bool = True

    @property
    def flow(self) -> str:
        """The action as YAML in flow style."""
        return f"{{{', '.join(f'{key}: {value}' for key, value in self.action)}}}"


class Remedies:
    """Makes the remedies for the changes of one op, and their common patch entry.

    Args:
        op: the name of the op in saved programs.
        versions: the PIR versions of base and head.
        occupied_file: the number of a released patch file that already has an entry for the op, or None.
    """

    def __init__(self, op: str, versions: Versions, occupied_file: int | None) -> None:
        self._op = op
        self._versions = versions
        self._occupied_file = occupied_file
        self._key = versions.value_key

    def add_attr(self, attr: Attr) -> Remedy:
        """Return the patch that adds a new attr to old programs."""
        kind = stored_type(str(attr.type) if isinstance(attr.type, str) else "")
        typed = self._patch_type(kind)
        if typed is None:
            return Remedy(remark=f"no patch can make an attr of type {attr.type}")
        default = attr.default_value
        known = default not in (None, UNKNOWN) and (kind not in TYPES_SINCE_DATA or isinstance(default, (list, tuple)))
        shown = self._patch_value(kind, values.thaw(default)) if known else "VALUE"
        remark = "" if known else f"VALUE is what programs without '{attr.name}' were run with"
        action = _action("add_attr", attr.name, ("type", typed), (self._key, shown))
        return Remedy(action=action, remark=remark, is_known=known)

    def modify_type(self, name: str, old: str, new: str) -> Remedy:
        """Return the patch that changes the type of an attr in old programs."""
        kind, before = stored_type(new), stored_type(old)
        typed = self._patch_type(kind)
        if typed is None:
            return Remedy(remark=f"no patch can make an attr of type {new}")
        action = _action("modify_attr", name, ("type", typed))
        if not converts(before, kind):
            remark = "VALUE has to be right for all old programs"
            return Remedy(action=(*action, (self._key, "VALUE")), remark=remark, is_known=False)
        if kind.startswith(ARRAY):
            action = (*action, (self._key, f"[{{type: {_item_type(kind)}}}]"))
        is_exact = not _truncates(before, kind)
        return Remedy(action=action, remark="" if is_exact else "old values lose their fractions", is_exact=is_exact)

    def rename_attr(self, old: str, new: str) -> Remedy:
        """Return the patch that renames an attr in old programs."""
        return Remedy(action=_action("modify_attr_name", old, (self._key, new)))

    def rename_op(self, new: str) -> Remedy:
        """Return the patch that renames the op in old programs."""
        return Remedy(action=_action("modify_name", self._op, (self._key, new)))

    def add_output(self, place: int, *, is_behind: bool) -> Remedy:
        """Return the patch that adds an output at an index to old programs; the loader infers its type.

        `is_behind`: an output that old programs have precedes it. The loader would connect the users of that output to
        the new one (measured with 3.3.1, and read in `ProgramReader::ReadOp`), so that no patch is possible.
        """
        if is_behind:
            return Remedy(remark="a patch can only add an output that stands before all others")
        return Remedy(action=_action("add_output", place, *self._tensor()))

    @staticmethod
    def delete_input(place: int) -> Remedy:
        """Return the patch that removes an input from old programs."""
        return Remedy(action=_action("delete_input", place))

    def op_pair_patch(self, action: str, place: int, *, is_output: bool) -> Remedy:
        """Return the remark that a patch of a pair of ops may do what no patch of a single op can.

        Args:
            action: `add_value` or `delete_value`, of the value that connects the two ops.
            place: the index of the input or output.
            is_output: the value is an output of this op, otherwise an input.
        """
        ops = f"[{self._op}, OTHER]" if is_output else f"[OTHER, {self._op}]"
        places = f"[{place}, PLACE]" if is_output else f"[PLACE, {place}]"
        kind = self._tensor() if action == "add_value" else ()
        made = Remedy(action=_action(action, places, *kind))
        entry = f"- {{op_pair: {ops}, actions: [{made.flow}]}}"
        return Remedy(remark=f"where one OTHER op always stands beside it, `op_pair_patches` can: `{entry}`")

    def advice(self, remedy: Remedy, all_remedies: Sequence[Remedy]) -> str:
        """Return the advice for a change: one entry for all changes of the op, as the loader reads only one per op.

        `remedy` belongs to this change, `all_remedies` belong to all changes of the op.
        """
        if not self._versions.reads_patches:
            return f"{_NEW_OP}; the tree has no loader that reads patches"
        if self._occupied_file is not None and all(item.action for item in all_remedies):
            hidden = (
                f"patch/{self._occupied_file}.yaml has an entry for '{self._op}', and the loader applies no second one"
            )
            return f"{_NEW_OP}; {hidden}"
        if not all(item.action for item in all_remedies):
            # An entry for some of the changes is no help: the loader still refuses the op for the others.
            return "; ".join(text for text in (_NEW_OP, "" if remedy.action else remedy.remark) if text)
        remarks = dict.fromkeys(item.remark for item in all_remedies if item.remark)
        listed = ", ".join(item.flow for item in _sort_actions(all_remedies))
        return "; ".join([self._versions.instructions(f"- {{op_name: {self._op}, actions: [{listed}]}}"), *remarks])

    def entry(self, all_remedies: Sequence[Remedy]) -> NewEntry | None:
        """Return the entry in `advice` for a fix; None if there is none or a value is left to the author."""
        if self._occupied_file is not None or not self._versions.reads_patches:
            return None
        if not all(item.action and item.is_known for item in all_remedies):
            return None
        return NewEntry(
            op=self._op,
            actions=tuple(item.action for item in _sort_actions(all_remedies)),
            number=self._versions.file_number,
            is_next=self._versions.needs_new_file,
            is_exact=all(item.is_exact for item in all_remedies),
        )

    def _tensor(self) -> tuple[tuple[str, str], ...]:
        """Return type and value of an action that adds a tensor."""
        return ("type", "pir::DenseTensorType"), (self._key, '[pir::Float32Type, [-1], "NCHW", [], 0]')

    def _patch_type(self, kind: str) -> str | None:
        """Return the name of a type in a patch, None for a type that the loader cannot make."""
        if kind.startswith(ARRAY):
            return ARRAY if _item_type(kind) in PLAIN_TYPES else None
        # The loader learned these types with the key `data` (measured with 3.1.0 and 3.3.1).
        return kind if kind in PLAIN_TYPES or (kind in TYPES_SINCE_DATA and self._key == "data") else None

    def _patch_value(self, kind: str, value: Any) -> str:
        """Return a value as YAML; the items of a list carry their type."""
        if not kind.startswith(ARRAY):
            return json.dumps(value)
        inner = _item_type(kind)
        return f"[{', '.join(f'{{type: {inner}, {self._key}: {json.dumps(element)}}}' for element in value)}]"


def stored_type(kind: str) -> str:
    """Return the type that a program stores for an attr of a declared type; for a Scalar, the type of its value."""
    if not kind.startswith(SCALAR):
        return kind
    return _OF_SCALAR.get(kind[len(SCALAR) + 1 : -1], "pir::DoubleAttribute")


def _action(action: str, target: object, *more: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the keys and values of an action on an attr, input or output."""
    return ("action", action), ("object", str(target)), *more


def _sort_actions(all_remedies: Sequence[Remedy]) -> list[Remedy]:
    """Return remedies with different actions, in the order in which the loader has to apply them.

    An index refers to the op after the preceding actions, so that the removal of the last input comes first.
    """
    # Reversed, since the last entry of a key wins in a dict, and the first remedy of an action has to.
    once = {remedy.action: remedy for remedy in reversed(all_remedies)}
    return sorted(
        (once[action] for action in dict.fromkeys(remedy.action for remedy in all_remedies)), key=_last_place_first
    )


def _last_place_first(remedy: Remedy) -> int:
    """Return the sort key of a remedy: removals of inputs first, the last input before the others."""
    fields = dict(remedy.action)
    return -int(fields["object"]) if fields["action"] == "delete_input" else 0


def _item_type(kind: str) -> str:
    """Return the type of the items of an array type."""
    return kind[len(ARRAY) + 1 : -1]


def converts(old: str, new: str) -> bool:
    """Return whether the loader converts a saved value: a number to any type of number, but not to a bool."""
    if old.startswith(ARRAY) and new.startswith(ARRAY):
        return converts(_item_type(old), _item_type(new))
    return old == new or (old in _NUMBERS and new in _NUMBERS and new != _BOOL)


def _truncates(old: str, new: str) -> bool:
    """Return whether a conversion loses the fraction of a number."""
    if old.startswith(ARRAY) and new.startswith(ARRAY):
        return _truncates(_item_type(old), _item_type(new))
    return new in _INTEGERS and old not in _INTEGERS
