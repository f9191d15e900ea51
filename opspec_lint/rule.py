"""What a rule is: what it says to people, and how bad what it flags is.

One module of `opspec_lint.rules` holds one rule, and most are named for the event that they judge. A rule never walks
a spec: it sees one change. Its docstring has a first line and three sections (Flags, Why it breaks, Instead);
`explain`, the documentation and the tests read the same docstring and the same examples.
"""

from __future__ import annotations

from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.findings import Direction, Level

SECTIONS = ("Flags", "Why it breaks", "Instead")


class Example(Record):
    """An op in base and in head, in the notation of `opspec_lint.notation`; "" where a side has it not."""

    base: str
    head: str


class Rule(Record):
    """A rule.

    `on` are the events that it judges: that of its own name, unless it says otherwise; `when` tells which of their
    changes it is about, None stands for all. `level` is how bad that is where a profile does not say. `since` is the
    version of opspec-lint that brought the rule. `message`, `witness` and `advice` are templates over the facts of a
    change (`opspec_lint.judge`): what happened on one line, who breaks and how, and what to do instead. `flagged` are
    examples that the rule flags, `passes` neighbours that it leaves alone.
    """

    id: str
    title: str
    on: tuple[str, ...]
    when: Callable[[Any], bool] | None = None
    flags: str
    why: str
    instead: str
    level: Level
    directions: tuple[Direction, ...]
    since: str
    message: str
    witness: str
    advice: str
    flagged: tuple[Example, ...]
    passes: tuple[Example, ...]


def rule(  # noqa: PLR0913 - a rule is its facts
    module: str,
    doc: str | None,
    *,
    level: Level,
    directions: tuple[Direction, ...],
    since: str,
    message: str,
    witness: str,
    advice: str,
    flagged: tuple[tuple[str, str], ...] = (),
    passes: tuple[tuple[str, str], ...] = (),
    on: tuple[str, ...] = (),
    when: Callable[[Any], bool] | None = None,
) -> Rule:
    """Make the rule of a module, from its name, its docstring and its facts.

    Raises:
        ValueError: the docstring lacks one of the three sections.
    """
    title, *paragraphs = (doc or "").strip().split("\n\n")
    sections = dict(_section(paragraph) for paragraph in paragraphs)
    if tuple(sections) != SECTIONS:
        raise ValueError(f"{module}: expected the sections {', '.join(SECTIONS)}, found {', '.join(sections)}")
    flags, why, instead = (sections[heading] for heading in SECTIONS)
    name = module.rpartition(".")[2]
    return Rule(
        id=name,
        on=on or (name,),
        when=when,
        title=title.rstrip("."),
        flags=flags,
        why=why,
        instead=instead,
        level=level,
        directions=directions,
        since=since,
        message=message,
        witness=witness,
        advice=advice,
        flagged=tuple(Example(base=base, head=head) for base, head in flagged),
        passes=tuple(Example(base=base, head=head) for base, head in passes),
    )


def _section(paragraph: str) -> tuple[str, str]:
    heading, _, text = paragraph.partition(":\n")
    return heading.strip(), " ".join(text.split())
