"""The ops of PIR's dialects in a Paddle source tree, read without a build: at a revision, in the index, or in a folder.

What the tree declares is evaluated, and nothing of it is executed. See `opspec_lint.frameworks.paddle.extract.dialect`.
"""

from __future__ import annotations

from opspec_lint import cpp, documents
from opspec_lint.frameworks import paddle
from opspec_lint.frameworks.paddle.extract.dialect.folders import GENERATORS, SUFFIXES
from opspec_lint.kit.errors import NothingThereError
from opspec_lint.sources.source import Source
from opspec_lint.sources.trees import TreeReader
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.trees import OpenTree
    from opspec_lint.spec.model import Spec

SCHEME = "paddle-pir-source"


def read(tree: OpenTree, file: str, reading: Reading, store: NoStore) -> Spec:
    """Return the spec of a tree that is open.

    Args:
        tree: the tree.
        file: what messages call it.
        reading: who is told of progress.
        store: where results are kept for the next tree.

    Raises:
        NothingThereError: the tree has no dialect of PIR.
    """
    if not any(tree.files.identify(GENERATORS).values()):
        problem = f"it has no generator of PIR ops, such as {GENERATORS[0]}"
        raise NothingThereError(file, problem, advice="name the root of a Paddle source tree of 2023 or later")
    from opspec_lint.frameworks.paddle.extract.dialect import extraction

    found = extraction.extract(tree.files, store, tree.key, reading.progress)
    return found.spec(file, Provenance(framework="paddle-pir", commit=tree.commit, made_by=SCHEME))


SOURCE = Source(
    summary="the PIR ops of a Paddle source tree: paddle-pir-source:DIR[@REVISION], or DIR@:index",
    tree=TreeReader(suffixes=SUFFIXES, read=read, code=(paddle, cpp, documents)),
    related=("paddle-source",),
    mark=r"((?:[^/]+/)*?)paddle/fluid/pir/dialect/",
)
