"""The declarations of a source tree in one build or all, from the cache if it has them."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.tree.folders import FOLDERS
from opspec_lint.frameworks.paddle.extract.tree.results import Extraction
from opspec_lint.sources.cache import NO_STORE, NoStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.git.source_tree import SourceTree


def extract(
    tree: SourceTree,
    build: str,
    store: NoStore = NO_STORE,
    key: str | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Extraction:
    """Return the declarations of a tree.

    `build` is the name of a build, or `ALL`. `key` identifies the tree before it is read, None if nothing does; the
    results in `store` are only valid for a tree with a key.
    """
    entry = None
    if key is not None:
        folders = tree.identify(FOLDERS)
        entry = store.name("tree", build, *(folders[folder] for folder in FOLDERS))
        cached = Extraction.restored(store.load(entry))
        if cached is not None:
            return cached
    from opspec_lint.frameworks.paddle.extract.tree.extractor import Extractor

    extraction = Extractor(tree, build, store, progress).run()
    if entry is not None:
        store.save(entry, extraction.__dict__)
    return extraction


def extract_op(tree: SourceTree, build: str, op: str, store: NoStore = NO_STORE) -> Extraction:
    """Return the declarations of one op of a tree in a build, or in all.

    The other ops are left out, or have a place and no arguments, and remarks on them are missing.
    """
    from opspec_lint.frameworks.paddle.extract.tree.extractor import Extractor

    return Extractor(tree, build, store, lambda _: None, op).run()
