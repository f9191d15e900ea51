"""Helpers for enums and unions, whose items bytes refer to by number."""

from __future__ import annotations

from opspec_lint.diff.slots.facts import declaration_changed, slot_fact
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op


def attrs_by_number(op: Op) -> dict[int, list[Attr]]:
    """Return the items of an enum or union by their numbers."""
    attrs: dict[int, list[Attr]] = {}
    for attr in op.attrs:
        number = attr.get("slot")
        if isinstance(number, int):
            attrs.setdefault(number, []).append(attr)
    return attrs


def number_fact(event: EventId, op: Op, old: Attr | None, new: Attr | None, *, is_renamed: bool = False) -> Fact:
    """Return the fact about an item of an enum or union; `old` or `new` is None if it was added or removed."""
    attr = old or new
    return slot_fact(
        event,
        op,
        "" if attr is None else attr.name,
        (old, new),
        field=None if old is None or new is None or is_renamed else "slot",
        sides=(None if old is None else _attr_values(old), None if new is None else _attr_values(new)),
        new_name=new.name if is_renamed and new is not None else None,
        facts={
            "slot": None if attr is None else attr.get("slot"),
            "what": "member" if op.get("form") == "union" else "value",
            "old_meaning": _meaning(op, old),
            "new_meaning": _meaning(op, new),
        },
    )


def underlying_type_fact(event: EventId, old: Op, new: Op, example: str = "") -> Fact:
    """Return the fact that the scalar type of the numbers differs; `example` shows bytes that are read differently."""
    return declaration_changed(event, old, new, "underlying", example=f"; {example}" if example else "")


def _attr_values(attr: Attr) -> dict[str, object]:
    """Return what a fact shows of an item: its name, its number, and its type if it has one."""
    return {"name": attr.name, "number": attr.get("slot"), **({} if attr.type is UNKNOWN else {"type": attr.type})}


def _meaning(op: Op, attr: Attr | None) -> str:
    """Return the meaning of a number as a phrase."""
    if attr is None:
        return "nothing"
    return f"'{attr.name}'" if op.get("form") != "union" else f"'{attr.name}', a {attr.type}"
