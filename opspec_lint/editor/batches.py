"""Declarations in pickled batches: a spec may have ten thousand, and an editor requests only those on one line."""

from __future__ import annotations

import pickle
from itertools import islice

from opspec_lint.editor.messages import Batch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.editor.messages import DeclaredPlace

_SIZE = 50
"""Declarations in a batch; to find one, all of them are unpickled."""


def pack(subjects: Iterable[DeclaredPlace]) -> Iterator[Batch]:
    """Yield declarations in batches."""
    remaining = iter(subjects)
    while some := list(islice(remaining, _SIZE)):
        lines = [declaration.place.line for declaration in some]
        yield Batch(lines=range(min(lines), max(lines) + 1), data=pickle.dumps(some))


def unpack(batches: Iterable[Batch], line: int) -> Iterator[DeclaredPlace]:
    """Yield the declarations of all files on a line."""
    for batch in batches:
        if line in batch.lines:
            subjects: list[DeclaredPlace] = pickle.loads(batch.data)  # noqa: S301 - of a process of our own
            yield from (declaration for declaration in subjects if declaration.place.line == line)
