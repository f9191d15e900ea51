"""What `check` says of each two releases: one that saved a model, and one that is to load it.

Models are judged by the loaders of their framework, if they have a profile (`saved-model`), else by the default profile
of the framework. Models of one framework that are loaded as those of another are judged by that crossing.
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
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opspec_lint.lint.profile import Profile
    from opspec_lint.report.findings import Comparison, Finding, Report
    from opspec_lint.site.releases import Line

_OF_LOADERS = "saved-model"


class Judgements:
    """The comparisons of all releases of a line with all releases that load their models.

    Args:
        saved: the releases that saved the models.
        loading: the releases that load them; the same line unless the models cross to another framework.
        policy: by which they are judged.
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
        """Whether the models are loaded as those of another framework."""
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
        found = tuple(self._compared(*each) for each in places)
        return dict(zip(places, self._proven(found), strict=True))

    def forget(self) -> None:
        """Drop the comparisons until they are asked for again: those of all frameworks take a gigabyte."""
        for name in ("comparisons", "_by_op"):
            self.__dict__.pop(name, None)
        self._memory = Memory()

    def has_page(self, base: int, head: int) -> bool:
        """Tell whether two releases have a page of their own.

        They have one unless models of the newer one go back to an older one that is not the release before it.
        """
        return (base, head) in self.comparisons and (self.is_crossing or head >= base - 1)

    @cached_property
    def _by_op(self) -> Mapping[tuple[int, int], Mapping[str | None, list[Finding]]]:
        found: dict[tuple[int, int], dict[str | None, list[Finding]]] = {}
        for place, comparison in self.comparisons.items():
            by_op = found[place] = {}
            for each in comparison.findings:
                by_op.setdefault(each.op, []).append(each)
        return found

    def findings(self, base: int, head: int, op: str | None) -> Sequence[Finding]:
        """Return what two releases say of an op, the worst first; of no single op for None."""
        return self._by_op[base, head].get(op, ()) if (base, head) in self._by_op else ()

    @cached_property
    def read_as(self) -> Callable[[str, int], str | None]:
        """The function that returns the op that a release reads an op as that it does not have.

        None stands for an op that stops the model.
        """
        every = (each for each in LOADERS.every() if each.judged_by == self.loading.framework)
        reads_as = next((each.reads_as for each in every if each.reads_as is not None), None)
        names = [op_table.names(each.spec.ops) for each in self.loading.releases]
        return cache(lambda op, head: None if reads_as is None else reads_as(op, names[head]))

    def _compared(self, base: int, head: int) -> Comparison:
        specs = self.saved.releases[base].spec, self.loading.releases[head].spec
        return check(*specs, self._policy, memory=self._memory)

    def _proven(self, comparisons: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
        if not self._proofs:
            return comparisons
        from opspec_lint.proof.attach import attached

        report: Report = attached(report_of(*comparisons), self._proofs)
        return report.comparisons


def judgements(line: Line, every: Sequence[Line], proofs: Sequence[str] = ()) -> Iterator[Judgements]:
    """Yield how models of a line are judged: under its own releases, then where they cross to another framework."""
    yield Judgements(line, line, policy_of(line.framework), proofs)
    for other in every:
        way = crossing.between(line.framework, other.framework) if other is not line else None
        if way is not None:
            yield Judgements(line, other, PROFILES.load(way.profile), proofs)


def policy_of(framework: str) -> Profile:
    """Return the policy that says which saved models of a framework load."""
    own = profile.standing_for(PROFILES.load(_OF_LOADERS))
    return PROFILES.load(own[framework]) if framework in own else profile.default_for(framework)
