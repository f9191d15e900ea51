"""The declaration of an event, which is a kind of fact: its mirror, and what the texts of its rule may contain.

Each event is declared once: in the table of its subject, a module of `spec/events/`, or in `events.py` of the only
framework that has it. Tests, proofs and pages read the tables. Comparisons name events by their ids, which type
checkers know from `spec/ids.py`.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.kit.catalogue import Catalogue, framework_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from opspec_lint.spec.ids import EventId

    Events: TypeAlias = Mapping[EventId, "Event"]


class Event(Record):
    """A kind of fact.

    `mirrors` are the events that it may become when base and head are swapped. A removal may have several, as additions
    differ in whether models may omit the argument. If there are none, `one_sided` is the reason. `facts` are the values
    that the templates of rules can name besides `op`, `kind` and `name`.

    `is_of_contract`: it is about the ops of two specs; any other event is about a file, a setting, a waiver, the
    reading of a source, or a saved model, and has no mirror. `is_of_op`: it is about one op. `is_removal`: head lacks
    this op, or an argument of it. `of_graphs`: it is about the version in saved graphs. `not_shown` is the reason why
    no model can show it, "" if a model can.
    """

    mirrors: tuple[EventId, ...] = ()
    one_sided: str = ""
    facts: tuple[str, ...] = ()
    is_of_contract: bool = True
    is_of_op: bool = True
    is_removal: bool = False
    of_graphs: bool = False
    not_shown: str = ""


def event_outside_contract(*facts: str) -> Event:
    """Return an event that is not about the ops of two specs; `facts` are the values that templates can name."""
    return Event(is_of_contract=False, is_of_op=False, facts=facts)


SUBJECTS: Catalogue[Events] = Catalogue("spec/events", offers="EVENTS", noun="subject")
"""The tables of events that any framework may have, by subject."""
FRAMEWORK_EVENTS: Catalogue[Events] = Catalogue("frameworks/*", only="events", offers="EVENTS", spell=framework_of)
"""The tables of events that only one framework has, by its name."""


# The tables are constant, and some are imported only here.
@cache
def events() -> Events:
    """Return all events by id."""
    return {name: event for table in (*SUBJECTS.every(), *FRAMEWORK_EVENTS.every()) for name, event in table.items()}
