"""The facts about what a saved model's callers call, and who of them breaks."""

from __future__ import annotations

from opspec_lint.diff.changes.change import StatedChange
from opspec_lint.kit.text import shorten
from opspec_lint.spec.interface.declarations import callers_of
from opspec_lint.spec.interface.words import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fact import Kind
    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.interface.traces import Trace
    from opspec_lint.spec.model import Declared, Op

_LONGEST = 300
_MOST = 2000
"""Characters of a declaration."""


class InterfaceChange(StatedChange):
    """What a declaration of an interface, or something that it takes or gives, was and is.

    `callers` are those who break, none for a relaxation. `old` and `new` are what changed, as texts. `before` and
    `after` are the whole declaration in the words of Python, None where a side has none.
    """

    old: str | None = None
    new: str | None = None
    before: str | None = None
    after: str | None = None

    @property
    def declared(self) -> tuple[str | None, str | None]:
        """The declaration in base and in head, in the words of Python."""
        return _short(self.before), _short(self.after)

    def words(self) -> dict[str, object]:
        """Return the facts, with both texts and who calls it."""
        shown = {"old": shorten(self.old or "none", _LONGEST), "new": shorten(self.new or "none", _LONGEST)}
        who = " and ".join(_WORDS[each] for each in self.callers)
        return {**super().words(), **shown, "who": who, **self.facts}


_WORDS: Mapping[Caller, str] = {
    "function": "calls of the restored function",
    "signature": "calls by keyword",
    "session": "sessions and requests",
}


def _short(text: str | None) -> str | None:
    return None if text is None else shorten(text, _MOST)


class DeclarationPair:
    """A declaration of base and that of head, and what facts about the two have in common.

    Args:
        old: that of base.
        new: that of head.
        old_trace: of a function of base, the trace that the facts are about; None for the whole function.
        new_trace: that of head.
    """

    by_shape: tuple[Caller, ...] | None = None
    """Who notices that a result has another shape than base's declaration says; None for all who call it."""

    by_result_name: tuple[Caller, ...] | None = None
    """Who knows results by their names; None for all who call it."""

    def __init__(self, old: Op, new: Op, old_trace: Trace | None = None, new_trace: Trace | None = None) -> None:
        self.old = old
        self.new = new
        self._before = show(old, old_trace)
        self._after = show(new, new_trace)
        self.callers = callers_of(old)

    def fact(  # noqa: PLR0913 - a fact is what it says
        self,
        event: str,
        kind: Kind,
        name: str,
        old: str | None = None,
        new: str | None = None,
        *,
        callers: tuple[Caller, ...] | None = None,
        new_name: str | None = None,
        places: tuple[Declared | None, Declared | None] = (None, None),
        **facts: object,
    ) -> InterfaceChange:
        """Return a fact; unless it says who breaks, all who call the declaration."""
        one, two = (None if each is None else each.origin for each in places)
        return InterfaceChange(
            op=self.old.name,
            kind=kind,
            name=name,
            event=event,
            callers=self.callers if callers is None else callers,
            old=old,
            new=new,
            new_name=new_name,
            before=self._before,
            after=self._after,
            places=(one, two),
            facts=facts,
        )
