"""Finds the spec files of base that the ops of other files of head may have come from.

An op that has the same declaration as one that left came from there. Each of the rest is compared with some of those
that were left over, so that none on either side is without a comparison, and the number of comparisons grows with the
number of files.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec.canonical import op_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from opspec_lint.spec.model import Spec

_MOST = 8
"""Declarations of base that an op of head without the same one is compared with, where that leaves none over."""


class OpsOfFile(Record):
    """Some ops of a spec file, by name: those that left it, or that came to it. `number` identifies the file."""

    number: int
    spec: Spec
    names: AbstractSet[str]


def origins(left: Sequence[OpsOfFile], came: Sequence[OpsOfFile]) -> dict[int, dict[int, list[str]]]:
    """Return the numbers of the files that ops came to, each with the files to compare with and the names of the ops.

    Args:
        left: the files of base, with the ops that are no longer there.
        came: the files of head, with the ops that were not there. No file has an op of one name in both.
    """
    sources, targets = _by_op(left), _by_op(came)
    found: dict[int, dict[int, list[str]]] = {}
    for framework, name in sorted(sources.keys() & targets.keys()):
        for new, old in _matched(name, sources[framework, name], targets[framework, name]):
            found.setdefault(new.number, {}).setdefault(old.number, []).append(name)
    return found


def _by_op(files: Sequence[OpsOfFile]) -> dict[tuple[str, str], list[OpsOfFile]]:
    """Return the files that have an op, by its framework and name."""
    found: dict[tuple[str, str], list[OpsOfFile]] = {}
    for file in files:
        for name in file.names:
            found.setdefault((file.spec.provenance.framework, name), []).append(file)
    return found


def _matched(name: str, left: list[OpsOfFile], came: list[OpsOfFile]) -> Iterator[tuple[OpsOfFile, OpsOfFile]]:
    """Yield each file that an op came to with the files of base to compare it with."""
    if len(left) == 1:
        yield from ((new, left[0]) for new in came)
        return
    old = {op_text(file.spec, name): file for file in reversed(left)}
    new = [(op_text(file.spec, name), file) for file in came]
    yield from ((file, old[text]) for text, file in new if text in old)
    matched = {text for text, _ in new}
    lost = [file for text, file in reversed(old.items()) if text not in matched]
    strays = [file for text, file in new if text not in old]
    if lost or strays:
        yield from _spread(lost or [*old.values()], strays or came)


def _spread(left: list[OpsOfFile], came: list[OpsOfFile]) -> Iterator[tuple[OpsOfFile, OpsOfFile]]:
    """Yield pairs in which each file of both sides occurs; with few files of base, all pairs."""
    width = min(len(left), max(_MOST, -(-len(left) // len(came))))
    for number, new in enumerate(came):
        first = number * len(left) // len(came)
        yield from ((new, left[(first + step) % len(left)]) for step in range(width))
