"""The source `onnx-source`: the schemas that the operator sets of a source tree register, without a build.

Nothing in the tree is executed; see `opspec_lint.frameworks.onnx.extract`.
"""

from __future__ import annotations

from opspec_lint import cpp
from opspec_lint.frameworks import onnx
from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.sources.source import Source
from opspec_lint.sources.trees import TreeReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.trees import OpenTree
    from opspec_lint.spec.model import Spec

SCHEME = "onnx-source"

_SUFFIXES = (".cc", ".h", ".inc", ".def", ".proto", "VERSION_NUMBER")
_KIND = "parts"


def read(tree: OpenTree, file: str, reading: Reading, store: NoStore) -> Spec:  # noqa: ARG001 - that of all sources
    """Return the spec of a tree; `file` is the name of the tree for messages, `store` keeps results for the next tree.

    Raises:
        InputError: the tree does not state its version of the file format.
        NothingThereError: the tree registers no schemas.
    """
    from opspec_lint.frameworks.onnx.extract.schemas import spec_of
    from opspec_lint.frameworks.onnx.extract.tree import OnnxTree
    from opspec_lint.frameworks.onnx.identity import DEFAULT
    from opspec_lint.spec.model import Provenance

    parts = store.latest(_KIND)
    opened = OnnxTree(tree.files, dict(parts) if isinstance(parts, dict) else {})
    registered = opened.read()
    if registered is None or not (registered.records or registered.remarks):
        problem = "it has no operator sets in onnx/defs/operator_sets.h"
        raise NothingThereError(file, problem, advice="name the root of a source tree of ONNX 1.2 or later")
    if registered.ir_version is None:
        raise InputError(
            file, "onnx/onnx.in.proto does not state IR_VERSION", advice="check that the source tree is complete"
        )
    if opened.has_changed:
        store.save(store.name(_KIND, *opened.contents()), opened.parts)
    spec = spec_of(
        registered.records,
        Provenance(framework="onnx", version=registered.version, commit=tree.commit, made_by=SCHEME),
        file,
        ir_version=registered.ir_version,
        opsets={DEFAULT: registered.opset} if registered.opset else {},
        released=registered.released,
        is_located=True,
        remarks=tuple(registered.remarks),
    )
    return spec.replace(build_files=registered.build_files)


SOURCE = Source(
    summary="a source tree of ONNX without a build: onnx-source:DIR[@REVISION], or DIR@:index",
    tree=TreeReader(suffixes=_SUFFIXES, read=read, code=(onnx, cpp)),
)
