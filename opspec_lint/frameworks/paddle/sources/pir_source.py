"""The PIR ops of a Paddle source tree, which is not executed: at a revision, in the index, or in a folder."""

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
    """Return the spec of an open tree; `file` is its name in messages.

    Raises NothingThereError for a tree without PIR ops.
    """
    if not any(tree.files.identify(GENERATORS).values()):
        problem = f"it has no generator of PIR ops, such as {GENERATORS[0]}"
        raise NothingThereError(file, problem, advice="name the root of a Paddle source tree of 2023 or later")
    from opspec_lint.frameworks.paddle.extract.dialect import extraction

    extracted = extraction.extract(tree.files, store, tree.key, reading.progress)
    return extracted.spec(file, Provenance(framework="paddle-pir", commit=tree.commit, made_by=SCHEME))


SOURCE = Source(
    summary="the PIR ops of a Paddle source tree: paddle-pir-source:DIR[@REVISION], or DIR@:index",
    tree=TreeReader(suffixes=SUFFIXES, read=read, code=(paddle, cpp, documents)),
    related=("paddle-source",),
)
