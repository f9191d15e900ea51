"""The builds of Paddle: which macros they define and which options they set, as the released wheels have them."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ALL = "all"
"""Stands for every op of the tree, in whichever build."""

ROOTS = ("paddle/fluid/operators", "paddle/operators")
"""Where the op sources are, and where they were until February 2018."""

_COMMON = (
    "MKL", "MKLML", "MKLDNN", "AVX", "XBYAK", "PYTHON", "DISTRIBUTE", "PSCORE", "GLOO", "BRPC", "CRYPTO", "POCKETFFT",
    "RPC", "DSO",
)  # fmt: skip
_GPU = ("GPU", "CUDA", "NCCL", "DGC", "CUDNN", "TENSORRT")
_XPU = ("XPU", "XPU_BKCL")
_VERSIONS = {
    "CUDNN_VERSION": "8600",
    "CUDNN_MAJOR_VERSION": "8",
    "CMAKE_CUDA_COMPILER_VERSION": "11.7",
    "CUDA_VERSION": "11.7",
    "TENSORRT_FOUND": "ON",
}
_PLATFORM = {"UNIX": "1", "LINUX": "1", "CMAKE_SYSTEM_NAME": "Linux"}


class Build(Record):
    """A build: the macros that the compiler knows, and the variables of CMake."""

    name: str
    defined: Mapping[str, str]
    variables: Mapping[str, str]


def _build(name: str, *features: str) -> Build:
    have = (*_COMMON, *features)
    defined = {f"PADDLE_WITH_{feature}": "" for feature in have}
    defined |= {"PADDLE_WITH_DNNL": "", "__linux__": "1", "__x86_64__": "1", "__GNUC__": "8", "__cplusplus": "201703"}
    variables = _PLATFORM | {f"WITH_{feature}": "ON" for feature in have}
    if "GPU" in features:
        variables |= _VERSIONS
        defined |= {"CUDA_VERSION": "11070", "CUDNN_VERSION": "8600", "PADDLE_CUDA_FP16": ""}
    return Build(name=name, defined=defined, variables=variables)


BUILDS: dict[str, Build] = {
    "cpu": _build("cpu"),
    "gpu": _build("gpu", *_GPU),
    "xpu": _build("xpu", *_XPU),
}
"""The builds that wheels are released of."""


_special: dict[str, Build] = {}


def special(feature: str) -> Build:
    """Return a build for the CPU that has one more feature: what `PADDLE_WITH_<feature>` and `WITH_<feature>` say."""
    if feature not in _special:
        _special[feature] = _build(feature.lower(), feature)
    return _special[feature]
