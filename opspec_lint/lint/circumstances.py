"""Facts about the surroundings of specs: added and removed files, changed settings, waivers that are not valid.

Like a change of an op, each is an event, and the rule of the same name judges it. A profile is a policy for ops and has
no level for these rules; a configuration may set one.
"""

from __future__ import annotations

from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.fact import Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Origin


def circumstance(  # noqa: PLR0913 - a fact is what it says
    event: EventId,
    kind: Kind,
    name: str,
    facts: Mapping[str, object],
    *,
    op: str | None = None,
    old: Any = None,
    new: Any = None,
    origins: tuple[Origin | None, Origin | None] = (None, None),
) -> Fact:
    """Return a fact about a file, a setting or a waiver, or about the reading of a source.

    Args:
        event: what happened.
        kind: the kind of what it is about.
        name: the name of the file, setting or waiver.
        facts: what the templates of the event's rule can name.
        op: the op that it is about, if any.
        old: the value in base.
        new: the value in head.
        origins: the place in base and in head.
    """
    return Fact(
        event=event,
        kind=kind,
        op=op,
        name=name,
        old=old,
        new=new,
        origins=origins,
        facts=facts,
        is_of_contract=False,
    )
