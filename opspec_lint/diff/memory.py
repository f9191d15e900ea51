"""What comparisons of many specs find of the same ops, found once.

Specs share the ops that are the same in them (`op_table.shared`), so that most pairs of ops come again and again.
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
    """What is known of pairs of ops. It keeps the ops themselves, as it knows them by identity.

    It is for comparisons under one profile.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[int, int, Hashable], tuple[Op, Op, list[Any]]] = {}
        self._findings: dict[int, dict[str, Finding]] = {}

    def memoize_facts(self, old: Op, new: Op, question: Hashable, find: Callable[[], Iterable[Fact]]) -> Sequence[Fact]:
        """Return what tells two ops apart: the same facts each time. The arguments are those of `memoize`."""
        found = self.memoize(old, new, question, find)
        for each in found:
            if id(each) not in self._findings:
                self._findings[id(each)] = {}
        return found

    def intern(self, fact: Fact, op: Op, *about: Hashable) -> Fact:
        """Return the first fact of its kind that was about an op and whatever else it depends on."""
        return self.memoize_facts(op, op, (fact.event, about), lambda: (fact,))[0]

    def findings(self, fact: Fact) -> dict[str, Finding]:
        """Return a mapping for the findings of a fact by rule, which is kept if the fact is."""
        return self._findings.get(id(fact), {})

    def memoize(self, old: Op, new: Op, question: Hashable, find: Callable[[], Iterable[_T]]) -> Sequence[_T]:
        """Return what there is to say of two ops.

        Args:
            old: the op of base.
            new: the op of head.
            question: what is asked; one word has one answer for the same two ops.
            find: returns the answer, which depends on nothing else.
        """
        place = id(old), id(new), question
        found = self._found.get(place)
        if found is None:
            found = self._found[place] = old, new, list(find())
        return found[2]
