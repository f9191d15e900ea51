"""Constructors of facts about the slots and numbers of FlatBuffers declarations."""

from __future__ import annotations

from opspec_lint.kit.text import shorten
from opspec_lint.spec import values
from opspec_lint.spec.fact import LONGEST, Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Declared, Op, Origin


def slot_fact(  # noqa: PLR0913 - a fact is what it says
    event: EventId,
    op: Op,
    name: str | None,
    attrs: tuple[Attr | None, Attr | None],
    facts: Mapping[str, object],
    *,
    field: str | None = None,
    sides: tuple[object, object] = (None, None),
    new_name: str | None = None,
) -> Fact:
    """Return the fact that a slot or number of a declaration has another meaning.

    Args:
        event: the event.
        op: the declaration.
        name: the name of the slot or number.
        attrs: its declarations in base and in head.
        facts: more values for templates: `slot`, `old_meaning` and `new_meaning` of the bytes, and others.
        field: the field that differs, None for the whole.
        sides: the values in base and in head.
        new_name: the name in head, if it differs.
    """
    old, new = sides
    return Fact(
        event=event,
        kind="attr",
        op=op.name,
        name=name,
        new_name=new_name,
        confidence=None if new_name is None else 1.0,
        field=field,
        old=old,
        new=new,
        origins=origins_of(*attrs),
        facts=facts,
        describe=describe,
    )


def declaration_changed(event: EventId, old: Op, new: Op, field: str | None = None, **facts: object) -> Fact:
    """Return the fact that a field of a declaration differs.

    Args:
        event: the event.
        old: the declaration of base.
        new: the declaration of head.
        field: the field, None for a difference that is no field.
        facts: more values for templates.
    """
    fact = declaration_fact(event, old, (old, new), **facts)
    return fact if field is None else fact.replace(field=field, old=old.get(field), new=new.get(field))


def declaration_fact(event: EventId, op: Op, sides: tuple[Op | None, Op | None], **facts: object) -> Fact:
    """Return a fact about a whole declaration; a side without it is None."""
    return Fact(
        event=event, kind="op", op=op.name, name=op.name, origins=origins_of(*sides), facts=facts, describe=describe
    )


def origins_of(old: Declared | None, new: Declared | None) -> tuple[Origin | None, Origin | None]:
    """Return the places of a declaration in base and head, each None if it is not there."""
    return (None if old is None else old.origin), (None if new is None else new.origin)


def describe(fact: Fact) -> Mapping[str, object]:
    """Return the values that every template about slots can name."""
    return {"old": _value_text(fact.old), "new": _value_text(fact.new), "field": fact.field, "new_name": fact.new_name}


def _value_text(value: object) -> str:
    if value is None:
        return "null"
    return shorten(value if isinstance(value, str) else values.show(value), LONGEST)
