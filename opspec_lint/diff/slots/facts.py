"""The facts about what a number in the bytes stands for."""

from __future__ import annotations

from opspec_lint.diff.changes.change import StatedChange
from opspec_lint.kit.text import shorten
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Declared, Op, Origin

_LONGEST = 300


class SlotChange(StatedChange):
    """What a declaration, or a slot or number of one, was and is.

    Its `facts` are `slot`, `old_meaning` and `new_meaning` of the bytes, and the like.
    """

    def words(self) -> dict[str, object]:
        """Return the facts, with both values."""
        shown = {"old": _shown(self.old), "new": _shown(self.new), "field": self.field}
        return {**super().words(), **shown, **self.facts}


def of_declaration(event: str, old: Op, new: Op, field: str | None = None, **facts: object) -> SlotChange:
    """Return that a field of a declaration differs, or with None for the field the declaration itself.

    Args:
        event: what happened.
        old: the declaration of base.
        new: that of head.
        field: the field, None for what no field says.
        facts: what the templates can name besides.
    """
    change = SlotChange(op=old.name, kind="op", name=old.name, event=event, places=places(old, new), facts=facts)
    return change if field is None else change.but(field=field, old=old.get(field), new=new.get(field))


def places(old: Declared | None, new: Declared | None) -> tuple[Origin | None, Origin | None]:
    """Return where base and head declare a thing, each None where it does not."""
    return (None if old is None else old.origin), (None if new is None else new.origin)


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    return shorten(value if isinstance(value, str) else values.show(value), _LONGEST)
