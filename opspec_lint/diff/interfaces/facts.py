"""The facts about what a saved model's callers call, and who of them breaks."""

from __future__ import annotations

from opspec_lint.kit.text import shorten
from opspec_lint.spec.fact import LONGEST, Fact
from opspec_lint.spec.interface.declarations import callers_of
from opspec_lint.spec.interface.rendering import show_declaration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fact import Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.interface.traces import Trace
    from opspec_lint.spec.model import Declared, Op, Origin

_MOST = 2000
"""Characters of a declaration."""


def interface_fact(  # noqa: PLR0913 - a fact is what it says
    event: EventId,
    op: Op,
    kind: Kind,
    name: str,
    *,
    texts: tuple[str | None, str | None],
    declared: tuple[str | None, str | None],
    facts: Mapping[str, object],
    callers: tuple[Caller, ...] = (),
    origins: tuple[Origin | None, Origin | None] = (None, None),
    new_name: str | None = None,
) -> Fact:
    """Return what a declaration of an interface, or something that it takes or gives, was and is.

    Args:
        event: what happened.
        op: the declaration.
        kind: the kind of what it is about.
        name: the name of that.
        texts: what changed, in base and in head.
        declared: the whole declaration in base and in head, in the words of Python.
        facts: what the templates can name besides.
        callers: those who break, none for a relaxation.
        origins: where it is declared.
        new_name: the name in head, if it has another one there.
    """
    return Fact(
        event=event,
        kind=kind,
        op=op.name,
        name=name,
        new_name=new_name,
        confidence=None if new_name is None else 1.0,
        old=texts[0],
        new=texts[1],
        origins=origins,
        declared=(_short(declared[0]), _short(declared[1])),
        facts=facts,
        describe=_describe,
        callers=callers,
    )


def _describe(fact: Fact) -> Mapping[str, object]:
    """Return both texts, the new name, and who calls it."""
    return {
        "old": shorten(fact.old or "none", LONGEST),
        "new": shorten(fact.new or "none", LONGEST),
        "new_name": fact.new_name,
        "who": " and ".join(_WORDS[each] for each in fact.callers),
    }


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
        self._before = show_declaration(old, old_trace)
        self._after = show_declaration(new, new_trace)
        self.callers = callers_of(old)

    def fact(  # noqa: PLR0913 - a fact is what it says
        self,
        event: EventId,
        kind: Kind,
        name: str,
        old: str | None = None,
        new: str | None = None,
        *,
        callers: tuple[Caller, ...] | None = None,
        new_name: str | None = None,
        places: tuple[Declared | None, Declared | None] = (None, None),
        **facts: object,
    ) -> Fact:
        """Return a fact; unless it says who breaks, all who call the declaration."""
        one, two = (None if each is None else each.origin for each in places)
        return interface_fact(
            event,
            self.old,
            kind,
            name,
            texts=(old, new),
            declared=(self._before, self._after),
            facts=facts,
            callers=self.callers if callers is None else callers,
            origins=(one, two),
            new_name=new_name,
        )
