"""The whole pipeline for two specs: specs and a policy in, a comparison with findings out."""

from __future__ import annotations

from opspec_lint.diff.binding import BINDINGS
from opspec_lint.diff.changes.knowledge import drop_ignored_ops
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

    from opspec_lint.diff.memory import Memory
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
    memory: Memory | None = None,
) -> Comparison:
    """Compare head with base and judge every difference.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        profile: the policy; None for the default of the framework.
        only: the ops to compare, as names or patterns; None for all.
        at_base: whether base is the same spec file before a change, and not another spec.
        is_ignored: tells whether to leave an op out of facts that are about several ops.
        before: for specs of two frameworks, what models of base were loaded as before: what held there already is left
            out.
        memory: of comparisons of other specs that share ops with these.

    Raises:
        InputError: the specs are of two frameworks without a crossing, or of one file at two times; base has no ops; or
            a binding is unknown.
        UsageError: neither spec has an op of `only`, the profile has no levels for the framework, or a model is
            compared with a spec of ops.
    """
    framework = head.provenance.framework
    if base.provenance.framework != framework:
        if at_base:  # that head calls itself another framework's does not change what base was
            raise _of_two_frameworks(base, head)
        return _crossed(base, head, profile, only, before)
    _check_comparable(base, head)
    picked = _picked(only, base, head)
    policy = profiles.between(profile or profiles.default_for(framework), base, head)
    aligned = align_variants(base, head)
    changes = diff(*aligned, picked, memory)
    facts: list[Fact] = [*remarks.certain(changes, base, head), *remarks.news(base, head, picked)]
    if is_ignored is not None:
        facts = [left for fact in facts if (left := drop_ignored_ops(fact, is_ignored)) is not None]
    is_in_order = binding_for(base, head).is_in_order
    findings = judge(facts, policy, framework=framework, in_order=is_in_order, at_base=at_base, memory=memory)
    comparison = Comparison(
        base=_side(base),
        head=_side(head),
        profile=policy.name,
        findings=findings,
        only=None if only is None else tuple(only),
        exempt_under=profiles.exempt_under(policy, findings),
    )
    if not (op_table.is_located(base.ops) or op_table.is_located(head.ops)):
        return comparison
    from opspec_lint.lint.anchors_in_source import located
    from opspec_lint.lint.steps import Steps

    return Steps(in_source=lambda finding: located(finding, *aligned)).of(comparison)


def _crossed(
    base: Spec, head: Spec, profile: Profile | None, only: Collection[str] | None, before: Spec | None
) -> Comparison:
    """Return the comparison of two specs of different frameworks, by their crossing."""
    from opspec_lint.lint import crossing

    way = crossing.between(base.provenance.framework, head.provenance.framework)
    if way is None:
        raise _of_two_frameworks(base, head)
    _check_comparable(base, head)
    picked = _picked(only, base, head) if before is None else _chosen(only, base, before, head)
    policy = profile or PROFILES.load(way.profile)
    profiles.require_framework(policy, head, way.profile)
    facts = list(way.compare(base, head, picked, before))
    findings = judge(facts, policy, framework=head.provenance.framework)
    named = None if picked is None else tuple(picked)
    return Comparison(base=_side(base), head=_side(head), profile=policy.name, findings=findings, only=named)


def _picked(only: Collection[str] | None, base: Spec, head: Spec) -> list[str] | None:
    """Return the names of the ops that `only` selects, None for all.

    Raises:
        UsageError: a word of it selects none.
    """
    if only is None:
        return None
    names = base.ops.keys() | head.ops.keys()
    missing = op_choice.unmatched_patterns(only, names)
    if missing:
        raise unknown_name("op", missing[0], names)
    return op_choice.select_names(only, names)


def _chosen(only: Collection[str] | None, *specs: Spec) -> list[str] | None:
    """Return the names of the ops that `only` selects in any of some specs, None for all."""
    return None if only is None else op_choice.select_names(only, {name for each in specs for name in each.ops})


def report(*comparisons: Comparison, general: tuple[Finding, ...] = ()) -> Report:
    """Return the report of comparisons and of general findings, with the texts of their rules."""
    found: dict[str, str | None] = {finding.rule: None for finding in general}
    for each in comparisons:
        found |= {finding.rule: each.head.provenance.framework for finding in each.findings}
    return Report(
        comparisons=comparisons, general=general, rules=tuple(_facts(*each) for each in sorted(found.items()))
    )


def too_small(found: Report, versions: Versions) -> list[Fact]:
    """Return the fact that the next version is too small for the findings; empty if it is large enough."""
    from opspec_lint.report import release
    from opspec_lint.report.versions import is_enough, least_after

    verdict = release.verdict(found)
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
    for spec in (base, head):
        if spec.binding not in BINDINGS:
            advice = nearest_advice(spec.binding, BINDINGS.names())
            raise InputError(spec.file, f"unknown binding {spec.binding!r}", where="binding", advice=advice)
        framework = spec.provenance.framework
        if spec.binding not in _bindings(framework):
            problem = f"a spec of {framework} has no binding {spec.binding!r}"
            advice = f"expected one of: {', '.join(_bindings(framework))}"
            raise InputError(spec.file, problem, where="binding", advice=advice)
    if not base.ops:
        raise InputError(
            base.file,
            "base has no ops, so nothing can break",
            advice="did the command that wrote it fail? Base comes first, head second",
        )


def _bindings(framework: str) -> Sequence[str]:
    """Return the bindings that specs of a framework may state; of one that we do not know, those of no framework."""
    if framework in fields.FRAMEWORKS:
        return FRAMEWORKS.load(framework).bindings
    return BINDINGS.of("")


def _of_two_frameworks(base: Spec, head: Spec) -> OpspecError:
    """Return the error for specs that cannot be compared; for a saved model and a spec of ops it advises `audit`."""
    theirs, ours = base.provenance.framework, head.provenance.framework
    if not (is_interface(base.provenance) or is_interface(head.provenance)):
        return InputError(
            head.file,
            f"is a spec of {ours}, but base ({base.file}) is one of {theirs}",
            advice="compare two specs of one framework",
        )
    model, ops = (base, head) if is_interface(base.provenance) else (head, base)
    return UsageError(
        f"{model.file} is the interface of a saved model, and {ops.file} a spec of the ops of "
        f"{ops.provenance.framework}",
        advice=f"`opspec-lint audit {model.file} --against {ops.file}` tells whether the model loads",
    )


def _facts(name: str, framework: str | None) -> RuleFacts:
    rule = rulebook.worded(name, framework)
    return RuleFacts(id=rule.id, title=rule.title, flags=rule.flags, why=rule.why, instead=rule.instead, fix=rule.fix)


def _side(spec: Spec) -> Side:
    return Side(file=spec.file, provenance=spec.provenance, ops=len(spec.ops))
