"""The policy for a repository: its configuration, and the options that replace parts of it."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.lint import crossing
from opspec_lint.lint import profile as profiles
from opspec_lint.lint.check import check
from opspec_lint.lint.judge import judge_in_order
from opspec_lint.lint.profile import NO_POLICY, PROFILES
from opspec_lint.project.profile_choice import chosen
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
    """A policy: the configuration in force, None where there is none.

    `profiles` come before the configured ones. `names` are those of the spec that is compared: its source, or its paths
    at base and head. `only` are the ops to compare, None for all. `wants_lines` is whether findings need their lines in
    spec files, and `wants_fixes` whether they need their fixes. `coming` is the next version of what is checked, None
    if nobody said it.
    """

    config: Config | None
    profiles: tuple[ProfileChoice, ...] = ()
    names: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    wants_lines: bool = False
    wants_fixes: bool = False
    coming: str | None = None

    @property
    def levels(self) -> Mapping[RuleId, Level]:
        """The levels of single rules."""
        return {} if self.config is None else self.config.levels

    @property
    def against(self) -> tuple[str, ...]:
        """The releases that must stay compatible."""
        return () if self.config is None else self.config.against

    def of(self, *names: str | None) -> Policy:
        """Return the policy for a spec that goes by some names; None is no name."""
        return self.replace(names=tuple(name for name in names if name is not None))

    def among(self, ops: Iterable[str]) -> tuple[str, ...]:
        """Return those of some ops that are looked at."""
        every = tuple(ops)
        return every if self.only is None else tuple(op_choice.select_names(self.only, every))

    def gate(self, reviews: Callable[[], Reviews] | None, head: str | None) -> Gate | None:
        """Return the required approvals; None if no reviewers are configured, or reviews are not checked.

        Args:
            reviews: returns the reviews; None if they are not checked.
            head: the id of the commit that is checked, None if it is not a commit.
        """
        if reviews is None or self.config is None or not self.config.reviewers:
            return None
        from opspec_lint.lint.approvals import Gate

        return Gate(
            teams=self.config.reviewers, reviews=reviews, is_of_head=self.config.approvals == "of-head", head=head
        )

    def judge(self, facts: Iterable[Fact]) -> tuple[Finding, ...]:
        """Return the findings for circumstances, in the order of the facts."""
        return judge_in_order(facts, NO_POLICY.replace(levels=self.levels))

    def compare(self, base: Spec, head: Spec, *, at_base: bool = False, before: Spec | None = None) -> Comparison:
        """Compare two specs under this policy; findings about ignored ops are counted and left out.

        Args:
            base: the spec that existing models were saved with.
            head: the spec that replaces it.
            at_base: whether base is the same spec before a change.
            before: what models of base were loaded as before, where they are loaded as those of another framework.

        Raises:
            InputError: the two cannot be compared.
            UsageError: there is no such profile, or it is for specs of another framework.
        """
        policy = self._profile(base.provenance.framework, head.provenance.framework, is_met=before is not None)
        only = None if self.only is None else op_choice.select_names(self.only, {*base.ops, *head.ops})
        policy = policy.with_levels(self.levels)
        if self.config is None or not self.config.ignore:
            return check(base, head, policy, only, at_base=at_base, before=before)
        found = check(base, head, policy, only, at_base=at_base, before=before, is_ignored=self._is_ignored)
        kept = tuple(each for each in found.findings if each.op is None or not self._is_ignored(each.op))
        return found.replace(findings=kept, ignored=len(found.findings) - len(kept))

    def _profile(self, base: str, head: str, *, is_met: bool) -> Profile:
        """Return the profile for specs of two frameworks: that which is named, or the default.

        Args:
            base: the framework of base.
            head: the framework of head.
            is_met: whether nobody named the two; then only a profile of no framework counts for them.
        """
        name = chosen((*self.profiles, *(() if self.config is None else self.config.profile)), self.names)
        if name and is_met and PROFILES.framework_of(name):
            name = None
        way = None if name or base == head else crossing.crossing_for(base, head)
        if way is not None:
            name = way.profile
        return PROFILES.load(name) if name else profiles.default_for(head)

    def _is_ignored(self, op: str) -> bool:
        patterns = () if self.config is None else self.config.ignore
        return op_choice.matches_any(op, patterns)
