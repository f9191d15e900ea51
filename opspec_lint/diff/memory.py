"""A cache of results about pairs of ops, for comparisons of many specs.

The specs share equal ops as objects (`op_table.share_equal_ops`), so that most pairs of ops occur again and again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from typing import Any, TypeVar

    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op

    _T = TypeVar("_T")


class Memory:
    """A cache of results about pairs of ops, for comparisons under one profile."""

    def __init__(self) -> None:
        # The key has the ids of the ops, and the value the ops themselves: a freed op's id could be given to another
        # op.
        self._results: dict[tuple[int, int, Hashable], tuple[Op, Op, list[Any]]] = {}
        self._findings: dict[int, dict[str, Finding]] = {}

    def memoize_facts(self, old: Op, new: Op, topic: Hashable, compute: Callable[[], Iterable[Fact]]) -> Sequence[Fact]:
        """Return the differences between two ops, as the same `Fact` objects on each call; see `memoize`."""
        facts = self.memoize(old, new, topic, compute)
        for fact in facts:
            if id(fact) not in self._findings:
                self._findings[id(fact)] = {}
        return facts

    def intern(self, fact: Fact, op: Op, *dependencies: Hashable) -> Fact:
        """Return the first fact with this event about an op and some dependencies, in place of an equal new one."""
        # Equal facts as one object let `findings` cache by identity.
        return self.memoize_facts(op, op, (fact.event, dependencies), lambda: (fact,))[0]

    def findings(self, fact: Fact) -> dict[str, Finding]:
        """Return a mapping from rules to the findings of a fact; it is kept if `memoize_facts` returned the fact."""
        return self._findings.get(id(fact), {})

    def memoize(self, old: Op, new: Op, topic: Hashable, compute: Callable[[], Iterable[_T]]) -> Sequence[_T]:
        """Return the results of `compute` for two ops, from the cache after the first call.

        Args:
            old: the op of base.
            new: the op of head.
            topic: identifies the computation.
            compute: returns the results, which depend on nothing but the ops and the topic.
        """
        key = id(old), id(new), topic
        entry = self._results.get(key)
        if entry is None:
            entry = self._results[key] = old, new, list(compute())
        return entry[2]
