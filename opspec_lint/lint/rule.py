"""A rule: the texts and the level of a finding.

A module of `lint/rules/`, or of a framework's `rules/`, contains one rule. Most have the name of the event that they
judge. A rule never reads a spec: it sees one change. Its docstring has a first line and three sections (Flags, Why it
breaks, Instead); `explain`, the documentation and the tests read the same docstring and the same examples.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.report.findings import DIRECTIONS, LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from opspec_lint.report.findings import Consequence, Direction, Level

SECTIONS = ("Flags", "Why it breaks", "Instead")


class Example(Record):
    """Base and head of an example; "" for a side that has nothing.

    For a rule about ops, a side is one or several ops in the notation of `opspec_lint.spec.notation`; for any other
    rule, it is an excerpt of a file, or a sentence.
    """

    base: str
    head: str


class Rule(Record):
    """A rule.

    `framework` is the framework whose folder contains it, "" for a general rule. `on` are the events that it
    judges, by default that of its own name; `when` selects changes of them, None for all. `is_of_contract` is
    whether it is about ops, so that profiles apply, and not about circumstances. `level` is the level if the
    profile does not name the rule. `level_at_base` is the level if a spec is compared with itself at its base, and
    no profile lowers it then; None for no difference. `since` is the version that introduced the rule. `directions`
    are those in which models break. `consequence` is what happens to the bytes of a file, None if the rule does not
    say. `message`, `witness` and `advice` are templates over the facts of a change: what happened, who breaks and
    how, and what to do instead, each on one line. `flagged` are examples that the rule flags, `passes` similar ones
    that it does not. `facts` fill the templates for the examples of a rule that is not about ops.
    """

    id: str
    framework: str = ""
    title: str
    on: tuple[str, ...]
    when: Callable[[Any], bool] | None = None
    is_of_contract: bool = True
    flags: str
    why: str
    instead: str
    level: Level
    level_at_base: Level | None = None
    directions: tuple[Direction, ...]
    consequence: Consequence | None = None
    since: str
    message: str
    witness: str
    advice: str
    flagged: tuple[Example, ...]
    passes: tuple[Example, ...]
    facts: Mapping[str, object] = {}

    @property
    def only_for(self) -> str | None:
        """The framework whose ops alone it is about; None where it is about all, or its event says whose."""
        return None if self.id in self.on else self.framework or None


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
    flagged: tuple[tuple[str, str], ...],
    passes: tuple[tuple[str, str], ...],
    facts: Mapping[str, object] | None = None,
    on: tuple[str, ...] = (),
    when: Callable[[Any], bool] | None = None,
    is_of_contract: bool = True,
    level_at_base: Level | None = None,
    consequence: Consequence | None = None,
) -> Rule:
    """Make the rule of a module, from its name, its docstring and its facts.

    Raises:
        ValueError: the docstring lacks one of the three sections, or a fact is none that a rule can have. The last
            section may be left out where it would repeat an advice that names nothing of the finding.
    """
    title, *paragraphs = (doc or "").strip().split("\n\n")
    sections = dict(_section(paragraph) for paragraph in paragraphs)
    if "{" not in advice:
        sections.setdefault(SECTIONS[-1], f"{advice[:1].upper()}{advice[1:]}.")
    if tuple(sections) != SECTIONS:
        raise ValueError(f"expected the sections {', '.join(SECTIONS)}, found {', '.join(sections) or 'none'}")
    flags, why, instead = (sections[heading] for heading in SECTIONS)
    name = module.rpartition(".")[2]
    _check(name, on or (name,), directions, level, level_at_base or level)
    return Rule(
        id=name,
        on=on or (name,),
        when=when,
        is_of_contract=is_of_contract,
        title=title.rstrip("."),
        flags=flags,
        why=why,
        instead=instead,
        level=level,
        level_at_base=level_at_base,
        directions=directions,
        consequence=consequence,
        since=since,
        message=message,
        witness=witness,
        advice=advice,
        flagged=tuple(Example(base=base, head=head) for base, head in flagged),
        passes=tuple(Example(base=base, head=head) for base, head in passes),
        facts=facts or {},
    )


def _check(name: str, on: tuple[str, ...], directions: tuple[Direction, ...], *levels: Level) -> None:
    """Make sure of what no type checker has seen: a rule may be new.

    Raises:
        ValueError: a level or a direction is unknown, or the rule would never be found.
    """
    unknown = [each for each in levels if each not in LEVELS] + [each for each in directions if each not in DIRECTIONS]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is none of: {', '.join((*LEVELS, *DIRECTIONS))}")
    if not isinstance(on, tuple) or not any(f"{name}_".startswith(f"{event}_") for event in on):
        raise ValueError(f"the name of the file begins with none of the events in `on`: {on!r}")


def _section(paragraph: str) -> tuple[str, str]:
    heading, _, text = paragraph.partition(":\n")
    return heading.strip(), " ".join(text.split())
