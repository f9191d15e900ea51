"""List every rule, with its level in each profile."""

from __future__ import annotations

from opspec_lint import profile, rulebook
from opspec_lint.changes import CIRCUMSTANCES
from opspec_lint.errors import CLEAN
from opspec_lint.options import Outcome, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from opspec_lint.options import Parser
    from opspec_lint.rule import Rule

SUMMARY = "list every rule, with its level in each profile"


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--format",
        type=one_of("format", lambda: ("text", "json")),
        default="text",
        help="the output format: text or json (default: text)",
    )


def run(options: Namespace, *, color: bool) -> Outcome:  # noqa: ARG001 - a table has no colours
    """Return the list."""
    rules = [rulebook.load(name) for name in rulebook.names()]
    return Outcome(text=_json(rules) if options.format == "json" else _text(rules), code=CLEAN)


def levels(rule: Rule) -> dict[str, str]:
    """Return the level of a rule in each profile."""
    return {name: _level(rule, name) for name in profile.names()}


def _level(rule: Rule, name: str) -> str:
    if rule.id in CIRCUMSTANCES:
        return rule.level
    policy = profile.load(name)
    if rule.id.endswith(("_renamed", "_moved")) and policy.floor == "off" and rule.id not in policy.levels:
        return "worse half"
    return policy.level(rule.id, rule.level)


def _json(rules: list[Rule]) -> str:
    import json

    records = [
        {
            "id": rule.id,
            "title": rule.title,
            "directions": list(rule.directions),
            "since": rule.since,
            "levels": levels(rule),
            "flags": rule.flags,
            "why": rule.why,
            "instead": rule.instead,
            "message": rule.message,
            "witness": rule.witness,
            "advice": rule.advice,
            "flagged": [{"base": example.base, "head": example.head} for example in rule.flagged],
            "passes": [{"base": example.base, "head": example.head} for example in rule.passes],
        }
        for rule in rules
    ]
    return json.dumps(records, indent=1) + "\n"


def _text(rules: list[Rule]) -> str:
    names = profile.names()
    rows = [("rule", *names, "")]
    rows += [(rule.id, *levels(rule).values(), rule.title) for rule in rules]
    widths = [max(len(row[column]) for row in rows) for column in range(len(names) + 1)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows
    ]
    return "\n".join([*(line.rstrip() for line in lines), ""])
