"""List every rule, with its level in each profile."""

from __future__ import annotations

from opspec_lint.kit.command_line import Outcome, choice_of
from opspec_lint.kit.errors import CLEAN
from opspec_lint.kit.text import columns
from opspec_lint.lint import rulebook
from opspec_lint.lint.profile import PROFILES, framework_variants
from opspec_lint.lint.rule_levels import levels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.lint.rule import Rule

SUMMARY = "list every rule, with its level in each profile"
EXAMPLES = (
    "opspec-lint rules",
    "opspec-lint rules --profile paddle --subject attrs",
)


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add(
        "--format",
        accept=choice_of("format", lambda: ("text", "json")),
        known=lambda: ("text", "json"),
        default="text",
        help="the output format: text or json (default: text)",
    )
    profile_help = "only rules that are on in this profile, with their level in it"
    profile = choice_of("profile", PROFILES.names)
    arguments.add("--profile", accept=profile, known=PROFILES.names, metavar="NAME", help=profile_help)
    subject = choice_of("subject", subjects)
    arguments.add("--subject", accept=subject, known=subjects, metavar="NAME", help=_subject_help)


def subjects() -> list[str]:
    """Return the subjects of rules, sorted: those of general rules, and the frameworks of the others."""
    return sorted({*map(rulebook.subject_of, rulebook.RULES.names())})


def _subject_help() -> str:
    return f"only rules about this: {', '.join(subjects())}"


def run(options: Options) -> Outcome:
    """Return the list, with the rules of plug-ins."""
    from opspec_lint.kit import plugins

    plugins.activate()
    names = [name for name in rulebook.RULES.names() if options.subject in (None, rulebook.subject_of(name))]
    # A rule or a profile of a plug-in that fails is left out: `opspec-lint plugins` names it.
    rules = [rulebook.load(name) for name in names if rulebook.RULES.can_load(name)]
    profiles = [profile.name for profile in PROFILES.every() if not profile.is_shared]
    if options.profile is not None:
        variants = framework_variants(PROFILES.load(options.profile))
        profiles = [*variants.values()] if variants else [options.profile]
        rules = [rule for rule in rules if any(levels(rule)[name] != "off" for name in profiles)]
    return Outcome(text=_rules_json(rules) if options.format == "json" else _rules_text(rules, profiles), code=CLEAN)


def _rules_json(rules: list[Rule]) -> str:
    """Return the rules with their texts, levels and examples as JSON."""
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


def _rules_text(rules: list[Rule], names: list[str]) -> str:
    rows = [("rule", *names, "")]
    rows += [(rule.id, *map(levels(rule).__getitem__, names), rule.title) for rule in rules]
    return "\n".join([*columns(rows), ""])
