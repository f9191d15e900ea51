"""What a repository holds to compare: each spec file at base and at head, or the configured source at both."""

from __future__ import annotations

from opspec_lint import document, files, op_versions, sources, specset
from opspec_lint.errors import InputError, NothingThereError, UsageError
from opspec_lint.plain import plural
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.config import Config
    from opspec_lint.document import Document
    from opspec_lint.git import Moved
    from opspec_lint.model import Spec
    from opspec_lint.settings import Settings
    from opspec_lint.specset import SpecSet
    from opspec_lint.trees import Tree


class Loaded(Record):
    """A spec, and the JSON text that it was read from, None where it has no lines."""

    spec: Spec
    path: str
    text: str | None = None


class Pair(Record):
    """A spec at base and at head, None where it is not there. `path` is head's, or where head has none, base's.

    Of a file that is the same at both, neither side is loaded. Where `is_source`, `path` is a source and no file.
    """

    path: str
    base: Loaded | None = None
    head: Loaded | None = None
    is_source: bool = False

    @property
    def is_added(self) -> bool:
        """Whether head alone has it."""
        return self.base is None and self.head is not None

    @property
    def is_removed(self) -> bool:
        """Whether base alone has it."""
        return self.base is not None and self.head is None

    @property
    def is_unchanged(self) -> bool:
        """Whether it is the same at both."""
        return self.base is None and self.head is None

    def specs(self) -> list[Spec]:
        """Return the specs that were loaded, base's first."""
        return [each.spec for each in (self.base, self.head) if each is not None]

    def size(self) -> str:
        """Return how many ops it has."""
        return plural(len(self.specs()[-1].ops), "op")


def find(
    base: Tree, head: Tree, of_base: Config | None, of_head: Config | None, settings: Settings | None = None
) -> list[Pair]:
    """Return what there is to compare, in order of path.

    Args:
        base: the files of base.
        head: the files of head.
        of_base: the configuration of base's branch, which need not be that of the commit that base is.
        of_head: the configuration of head.
        settings: how a source is to be read.

    Raises:
        UsageError: there is nothing, or a configuration names files that do not exist.
        InputError: a spec file cannot be read.
    """
    in_force = of_base or of_head
    if in_force is not None and in_force.source is not None and not in_force.specs:
        return [_of_source(base, head, in_force.source, settings, is_new=of_base is None)]
    specs = specset.spec_set((of_base, of_head))
    changed = specset.changed(specs, head.repository.changes(base.revision, head.revision))
    found = [pair for moved in changed if (pair := _pair(base, head, moved, specs)) is not None]
    if found and specs.is_default and not (of_base and of_base.against):
        return found
    every = head.files()
    listed = [path for path in every if path in specs]
    specset.check_named(of_head, listed, every)
    seen = {pair.path for pair in found} | {moved.new for moved in changed}
    found += [Pair(path=path) for path in listed if path not in seen and specs.is_surely_one(path)]
    if not found:
        raise _nothing(specs, in_force)
    return sorted(found, key=lambda pair: pair.path)


def _nothing(specs: SpecSet, in_force: Config | None) -> UsageError:
    if not specs.is_default:
        message = "the configuration names no spec file that there is"
    elif in_force is None:
        message = f"there is no configuration, and no spec file under {specset.FOLDER}/"
    else:
        message = f"{in_force.file} names no spec file, and there is none under {specset.FOLDER}/"
    return UsageError(
        message,
        advice="put a spec there: `opspec-lint extract SOURCE --output specs/NAME.json`, "
        "or name the files in opspec-lint.toml: specs = [...]",
    )


def load(tree: Tree, path: str) -> Loaded:
    """Return the spec that a file of a tree holds.

    Raises:
        InputError: there is no such file, or it holds no spec.
    """
    return _load(_decode(tree, path), path)


def load_unchanged(tree: Tree, path: str) -> Loaded | None:
    """Return the spec that a file of a tree holds, None for a file of op versions.

    Raises:
        InputError: the file holds neither.
    """
    decoded = _decode(tree, path)
    return None if op_versions.is_like(decoded.value) else _load(decoded, path)


def _pair(base: Tree, head: Tree, moved: Moved, specs: SpecSet) -> Pair | None:
    """Return the pair of a changed file, None where it is a spec at neither end."""
    path = moved.new or moved.old or ""
    ends = [(tree, name) for tree, name in ((base, moved.old), (head, moved.new)) if name is not None]
    if not specs.is_surely_one(path) and not any(_is_spec(tree, name) for tree, name in ends):
        return None
    decoded = {tree: _decode(tree, name) for tree, name in ends}
    if all(op_versions.is_like(each.value) for each in decoded.values()):
        return None
    old, new = (
        None if tree not in decoded else _load(decoded[tree], name or "")
        for tree, name in ((base, moved.old), (head, moved.new))
    )
    return Pair(path=path, base=old, head=new)


def _decode(tree: Tree, path: str) -> Document:
    data = tree.read(path)
    if data is None:
        raise InputError(
            tree.reference(path), "cannot be read", advice="is it a regular file, and are its objects here?"
        )
    return document.decode(data, tree.reference(path))


def _is_spec(tree: Tree, path: str) -> bool:
    """Tell whether a file holds a spec, as far as its beginning tells."""
    try:
        return bool(files.recognise(_decode(tree, path)))
    except InputError:
        return False


def _load(decoded: Document, path: str) -> Loaded:
    return Loaded(spec=files.spec_of(decoded), path=path, text=decoded.text)


def _of_source(base: Tree, head: Tree, reference: str, settings: Settings | None, *, is_new: bool) -> Pair:
    """Return a source at both ends; what is new to be checked may be missing at base."""
    old = None if is_new and not base.files() else _at(base, reference, settings, may_lack=is_new)
    return Pair(path=reference, base=old, head=_at(head, reference, settings), is_source=True)


def _at(tree: Tree, reference: str, settings: Settings | None, *, may_lack: bool = False) -> Loaded | None:
    there = sources.at(reference, tree.revision, tree.repository.top)
    try:
        spec = sources.resolve(there, tree.repository.environment, settings=settings)
    except NothingThereError:
        if not may_lack:
            raise
        return None
    return Loaded(spec=spec, path=reference)
