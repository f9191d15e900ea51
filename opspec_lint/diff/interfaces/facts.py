"""Constructors of facts about the interface of a saved model, with the callers that break."""

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

_LONGEST_DECLARATION = 2000
"""The most characters of a declaration in a fact."""


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
    """Return the fact that a declaration of an interface, one of its parameters or one of its results differs.

    Args:
        event: the event.
        op: the declaration.
        kind: the kind of the thing that differs: "op", "input", "output" or "attr".
        name: the name of this thing.
        texts: the values that differ, in base and in head.
        declared: the whole declaration in base and in head, as Python writes it.
        facts: more values for templates.
        callers: the callers that break, none for a relaxation.
        origins: the places of the declarations.
        new_name: the name in head, if it differs.
    """
    old, new = texts
    before, after = declared
    return Fact(
        event=event,
        kind=kind,
        op=op.name,
        name=name,
        new_name=new_name,
        confidence=None if new_name is None else 1.0,
        old=old,
        new=new,
        origins=origins,
        declared=(_shorten_declaration(before), _shorten_declaration(after)),
        facts=facts,
        describe=_describe,
        callers=callers,
    )


def _describe(fact: Fact) -> Mapping[str, object]:
    """Return both values, the new name, and the callers that break, as text."""
    return {
        "old": shorten(fact.old or "none", LONGEST),
        "new": shorten(fact.new or "none", LONGEST),
        "new_name": fact.new_name,
        "who": " and ".join(_CALLER_NAMES[caller] for caller in fact.callers),
    }


_CALLER_NAMES: Mapping[Caller, str] = {
    "function": "calls of the restored function",
    "signature": "calls by keyword",
    "session": "sessions and requests",
}


def _shorten_declaration(text: str | None) -> str | None:
    return None if text is None else shorten(text, _LONGEST_DECLARATION)


class DeclarationPair:
    """A declaration in base and in head, as the constructor of facts about the two.

    Args:
        old: the declaration in base.
        new: the declaration in head.
        old_trace: for a function, the trace of base that the facts are about; None for the whole function.
        new_trace: the trace of head.
    """

    shape_callers: tuple[Caller, ...] | None = None
    """The callers that rely on the shape of a result; None for all callers."""

    result_name_callers: tuple[Caller, ...] | None = None
    """The callers that read results by name; None for all callers."""

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
        """Return a fact about the pair; all callers of the declaration break unless `callers` says otherwise."""
        old_origin, new_origin = (None if place is None else place.origin for place in places)
        return interface_fact(
            event,
            self.old,
            kind,
            name,
            texts=(old, new),
            declared=(self._before, self._after),
            facts=facts,
            callers=self.callers if callers is None else callers,
            origins=(old_origin, new_origin),
            new_name=new_name,
        )
