"""The ops of PIR's dialects in a Paddle source tree, read without a build: at a revision, in the index, or in a folder.

What the tree declares is evaluated, and nothing of it is executed. See `opspec_lint.frameworks.paddle.source.dialect`.
"""

from __future__ import annotations

import os

from opspec_lint import documents, git, sources, spec
from opspec_lint.frameworks import paddle
from opspec_lint.frameworks.paddle.source.dialect.folders import SUFFIXES
from opspec_lint.kit.errors import NothingThereError
from opspec_lint.sources import trees
from opspec_lint.sources.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "paddle-pir-source"
_CODE = tuple(os.path.dirname(each.__file__ or "") for each in (paddle, documents, git, sources, spec))
"""What decides what is read of a tree, and so whether what is in the cache still holds."""


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of a tree: `DIR@REVISION`, `DIR@:index`, or `DIR`; "" is the current folder.

    Args:
        argument: the tree. It is split at the last `@` behind which a revision stands.
        reading: the environment that git inherits, where the cache is, and who is told of progress.

    Raises:
        InputError: there is no such tree or revision.
        NothingThereError: the tree has no dialect of PIR.
    """
    from opspec_lint.frameworks.paddle.source.dialect import extraction, to_spec
    from opspec_lint.sources import cache

    file = f"{SCHEME}:{argument}"
    with trees.open_tree(SCHEME, argument, SUFFIXES, reading) as tree:
        store = cache.open_store(reading.environment, SCHEME, _CODE) if reading.caches else cache.NO_STORE
        found = extraction.extract(tree.files, store, tree.key, reading.progress)
    if not found.is_there:
        problem = "it has no generator of PIR ops, such as paddle/fluid/pir/dialect/op_generator/op_gen.py"
        raise NothingThereError(file, problem, advice="name the root of a Paddle source tree of 2023 or later")
    return to_spec.spec_of(found, file, tree.commit, SCHEME)


SOURCE = Source(
    summary="the PIR ops of a Paddle source tree: paddle-pir-source:DIR[@REVISION], or DIR@:index",
    extract=extract,
    at=trees.at,
    beside=("paddle-source",),
    mark=r"((?:[^/]+/)*?)paddle/fluid/pir/dialect/",
)
