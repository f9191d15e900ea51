"""Compares two specs: a pure function from base and head to the facts, keyed by name, linear in their size."""

from __future__ import annotations

from opspec_lint import values
from opspec_lint.changes import (
    ArgumentAdded,
    ArgumentRemoved,
    FieldChanged,
    OpAdded,
    OpRemoved,
)
from opspec_lint.model import FIELDS, SECTIONS, UNKNOWN
from opspec_lint.optable import surely_same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from opspec_lint.changes import AnyArgument, Change
    from opspec_lint.model import Kind, Op, Spec


def diff(base: Spec, head: Spec, only: Collection[str] | None = None) -> list[Change]:
    """Return every fact that tells base and head apart, ordered by op, inputs before outputs before attrs.

    What one side does not know is not compared. Where one side alone knows whether an argument is extra, its word
    serves for both; where neither does, the argument counts as not extra.

    Args:
        base: the spec that saved models were made under.
        head: the spec that is to take its place.
        only: the names of the ops to look at, or None for all.
    """
    from opspec_lint.registrations import registration_changes

    changes: list[Change] = []
    names = base.ops.keys() | head.ops.keys()
    for name in sorted(names if only is None else names.intersection(only)):
        if name not in head.ops:
            changes.append(OpRemoved(op=name, kind="op", name=name, ops=base.ops))
        elif name not in base.ops:
            changes.append(OpAdded(op=name, kind="op", name=name, ops=head.ops))
        elif not surely_same(base.ops, head.ops, name):
            changes += _diff_op(base.ops[name], head.ops[name], ordered=base.ordered and head.ordered)
    changes += registration_changes(base, head, changes, only)
    return changes


def _diff_op(old: Op, new: Op, *, ordered: bool) -> Iterator[Change]:
    yield from _diff_fields(old, new, old.name, "op", FIELDS["ops"])
    removed: list[ArgumentRemoved] = []
    added: list[ArgumentAdded] = []
    for kind, section in SECTIONS.items():
        before: dict[str, AnyArgument] = {argument.name: argument for argument in getattr(old, section)}
        after: dict[str, AnyArgument] = {argument.name: argument for argument in getattr(new, section)}
        for name, argument in before.items():
            if name not in after:
                removed.append(ArgumentRemoved(op=old.name, kind=kind, name=name, old=argument))
            elif argument is not after[name]:
                yield from _diff_fields(argument, after[name], old.name, kind, FIELDS[section])
        added += [
            ArgumentAdded(op=old.name, kind=kind, name=name, new=argument)
            for name, argument in after.items()
            if name not in before
        ]
        if ordered and kind != "attr":
            yield from _diff_order(old, new, kind, before, after)
    if removed and added:
        from opspec_lint.pairing import pair

        yield from pair(removed, added)
    else:
        yield from removed
        yield from added


def _diff_fields(
    before: Op | AnyArgument, after: Op | AnyArgument, op: str, kind: Kind | str, fields: Sequence[str]
) -> Iterator[FieldChanged]:
    was_extra = _was_extra(before, after)
    for field in fields:
        old, new = getattr(before, field), getattr(after, field)
        if old is new or old is UNKNOWN or new is UNKNOWN or values.same(old, new):
            continue
        if field == "default_value" and old == new and _type_changed(before, after):
            continue  # 0 became 0.0 because INT became FLOAT, which is a change of its own
        yield FieldChanged(
            op=op,
            kind=kind,  # type: ignore[arg-type]
            name=before.name,
            field=field,
            old=old,
            new=new,
            before=before,
            after=after,
            exempt=was_extra and field != "extra",
        )


def _type_changed(before: Op | AnyArgument, after: Op | AnyArgument) -> bool:
    types = {getattr(before, "type", UNKNOWN), getattr(after, "type", UNKNOWN)}
    return len(types) == 2 and UNKNOWN not in types


def _was_extra(before: Op | AnyArgument, after: Op | AnyArgument) -> bool:
    extra = getattr(before, "extra", False)
    return (getattr(after, "extra", False) if extra is UNKNOWN else extra) is True


def _diff_order(
    old: Op, new: Op, kind: Kind, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[FieldChanged]:
    """Yield that arguments which both sides have are bound by other positions: another order, or one come between."""
    positions = {name: position for position, name in enumerate(after)}
    for position, name in enumerate(before):
        if positions.get(name, position) != position:
            yield FieldChanged(
                op=old.name,
                kind=kind,
                name=name,
                field="order",
                old=tuple(before),
                new=tuple(after),
                before=old,
                after=new,
            )
            return
