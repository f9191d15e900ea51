"""Explain a rule: what it flags, why that breaks, what to do instead, with a witness and examples."""

from __future__ import annotations

import json

from opspec_lint.kit.command_line import Outcome
from opspec_lint.kit.errors import CLEAN, UsageError, similar_name_advice
from opspec_lint.kit.text import wrap
from opspec_lint.lint import rulebook
from opspec_lint.lint.examples import findings
from opspec_lint.lint.rule_levels import default_level, deviating_profiles
from opspec_lint.lint.rulebook import RULES
from opspec_lint.lint.wording import WORDINGS, apply_wording
from opspec_lint.report.findings import CONSEQUENCES
from opspec_lint.spec.fields import FRAMEWORKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.lint.rule import Example, Rule

SUMMARY = "explain a rule, with examples"
EXAMPLES = ("opspec-lint explain attr_default_changed",)

_WIDTH = 100


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add(
        "rule",
        metavar="RULE",
        known=RULES.names,
        help="the id of a rule; `opspec-lint rules` lists them",
    )


def run(options: Options) -> Outcome:
    """Return the explanation. Raises UsageError if there is no such rule."""
    if options.rule not in RULES:
        raise _unknown_rule_error(options.rule)
    return Outcome(text="\n".join([*_lines(rulebook.load(options.rule)), ""]), code=CLEAN)


def _unknown_rule_error(name: str) -> UsageError:
    """Return the error for a name that is no rule; the name of an op gets the commands that are about ops."""
    findings = f"`opspec-lint check BASE HEAD --op {name}` shows its findings"
    if _is_op(name):
        history = f"`opspec-lint blame SOURCE {name}` the commits behind it"
        return UsageError(f"{name!r} is an op, not a rule", advice=f"{findings}, {history}")
    near = similar_name_advice(name, RULES.names())
    # Only ops of released specs are known here: reading the user's own tree would take seconds.
    listed = f"`opspec-lint rules` lists the rules; if it is an op, {findings}"
    return UsageError(f"unknown rule {name!r}", advice=near or listed)


def _is_op(name: str) -> bool:
    """Return whether the newest released spec of a framework has an op with this name."""
    from opspec_lint.sources import released

    # A search in the text: decoding the specs of all frameworks would take seconds, for a better error message.
    newest = {known.partition("@")[0]: known for known in released.names()}
    key = f"{json.dumps(name)}: {{".encode()
    return any(key in released.read(known) for known in newest.values())


def _lines(rule: Rule) -> Iterator[str]:
    """Yield the explanation of a rule: its sections, the texts of frameworks, its levels, and its examples."""
    yield f"{rule.id}: {rule.title[:1].lower()}{rule.title[1:]}"
    for heading, text in (("Flags", rule.flags), ("Why it breaks", rule.why), ("Instead", rule.instead)):
        yield ""
        yield heading
        yield from wrap(text, width=_WIDTH, indent="  ")
    if rule.fix is not None:
        yield from ("", f"Fix ({rule.fix})")
        yield from wrap(rule.how_fixed, width=_WIDTH, indent="  ")
    for framework in WORDINGS.names():
        yield from _framework_reason(framework, rule)
    yield ""
    how = f" ({CONSEQUENCES[rule.consequence]})" if rule.consequence else ""
    yield f"Breaks: {' and '.join(rule.directions) or 'nothing by itself'}{how}"
    but = (f"{level} in {', '.join(names)}" for level, names in deviating_profiles(rule).items())
    yield f"Level:  {'; '.join([default_level(rule), *but])}"
    yield f"Since:  opspec-lint {rule.since}"
    nothing = absent(rule)
    for example in rule.flagged:
        yield from ("", "Flagged", *_example(example, nothing))
        for finding in findings(example, rule):
            if finding.rule == rule.id:
                yield f"  {finding.message}"
                yield from wrap(f"witness: {finding.breaks}", width=_WIDTH, indent="  ")
                yield from wrap(f"advice: {finding.advice}", width=_WIDTH, indent="  ")
    for example in rule.passes:
        yield from ("", "Left alone", *_example(example, nothing))


def _framework_reason(framework: str, rule: Rule) -> Iterator[str]:
    """Yield why a change breaks models of a framework, and what to do, if the framework has texts of its own."""
    worded = apply_wording(rule, framework)
    texts = [worded.why] if worded.why != rule.why else []
    texts += [f"Instead: {worded.instead}"] if worded.instead != rule.instead else []
    if texts:
        yield from ("", f"In {FRAMEWORKS.load(framework).title}")
    for text in texts:
        yield from wrap(text, width=_WIDTH, indent="  ")


def absent(rule: Rule) -> str:
    """Return the text for an empty side of an example."""
    return "(no such op)" if rule.is_of_contract else "(nothing)"


def _example(example: Example, nothing: str) -> Iterator[str]:
    for side, text in zip(("base", "head"), example, strict=True):
        first, *more = (text or nothing).split("\n")
        yield f"  {side}  {first}"
        yield from (f"        {line}" for line in more)
