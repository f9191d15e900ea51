"""A rule: the texts, the level and the examples of a kind of finding.

A module of `lint/rules/`, or of a framework's `rules/`, contains one rule. Most rules have the name of the event that
they judge. A rule never reads a spec: it sees one change. Its docstring has a title and three sections (Flags, Why it
breaks, Instead); a section that would repeat the witness or the advice is left out. `explain`, the documentation and
the tests read the same docstring and the same examples.
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
"""The sections that a docstring may omit, with the template that supplies the sentence."""
FIX = "Fix"
"""The additional section of a rule that has a fix."""


class Rule(Record):
    """The judgement of an event: level, texts and examples.

    Fields that `with_file_data` takes from the file:
    - `id`: the file name; `framework`: the folder of a framework, "" for a general rule
    - `title`, `flags`, `why`, `instead`, `how_fixed`: the sections of the docstring

    Fields that the rule states:
    - `on`: the events that it judges, by default the event of the same name; `when`: a condition on the fact
    - `level`: used if the profile does not name the rule; `level_at_base`: the least level if a spec file is compared
      with itself before a change, which no profile lowers
    - `directions`: the directions in which models break; `consequence`: what a reader does with the bytes of a file
    - `message` (what changed), `witness` (who breaks, and how), `advice` (what to do): templates over the values of a
      fact, each one line
    - `flagged`, `passes`: examples that the rule flags, and similar ones that it does not flag
    - `facts`: the values of the fact in the flagged scene; only for rules that do not judge ops
    - `is_ignored`: loaders ignore the part of the model that the rule flags, and continue
    - `fix`: the safety of the fix, None without one; `since`: the version of this program that introduced the rule
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
        """The rule judges ops, so that profiles apply, and not circumstances."""
        return not self.facts

    @property
    def only_for(self) -> str | None:
        """The only framework whose ops the rule judges; None for every framework, or if only that one has the event."""
        return None if self.id in self.on else self.framework or None

    def with_file_data(self, name: str, framework: str, doc: str) -> Rule:
        """Return the rule with its id, its framework and the texts of the docstring.

        Raises ValueError if the docstring lacks a section that no template can supply (`generalize`), or if a field is
        invalid.
        """
        title, *paragraphs = doc.strip().split("\n\n")
        sections = dict(_section(paragraph) for paragraph in paragraphs)
        how_fixed = sections.pop(FIX, "")
        omitted = {
            section: sentence
            for section, template in _TEMPLATES.items()
            if section not in sections and (sentence := generalize(getattr(self, template))) is not None
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


def generalize(template: str) -> str | None:
    """Return a template as a sentence that holds for any finding; None if it needs the values of one.

    "keep the key '{name}' of '{op}'" becomes "Keep the key of the op.": a value after its noun is dropped, and any
    other name becomes "it".
    """
    text = template
    if "{" in text:
        import re

        # The lookahead keeps a preposition from being taken for the noun: "the same as {old}" needs the value.
        text = re.sub(r"\b(the (?:\w+ )?(?!(?:as|at|by|for|from|in|of|on|or|to|with)\b)\w+) '?\{\w+\}'?", r"\1", text)
        text = text.replace("'{op}'", "the op").replace("'{name}'", "it")
    return None if "{" in text or not text else f"{text[:1].upper()}{text[1:]}."


def _check(rule: Rule) -> None:
    """Raise ValueError for an unknown level or direction, or for a file name that no event leads to."""
    # mypy checks the rules of this package; a contributor sees a rule fail in `explain` before he runs mypy.
    levels = (rule.level, rule.level_at_base or rule.level)
    unknown = [
        *(level for level in levels if level not in LEVELS),
        *(direction for direction in rule.directions if direction not in DIRECTIONS),
    ]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is none of: {', '.join((*LEVELS, *DIRECTIONS))}")
    if not isinstance(rule.on, tuple) or not any(f"{rule.id}_".startswith(f"{event}_") for event in rule.on):
        raise ValueError(f"the name of the file begins with none of the events in `on`: {rule.on!r}")


def _section(paragraph: str) -> tuple[str, str]:
    """Return the heading and the text, as one line, of a section of a docstring."""
    heading, _, text = paragraph.partition(":\n")
    return heading.strip(), " ".join(text.split())
