"""Renamed ops: an op that only base has, paired with one that only head has, by equal schemas and similar names."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.schemas.text import show
from opspec_lint.spec import op_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.spec.model import Op, Spec

_MIN_LIKENESS = 0.6
_MAX_CANDIDATES = 40
"""Candidates for one rename: among more ops with equal schemas, a similar name is a coincidence."""


def renames(base: Spec, head: Spec, removed: Collection[str], new_names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the old and new names of ops whose schemas are equal but for the name, and whose names are similar."""
    # To build all ops that are new in a later release takes longer than to compare those in both.
    forms = {_form(base, name) for name in removed}
    by_signature: dict[str, list[str]] = {}
    for name in sorted(name for name in new_names if _form(head, name) in forms):
        by_signature.setdefault(_signature(head.ops[name]), []).append(name)
    for name in sorted(removed):
        candidates = by_signature.get(_signature(base.ops[name]), ())
        if not candidates or len(candidates) > _MAX_CANDIDATES:
            continue
        likeness, best = max((_likeness(name, candidate), candidate) for candidate in candidates)
        if likeness >= _MIN_LIKENESS:
            candidates.remove(best)
            yield name, best


def _form(spec: Spec, op: str) -> tuple[str, ...]:
    """Return the part of a signature that is known without building the op: its namespace and the names of inputs."""
    names = (name.partition("#")[0] for name in op_table.input_names(spec.ops, op))
    return (op.rpartition("::")[0], *("" if name.isdigit() else name for name in names))


def _signature(op: Op) -> str:
    """Return the schema of an op without its name, behind its namespace."""
    namespace, _, _ = op.name.rpartition("::")
    return f"{namespace}::{show(op)[len(op.name) :]}"


def _likeness(old: str, new: str) -> float:
    """Return the similarity of two op names, from 0 to 1; overloads of one op have 1."""
    if old.partition(".")[0] == new.partition(".")[0]:
        return 1.0
    from difflib import SequenceMatcher

    # Sorted, as the ratio of difflib depends on the order of its arguments.
    first, second = (name.rpartition("::")[2][:60] for name in sorted((old, new)))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()
