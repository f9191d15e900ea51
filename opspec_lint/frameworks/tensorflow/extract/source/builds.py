"""The builds of TensorFlow that differ in their ops, and the conditions in BUILD files and C++ that are true in each.

A condition is the name of a function (`if_cuda`) or a setting of a `select` (`//tensorflow:windows`). Options that no
released wheel turns on, such as MPI, are false in all these builds.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

PUBLIC, ALL = "public", "all"
BUILDS = ("cpu", "gpu", "mkl", "tpu", "windows")
EVERY = frozenset(BUILDS)
NONE: frozenset[str] = frozenset()
_GENERAL = {"NDEBUG": "1", "__cplusplus": "201703L", "__x86_64__": "1"}
_LINUX = {**_GENERAL, "__linux__": "1", "__GNUC__": "9"}
_MKL = {"INTEL_MKL": "1", "ENABLE_MKL": "1"}
_ONEDNN_3 = {"ENABLE_ONEDNN_V3": "1"}
DEFINED: Mapping[str, Mapping[str, str]] = {
    "cpu": _LINUX,
    "gpu": {**_LINUX, "GOOGLE_CUDA": "1", "GOOGLE_TENSORRT": "1", "TF_USE_CUDNN": "1"},
    "mkl": {**_LINUX, **_MKL},
    "tpu": {**_LINUX, "LIBTPU_ON_GCE": "1", "LIBTFTPU": "1"},
    "windows": {**_GENERAL, "_WIN32": "1", "PLATFORM_WINDOWS": "1", "_MSC_VER": "1930"},
}
"""The macros that each build defines."""
_VERSION_2 = {"TF_MAJOR_VERSION": "2", "TF_MINOR_VERSION": "99", "TF_VERSION_INTEGER": "2990"}
"""The macros of version.h, and the option of builds of extensions, for a tree that is built against TensorFlow 2."""
_HOLDS = (
    (pattern(r"(?:if_|with_|using_|is_|build_with_)*(?:cuda|gpu|nccl|tensorrt|cuda_or_rocm|cudnn)"), {"gpu"}),
    (pattern(r"(?:if_|with_|using_|build_with_|enable_)*(?:mkl|onednn(?!_v3)|dnnl)"), {"mkl"}),
    (pattern(r"(?:if_|with_)*(?:lib)?tpu"), {"tpu"}),
    (pattern(r"(?:if_)?windows"), {"windows"}),
    (pattern(r"(?:if_)?linux(?:_x86_64)?"), {"cpu", "gpu", "mkl", "tpu"}),
)
_ALWAYS = pattern(
    r"if_(?:not_\w+|static\w*|dynamic_kernels|oss|v2|xla_available|mlir\w*|profiler_oss|portable|nnapi)"
    r"|(?:with_xla_support|k8|haswell|framework_shared_object)\w*"
)
_NOT = pattern(r"if_not_(\w+)")


def builds_where(condition: str) -> frozenset[str]:
    """Return the builds in which a condition is true: a function such as `if_cuda`, or a setting of a `select`."""
    negated = _NOT.fullmatch(condition)
    if negated is not None:
        return EVERY - builds_where(f"if_{negated[1]}")
    for regex, builds in _HOLDS:
        if regex.match(condition):
            return frozenset(builds)
    return EVERY if _ALWAYS.fullmatch(condition) else NONE


def macros_of_build(
    build: str, with_mkl: Collection[str], with_onednn_3: Collection[str], *, is_extension: bool
) -> dict[str, str]:
    """Return the C++ macros that a build defines.

    Args:
        build: the name of the build.
        with_mkl: the builds in which the tree turns oneDNN on: from 2.5 on, all builds for x86-64.
        with_onednn_3: the builds in which the tree uses version 3 of oneDNN: from 2.17 on, all builds for x86-64.
        is_extension: the tree is an extension, which lacks the version of TensorFlow.
    """
    macros = {**DEFINED[build], **(_VERSION_2 if is_extension else {})}
    if build in with_mkl or build == "mkl":
        macros |= {**_MKL, **(_ONEDNN_3 if build in with_onednn_3 else {})}
    return macros


def sort_builds(builds: Iterable[str]) -> tuple[str, ...]:
    """Return builds in the order of `BUILDS`; () for all builds, which means that an op has no condition."""
    here = frozenset(builds)
    return () if here == EVERY else tuple(build for build in BUILDS if build in here)
