"""Gets all that a tree declares of the ops of PIR's dialects, from the cache where that has it."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.dialect.folders import FOLDERS
from opspec_lint.frameworks.paddle.extract.dialect.results import Extraction
from opspec_lint.sources.cache import NO_STORE, NoStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.git.source_tree import SourceTree


def extract(
    tree: SourceTree,
    store: NoStore = NO_STORE,
    key: str | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Extraction:
    """The declarations of a tree.

    Args:
        tree: the tree.
        store: where results are kept.
        key: whatever tells this tree from others, if it can be told before it is read; None if not.
        progress: is told what is being done.
    """
    name = None
    if key is not None:
        folders = tree.identify(FOLDERS)
        name = store.name("dialect", *(folders[folder] for folder in FOLDERS))
        known = Extraction.restored(store.load(name))
        if known is not None:
            return known
    from opspec_lint.frameworks.paddle.extract.dialect.extractor import Extractor

    progress("reading the YAML files")
    found = Extractor(tree, store).run(name)
    progress("")
    if name is not None:
        store.save(name, found.__dict__)
    return found
