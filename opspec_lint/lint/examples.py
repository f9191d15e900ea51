"""The examples of rules: the specs that they stand for, and what the rules find in them.

An example is written as ops in the notation, as the interface of a saved model, as a FlatBuffers schema, or in a text
format of its framework (`is_notation`).
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.sources.format import FORMATS, Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.lint.rule import Example, Rule
    from opspec_lint.report.findings import Finding, Level
    from opspec_lint.sources.format import Format
    from opspec_lint.spec.ids import RuleId
    from opspec_lint.spec.model import Spec

_SCHEMA = pattern(r"(?:namespace|table|struct|enum|union|root_type)\s+\w")
"""How the examples begin that are schemas. In the notation, a bracket follows the first name."""


def is_schema(text: str) -> bool:
    """Tell whether an example is a FlatBuffers schema."""
    return _SCHEMA.match(text) is not None


def is_interface(text: str) -> bool:
    """Tell whether an example is what callers of a saved model call."""
    from opspec_lint.spec.interface import notation

    return notation.BEGIN.match(text) is not None


def parse(text: str, *, framework: str = "any", binding: str | None = None) -> Spec:
    """Return the spec of one side of an example.

    Args:
        text: the side.
        framework: what the spec is to be of.
        binding: that of ops in the notation; None stands for a signature where any has types, else by name.

    Raises:
        NotationError: the text is neither in one of the notations nor a schema.
    """
    from opspec_lint.spec.interface import notation
    from opspec_lint.spec.notation import NotationError, parse_spec

    if is_interface(text):
        try:
            return notation.parse_spec(text)
        except ValueError as error:
            raise NotationError(str(error)) from None
    own = _format(text, framework)
    if own is not None:
        return own.load(Raw(data=text.encode(), format=own), "example")
    if not is_schema(text):
        return parse_spec(text, framework=framework, binding=binding)
    from opspec_lint.documents.fbs.resolve import read_schema
    from opspec_lint.sources.declared import spec_of

    try:
        return spec_of(read_schema(text.encode(), "example"), "example", framework)
    except InputError as error:
        raise NotationError(error.message) from None


def _format(text: str, framework: str) -> Format | None:
    """Return the format of a framework's own that an example is written in, None for none; "any" is any of them."""
    for name in FORMATS.names():
        if framework in ("any", FORMATS.framework_of(name)):
            found = FORMATS.load(name)
            if found.is_notation and found.claims is not None and found.claims(text.encode()):
                return found
    return None


def findings(example: Example, rule: Rule) -> tuple[Finding, ...]:
    """Return all that the strictest of profiles finds in an example of a rule, registrations too."""
    return _of_ops(example, rule) if rule.is_of_contract else _of_surroundings(example, rule)


def _of_surroundings(example: Example, rule: Rule) -> tuple[Finding, ...]:
    from opspec_lint.lint.circumstances import circumstance
    from opspec_lint.lint.judge import judge_in_turn
    from opspec_lint.lint.profile import NO_POLICY

    if example not in rule.flagged:
        return ()
    fact = circumstance(rule.on[0], "source", str(rule.facts["name"]), rule.facts)
    return judge_in_turn([fact], NO_POLICY.replace(levels=_asked_for(rule)))


def _of_ops(example: Example, rule: Rule) -> tuple[Finding, ...]:
    from opspec_lint.diff.specs import diff
    from opspec_lint.lint.judge import judge
    from opspec_lint.lint.profile import FALLBACK, PROFILES

    base, head = (parse(side, framework=rule.framework or "any") for side in example)
    return judge(diff(base, head), PROFILES.load(FALLBACK).replace(levels=_asked_for(rule)), framework=rule.only_for)


def _asked_for(rule: Rule) -> dict[RuleId, Level]:
    """Return the level of a rule that no profile has unless it is asked for."""
    return {rule.id: "error"} if rule.level == "off" else {}
