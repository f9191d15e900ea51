"""List every rule, with its level in each profile."""

from __future__ import annotations

from opspec_lint.kit.command_line import Outcome, one_of
from opspec_lint.kit.errors import CLEAN
from opspec_lint.lint import rulebook
from opspec_lint.lint.profile import PROFILES
from opspec_lint.lint.rule_levels import levels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.lint.rule import Rule

SUMMARY = "list every rule, with its level in each profile"


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add(
        "--format",
        accept=one_of("format", lambda: ("text", "json")),
        known=lambda: ("text", "json"),
        default="text",
        help="the output format: text or json (default: text)",
    )


def run(options: Options) -> Outcome:
    """Return the list."""
    rules = [rulebook.load(name) for name in rulebook.RULES.names()]
    return Outcome(text=_json(rules) if options.format == "json" else _text(rules), code=CLEAN)


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
            "flagged": [{"base": base, "head": head} for base, head in rule.flagged],
            "passes": [{"base": base, "head": head} for base, head in rule.passes],
        }
        for rule in rules
    ]
    return json.dumps(records, indent=1) + "\n"


def _text(rules: list[Rule]) -> str:
    names = [name for name in PROFILES.names() if not PROFILES.load(name).is_shared]
    rows = [("rule", *names, "")]
    rows += [(rule.id, *levels(rule).values(), rule.title) for rule in rules]
    widths = [max(len(row[column]) for row in rows) for column in range(len(names) + 1)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows
    ]
    return "\n".join([*(line.rstrip() for line in lines), ""])
