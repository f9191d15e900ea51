"""Judgements of `check` for each two releases: one that saved a model, and one that loads it.

Models are judged by the loaders of their framework, if they have a profile (`saved-model`), else by the default profile
of the framework. Models that another framework loads are judged by the profile of that crossing.
"""

from __future__ import annotations

from functools import cache, cached_property

from opspec_lint.diff.memory import Memory
from opspec_lint.lint import crossing, profile
from opspec_lint.lint.check import check
from opspec_lint.lint.check import report as report_of
from opspec_lint.lint.profile import PROFILES
from opspec_lint.models.loader import LOADERS
from opspec_lint.spec import op_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from opspec_lint.lint.profile import Profile
    from opspec_lint.report.findings import Comparison, Finding, Report
    from opspec_lint.site.releases import Line

_OF_LOADERS = "saved-model"


class Judgements:
    """The comparisons of all releases of a line with all releases that load their models.

    Args:
        saved: the releases that saved the models.
        loading: the releases that load them; the same line unless the models cross to another framework.
        policy: the profile for the judgement.
        proofs: files of `prove`, whose verdicts the findings carry.
    """

    def __init__(self, saved: Line, loading: Line, policy: Profile, proofs: Sequence[str] = ()) -> None:
        self.saved = saved
        self.loading = loading
        self.profile = policy.name
        self.summary = policy.summary
        self._policy = policy
        self._proofs = proofs
        self._memory = Memory()

    @property
    def is_crossing(self) -> bool:
        """True if another framework loads the models."""
        return self.saved.framework != self.loading.framework

    @cached_property
    def comparisons(self) -> Mapping[tuple[int, int], Comparison]:
        """The comparison of each two releases, by their places in the two lines."""
        places = [
            (base, head)
            for base in range(len(self.saved.releases))
            for head in range(len(self.loading.releases))
            if self.is_crossing or base != head
        ]
        comparisons = tuple(self._compare(*pair) for pair in places)
        return dict(zip(places, self._with_proofs(comparisons), strict=True))

    def forget(self) -> None:
        # cached_property keeps its value in __dict__; deleting it there makes the next access compute it again.
        """Drop the comparisons until they are needed again: the comparisons of all frameworks take a gigabyte."""
        for name in ("comparisons", "_by_op", "_general_stops"):
            self.__dict__.pop(name, None)
        self._memory = Memory()

    def has_page(self, base: int, head: int) -> bool:
        """Return whether two releases have a page.

        They have one unless models of the newer one go back to an older one that is not the release before it.
        """
        return (base, head) in self.comparisons and (self.is_crossing or head >= base - 1)

    @cached_property
    def _by_op(self) -> Mapping[str | None, Mapping[tuple[int, int], list[Finding]]]:
        """The findings of each op, by the pair of releases that is compared."""
        result: dict[str | None, dict[tuple[int, int], list[Finding]]] = {}
        for place, comparison in self.comparisons.items():
            for finding in comparison.findings:
                by_place = result.get(finding.op)
                if by_place is None:
                    by_place = result[finding.op] = {}
                by_place.setdefault(place, []).append(finding)
        return result

    def findings_by_place(self, op: str | None) -> Mapping[tuple[int, int], Sequence[Finding]]:
        """Return the findings about an op for each two releases that have any, the worst first; see `findings`."""
        return self._by_op.get(op, {})

    def findings(self, base: int, head: int, op: str | None) -> Sequence[Finding]:
        """Return the findings of two releases about an op, the worst first; for None, those about no single op."""
        return self.findings_by_place(op).get((base, head), ())

    def stop_of_any_op(self, base: int, head: int) -> Finding | None:
        """Return the finding that stops some models of a release in another one, whatever ops they use, or None."""
        return self._general_stops.get((base, head))

    @cached_property
    def _general_stops(self) -> Mapping[tuple[int, int], Finding]:
        # Once for each two releases, and not again for each op.
        worst = ((pair, _worst_for_models(findings)) for pair, findings in self.findings_by_place(None).items())
        return {pair: finding for pair, finding in worst if finding is not None and finding.level == "error"}

    def older_version(self, op: str, head: int) -> str | None:
        """Return the older version of an op that a release, which lacks the op, takes its nodes for.

        None if the release refuses the model. For instance, ONNX's checker takes a node of `Resize@19` for `Resize@18`
        in a release that has no newer schema.
        """
        return self._older_version(op, head)

    @cached_property
    def _older_version(self) -> Callable[[str, int], str | None]:
        every = (loader for loader in LOADERS.every() if loader.spec_framework == self.loading.framework)
        reads_as = next((loader.reads_as for loader in every if loader.reads_as is not None), None)
        names = [op_table.names(release.spec.ops) for release in self.loading.releases]
        return cache(lambda op, head: None if reads_as is None else reads_as(op, names[head]))

    def _compare(self, base: int, head: int) -> Comparison:
        # The memory is shared by all pairs: neighbouring releases share most ops, which are compared once.
        saved, loading = self.saved.releases[base], self.loading.releases[head]
        only = None
        if self.saved.only is not None:
            heads = () if self.is_crossing else self.loading.ops_of(loading)
            only = sorted({*self.saved.ops_of(saved), *heads})
        return check(saved.spec, loading.spec, self._policy, only, memory=self._memory)

    def _with_proofs(self, comparisons: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
        if not self._proofs:
            return comparisons
        from opspec_lint.proof.attach import attach_proofs

        report: Report = attach_proofs(report_of(*comparisons), self._proofs)
        return report.comparisons


def _worst_for_models(findings: Iterable[Finding]) -> Finding | None:
    """Return the first of some findings, given the worst first, that concerns saved models."""
    concerning = (finding for finding in findings if "backward" in finding.directions)
    return next((finding for finding in concerning if finding.level in ("error", "warning")), None)


def judgements(line: Line, every: Sequence[Line], proofs: Sequence[str] = ()) -> Iterator[Judgements]:
    """Yield the judgements of a line's models: by its own releases, then by each framework that they cross to."""
    yield Judgements(line, line, policy_of(line.framework), proofs)
    for target in every:
        crossed = crossing.crossing_for(line.framework, target.framework) if target is not line else None
        if crossed is not None:
            yield Judgements(line, target, PROFILES.load(crossed.profile), proofs)


def policy_of(framework: str) -> Profile:
    """Return the policy that says which saved models of a framework load."""
    own = profile.framework_variants(PROFILES.load(_OF_LOADERS))
    return PROFILES.load(own[framework]) if framework in own else profile.default_for(framework)
