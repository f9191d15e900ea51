"""The builds of Paddle's released wheels: the macros that they define and the CMake options that they set."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ALL = "all"
"""The name for all builds together: every op of the tree."""

ROOTS = ("paddle/fluid/operators", "paddle/operators")
"""The folders of the op sources, at present and until February 2018."""

_COMMON = (
    "MKL", "MKLML", "MKLDNN", "AVX", "XBYAK", "PYTHON", "DISTRIBUTE", "PSCORE", "GLOO", "BRPC", "CRYPTO", "POCKETFFT",
    "RPC", "DSO",
)  # fmt: skip
_GPU = ("GPU", "CUDA", "NCCL", "DGC", "CUDNN", "TENSORRT")
_XPU = ("XPU", "XPU_BKCL")
# Conditions in CMake and C++ compare these versions; they are those of the released GPU wheels.
_VERSIONS = {
    "CUDNN_VERSION": "8600",
    "CUDNN_MAJOR_VERSION": "8",
    "CMAKE_CUDA_COMPILER_VERSION": "11.7",
    "CUDA_VERSION": "11.7",
    "TENSORRT_FOUND": "ON",
}
_PLATFORM = {"UNIX": "1", "LINUX": "1", "CMAKE_SYSTEM_NAME": "Linux"}


class Build(Record):
    """One build: the macros that the compiler defines, and the variables of CMake."""

    name: str
    defined: Mapping[str, str]
    variables: Mapping[str, str]


def _build(name: str, *features: str) -> Build:
    """Return a build with the features of every wheel and some more."""
    all_features = (*_COMMON, *features)
    defined = {f"PADDLE_WITH_{feature}": "" for feature in all_features}
    defined |= {"PADDLE_WITH_DNNL": "", "__linux__": "1", "__x86_64__": "1", "__GNUC__": "8", "__cplusplus": "201703"}
    variables = _PLATFORM | {f"WITH_{feature}": "ON" for feature in all_features}
    if "GPU" in features:
        variables |= _VERSIONS
        defined |= {"CUDA_VERSION": "11070", "CUDNN_VERSION": "8600", "PADDLE_CUDA_FP16": ""}
    return Build(name=name, defined=defined, variables=variables)


BUILDS: dict[str, Build] = {
    "cpu": _build("cpu"),
    "gpu": _build("gpu", *_GPU),
    "xpu": _build("xpu", *_XPU),
}
"""The builds that wheels are released for."""


_special_builds: dict[str, Build] = {}


def special_build(feature: str) -> Build:
    """Return a CPU build with one more feature: `PADDLE_WITH_<feature>` is defined, `WITH_<feature>` is ON."""
    if feature not in _special_builds:
        _special_builds[feature] = _build(feature.lower(), feature)
    return _special_builds[feature]
