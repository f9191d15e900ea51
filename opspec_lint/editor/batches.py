"""Declarations in batches of bytes: a spec may have ten thousand, and an editor asks for those of a line."""

from __future__ import annotations

import pickle
from itertools import islice

from opspec_lint.editor.messages import Batch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.editor.messages import Subject

_SIZE = 50
"""Declarations in a batch, all of which are read to find one."""


def packed(subjects: Iterable[Subject]) -> Iterator[Batch]:
    """Yield declarations in batches."""
    left = iter(subjects)
    while some := list(islice(left, _SIZE)):
        first = min(each.place.range[0] for each in some)
        last = max(each.place.range[0] for each in some)
        yield Batch(lines=range(first, last + 1), data=pickle.dumps(some))


def unpacked(batches: Iterable[Batch], line: int) -> Iterator[Subject]:
    """Yield the declarations of all files on a line."""
    for batch in batches:
        if line in batch.lines:
            subjects: list[Subject] = pickle.loads(batch.data)  # noqa: S301 - of a process of our own
            yield from (each for each in subjects if each.place.range[0] == line)
