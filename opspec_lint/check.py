"""The whole pipeline: two specs and a policy in, what is to be said of them out."""

from __future__ import annotations

from opspec_lint import optable, rulebook
from opspec_lint import profile as profiles
from opspec_lint.builds import align, capped
from opspec_lint.diff import diff
from opspec_lint.errors import InputError, unknown_name
from opspec_lint.findings import Comparison, Report, RuleFacts, Side
from opspec_lint.judge import judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from opspec_lint.findings import Finding, Level
    from opspec_lint.model import Spec
    from opspec_lint.profile import Profile
    from opspec_lint.release import Versions


def check(base: Spec, head: Spec, profile: Profile | None = None, only: Collection[str] | None = None) -> Comparison:
    """Compare head with base and judge every difference.

    Args:
        base: the spec that saved models were made under.
        head: the spec that is to take its place.
        profile: the policy; None is the default of the framework.
        only: the names of the ops to look at, or None for all.

    Raises:
        InputError: the specs are of different frameworks, or base has no ops at all.
        UsageError: `only` names an op that neither has.
    """
    _check_comparable(base, head)
    for name in only or ():
        if name not in base.ops and name not in head.ops:
            raise unknown_name("op", name, base.ops.keys() | head.ops.keys())
    policy = profile or profiles.default_for(head.provenance.framework)
    aligned = align(base, head)
    findings = judge(
        diff(*aligned, only),
        policy,
        framework=head.provenance.framework,
        in_order=base.ordered and head.ordered,
    )
    findings = tuple(map(capped, findings))
    if base.remarks or head.remarks:
        from opspec_lint import circumstances, remarks

        found = circumstances.judge(remarks.news(base, head, only), policy.levels)
        findings = tuple(each for each in findings if not remarks.is_void(each, base, head))
        findings = tuple(sorted((*findings, *found), key=lambda each: (each.op is not None, each.op or "")))
    comparison = Comparison(
        base=_side(base),
        head=_side(head),
        profile=policy.name,
        findings=findings,
        only=None if only is None else tuple(only),
    )
    if not (optable.is_located(base.ops) or optable.is_located(head.ops)):
        return comparison
    from opspec_lint import origins

    return origins.locate(comparison, *aligned)


def report(*comparisons: Comparison, general: tuple[Finding, ...] = ()) -> Report:
    """Return the report of some comparisons and of what else was found, with what its rules say."""
    findings = general + tuple(finding for each in comparisons for finding in each.findings)
    rules = sorted({finding.rule for finding in findings})
    return Report(comparisons=comparisons, general=general, rules=tuple(map(_facts, rules)))


def judge_versions(found: Report, versions: Versions, levels: Mapping[str, Level]) -> tuple[Finding, ...]:
    """Return the finding that the next version is too small for what was found; none where it is not."""
    from opspec_lint import circumstances, release

    verdict = release.verdict(found)
    following = versions.next
    if following is None or release.is_enough(verdict.part, versions):
        return ()
    facts = {
        "next": following.text,
        "released": versions.released.text,
        "part": verdict.part,
        "least": release.least(verdict.part, versions.released).text,
        "reason": verdict.reason,
    }
    too_small = circumstances.Circumstance(
        event="release_too_small",
        kind="config",
        name="next",
        facts=facts,
        old=versions.released.text,
        new=following.text,
    )
    return circumstances.judge([too_small], levels)


def _check_comparable(base: Spec, head: Spec) -> None:
    theirs, ours = base.provenance.framework, head.provenance.framework
    if theirs != ours:
        raise InputError(
            head.file,
            f"is a spec of {ours}, but base ({base.file}) is one of {theirs}",
            advice="compare two specs of one framework",
        )
    if not base.ops:
        raise InputError(
            base.file,
            "base has no ops, so that nothing could ever break",
            advice="did the command that wrote it fail? Base comes first, head second",
        )


def _facts(name: str) -> RuleFacts:
    rule = rulebook.load(name)
    return RuleFacts(id=rule.id, title=rule.title, flags=rule.flags, why=rule.why, instead=rule.instead)


def _side(spec: Spec) -> Side:
    return Side(file=spec.file, provenance=spec.provenance, ops=len(spec.ops))
