"""A source tree of TensorFlow or LiteRT, read without a build: the ops of TFLite and the versions of each.

See `opspec_lint.frameworks.tflite.extract`. Nothing of the tree is executed.
"""

from __future__ import annotations

import re

from opspec_lint import cpp, documents
from opspec_lint.frameworks import tflite
from opspec_lint.frameworks.tflite.extract.layout import PLACES, SUFFIXES
from opspec_lint.kit.errors import NothingThereError
from opspec_lint.sources.source import Source
from opspec_lint.sources.trees import TreeReader
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.sources.cache import NoStore
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.trees import OpenTree
    from opspec_lint.spec.model import Spec

SCHEME = "tflite-source"


_SEEN: dict[tuple[str, str], Any] = {}
"""What this process has read, by kind of file and id of its content: two trees have most files in common."""
_MOST_SEEN = 1000


def read(tree: OpenTree, file: str, reading: Reading, store: NoStore) -> Spec:  # noqa: ARG001 - that of all sources
    """Return the spec of a tree that is open.

    Args:
        tree: the tree.
        file: what messages call it.
        reading: nothing of it counts.
        store: where results are kept for the next tree.

    Raises:
        InputError: the schema of the tree is none.
        NothingThereError: the tree has none of the files that speak of op versions.
    """
    from opspec_lint.frameworks.tflite.extract import reading as files
    from opspec_lint.frameworks.tflite.extract.remarks import remarks
    from opspec_lint.frameworks.tflite.extract.to_spec import spec_of

    if not _SEEN or len(_SEEN) > _MOST_SEEN:
        _SEEN.clear()
        _SEEN.update(store.latest("files") or {})
    known = files.Known(_SEEN)
    found = files.read(tree.files, known)
    if not found.keys() & _ENOUGH:
        problem = "it has no file that states op versions, such as tflite/core/kernels/register.cc"
        raise NothingThereError(file, problem, advice="name the root of a source tree of TensorFlow or LiteRT")
    if known.has_changed:
        blobs = {each.blob for each in found.values()}
        store.save(store.name("files", *sorted(blobs)), known.of(blobs))
    provenance = Provenance(framework="tflite", commit=tree.commit, made_by=SCHEME)
    return spec_of(found, file, provenance, tuple(remarks(found)))


_ENOUGH = frozenset({"schema", "kernels", "reference_kernels", "written", "runtimes"})
"""The kinds of files of which a tree has one at least."""

SOURCE = Source(
    summary="a source tree of TensorFlow or LiteRT without a build: tflite-source:DIR[@REVISION], or DIR@:index",
    tree=TreeReader(suffixes=SUFFIXES, read=read, code=(tflite, cpp, documents)),
    contracts=f"(?:[^/]+/)*?(?:{'|'.join(map(re.escape, PLACES['schema']))})$",
    mark=r"((?:[^/]+/)*?)(?:tensorflow/lite|tflite)/(?:core/)?kernels/register\.cc$",
)
