"""The declarations of the PIR ops of a tree, from the cache if it has them."""

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
    """Return the PIR ops of a tree.

    `key` identifies the tree before it is read, None if nothing does; the results in `store` are only valid for a tree
    with a key.
    """
    entry_name = None
    if key is not None:
        folders = tree.identify(FOLDERS)
        entry_name = store.name("dialect", *(folders[folder] for folder in FOLDERS))
        cached = Extraction.restored(store.load(entry_name))
        if cached is not None:
            return cached
    from opspec_lint.frameworks.paddle.extract.dialect.extractor import Extractor

    progress("reading the YAML files")
    extraction = Extractor(tree, store).run(entry_name)
    progress("")
    if entry_name is not None:
        store.save(entry_name, extraction.__dict__)
    return extraction
