"""The comparison of two specs under a policy, from the specs to findings.

1. The profile that judges the specs is chosen, and unmatched names of `only` are refused.
2. `align` gives both specs the same variants of ops and the same fields, and `diff` yields one fact per difference.
3. Facts that are doubtful, as one side could not evaluate an op, are dropped; new remarks of head are added.
4. `judge` makes findings of facts.
5. Findings get their places in source trees.
"""

from __future__ import annotations

from opspec_lint.diff.binding import BINDINGS
from opspec_lint.diff.changes.knowledge import drop_ignored_ops
from opspec_lint.diff.memory import NO_MEMORY
from opspec_lint.diff.specs import binding_for, diff
from opspec_lint.diff.variants import align_variants
from opspec_lint.kit.errors import InputError, UsageError, nearest_advice, unknown_name
from opspec_lint.lint import profile as profiles
from opspec_lint.lint import remarks, rulebook
from opspec_lint.lint.circumstances import circumstance
from opspec_lint.lint.judge import judge
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import Comparison, Report, RuleFacts, Side
from opspec_lint.spec import fields, op_choice, op_table
from opspec_lint.spec.fields import FRAMEWORKS
from opspec_lint.spec.interface.declarations import is_interface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.kit.errors import OpspecError
    from opspec_lint.lint.profile import Profile
    from opspec_lint.report.findings import Finding
    from opspec_lint.report.versions import Versions
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def check(  # noqa: PLR0913 - what is compared, and by which policy
    base: Spec,
    head: Spec,
    profile: Profile | None = None,
    only: Collection[str] | None = None,
    *,
    at_base: bool = False,
    is_ignored: Callable[[str], bool] | None = None,
    before: Spec | None = None,
    memory: NoMemory = NO_MEMORY,
) -> Comparison:
    """Return the findings for all differences between base, which models were saved with, and head.

    - `profile`: None for the default profile of the framework.
    - `only`: names or patterns of the ops to compare; None for all.
    - `at_base`: base is the same spec file as head, before a change.
    - `is_ignored`: `is_ignored(op)` drops the op from facts that concern several ops.
    - `before`: for specs of two frameworks, the spec that models of base were loaded as until now; a problem that it
      has as well is no finding.
    - `memory`: a cache that comparisons of specs with shared ops use in common.

    Raises InputError for specs that cannot be compared, and UsageError for a profile or `only` that fits neither.
    """
    framework = head.provenance.framework
    if base.provenance.framework != framework:
        # An edit of the `framework` of a spec file does not change what models were saved with: no crossing judges it.
        if at_base:
            raise _framework_mismatch(base, head)
        return _check_crossing(base, head, profile, only, before)
    _check_comparable(base, head)
    chosen = _known_ops(only, base, head)
    policy = profiles.profile_for(profile or profiles.default_for(framework), base, head)
    aligned = align_variants(base, head)
    changes = diff(*aligned, chosen, memory)
    facts: list[Fact] = [*remarks.drop_unevaluated(changes, base, head), *remarks.new_remarks(base, head, chosen)]
    if chosen is None and base.build_files:  # only source trees have some
        from opspec_lint.lint.lost_builds import lost_builds

        facts += lost_builds(base, head)
    if is_ignored is not None:
        facts = [remaining for fact in facts if (remaining := drop_ignored_ops(fact, is_ignored)) is not None]
    in_order = binding_for(base, head).is_in_order
    findings = judge(facts, policy, framework=framework, in_order=in_order, at_base=at_base, memory=memory)
    comparison = Comparison(
        base=_side(base),
        head=_side(head),
        profile=policy.name,
        findings=findings,
        only=None if only is None else tuple(only),
        is_silenced=bool(facts) and not findings,
        exempt_under=profiles.exempt_under(policy, findings),
    )
    return _with_source_places(comparison, *aligned)


def _with_source_places(comparison: Comparison, base: Spec, head: Spec) -> Comparison:
    """Return a comparison whose findings have their places in the source trees that the specs were read from."""
    # Spec files have no places here: their lines are found later, and only for reporters that print lines.
    if not (op_table.is_located(base.ops) or op_table.is_located(head.ops)):
        return comparison
    from opspec_lint.lint.anchors_in_source import locate
    from opspec_lint.lint.steps import Steps

    return Steps(in_source=lambda finding: locate(finding, base, head)).apply(comparison)


def _check_crossing(
    base: Spec, head: Spec, profile: Profile | None, only: Collection[str] | None, before: Spec | None
) -> Comparison:
    """Compare specs of two frameworks by their crossing: do models of base load as models of head?"""
    from opspec_lint.lint import crossing

    path = crossing.crossing_for(base.provenance.framework, head.provenance.framework)
    if path is None:
        raise _framework_mismatch(base, head)
    _check_comparable(base, head)
    chosen = _known_ops(only, base, head) if before is None else _matching_ops(only, base, before, head)
    policy = profile or PROFILES.load(path.profile)
    profiles.require_framework(policy, head, path.profile)
    facts = list(path.compare(base, head, chosen, before))
    findings = judge(facts, policy, framework=head.provenance.framework)
    named = None if chosen is None else tuple(chosen)
    return Comparison(base=_side(base), head=_side(head), profile=policy.name, findings=findings, only=named)


def _known_ops(only: Collection[str] | None, base: Spec, head: Spec) -> list[str] | None:
    """Return the names of the ops that `only` selects, None for all; raise UsageError if an entry selects none."""
    if only is None:
        return None
    names = base.ops.keys() | head.ops.keys()
    missing = op_choice.unmatched_patterns(only, names)
    if missing:
        raise unknown_name("op", missing[0], names)
    return op_choice.select_names(only, names)


def _matching_ops(only: Collection[str] | None, *specs: Spec) -> list[str] | None:
    """Return the names of the ops that `only` selects in any of the specs, None for all; entries may select none."""
    return None if only is None else op_choice.select_names(only, {name for spec in specs for name in spec.ops})


def report(*comparisons: Comparison, general: tuple[Finding, ...] = ()) -> Report:
    """Return the report of comparisons and general findings, with the texts of each rule that occurs, once."""
    frameworks: dict[str, str | None] = {finding.rule: None for finding in general}
    for comparison in comparisons:
        frameworks |= {finding.rule: comparison.head.provenance.framework for finding in comparison.findings}
    return Report(
        comparisons=comparisons,
        general=general,
        rules=tuple(_rule_facts(*entry) for entry in sorted(frameworks.items())),
    )


def version_too_small(report: Report, versions: Versions) -> list[Fact]:
    """Return a fact if the planned version is too small for the findings, such as 2.7.1 for a break; else nothing."""
    from opspec_lint.report import release
    from opspec_lint.report.versions import is_enough, least_after

    verdict = release.verdict(report)
    following = versions.next
    if following is None or is_enough(verdict.part, versions):
        return []
    facts = {
        "next": following.text,
        "released": versions.released.text,
        "part": verdict.part,
        "least": least_after(verdict.part, versions.released).text,
        "reason": verdict.reason,
    }
    return [circumstance("release_too_small", "config", "next", facts, old=versions.released.text, new=following.text)]


def _check_comparable(base: Spec, head: Spec) -> None:
    """Raise InputError if a binding is unknown or not of the framework, or if base has no ops."""
    for spec in (base, head):
        if spec.binding not in BINDINGS:
            advice = nearest_advice(spec.binding, BINDINGS.names())
            raise InputError(spec.file, f"unknown binding {spec.binding!r}", where="binding", advice=advice)
        framework = spec.provenance.framework
        if spec.binding not in _bindings(framework):
            problem = f"a spec of {framework} has no binding {spec.binding!r}"
            advice = f"expected one of: {', '.join(_bindings(framework))}"
            raise InputError(spec.file, problem, where="binding", advice=advice)
    # An empty base would pass every head: most often the command that wrote the file has failed.
    if not base.ops:
        raise InputError(
            base.file,
            "base has no ops, so nothing can break",
            advice="check whether the command that wrote it failed; base comes first, head second",
        )


def _bindings(framework: str) -> Sequence[str]:
    """Return the bindings that specs of a framework may state: for an unknown framework, the general bindings."""
    if framework in fields.FRAMEWORKS:
        return FRAMEWORKS.load(framework).bindings
    return BINDINGS.of("")


def _framework_mismatch(base: Spec, head: Spec) -> OpspecError:
    """Return the error for specs of two frameworks; for a model and a spec of ops, its advice is `audit`."""
    base_framework, head_framework = base.provenance.framework, head.provenance.framework
    if not (is_interface(base.provenance) or is_interface(head.provenance)):
        return InputError(
            head.file,
            f"is a spec of {head_framework}, but base ({base.file}) is one of {base_framework}",
            advice="compare two specs of one framework",
        )
    model, ops = (base, head) if is_interface(base.provenance) else (head, base)
    return UsageError(
        f"{model.file} is the interface of a saved model, and {ops.file} a spec of the ops of "
        f"{ops.provenance.framework}",
        advice=f"`opspec-lint audit {model.file} --against {ops.file}` tells whether the model loads",
    )


def _rule_facts(name: str, framework: str | None) -> RuleFacts:
    """Return the texts of a rule, as reports store them, in the terms of a framework."""
    rule = rulebook.load_worded(name, framework)
    return RuleFacts(id=rule.id, title=rule.title, flags=rule.flags, why=rule.why, instead=rule.instead, fix=rule.fix)


def _side(spec: Spec) -> Side:
    """Return the file, the provenance and the number of ops of a spec, as reports store them."""
    return Side(file=spec.file, provenance=spec.provenance, ops=len(spec.ops))
