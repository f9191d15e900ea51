"""The source `pytorch-source`: the ops of a source tree of PyTorch, or of an extension, without a build.

No code of the tree is executed.
"""

from __future__ import annotations

from opspec_lint.frameworks import pytorch
from opspec_lint.kit.errors import NothingThereError
from opspec_lint.sources.source import Source
from opspec_lint.sources.trees import TreeReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.trees import OpenTree
    from opspec_lint.spec.model import Spec

SCHEME = "pytorch-source"

_SUFFIXES = (".cpp", ".cc", ".cxx", ".cu", ".mm", ".hip", ".h", ".hpp", ".cuh", ".inc", ".def", ".py")


def read(tree: OpenTree, file: str, reading: Reading, store: NoStore) -> Spec:  # noqa: ARG001
    """Return the spec of an open tree; raise NothingThereError if no text in it registers ops.

    `store`, the cache of earlier results, is not used: its lookup takes longer than reading a tree.
    """
    from opspec_lint.frameworks.pytorch.extract import limits, native
    from opspec_lint.frameworks.pytorch.extract.tree import read_definitions
    from opspec_lint.frameworks.pytorch.schemas.table import spec_of
    from opspec_lint.spec.model import Provenance

    definitions = read_definitions(tree.files, _SUFFIXES)
    lines = definitions.lines
    if not (lines or definitions.remarks or definitions.has_marks):
        problem = "it has no native_functions.yaml, and no TORCH_LIBRARY or torch.library.define"
        raise NothingThereError(file, problem, advice="name the root of a source tree of PyTorch or of an extension")
    provenance = Provenance(framework="pytorch", commit=tree.commit, made_by=SCHEME)
    is_pytorch = any(line.file == native.PATH for line in lines)
    texts = tree.files.read(limits.FILES) if is_pytorch else {}
    stated = {path: None if data is None else data.decode("utf-8", "replace") for path, data in texts.items()}
    return spec_of(
        lines,
        file,
        provenance,
        definitions.compiled_together,
        remarks=definitions.remarks,
        loading=limits.read_limits(stated),
        build_files=definitions.build_files,
    )


SOURCE = Source(
    summary="a source tree of PyTorch or of an extension: pytorch-source:DIR[@REVISION], or DIR@:index",
    tree=TreeReader(suffixes=_SUFFIXES, read=read, code=(pytorch,)),
)
