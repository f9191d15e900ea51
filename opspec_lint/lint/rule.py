"""What a rule is: what it says to people, and how bad what it flags is.

A module of `lint/rules/`, or of a framework's own rules, holds one rule, and most are named for the event that they
judge. A rule never walks a spec: it sees one change. Its docstring has a first line and three sections (Flags, Why it
breaks, Instead); `explain`, the documentation and the tests read the same docstring and the same examples.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import framework_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from opspec_lint.report.findings import Consequence, Direction, Level

SECTIONS = ("Flags", "Why it breaks", "Instead")


class Example(Record):
    """What base and head hold; "" where a side holds nothing.

    Of a rule about ops that is one op or several, in the notation of `opspec_lint.spec.notation`; of any other rule an
    excerpt of a file, or a sentence.
    """

    base: str
    head: str


class Rule(Record):
    """A rule.

    `framework` is the one in whose folder it stands, None where it is one of all.
    `on` are the events that it judges: that of its own name, unless it says otherwise; `when` tells which of their
    changes it is about, None stands for all.
    `is_of_contract` says that it is about ops, so that profiles are a policy for it, and not about what surrounds them.
    `level` is how bad that is where a profile does not say. `level_at_base` is the same where a spec is compared with
    itself at its base, and then no profile makes it milder; None stands for no difference. `since` is the version that
    brought the rule. `consequence` is what happens to the bytes in these directions, None where the rule does not tell.
    `message`, `witness` and `advice` are templates over the facts of a change: what happened on one line, who breaks
    and how, and what to do instead. `flagged` are examples that the rule flags, `passes` neighbours that it leaves
    alone. `facts` fill the templates for the examples of a rule that is not about ops; a comparison of the examples
    yields those of all other rules.
    """

    id: str
    framework: str | None = None
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
        return None if self.id in self.on else self.framework


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
        ValueError: the docstring lacks one of the three sections.
    """
    title, *paragraphs = (doc or "").strip().split("\n\n")
    sections = dict(_section(paragraph) for paragraph in paragraphs)
    if tuple(sections) != SECTIONS:
        raise ValueError(f"{module}: expected the sections {', '.join(SECTIONS)}, found {', '.join(sections)}")
    flags, why, instead = (sections[heading] for heading in SECTIONS)
    *_, name = parts = module.split(".")
    return Rule(
        id=name,
        framework=framework_of(module.partition(".")[2]) if parts[1] == "frameworks" else None,
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


def _section(paragraph: str) -> tuple[str, str]:
    heading, _, text = paragraph.partition(":\n")
    return heading.strip(), " ".join(text.split())
