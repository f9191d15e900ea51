"""The pairs to compare in a repository: each spec file, or each configured source, at base and at head."""

from __future__ import annotations

import os
from contextlib import suppress

from opspec_lint.documents.file_context import context_in_tree
from opspec_lint.documents.memo import Memo
from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import (
    InputError,
    NothingThereError,
    NothingToCheckError,
    OpspecError,
    RepositoryError,
    UsageError,
)
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural
from opspec_lint.lint import crossing
from opspec_lint.project import included, moved_ops, spec_files
from opspec_lint.project.moved_ops import OpsOfFile
from opspec_lint.sources import recognise, references
from opspec_lint.sources.companion import companion_of
from opspec_lint.sources.loaded import FileAccess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.documents.decode import Document
    from opspec_lint.git.repository import ChangedFile
    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.config import Config
    from opspec_lint.project.spec_files import SpecSet
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec


class Pair(Record):
    """A spec at base and at head, None where it does not exist. `path` is its path at head, or else at base.

    For an unchanged file neither side is loaded. If `is_source`, `path` is a source and not a file. `from_elsewhere`
    are the other base files from which ops moved to this one, with the names of these ops. `moved` are the base ops
    that other head files declare now. `further_bases` are the versions at further merge bases.
    """

    path: str
    base: Loaded | None = None
    head: Loaded | None = None
    is_source: bool = False
    from_elsewhere: tuple[tuple[Loaded, tuple[str, ...]], ...] = ()
    moved: frozenset[str] = frozenset()
    further_bases: tuple[Loaded, ...] = ()
    fault: OpspecError | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The paths at base and at head: settings for the old path of a renamed file stay valid."""
        return tuple(dict.fromkeys([*([] if self.base is None else [self.base.path]), self.path]))

    @property
    def is_added(self) -> bool:
        """True if the spec exists at head only."""
        return self.base is None and self.head is not None and self.fault is None

    @property
    def is_removed(self) -> bool:
        """True if the spec exists at base only."""
        return self.head is None and not self.is_unchanged

    @property
    def is_unchanged(self) -> bool:
        """True if the spec is the same at base and head."""
        return self.base is None and self.head is None and self.fault is None

    def specs(self) -> list[Spec]:
        """Return the loaded specs, the one of base first."""
        return [loaded.spec for loaded in (self.base, self.head) if loaded is not None]

    @property
    def bases(self) -> list[Loaded]:
        """All specs at base that head is compared with."""
        elsewhere = (loaded for loaded, _ in self.from_elsewhere)
        return [*([] if self.base is None else [self.base]), *self.further_bases, *elsewhere]

    @property
    def lost(self) -> list[str]:
        """The base ops that no file of head declares, if the file was removed."""
        return sorted(self.base.spec.ops.keys() - self.moved) if self.base is not None and self.head is None else []

    def size(self) -> str:
        """Return the number of ops as text, such as "3 ops"."""
        return plural(len(self.specs()[-1].ops), "op")


class Selection(Record):
    """The selection of what is compared.

    `base_config` is the configuration at the tip of base's branch, `head_config` the one of head. `tip` has the files
    at that tip, which take the place of files that cannot be read at base. `sources` are named on the command line, and
    replace those of the configurations. If there is neither, and `recognises`, the source trees that `init` would find
    are compared.
    """

    base_config: Config | None = None
    head_config: Config | None = None
    tip: Snapshot | None = None
    sources: tuple[str, ...] = ()
    recognises: bool = False

    @property
    def in_force(self) -> Config | None:
        """The configuration that names sources, None if there is none."""
        return self.base_config or self.head_config


def find_pairs(bases: Sequence[Snapshot], head: Snapshot, selection: Selection, reading: Reading) -> list[Pair]:
    """Return the pairs to compare, in order of path; `bases` has the files of each merge base, at least one.

    Raises UsageError if there is nothing to compare, or a configuration names missing files, InputError if a spec file
    cannot be read.
    """
    # After a criss-cross merge, a file may be unchanged since one merge base, and changed since another.
    first, *more = [_find_for_base(base, head, selection, reading) for base in bases]
    united = {pair.path: pair for pair in first}
    for pair in (pair for pairs_of_base in more for pair in pairs_of_base):
        known = united.get(pair.path)
        united[pair.path] = pair if known is None or known.is_unchanged else _with_further_base(known, pair)
    return [united[path] for path in sorted(united)] if more else first


def _with_further_base(known: Pair, pair: Pair) -> Pair:
    """Add the base of `pair` to a pair with the same path and another merge base."""
    if known.base is None:
        return known.replace(base=pair.base, from_elsewhere=(*known.from_elsewhere, *pair.from_elsewhere))
    further = known.further_bases if pair.base is None else (*known.further_bases, pair.base)
    return known.replace(further_bases=further, from_elsewhere=(*known.from_elsewhere, *pair.from_elsewhere))


def _find_for_base(base: Snapshot, head: Snapshot, selection: Selection, reading: Reading) -> list[Pair]:
    in_force = selection.in_force
    if selection.sources:
        return _named_source_pairs(base, head, selection.sources, reading)
    named = () if in_force is None else in_force.trees
    pairs = list(_configured_source_pairs(base, head, selection, reading))
    if in_force is not None and named and not in_force.specs:
        return pairs
    contained: list[str] = []
    if in_force is None and selection.recognises:
        pairs, contained = _recognised_source_pairs(base, head, selection, reading)
    pairs += _file_pairs(base, head, selection, contained)
    if not pairs:
        raise _nothing_to_check(selection, head.files())
    return sorted(pairs, key=lambda pair: pair.path)


def _file_pairs(base: Snapshot, head: Snapshot, selection: Selection, contained: Sequence[str]) -> list[Pair]:
    """Return the pairs of spec files; `contained` are the spec files of source trees, which count as named.

    Raises UsageError if a configuration names files that do not exist.
    """
    base_config, head_config = selection.base_config, selection.head_config
    specs = spec_files.spec_set((base_config, head_config))
    specs = specs.replace(patterns=(*specs.patterns, *contained))
    moves = head.changes(base.revision, specs)
    changed = spec_files.changed_spec_files(specs, moves)
    changed += included.files_with_changed_includes(base, head, specs, moves, {moved.new for moved in changed})
    changed_pairs = _with_moved_ops(
        [pair for moved in changed if (pair := _pair(base, head, moved, specs, selection.tip)) is not None]
    )
    # Without releases, named files and other frameworks, unchanged files matter to nobody, and need not be listed.
    if (
        changed_pairs
        and specs.is_default
        and not (base_config and base_config.against)
        and not any(map(is_target, changed_pairs))
    ):
        return changed_pairs
    every = head.files()
    listed = [path for path in every if path in specs]
    spec_files.check_named(head_config, listed, every, base.files)
    seen = {pair.path for pair in changed_pairs} | {moved.new for moved in changed}
    return changed_pairs + [Pair(path=path) for path in listed if path not in seen and specs.must_be_spec(path)]


def _named_source_pairs(base: Snapshot, head: Snapshot, sources: Sequence[str], reading: Reading) -> list[Pair]:
    """Return the pairs of the named sources, and of related sources in the same trees that the user did not name."""
    pairs = [_source_pair(base, head, source, reading, is_new=True) for source in sources]
    related = dict.fromkeys(name for source in sources for name in references.related_sources(source))
    missing = [name for name in related if name not in sources]
    return pairs + [pair for source in missing for pair in _optional_source_pair(base, head, source, reading)]


def _configured_source_pairs(base: Snapshot, head: Snapshot, selection: Selection, reading: Reading) -> Iterator[Pair]:
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
    for source in of_head_only if is_repaired else ():
        yield _source_pair(base, head, source, reading, is_new=True, tip=selection.tip)


def _is_unreadable(tree: Snapshot, source: str, reading: Reading) -> bool:
    """Return whether a source cannot be read in a tree that has all its files."""
    try:
        load_source(tree, source, reading)
    except RepositoryError:
        return False
    except OpspecError:
        return True
    return False


def _recognised_source_pairs(
    base: Snapshot, head: Snapshot, selection: Selection, reading: Reading
) -> tuple[list[Pair], list[str]]:
    """Return the pairs of the source trees in a repository without configuration, and the spec files of these trees."""
    from opspec_lint.project import survey

    names: dict[str, None] = {}
    contained: dict[str, None] = {}
    for tree in (head, base):
        paths = tree.files()
        own = survey.recognised_sources(tree, paths)
        names |= dict.fromkeys(own)
        contained |= dict.fromkeys(survey.files_of_trees(own, paths))
    pairs = [pair for source in names for pair in _optional_source_pair(base, head, source, reading, selection.tip)]
    return pairs, list(contained)


def _optional_source_pair(
    base: Snapshot, head: Snapshot, source: str, reading: Reading, tip: Snapshot | None = None
) -> Iterator[Pair]:
    """Yield the pair of a source, nothing if it has no ops at either end."""
    old, fault = _source_at_base(base, tip, source, reading, may_lack=True)
    ends = old, load_source(head, source, reading, may_lack=True)
    old, new = (None if end is None or not end.spec.ops else end for end in ends)
    if old is not None or new is not None:
        yield Pair(path=source, base=old, head=new, is_source=True, fault=fault)


def _nothing_to_check(selection: Selection, files: list[str]) -> UsageError:
    in_force = selection.in_force
    kind = UsageError if in_force else NothingToCheckError
    if not spec_files.spec_set((selection.base_config, selection.head_config)).is_default:
        message = "the configuration names no spec file that exists"
    elif in_force is None:
        message = f"there is no configuration, and no spec file under {spec_files.FOLDER}/"
    else:
        message = f"{in_force.file} names no spec file, and there is none under {spec_files.FOLDER}/"
    from opspec_lint.project import survey

    tree = None if in_force else survey.source_tree(files)
    if tree is not None:
        advice = f"this is a source tree: `opspec-lint check {tree}` checks it, `opspec-lint init` sets it up"
        return kind(message, advice=advice)
    return kind(
        message,
        advice="put a spec there: `opspec-lint extract SOURCE --output specs/NAME.json`, "
        "or name the files in opspec-lint.toml: specs = [...]",
    )


def load(tree: Snapshot, path: str) -> Loaded:
    """Return the spec in a file of a tree. Raises InputError if there is no such file, or it holds no spec."""
    return recognise.load_spec(_decode(tree, path), path).replace(files=_file_access(tree))


def load_unchanged(tree: Snapshot, path: str) -> Loaded | None:
    """Return the spec in a file of a tree, None for a file of op versions. Raises InputError if it is neither."""
    decoded = _decode(tree, path)
    return None if companion_of(decoded.value) else recognise.load_spec(decoded, path).replace(files=_file_access(tree))


def related_unnamed_sources(checked_pairs: Sequence[Pair]) -> list[tuple[Pair, str]]:
    """Return the sources, each with a pair, that read other ops of the pair's tree and that nobody named."""
    named = {pair.path for pair in checked_pairs}
    compared = [
        pair for pair in checked_pairs if pair.is_source and pair.base and pair.head is not None and pair.fault is None
    ]
    return [
        (pair, source) for pair in compared for source in references.related_sources(pair.path) if source not in named
    ]


def is_target(pair: Pair) -> bool:
    """Tell whether models of another framework are loaded with the ops of a pair."""
    return pair.head is not None and crossing.is_target(pair.head.spec.provenance.framework)


def _pair(
    base: Snapshot, head: Snapshot, moved: ChangedFile, specs: SpecSet, tip: Snapshot | None = None
) -> Pair | None:
    """Return the pair of a changed file, None if it is a spec at neither end.

    A spec that cannot be read at base is taken from `tip`, or left out: no change could ever repair it otherwise.

    Raises:
        InputError: the spec of head cannot be read, or the repository cannot be read.
    """
    try:
        return _readable_pair(base, head, moved, specs)
    except InputError as error:
        if moved.old is None or isinstance(error, RepositoryError):
            raise
        added = None if moved.new is None else _readable_pair(base, head, moved.replace(old=None), specs)
        with suppress(InputError):
            pair = None if tip is None or tip.revision == base.revision else _readable_pair(tip, head, moved, specs)
            if pair is not None:
                return pair.replace(fault=error)
        return Pair(path=moved.new or moved.old, head=None if added is None else added.head, fault=error)


def _readable_pair(base: Snapshot, head: Snapshot, moved: ChangedFile, specs: SpecSet) -> Pair | None:
    """Return the pair of a changed file, None if it is a spec at neither end.

    Raises:
        InputError: a spec cannot be read.
    """
    path = moved.new or moved.old or ""
    ends = [(tree, name) for tree, name in ((base, moved.old), (head, moved.new)) if name is not None]
    if not specs.must_be_spec(path) and not any(_is_spec(tree, name) for tree, name in ends):
        return None
    # One memo for both sides: equal parts of the two texts are decoded once, and become the same objects.
    memo = Memo()
    decoded = {tree: _decode(tree, name, memo) for tree, name in ends}
    if all(companion_of(document.value) for document in decoded.values()):
        return None
    old, new = (
        None
        if tree not in decoded
        else recognise.load_spec(decoded[tree], name or "").replace(files=_file_access(tree))
        for tree, name in ((base, moved.old), (head, moved.new))
    )
    return Pair(path=path, base=old, head=new)


def _file_access(tree: Snapshot, folder: str = "") -> FileAccess:
    """Return access to the files of a tree, by their paths from one of its folders."""
    prefix = f"{folder}/" if folder else ""
    top = tree.repository.top if tree.revision == WORK_TREE else None
    return FileAccess(read=lambda path: tree.read(f"{prefix}{path}"), prefix=prefix, top=top, include=tree.include)


def _with_moved_ops(changed_pairs: list[Pair]) -> list[Pair]:
    """Add to the pairs the ops that moved between files.

    Git detects renames by the similarity of whole files, so a "renamed" file need not be the successor of its old path:
    all ops that leave a path of base are compared where they appear.
    """
    removed: dict[object, OpsOfFile] = {}
    for number, pair in enumerate(changed_pairs):
        names = set() if pair.base is None else _removed_ops(pair, pair.base)
        if pair.base is not None and names:
            # Copies of a file that lose the same ops are one origin: comparing with each would repeat the findings.
            content = number if pair.base.text is None else (pair.base.text, frozenset(names))
            removed.setdefault(content, OpsOfFile(number=number, spec=pair.base.spec, names=names))
    if not removed:
        return changed_pairs
    added = [
        OpsOfFile(number=number, spec=pair.head.spec, names=_added_ops(pair, pair.head))
        for number, pair in enumerate(changed_pairs)
        if pair.head is not None
    ]
    origins = moved_ops.find_origins([*removed.values()], added)
    moved: dict[str, set[str]] = {}
    for sources in origins.values():
        for number, ops in sources.items():
            moved.setdefault(changed_pairs[number].path, set()).update(ops)
    return [
        pair.replace(
            from_elsewhere=_files_with_ops(changed_pairs, origins.get(number, {})),
            moved=frozenset(moved.get(pair.path, ())) - (pair.head.spec.ops.keys() if pair.head is not None else set()),
        )
        for number, pair in enumerate(changed_pairs)
    ]


def _removed_ops(pair: Pair, base: Loaded) -> set[str]:
    """Return the ops of base that its path no longer has."""
    is_same_path = pair.head is not None and pair.head.path == base.path
    return base.spec.ops.keys() - (pair.head.spec.ops.keys() if is_same_path and pair.head is not None else set())


def _added_ops(pair: Pair, head: Loaded) -> set[str]:
    """Return the ops of head that the file did not have at base."""
    return head.spec.ops.keys() - (pair.base.spec.ops.keys() if pair.base is not None else set())


def _files_with_ops(
    changed_pairs: list[Pair], names: Mapping[int, Sequence[str]]
) -> tuple[tuple[Loaded, tuple[str, ...]], ...]:
    """Return files of base with the names of ops, by the numbers of their pairs, in order of path."""
    files = [(base, tuple(names[number])) for number in names if (base := changed_pairs[number].base) is not None]
    return tuple(sorted(files, key=lambda file: file[0].path))


def _decode(tree: Snapshot, path: str, memo: Memo | None = None) -> Document:
    data = tree.read(path)
    if data is None:
        if tree.revision == INDEX:
            from opspec_lint.git import conflicts

            conflicts.refuse_conflict(tree.repository, path)
        raise InputError(
            tree.reference(path),
            "cannot be read",
            advice="check that it is a regular file, and that its objects are in this clone",
        )
    return recognise.document_of(
        data, tree.reference(path), memo, lambda: context_in_tree(path, tree.read, tree.reference, tree.include)
    )


def _is_spec(tree: Snapshot, path: str) -> bool:
    """Tell whether a file looks like a spec, by its beginning."""
    try:
        return bool(recognise.recognise(_decode(tree, path)))
    except InputError:
        return False


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
    # Before the first commit base is the empty tree, in which no source tree can be found.
    old, fault = (
        (None, None) if is_new and not base.files() else _source_at_base(base, tip, reference, reading, may_lack=is_new)
    )
    return Pair(path=reference, base=old, head=load_source(head, reference, reading), is_source=True, fault=fault)


def _source_at_base(
    base: Snapshot, tip: Snapshot | None, reference: str, reading: Reading, *, may_lack: bool
) -> tuple[Loaded | None, InputError | None]:
    """Return the spec of a source at base, or, if that cannot be read, at `tip` together with the error.

    Raises InputError if there is no `tip` to take its place, or the repository cannot be read.
    """
    try:
        return load_source(base, reference, reading, may_lack=may_lack), None
    except InputError as error:
        if tip is None or isinstance(error, RepositoryError):
            raise
        if tip.revision != base.revision:
            with suppress(InputError):
                return load_source(tip, reference, reading, may_lack=may_lack), error
        return None, error


def _refuse_submodule(reference: str, top: str) -> None:
    folder = os.path.normpath(reference.partition(":")[2] or ".")
    parent = folder
    while parent not in {"", ".", ".."} and not os.path.isabs(parent):
        if os.path.lexists(os.path.join(top, parent, ".git")):
            raise UsageError(
                f"{reference} is in another repository, which does not have the revisions of this one",
                advice=f"put the configuration into {parent}, or compare `{reference}@REVISION` with `{reference}`",
            )
        parent = os.path.dirname(parent)


def load_source(tree: Snapshot, reference: str, reading: Reading, *, may_lack: bool = False) -> Loaded | None:
    """Return the spec of a source at the revision of a tree; None if it is missing and `may_lack`.

    Raises InputError if the source cannot be read.
    """
    reference_at_revision = references.source_at_revision(reference, tree.revision, tree.repository.top)
    try:
        folder = os.path.normpath(reference.partition(":")[2] or ".")
        files = _file_access(tree, "" if folder == "." else folder)
        return references.resolve(reference_at_revision, reading).replace(path=reference, files=files)
    except NothingThereError:
        if not may_lack:
            raise
        return None
