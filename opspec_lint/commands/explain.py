"""Explain a rule: what it flags, why that breaks, what to do instead, with a witness and examples."""

from __future__ import annotations

from opspec_lint import rulebook
from opspec_lint.commands.rules import levels
from opspec_lint.errors import CLEAN
from opspec_lint.options import Outcome, suggesting
from opspec_lint.plain import wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from opspec_lint.findings import Finding
    from opspec_lint.options import Parser
    from opspec_lint.rule import Example, Rule

SUMMARY = "explain a rule, with examples"

_WIDTH = 100


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "rule",
        metavar="RULE",
        type=suggesting(str, rulebook.names),
        help="the id of a rule; `opspec-lint rules` lists them",
    )


def run(options: Namespace, *, color: bool) -> Outcome:  # noqa: ARG001 - plain text
    """Return the explanation.

    Raises:
        UsageError: there is no such rule.
    """
    return Outcome(text="\n".join([*_lines(rulebook.load(options.rule)), ""]), code=CLEAN)


def _lines(rule: Rule) -> Iterator[str]:
    yield f"{rule.id}: {rule.title[:1].lower()}{rule.title[1:]}"
    for heading, text in (("Flags", rule.flags), ("Why it breaks", rule.why), ("Instead", rule.instead)):
        yield ""
        yield heading
        yield from wrap(text, width=_WIDTH, indent="  ")
    yield ""
    yield f"Breaks: {' and '.join(rule.directions) or 'nothing by itself'}"
    yield f"Levels: {', '.join(f'{profile} {level}' for profile, level in levels(rule).items())}"
    yield f"Since:  opspec-lint {rule.since}"
    for example in rule.flagged:
        yield from ("", "Flagged", *_example(example))
        for finding in findings(example, rule.only_for):
            if finding.rule == rule.id:
                yield f"  {finding.message}"
                yield from wrap(f"witness: {finding.breaks}", width=_WIDTH, indent="  ")
    for example in rule.passes:
        yield from ("", "Left alone", *_example(example))


def findings(example: Example, framework: str | None = None) -> tuple[Finding, ...]:
    """Return all that the strictest of profiles finds in an example, registrations and the rules of frameworks too."""
    from opspec_lint.diff import diff
    from opspec_lint.judge import judge
    from opspec_lint.notation import parse_spec
    from opspec_lint.profile import FALLBACK, load

    base, head = (parse_spec(line, ordered=None) for line in (example.base, example.head))
    return judge(diff(base, head), load(FALLBACK).but(levels={}), framework=framework)


def _example(example: Example) -> Iterator[str]:
    yield f"  base  {example.base or '(no such op)'}"
    yield f"  head  {example.head or '(no such op)'}"
