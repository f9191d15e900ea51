"""The paths of the files about op versions in trees of TensorFlow and LiteRT, of all releases.

The files moved from one project to the other and within each. All paths of a file are listed, newest first; a file that
only includes another one is skipped, and the next path counts.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record


class Delegate(Record):
    """A delegate: its name, the file that decides which nodes it takes, and the functions there that decide it.

    `file` is relative to the folder of all delegates.
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
"""The name under which the versions of all ops without a case in op_version.cc are kept."""

_LITERT = "tflite"
_LITE = "tensorflow/lite"
_MLIR = "tensorflow/compiler/mlir/lite"


def _paths_in(folders: tuple[str, ...], file: str) -> tuple[str, ...]:
    """Return the path of a file in each of the given folders."""
    return tuple(f"{folder}/{file}" for folder in folders)


# LiteRT has a folder for the converter since 2.0; TensorFlow moved these files into MLIR by 2.17.
_CONVERTER = (f"{_LITERT}/converter", _LITERT, _MLIR, _LITE)
_KERNELS = (_LITERT, _LITE)
_RUNTIME = (*_KERNELS, f"{_LITERT}/converter", _MLIR)
_DELEGATES = (f"{_LITERT}/delegates", f"{_LITE}/delegates", f"{_LITE}/experimental/delegates")

PLACES = {
    "schema": _paths_in(_CONVERTER, "schema/schema.fbs"),
    "generated": _paths_in(_CONVERTER, "schema/schema_generated.h"),
    "kernels": (*_paths_in(_KERNELS, "core/kernels/register.cc"), *_paths_in(_KERNELS, "kernels/register.cc")),
    "reference_kernels": _paths_in(_KERNELS, "kernels/register_ref.cc"),
    "written": _paths_in(_CONVERTER, "tools/versioning/op_version.cc"),
    "runtimes": _paths_in(_CONVERTER, "tools/versioning/runtime_version.cc"),
    "conversions": _paths_in(_RUNTIME, "core/api/flatbuffer_conversions.cc"),
    "structs": (
        *_paths_in(_RUNTIME, "core/c/builtin_op_data.h"),
        f"{_LITE}/c/builtin_op_data.h",
        f"{_LITE}/builtin_op_data.h",
    ),
    **{f"delegate {delegate.name}": _paths_in(_DELEGATES, delegate.file) for delegate in DELEGATES},
}
"""The possible paths of each kind of file."""

SUFFIXES = (".cc", ".h", ".inc", ".def", ".fbs", ".mm")


def plain_op_name(op: str) -> str:
    """Return the name of an op in capitals without underscores, in which all enums agree."""
    return op.replace("_", "").upper()
