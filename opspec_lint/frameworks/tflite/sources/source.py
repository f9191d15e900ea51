"""The source `tflite-source`: the ops of TFLite and their versions in a tree of TensorFlow or LiteRT, without a build.

The files are read in `opspec_lint.frameworks.tflite.extract`. No code of the tree is executed.
"""

from __future__ import annotations

from opspec_lint import cpp, documents
from opspec_lint.frameworks import tflite
from opspec_lint.frameworks.tflite.extract.layout import SUFFIXES
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


_READ_FILES: dict[tuple[str, str], Any] = {}
"""The contents of files read by this process, by kind and blob id: two trees have most files in common."""
_MAX_READ_FILES = 1000
"""Files that the process keeps before it begins anew with those of the store."""


def read(tree: OpenTree, file: str, reading: Reading, store: NoStore) -> Spec:  # noqa: ARG001 - that of all sources
    """Return the spec of an open tree; `store` keeps the contents of files for the next run.

    Raises:
        InputError: the schema of the tree cannot be parsed.
        NothingThereError: the tree has no file about op versions.
    """
    from opspec_lint.frameworks.tflite.extract import reading as files
    from opspec_lint.frameworks.tflite.extract.remarks import remarks
    from opspec_lint.frameworks.tflite.extract.to_spec import spec_of

    if not _READ_FILES or len(_READ_FILES) > _MAX_READ_FILES:
        _READ_FILES.clear()
        _READ_FILES.update(store.latest("files") or {})
    cache = files.ReadCache(_READ_FILES)
    read_files = files.read(tree.files, cache)
    if not read_files.keys() & _NEEDED_KINDS:
        problem = "it has no file that states op versions, such as tflite/core/kernels/register.cc"
        raise NothingThereError(file, problem, advice="name the root of a source tree of TensorFlow or LiteRT")
    if cache.has_changed:
        blobs = {read_file.blob for read_file in read_files.values()}
        store.save(store.name("files", *sorted(blobs)), cache.entries_for(blobs))
    provenance = Provenance(framework="tflite", commit=tree.commit, made_by=SCHEME)
    return spec_of(read_files, file, provenance, tuple(remarks(read_files)))


_NEEDED_KINDS = frozenset({"schema", "kernels", "reference_kernels", "written", "runtimes"})
"""The kinds of files of which a tree has at least one."""

SOURCE = Source(
    summary="a source tree of TensorFlow or LiteRT without a build: tflite-source:DIR[@REVISION], or DIR@:index",
    tree=TreeReader(suffixes=SUFFIXES, read=read, code=(tflite, cpp, documents)),
)
