"""What the comparisons of enums and of unions have in common: things that bytes name by their numbers."""

from __future__ import annotations

from opspec_lint.diff.slots.facts import declaration_changed, slot_fact
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op


def attrs_by_number(op: Op) -> dict[int, list[Attr]]:
    """Return the attrs by their numbers."""
    found: dict[int, list[Attr]] = {}
    for attr in op.attrs:
        number = attr.get("slot")
        if isinstance(number, int):
            found.setdefault(number, []).append(attr)
    return found


def number_fact(event: EventId, op: Op, old: Attr | None, new: Attr | None, *, is_renamed: bool = False) -> Fact:
    """Return the fact about a number."""
    one = old or new
    return slot_fact(
        event,
        op,
        "" if one is None else one.name,
        (old, new),
        field=None if old is None or new is None or is_renamed else "slot",
        sides=(None if old is None else _said(old), None if new is None else _said(new)),
        new_name=new.name if is_renamed and new is not None else None,
        facts={
            "slot": None if one is None else one.get("slot"),
            "what": "member" if op.get("form") == "union" else "value",
            "old_meaning": _meaning(op, old),
            "new_meaning": _meaning(op, new),
        },
    )


def underlying_type_fact(event: EventId, old: Op, new: Op, example: str = "") -> Fact:
    """Return that the numbers are of another type."""
    return declaration_changed(event, old, new, "underlying", example=f"; {example}" if example else "")


def _said(attr: Attr) -> dict[str, object]:
    return {"name": attr.name, "number": attr.get("slot"), **({} if attr.type is UNKNOWN else {"type": attr.type})}


def _meaning(op: Op, attr: Attr | None) -> str:
    if attr is None:
        return "nothing"
    return f"'{attr.name}'" if op.get("form") != "union" else f"'{attr.name}', a {attr.type}"
