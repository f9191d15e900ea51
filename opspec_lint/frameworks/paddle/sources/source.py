"""The ops of a Paddle source tree, which is not executed: at a revision, in the index, or in a folder."""

from __future__ import annotations

from opspec_lint import cpp, documents
from opspec_lint.frameworks import paddle
from opspec_lint.frameworks.paddle.extract.build.builds import ALL, BUILDS
from opspec_lint.frameworks.paddle.extract.tree.folders import SUFFIXES
from opspec_lint.kit.errors import NothingThereError, UsageError
from opspec_lint.sources.source import Source
from opspec_lint.sources.trees import TreeReader
from opspec_lint.spec.identity import without_build
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.trees import OpenTree
    from opspec_lint.spec.model import Spec

SCHEME = "paddle-source"


def read(tree: OpenTree, file: str, reading: Reading, store: NoStore) -> Spec:
    """Return the spec of an open tree in a build; `file` is its name in messages.

    Raises NothingThereError for a tree without op sources, and UsageError for an unknown build.
    """
    from opspec_lint.frameworks.paddle.extract.tree import extraction

    build = reading.build or ALL
    if build != ALL and build not in BUILDS:
        raise UsageError(f"unknown build {build!r}", advice=f"known are: {', '.join((ALL, *BUILDS))}")
    op = None if reading.only is None else without_build(reading.only)
    # The name of an op is an identifier, so an op of another name has to be searched among all that are unresolved.
    if op is not None and op.isidentifier():
        extracted = extraction.extract_op(tree.files, build, op, store)
    else:
        extracted = extraction.extract(tree.files, build, store, tree.key, reading.progress)
    if not extracted.ops and not any(remark["event"] == "op_unresolved" for remark in extracted.remarks):
        problem = "it has no op sources, such as paddle/fluid/operators"
        raise NothingThereError(file, problem, advice="name the root of a Paddle source tree")
    provenance = Provenance(framework="paddle", commit=tree.commit, made_by=SCHEME)
    return extracted.spec(file, provenance)


SOURCE = Source(
    summary="a Paddle source tree, without a build: paddle-source:DIR[@REVISION], or DIR@:index (staged)",
    builds=(ALL, *BUILDS),
    tree=TreeReader(suffixes=SUFFIXES, read=read, code=(paddle, cpp, documents)),
    related=("paddle-pir-source",),
)
