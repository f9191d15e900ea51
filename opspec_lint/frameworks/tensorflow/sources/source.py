"""The source `tensorflow-source`: the ops that the C++ of a source tree of TensorFlow or of an extension registers.

Nothing is built or executed; `extract.source` evaluates the C++.
"""

from __future__ import annotations

from opspec_lint import cpp
from opspec_lint.frameworks import tensorflow
from opspec_lint.frameworks.tensorflow.extract.source.builds import ALL, BUILDS, PUBLIC
from opspec_lint.kit.errors import NothingThereError, UsageError
from opspec_lint.sources.source import Source
from opspec_lint.sources.trees import TreeReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.trees import OpenTree
    from opspec_lint.spec.model import Spec

SCHEME = "tensorflow-source"
_BUILDS = (PUBLIC, *BUILDS, ALL)

_SUFFIXES = (
    ".cc",
    ".cpp",
    ".cxx",
    ".cu",
    ".h",
    ".hpp",
    ".inc",
    ".def",
    ".bzl",
    "ops.pbtxt",
    "BUILD",
    "BUILD.bazel",
    "WORKSPACE",
)


def read(tree: OpenTree, file: str, reading: Reading, store: NoStore) -> Spec:
    """Return the spec of an open source tree.

    Args:
        tree: the files of a revision.
        file: the name of the tree in messages.
        reading: the options, such as the build to read.
        store: the cache of results for the next tree.
    """
    from opspec_lint.frameworks.tensorflow.extract.op_lists import FRAMEWORK
    from opspec_lint.frameworks.tensorflow.extract.source.extractor import Extractor
    from opspec_lint.frameworks.tensorflow.extract.source.op_records import op_table
    from opspec_lint.spec.model import Provenance, Spec
    from opspec_lint.spec.records import remark_from_record

    build = reading.build or PUBLIC
    if build not in _BUILDS:
        raise UsageError(f"unknown build {build!r}", advice=f"known are: {', '.join(_BUILDS)}")
    extracted = Extractor(tree.files, store, reading.progress).run(build)
    if not extracted.ops and not extracted.remarks:
        problem = "no C++ file of it has a REGISTER_OP that a build compiles"
        advice = "name the root of TensorFlow's source tree, or of an extension's"
        if extracted.uncompiled:
            problem += f"; the BUILD file above `{extracted.uncompiled[0]}` has no rule that compiles it in a release"
            advice = "add the file to `srcs` of a rule that is not for tests"
        raise NothingThereError(file, problem, advice=advice)
    return Spec(
        file=file,
        provenance=Provenance(framework=FRAMEWORK, version=extracted.version, commit=tree.commit, made_by=SCHEME),
        ops=op_table(extracted.ops),
        binding="signature",
        graph_versions=extracted.graph_versions,
        remarks=tuple(map(remark_from_record, extracted.remarks)),
        build_files=extracted.build_files,
    )


SOURCE = Source(
    summary="a source tree of TensorFlow or of an extension, without a build: tensorflow-source:DIR[@REVISION]",
    builds=_BUILDS,
    tree=TreeReader(suffixes=_SUFFIXES, read=read, code=(tensorflow, cpp)),
)
