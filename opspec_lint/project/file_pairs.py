"""The pairs of spec files: each file that changed, with the ops that moved between files."""

from __future__ import annotations

from contextlib import suppress

from opspec_lint.documents.memo import Memo
from opspec_lint.kit.errors import InputError, RepositoryError
from opspec_lint.project import included, loading, moved_ops, spec_files
from opspec_lint.project.moved_ops import OpsOfFile
from opspec_lint.project.pair import Pair
from opspec_lint.sources import recognise
from opspec_lint.sources.companion import companion_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opspec_lint.git.repository import ChangedFile
    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.pair import Selection
    from opspec_lint.project.spec_files import SpecSet
    from opspec_lint.sources.loaded import Loaded


def find_file_pairs(base: Snapshot, head: Snapshot, selection: Selection, contained: Sequence[str]) -> list[Pair]:
    """Return the pairs of spec files; `contained` are the spec files of source trees, which count as named.

    Raises UsageError if a configuration names files that do not exist.
    """
    base_config, head_config = selection.base_config, selection.head_config
    specs = spec_files.spec_set((base_config, head_config))
    specs = specs.replace(patterns=(*specs.patterns, *contained))
    changed, changed_pairs = _changed_pairs(base, head, selection.tip, specs)
    # Without releases, named files and other frameworks, unchanged files matter to nobody, and need not be listed.
    if (
        changed_pairs
        and specs.is_default
        and not (base_config and base_config.against)
        and not any(pair.is_target for pair in changed_pairs)
    ):
        return changed_pairs
    every = head.files()
    listed = [path for path in every if path in specs]
    spec_files.check_named(head_config, listed, every, base.files)
    seen = {pair.path for pair in changed_pairs} | {moved.new for moved in changed}
    return changed_pairs + [Pair(path=path) for path in listed if path not in seen and specs.must_be_spec(path)]


def find_contracts(base: Snapshot, head: Snapshot, tip: Snapshot | None, contracts: Sequence[str]) -> list[Pair]:
    """Return the pairs of the named spec files that changed."""
    if not contracts:
        return []
    _, pairs = _changed_pairs(base, head, tip, spec_files.SpecSet(patterns=tuple(contracts)))
    return pairs


def _changed_pairs(
    base: Snapshot, head: Snapshot, tip: Snapshot | None, specs: SpecSet
) -> tuple[list[ChangedFile], list[Pair]]:
    """Return the changed files of a set, and the pairs of those that are specs."""
    moves = head.changes(base.revision, specs)
    changed = spec_files.changed_spec_files(specs, moves)
    changed += included.files_with_changed_includes(base, head, specs, moves, {moved.new for moved in changed})
    return changed, _with_moved_ops(
        [pair for moved in changed if (pair := _pair(base, head, moved, specs, tip)) is not None]
    )


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
    if not specs.must_be_spec(path) and not any(loading.is_spec(tree, name) for tree, name in ends):
        return None
    # One memo for both sides: equal parts of the two texts are decoded once, and become the same objects.
    memo = Memo()
    decoded = {tree: loading.decode(tree, name, memo) for tree, name in ends}
    if all(companion_of(document.value) for document in decoded.values()):
        return None
    old, new = (
        None
        if tree not in decoded
        else recognise.load_spec(decoded[tree], name or "").replace(files=loading.file_access(tree))
        for tree, name in ((base, moved.old), (head, moved.new))
    )
    return Pair(path=path, base=old, head=new)


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

    def path_of(file: tuple[Loaded, tuple[str, ...]]) -> str:
        base, _ = file
        return base.path

    files = [(base, tuple(names[number])) for number in names if (base := changed_pairs[number].base) is not None]
    return tuple(sorted(files, key=path_of))
