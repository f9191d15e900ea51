"""A cache of results about pairs of ops, for comparisons of many specs, and what a single comparison has in its place.

The specs share equal ops as objects (`op_table.share_equal_ops`), so that most pairs of ops occur again and again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op

    _T = TypeVar("_T")


class NoMemory:
    """Computes each result anew, as a single comparison needs each only once."""

    def memoize_facts(self, old: Op, new: Op, topic: Hashable, compute: Callable[[], Iterable[Fact]]) -> Iterable[Fact]:
        """Return the differences between two ops, as the same `Fact` objects on each call; see `memoize`."""
        return self.memoize(old, new, topic, compute)

    def intern(
        self,
        ops: Mapping[str, Op],  # noqa: ARG002 - nothing is kept
        op: str,  # noqa: ARG002
        topic: Hashable,  # noqa: ARG002
        compute: Callable[[], Fact],
        *,
        second_op: str | None = None,  # noqa: ARG002
    ) -> Fact:
        """Return the fact of `compute` about an op, as the same object on each call; see `memoize`.

        `second_op` is another op that the fact depends on. Ops are named, and not given: where results are not kept,
        they are not built.
        """
        return compute()

    def derive(self, fact: Fact, topic: Hashable, compute: Callable[[], _T]) -> _T:  # noqa: ARG002 - nothing is kept
        """Return the result of `compute` for a fact; it is kept if `memoize_facts` or `derive_fact` returned the fact.

        Args:
            fact: the fact.
            topic: identifies the computation.
            compute: returns the result, which depends on nothing but the fact and the topic.
        """
        return compute()

    def derive_fact(self, fact: Fact, topic: Hashable, compute: Callable[[], Fact]) -> Fact:
        """Return the fact that follows from another one, as the same object on each call; see `derive`."""
        return self.derive(fact, topic, compute)

    def memoize(self, old: Op, new: Op, topic: Hashable, compute: Callable[[], Iterable[_T]]) -> Iterable[_T]:  # noqa: ARG002 - nothing is kept
        """Return the results of `compute` for two ops.

        Args:
            old: the op of base.
            new: the op of head.
            topic: identifies the computation.
            compute: returns the results, which depend on nothing but the ops and the topic.
        """
        return compute()


NO_MEMORY = NoMemory()


class Memory(NoMemory):
    """A cache of results about pairs of ops, for comparisons under one profile."""

    def __init__(self) -> None:
        # The key has the ids of the ops, and the value the ops themselves: a freed op's id could be given to another
        # op.
        self._results: dict[tuple[int, int, Hashable], tuple[Op, Op, list[Any]]] = {}
        # By the id of a fact that `_results` or this dict itself keeps alive.
        self._derived: dict[int, dict[Hashable, Any]] = {}

    def memoize_facts(self, old: Op, new: Op, topic: Hashable, compute: Callable[[], Iterable[Fact]]) -> Sequence[Fact]:
        """Return the differences between two ops, kept from the first call on."""
        facts = self.memoize(old, new, topic, compute)
        for fact in facts:
            if id(fact) not in self._derived:
                self._derived[id(fact)] = {}
        return facts

    def intern(
        self,
        ops: Mapping[str, Op],
        op: str,
        topic: Hashable,
        compute: Callable[[], Fact],
        *,
        second_op: str | None = None,
    ) -> Fact:
        """Return the fact of `compute` about an op, kept from the first call on."""
        # Equal facts as one object let `derive` cache by identity.
        old = ops[op if second_op is None else second_op]
        (fact,) = self.memoize_facts(old, ops[op], topic, lambda: (compute(),))
        return fact

    def derive(self, fact: Fact, topic: Hashable, compute: Callable[[], _T]) -> _T:
        """Return the result of `compute` for a fact, kept from the first call on if the fact itself is kept."""
        results = self._derived.get(id(fact))
        if results is None:
            return compute()
        if topic not in results:
            results[topic] = compute()
        result: _T = results[topic]
        return result

    def derive_fact(self, fact: Fact, topic: Hashable, compute: Callable[[], Fact]) -> Fact:
        """Return the fact that follows from another one; it is kept if the other one is."""
        derived = self.derive(fact, topic, compute)
        if id(fact) in self._derived and id(derived) not in self._derived:
            self._derived[id(derived)] = {}
        return derived

    def memoize(self, old: Op, new: Op, topic: Hashable, compute: Callable[[], Iterable[_T]]) -> Sequence[_T]:
        """Return the results of `compute` for two ops, kept from the first call on."""
        key = id(old), id(new), topic
        entry = self._results.get(key)
        if entry is None:
            entry = self._results[key] = old, new, list(compute())
        _, _, results = entry
        return results
