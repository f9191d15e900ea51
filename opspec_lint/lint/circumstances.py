"""Facts that concern no op: added and removed spec files, changed settings, invalid waivers, remarks on reading.

Like a change of an op, each has an event, and the rule of the same name judges it. A profile is a policy for ops and
has no level for these rules; a configuration may set one.
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
    """Return a fact about a file, a setting, a waiver, or the reading of a source.

    - `name`: the name of the file, setting or waiver.
    - `facts`: the values for the templates of the rule.
    - `old`: the value in base.
    - `new`: the value in head.
    - `origins`: the places in base and head.
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
