"""Comparison of two declarations of an op or argument, field by field."""

from __future__ import annotations

from opspec_lint.diff.changes.field import field_changed
from opspec_lint.spec import values
from opspec_lint.spec.model import SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from opspec_lint.spec.fact import Fact, Kind
    from opspec_lint.spec.fields import Field, FieldTable
    from opspec_lint.spec.model import Declared, Op

COMPARED_SEPARATELY = ("declared_if", "invalid")
"""The fields of ops that `specs.diff` compares for every binding."""


def same_op(old: Op, new: Op, table: FieldTable) -> bool:
    """Return whether two declarations of an op have equal values in all fields; documentation does not count."""
    return old is new or (
        _have_equal_fields(old, new, table.fields_of("ops"))
        and all(
            same_arguments(getattr(old, section), getattr(new, section), table.fields_of(section))
            for section in SECTIONS.values()
        )
    )


def same_arguments(old: Sequence[Declared], new: Sequence[Declared], fields: Collection[str]) -> bool:
    """Return whether two lists have arguments of the same names in the same order, with equal values of some fields."""
    return len(old) == len(new) and all(
        a is b or (a.name == b.name and _have_equal_fields(a, b, fields)) for a, b in zip(old, new, strict=True)
    )


def _have_equal_fields(old: Declared, new: Declared, fields: Iterable[str]) -> bool:
    return all(values.same(old.get(field), new.get(field)) for field in fields)


def diff_op_fields(old: Op, new: Op, table: FieldTable) -> Iterator[Fact]:
    """Yield the differences between two declarations of an op, except for its arguments."""
    compared = (field for field in table.fields_of("ops").values() if field.name not in COMPARED_SEPARATELY)
    return diff_fields(old, new, old.name, "op", compared)


def diff_fields(before: Declared, after: Declared, op: str, kind: Kind, fields: Iterable[Field]) -> Iterator[Fact]:
    """Yield the facts about fields that differ, of those that both sides know."""
    was_extra = before.get("extra") is True
    for field, old, new in differing_fields(before, after, fields):
        sides, events = (before, after), field.events
        yield field_changed(op, kind, field.name, sides, (old, new), events=events, was_extra=was_extra)


def differing_fields(
    before: Declared, after: Declared, fields: Iterable[Field]
) -> Iterator[tuple[Field, object, object]]:
    """Yield each field that differs, with both values, of the fields that both sides know."""
    for field in fields:
        old, new = before.get(field.name), after.get(field.name)
        if old is new or old is UNKNOWN or new is UNKNOWN or values.same(old, new):
            continue
        if field.name == "default_value" and old == new and _type_changed(before, after):
            continue  # 0 became 0.0 because INT became FLOAT, which is a change of its own
        if field.name == "min_version" and None in (old, new) and _both_know_and_differ(before, after, "max_version"):
            continue  # the op has come or gone as a whole, which the greatest version says
        yield field, old, new


def _both_know_and_differ(before: Declared, after: Declared, field: str) -> bool:
    """Return whether both sides know a field, and its values differ."""
    old, new = before.get(field), after.get(field)
    return UNKNOWN not in (old, new) and not values.same(old, new)


def _type_changed(before: Declared, after: Declared) -> bool:
    """Return whether both sides know the type of an attr, and it differs."""
    types = {before.get("type"), after.get("type")}
    return len(types) == 2 and UNKNOWN not in types
