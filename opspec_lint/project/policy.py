"""The policy of a check: the configuration in force, and the options that replace parts of it."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.lint import crossing
from opspec_lint.lint import profile as profiles
from opspec_lint.lint.check import check
from opspec_lint.lint.judge import judge_in_order
from opspec_lint.lint.profile import NO_POLICY, PROFILES
from opspec_lint.project.profile_choice import choose_profile
from opspec_lint.spec import op_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from opspec_lint.lint.approvals import Gate, Reviews
    from opspec_lint.lint.profile import Profile
    from opspec_lint.project.config import Config
    from opspec_lint.project.profile_choice import ProfileChoice
    from opspec_lint.report.findings import Comparison, Finding, Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import RuleId
    from opspec_lint.spec.model import Spec


class Policy(Record):
    """The policy of a check; `config` is the configuration in force, or None.

    `profiles` of the command line precede the configured ones. `names` are the names of the compared spec: its source,
    or its paths at base and head. `only` are the ops to compare, None for all. `wants_lines`: findings get their lines
    in spec files; `wants_error_lines`: errors and warnings of the change get them;
    `wants_fixes`: findings get fixes. `coming` is the next version of the checked project, None if unknown.
    """

    config: Config | None
    profiles: tuple[ProfileChoice, ...] = ()
    names: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    wants_lines: bool = False
    wants_error_lines: bool = False
    wants_fixes: bool = False
    coming: str | None = None

    @property
    def levels(self) -> Mapping[RuleId, Level]:
        """The configured levels of single rules."""
        return {} if self.config is None else self.config.levels

    @property
    def against(self) -> tuple[str, ...]:
        """The releases that must stay compatible."""
        return () if self.config is None else self.config.against

    def for_spec(self, *names: str | None) -> Policy:
        """Return the policy for a spec with the given names; None is skipped."""
        return self.replace(names=tuple(name for name in names if name is not None))

    def select_ops(self, ops: Iterable[str]) -> tuple[str, ...]:
        """Return the ops that are to be compared."""
        every = tuple(ops)
        return every if self.only is None else tuple(op_choice.select_names(self.only, every))

    def gate(self, reviews: Callable[[], Reviews] | None, head: str | None) -> Gate | None:
        """Return the required approvals; None if no reviewers are configured, or approvals are not checked.

        `head` is the id of the checked commit, None for the index or work tree.
        """
        if reviews is None or self.config is None or not self.config.reviewers:
            return None
        from opspec_lint.lint.approvals import Gate

        return Gate(
            teams=self.config.reviewers, reviews=reviews, is_of_head=self.config.approvals == "of-head", head=head
        )

    def judge(self, facts: Iterable[Fact]) -> tuple[Finding, ...]:
        """Return the findings for facts about the repository, in the order of the facts."""
        return judge_in_order(facts, NO_POLICY.replace(levels=self.levels))

    def compare(self, base: Spec, head: Spec, *, at_base: bool = False, before: Spec | None = None) -> Comparison:
        """Compare two specs under this policy; findings on ignored ops are counted and left out.

        `at_base`: base is the same spec before the change. `before` is the spec that models of base were loaded as
        before, if they are loaded with the ops of another framework. Raises InputError if the specs cannot be compared,
        UsageError if there is no such profile, or it is for another framework.
        """
        policy = self._choose_profile(
            base.provenance.framework, head.provenance.framework, is_cross_contract=before is not None
        )
        only = None if self.only is None else op_choice.select_names(self.only, {*base.ops, *head.ops})
        policy = policy.with_levels(self.levels)
        if self.config is None or not self.config.ignore:
            return check(base, head, policy, only, at_base=at_base, before=before)
        comparison = check(base, head, policy, only, at_base=at_base, before=before, is_ignored=self._is_ignored)
        kept = tuple(
            finding for finding in comparison.findings if finding.op is None or not self._is_ignored(finding.op)
        )
        return comparison.replace(findings=kept, ignored=len(comparison.findings) - len(kept))

    def _choose_profile(self, base: str, head: str, *, is_cross_contract: bool) -> Profile:
        """Return the profile for specs of two frameworks: the configured one, or the default.

        `is_cross_contract`: the user did not name this pair, so a profile of one framework does not apply to it.
        """
        name = choose_profile((*self.profiles, *(() if self.config is None else self.config.profile)), self.names)
        # The user chose this profile for specs of its framework, and did not name this pair.
        if name and is_cross_contract and PROFILES.framework_of(name):
            name = None
        way = None if name or base == head else crossing.crossing_for(base, head)
        if way is not None:
            name = way.profile
        return PROFILES.load(name) if name else profiles.default_for(head)

    def _is_ignored(self, op: str) -> bool:
        patterns = () if self.config is None else self.config.ignore
        return op_choice.matches_any(op, patterns)
