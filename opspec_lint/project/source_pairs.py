"""The pairs of source trees: those that the user or a configuration names, or that are recognised."""

from __future__ import annotations

import os
from contextlib import suppress

from opspec_lint.kit.errors import InputError, OpspecError, RepositoryError, UsageError
from opspec_lint.project import loading
from opspec_lint.project.pair import Pair
from opspec_lint.sources import references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.pair import Selection
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.sources.reading import Reading


def find_named(base: Snapshot, head: Snapshot, sources: Sequence[str], reading: Reading) -> list[Pair]:
    """Return the pairs of the named sources, and of related sources in the same trees that the user did not name."""
    pairs = [_source_pair(base, head, source, reading, is_new=True) for source in sources]
    related = dict.fromkeys(name for source in sources for name in references.related_sources(source))
    missing = [name for name in related if name not in sources]
    return pairs + [pair for source in missing for pair in _optional_source_pair(base, head, source, reading)]


def find_configured(base: Snapshot, head: Snapshot, selection: Selection, reading: Reading) -> Iterator[Pair]:
    """Yield the pairs of the source trees that the configuration in force names.

    A source that base names and cannot read is invalid if head no longer names it: the sources of head follow then.
    """
    in_force, of_head = selection.in_force, selection.head_config
    named = () if in_force is None else in_force.trees
    of_head_only = [] if of_head is None else [source for source in of_head.trees if source not in named]
    is_repaired = False
    for source in named:
        if of_head is None or source in of_head.trees:
            yield _source_pair(base, head, source, reading, is_new=selection.base_config is None, tip=selection.tip)
            continue
        try:
            yield _source_pair(base, head, source, reading, is_new=False)
        except OpspecError as error:
            if not _is_unreadable(base, source, reading):
                raise
            is_repaired = True
            yield Pair(path=source, is_source=True, fault=error)
    if is_repaired:
        for source in of_head_only:
            yield _source_pair(base, head, source, reading, is_new=True, tip=selection.tip)


def find_recognised(
    base: Snapshot, head: Snapshot, selection: Selection, reading: Reading
) -> tuple[list[Pair], list[str]]:
    """Return the pairs of the source trees in a repository without configuration, and the spec files of these trees."""
    from opspec_lint.project import recognition

    names: dict[str, None] = {}
    contained: dict[str, None] = {}
    for tree in (head, base):
        paths = tree.files()
        own = recognition.recognised_sources(tree, paths)
        names |= dict.fromkeys(own)
        contained |= dict.fromkeys(recognition.files_of_trees(own, paths))
    pairs = [
        pair
        for source in names
        for pair in _recognised_pair(base, head, source, reading, tip=selection.tip, names=names)
    ]
    return pairs, list(contained)


def _source_pair(  # noqa: PLR0913 - the files of three revisions
    base: Snapshot,
    head: Snapshot,
    reference: str,
    reading: Reading,
    *,
    is_new: bool,
    tip: Snapshot | None = None,
) -> Pair:
    """Return the pair of a source; a newly checked one (`is_new`) may be missing at base.

    With `tip`, base may be unreadable (`_source_at_base`).

    Raises UsageError if the source is in a repository inside this one, which has other revisions.
    """
    _refuse_submodule(reference, head.repository.top)
    old: Loaded | None = None
    fault: InputError | None = None
    # Before the first commit base is the empty tree, in which no source tree can be found.
    if not is_new or base.files():
        old, fault = _source_at_base(base, tip, reference, reading, may_lack=is_new)
    return Pair(
        path=reference, base=old, head=loading.load_source(head, reference, reading), is_source=True, fault=fault
    )


def _optional_source_pair(
    base: Snapshot, head: Snapshot, source: str, reading: Reading, tip: Snapshot | None = None
) -> Iterator[Pair]:
    """Yield the pair of a source, nothing if it has no ops at either end."""
    old, fault = _source_at_base(base, tip, source, reading, may_lack=True)
    ends = old, loading.load_source(head, source, reading, may_lack=True)
    old, new = (None if end is None or not end.spec.ops else end for end in ends)
    if old is not None or new is not None:
        yield Pair(path=source, base=old, head=new, is_source=True, fault=fault)


def _recognised_pair(  # noqa: PLR0913 - the files of three revisions
    base: Snapshot, head: Snapshot, source: str, reading: Reading, *, tip: Snapshot | None, names: Iterable[str]
) -> Iterator[Pair]:
    """Yield the pair of a source that nobody named; an error advises a check of another recognised source.

    In a sparse checkout the user may not care for this source.
    """
    try:
        yield from _optional_source_pair(base, head, source, reading, tip)
    except InputError as error:
        alternative = next((name for name in names if name != source), None)
        if alternative is not None:
            error.advice += f"; or add {alternative} to the command, which checks that tree alone"
        raise


def _source_at_base(
    base: Snapshot, tip: Snapshot | None, reference: str, reading: Reading, *, may_lack: bool
) -> tuple[Loaded | None, InputError | None]:
    """Return the spec of a source at base, or, if that cannot be read, at `tip` together with the error.

    Raises InputError if there is no `tip` to take its place, or the repository cannot be read.
    """
    try:
        return loading.load_source(base, reference, reading, may_lack=may_lack), None
    except InputError as error:
        if tip is None or isinstance(error, RepositoryError):
            raise
        if tip.revision != base.revision:
            with suppress(InputError):
                return loading.load_source(tip, reference, reading, may_lack=may_lack), error
        return None, error


def _is_unreadable(tree: Snapshot, source: str, reading: Reading) -> bool:
    """Return whether a source cannot be read in a tree that has all its files."""
    try:
        loading.load_source(tree, source, reading)
    except RepositoryError:
        return False
    except OpspecError:
        return True
    return False


def _refuse_submodule(reference: str, top: str) -> None:
    """Raise UsageError if a source is in another repository inside of this one."""
    folder = os.path.normpath(reference.partition(":")[2] or ".")
    parent = folder
    while parent not in {"", ".", ".."} and not os.path.isabs(parent):
        if os.path.lexists(os.path.join(top, parent, ".git")):
            raise UsageError(
                f"{reference} is in another repository, which does not have the revisions of this one",
                advice=f"put the configuration into {parent}, or compare `{reference}@REVISION` with `{reference}`",
            )
        parent = os.path.dirname(parent)


def related_unnamed_sources(checked_pairs: Sequence[Pair]) -> list[tuple[Pair, str]]:
    """Return the sources, each with a pair, that read other ops of the pair's tree and that nobody named."""
    named = {pair.path for pair in checked_pairs}
    compared = [
        pair for pair in checked_pairs if pair.is_source and pair.base and pair.head is not None and pair.fault is None
    ]
    return [
        (pair, source) for pair in compared for source in references.related_sources(pair.path) if source not in named
    ]
