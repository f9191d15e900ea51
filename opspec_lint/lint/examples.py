"""The examples of rules: their parsed specs, and the findings of the rules in them.

An example is written as ops in the notation, as the interface of a saved model, as a FlatBuffers schema, or in a text
format of its framework (`is_notation`).
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.sources.format import FORMATS, Raw
from opspec_lint.spec.fields import ANY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.lint.rule import Example, Rule
    from opspec_lint.report.findings import Finding, Level
    from opspec_lint.sources.format import Format
    from opspec_lint.spec.ids import RuleId
    from opspec_lint.spec.model import Spec

_SCHEMA = pattern(r"(?:namespace|table|struct|enum|union|root_type)\s+\w")
"""The beginning of an example that is a schema; in the notation of ops, a bracket follows the first name."""


def is_schema(text: str) -> bool:
    """Return whether an example is a FlatBuffers schema."""
    return _SCHEMA.match(text) is not None


def is_interface(text: str) -> bool:
    """Return whether an example is the interface of a saved model."""
    from opspec_lint.spec.interface import notation

    return notation.BEGIN.match(text) is not None


def parse(text: str, *, framework: str = ANY, binding: str | None = None) -> Spec:
    """Return the spec of one side of an example; raise NotationError if no notation fits.

    - `framework`: the framework of the spec.
    - `binding`: the binding of ops in the notation; None for by signature if any argument has a type, else by name.
    """
    from opspec_lint.spec.interface import notation
    from opspec_lint.spec.notation import NotationError, parse_spec

    if is_interface(text):
        try:
            return notation.parse_spec(text)
        except ValueError as error:
            raise NotationError(str(error)) from None
    own = _framework_format(text, framework)
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


def _framework_format(text: str, framework: str) -> Format | None:
    """Return the text format of the framework (`ANY`: of any framework) that an example is in, None for none."""
    for name in FORMATS.names():
        if framework in (ANY, FORMATS.framework_of(name)):
            candidate = FORMATS.load(name)
            if candidate.is_notation and candidate.claims is not None and candidate.claims(text.encode()):
                return candidate
    return None


def findings(example: Example, rule: Rule) -> tuple[Finding, ...]:
    """Return the findings in an example of a rule under the strictest profile, with the rule itself turned on."""
    return _findings_in_ops(example, rule) if rule.is_of_contract else _findings_in_scene(example, rule)


def _findings_in_scene(example: Example, rule: Rule) -> tuple[Finding, ...]:
    """Return the finding in the scene that a rule flags, made from the facts that the rule states."""
    from opspec_lint.lint.circumstances import circumstance
    from opspec_lint.lint.judge import judge_in_order
    from opspec_lint.lint.profile import NO_POLICY

    if example not in rule.flagged:
        return ()
    fact = circumstance(rule.on[0], "source", str(rule.facts["name"]), rule.facts)
    return judge_in_order([fact], NO_POLICY.replace(levels=_enabling_levels(rule)))


def _findings_in_ops(example: Example, rule: Rule) -> tuple[Finding, ...]:
    """Return the findings between both sides of an example about ops."""
    from opspec_lint.diff.specs import diff
    from opspec_lint.lint.judge import judge
    from opspec_lint.lint.profile import FALLBACK, PROFILES

    base, head = (parse(side, framework=rule.framework or ANY) for side in example)
    return judge(
        diff(base, head), PROFILES.load(FALLBACK).replace(levels=_enabling_levels(rule)), framework=rule.only_for
    )


def _enabling_levels(rule: Rule) -> dict[RuleId, Level]:
    """Return the levels that turn on a rule that is off by default; empty for any other rule."""
    return {rule.id: "error"} if rule.level == "off" else {}
