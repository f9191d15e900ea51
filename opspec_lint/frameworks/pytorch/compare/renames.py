"""Which op that a release lost is one that it gained: under another name, or as another overload."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.schemas.text import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.spec.model import Op, Spec

_LIKENESS = 0.6
_MOST = 40
"""Ops of a namespace with equal arguments that are compared by name: beyond that, nobody can tell them apart."""


def renames(base: Spec, head: Spec, gone: Collection[str], come: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the old and the new name of ops whose schemas are equal but for a name that is much alike."""
    added: dict[str, list[str]] = {}
    for name in sorted(come):
        added.setdefault(_signature(head.ops[name]), []).append(name)
    for name in sorted(gone):
        candidates = added.get(_signature(base.ops[name]), ())
        if not candidates or len(candidates) > _MOST:
            continue
        likeness, best = max((_likeness(name, each), each) for each in candidates)
        if likeness >= _LIKENESS:
            candidates.remove(best)
            yield name, best


def _signature(op: Op) -> str:
    """Return the namespace of an op, and its arguments and returns."""
    namespace, _, _ = op.name.rpartition("::")
    return f"{namespace}::{show(op)[len(op.name) :]}"


def _likeness(one: str, other: str) -> float:
    """Return how alike two names are; overloads of one name are."""
    if one.partition(".")[0] == other.partition(".")[0]:
        return 1.0
    from difflib import SequenceMatcher

    first, second = (name.rpartition("::")[2][:60] for name in sorted((one, other)))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()
