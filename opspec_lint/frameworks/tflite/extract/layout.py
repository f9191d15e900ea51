"""Where the files stand: in a tree of TensorFlow, and in one of LiteRT, since the one moved to the other and within it.

Of each file all places are listed, the newest first: where it stands, and where a release of before has it. A file that
only includes another one holds nothing of its own, and the next place counts.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record


class Delegate(Record):
    """A delegate: its name, the file that decides which nodes it takes, and the functions in it that do so.

    `folder` is that below the folder of the delegates.
    """

    name: str
    file: str
    functions: tuple[str, ...]


DELEGATES = (
    Delegate(name="coreml", file="coreml/coreml_delegate.mm", functions=("IsNodeSupportedByDelegate",)),
    Delegate(name="gpu", file="gpu/common/model_builder.cc", functions=("NewOperationParser",)),
    Delegate(name="hexagon", file="hexagon/utils.cc", functions=("IsNodeSupportedByHexagon", "CheckOpVersion")),
    Delegate(name="nnapi", file="nnapi/nnapi_delegate.cc", functions=("NNAPIDelegateKernel::Validate",)),
    Delegate(name="xnnpack", file="xnnpack/xnnpack_delegate.cc", functions=("VisitNode",)),
)
"""The delegates whose files are regular enough to be read."""

DEFAULT = ""
"""The op that stands for every op without a case of its own in op_version.cc."""

_LITERT = "tflite"
_LITE = "tensorflow/lite"
_MLIR = "tensorflow/compiler/mlir/lite"


def _in(folders: tuple[str, ...], file: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{file}" for folder in folders)


_CONVERTER = (f"{_LITERT}/converter", _LITERT, _MLIR, _LITE)
_RUNTIME = (_LITERT, _LITE, f"{_LITERT}/converter", _MLIR)
_DELEGATES = (f"{_LITERT}/delegates", f"{_LITE}/delegates", f"{_LITE}/experimental/delegates")

PLACES = {
    "schema": _in(_CONVERTER, "schema/schema.fbs"),
    "generated": _in(_CONVERTER, "schema/schema_generated.h"),
    "kernels": (*_in(_RUNTIME[:2], "core/kernels/register.cc"), *_in(_RUNTIME[:2], "kernels/register.cc")),
    "reference_kernels": _in(_RUNTIME[:2], "kernels/register_ref.cc"),
    "written": _in(_CONVERTER, "tools/versioning/op_version.cc"),
    "runtimes": _in(_CONVERTER, "tools/versioning/runtime_version.cc"),
    "conversions": _in(_RUNTIME, "core/api/flatbuffer_conversions.cc"),
    "structs": (
        *_in(_RUNTIME, "core/c/builtin_op_data.h"),
        f"{_LITE}/c/builtin_op_data.h",
        f"{_LITE}/builtin_op_data.h",
    ),
    **{f"delegate {each.name}": _in(_DELEGATES, each.file) for each in DELEGATES},
}
"""Of each kind of file, the places where it may stand."""

SUFFIXES = (".cc", ".h", ".fbs", ".mm")


def spelt(op: str) -> str:
    """Return the name of an op in capitals without underscores."""
    return op.replace("_", "").upper()
