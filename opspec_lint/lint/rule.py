"""A rule: the texts and the level of a finding.

A module of `lint/rules/`, or of a framework's `rules/`, contains one rule. Most have the name of the event that they
judge. A rule never reads a spec: it sees one change. Its docstring has a first line and three sections (Flags, Why it
breaks, Instead); one that would repeat the witness or the advice is left out. `explain`, the documentation and the
tests read the same docstring and the same examples.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.report.findings import DIRECTIONS, LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opspec_lint.fixes.fix import Safety
    from opspec_lint.report.findings import Consequence, Direction, Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId, RuleId

    Example = tuple[str, str]
    """Base and head; "" for a side that has nothing.

    For a rule about ops, a side is one or several ops in the notation of `opspec_lint.spec.notation`; for any other
    rule, it is one side of a scene, which the tests make real (docs/reference/notation.md).
    """

SECTIONS = ("Flags", "Why it breaks", "Instead")
_TEMPLATES = {"Why it breaks": "witness", "Instead": "advice"}
"""The sections that may be left out, with the templates that take their place."""
FIX = "Fix"
"""The section of a rule that has a fix."""


class Rule(Record):
    """A rule, as its file states it.

    The file gives the other fields as well (`of_file`): `id` is its name, `framework` the framework whose folder
    contains it, "" for a general rule; `title`, `flags`, `why` and `instead` are its docstring. `on` are the events
    that it judges, by default that of its own name; `when` selects changes of them, None for all. `level` is the level
    if the profile does not name the rule. `level_at_base` is the level if a spec is compared with itself at its base,
    and no profile lowers it then; None for no difference. `since` is the version that introduced the rule, by default
    the first one. `directions` are those in which models break. `consequence` is what happens to the bytes of a file,
    None if the rule does not say. `message`, `witness` and `advice` are templates over the facts of a change: what
    happened, who breaks and how, and what to do instead, each on one line. `flagged` are examples that the rule flags,
    `passes` similar ones that it does not. A rule that is not about ops has `facts`: those that its flagged scene leads
    to. `is_ignored` is whether the loaders ignore what such a model says, and go on. `fix` is the safety of its fix,
    None if it has none, and `how_fixed`, of the docstring, what the fix changes.
    """

    id: RuleId = ""  # type: ignore[assignment]  # its file names it
    framework: str = ""
    title: str = ""
    on: tuple[EventId, ...] = ()
    when: Callable[[Fact], bool] | None = None
    flags: str = ""
    why: str = ""
    instead: str = ""
    level: Level
    level_at_base: Level | None = None
    directions: tuple[Direction, ...]
    consequence: Consequence | None = None
    is_ignored: bool = False
    since: str = "0.1.0"
    message: str
    witness: str
    advice: str
    flagged: tuple[Example, ...]
    passes: tuple[Example, ...]
    facts: Mapping[str, object] = {}
    fix: Safety | None = None
    how_fixed: str = ""

    @property
    def is_of_contract(self) -> bool:
        """Whether it is about ops, so that profiles apply, and not about circumstances."""
        return not self.facts

    @property
    def only_for(self) -> str | None:
        """The framework whose ops alone it is about; None where it is about all, or its event says whose."""
        return None if self.id in self.on else self.framework or None

    def of_file(self, name: str, framework: str, doc: str) -> Rule:
        """Return the rule with what its file says: its id, its framework, and the texts of the docstring.

        Raises:
            ValueError: the docstring lacks one of the three sections, and no template takes its place (`in_general`);
                or a fact is none that a rule can have. A rule with a fix has a fourth section.
        """
        title, *paragraphs = doc.strip().split("\n\n")
        sections = dict(_section(paragraph) for paragraph in paragraphs)
        how_fixed = sections.pop(FIX, "")
        omitted = {
            section: sentence
            for section, template in _TEMPLATES.items()
            if section not in sections and (sentence := in_general(getattr(self, template))) is not None
        }
        if tuple(section for section in SECTIONS if section not in omitted) != tuple(sections):
            raise ValueError(f"expected the sections {', '.join(SECTIONS)}, found {', '.join(sections) or 'none'}")
        sections |= omitted
        if bool(how_fixed) is (self.fix is None):
            raise ValueError(f"a rule with a fix, and no other one, has the section {FIX!r}")
        flags, why, instead = (sections[section] for section in SECTIONS)
        rule = self.replace(
            id=name,
            framework=framework,
            on=self.on or (name,),
            title=title.rstrip("."),
            flags=flags,
            why=why,
            instead=instead,
            how_fixed=how_fixed,
        )
        _check(rule)
        return rule


def in_general(template: str) -> str | None:
    """Return a template as a sentence about any finding, None if it needs the facts of one.

    "keep the key '{name}' of '{op}'" becomes "Keep the key of the op.": a fact behind its noun is left out, and any
    other name is "it".
    """
    text = template
    if "{" in text:
        import re

        text = re.sub(r"\b(the (?:\w+ )?(?!(?:as|at|by|for|from|in|of|on|or|to|with)\b)\w+) '?\{\w+\}'?", r"\1", text)
        text = text.replace("'{op}'", "the op").replace("'{name}'", "it")
    return None if "{" in text or not text else f"{text[:1].upper()}{text[1:]}."


def _check(rule: Rule) -> None:
    """Make sure of what no type checker has seen: a rule may be new.

    Raises:
        ValueError: a level or a direction is unknown, or the rule would never be found.
    """
    levels = (rule.level, rule.level_at_base or rule.level)
    unknown = [
        *(each for each in levels if each not in LEVELS),
        *(each for each in rule.directions if each not in DIRECTIONS),
    ]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is none of: {', '.join((*LEVELS, *DIRECTIONS))}")
    if not isinstance(rule.on, tuple) or not any(f"{rule.id}_".startswith(f"{event}_") for event in rule.on):
        raise ValueError(f"the name of the file begins with none of the events in `on`: {rule.on!r}")


def _section(paragraph: str) -> tuple[str, str]:
    heading, _, text = paragraph.partition(":\n")
    return heading.strip(), " ".join(text.split())
