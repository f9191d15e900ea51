"""Finds the base files that ops of other head files came from.

1. An op whose declaration is the same as one removed elsewhere came from there. 2. The remaining new ops are compared
with some of the remaining removed ones, in a way that each file of both sides occurs in a comparison, and that the
number of comparisons grows linearly with the number of files.
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
"""Removed declarations that a new op without equal counterpart is compared with, unless more are needed."""


class OpsOfFile(Record):
    """Ops that were removed from or added to a spec file; `number` identifies the file."""

    number: int
    spec: Spec
    names: AbstractSet[str]


def find_origins(removed: Sequence[OpsOfFile], added: Sequence[OpsOfFile]) -> dict[int, dict[int, list[str]]]:
    """Return, for each head file with new ops, the base files to compare it with and the names of the ops.

    `removed` are base files with the ops that they lost, `added` head files with their new ops. No file has an op of
    one name in both.
    """
    sources, targets = _by_op(removed), _by_op(added)
    sources_by_target: dict[int, dict[int, list[str]]] = {}
    for framework, name in sorted(sources.keys() & targets.keys()):
        for new, old in _pair_files(name, sources[framework, name], targets[framework, name]):
            sources_by_target.setdefault(new.number, {}).setdefault(old.number, []).append(name)
    return sources_by_target


def _by_op(files: Sequence[OpsOfFile]) -> dict[tuple[str, str], list[OpsOfFile]]:
    """Return the files that have an op, by the framework and name of the op."""
    files_by_op: dict[tuple[str, str], list[OpsOfFile]] = {}
    for file in files:
        for name in file.names:
            files_by_op.setdefault((file.spec.provenance.framework, name), []).append(file)
    return files_by_op


def _pair_files(name: str, removed: list[OpsOfFile], added: list[OpsOfFile]) -> Iterator[tuple[OpsOfFile, OpsOfFile]]:
    """Yield each head file that has got an op with the base files to compare it with."""
    if len(removed) == 1:
        yield from ((new, removed[0]) for new in added)
        return
    # reversed: of several files with the same declaration, the first one is taken.
    old = {op_text(file.spec, name): file for file in reversed(removed)}
    new = [(op_text(file.spec, name), file) for file in added]
    yield from ((file, old[text]) for text, file in new if text in old)
    matched = {text for text, _ in new}
    lost = [file for text, file in reversed(old.items()) if text not in matched]
    strays = [file for text, file in new if text not in old]
    if lost or strays:
        yield from _spread_pairs(lost or [*old.values()], strays or added)


def _spread_pairs(removed: list[OpsOfFile], added: list[OpsOfFile]) -> Iterator[tuple[OpsOfFile, OpsOfFile]]:
    """Yield pairs of an added and a removed file such that every file occurs; if few were removed, all pairs.

    Otherwise each added file is paired with a window of removed files. The windows begin at equal distances, are at
    least as wide as these, and go round at the end of the list, so that none is left out.
    """
    # -(-a // b) is a / b, rounded up.
    width = min(len(removed), max(_MOST, -(-len(removed) // len(added))))
    for number, new in enumerate(added):
        first = number * len(removed) // len(added)
        yield from ((new, removed[(first + step) % len(removed)]) for step in range(width))
