"""The source `tflite-runtime`: the TFLite runtime of an interpreter, in which `_runtime_probe` runs as a process.

The runtime is TensorFlow, tflite_runtime or ai_edge_litert. It shows the versions of each op and the tensor types that
it accepts. Options, converter and rows stay unknown.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.saved import codes
from opspec_lint.frameworks.tflite.saved.codes import TENSOR_TYPES
from opspec_lint.sources.runtime_source import runtime_source
from opspec_lint.spec.model import Op, Provenance, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def spec_of(answer: dict[str, Any], file: str) -> Spec:
    """Return the spec of the answer of the probe.

    Raises:
        ValueError: the runtime has no ops, or their versions are no ranges.
    """
    ranges = {"": answer["ops"], "reference_": answer["reference"] or {}}
    if not answer["ops"] or not all(_is_range(value) for ops in ranges.values() for value in ops.values()):
        raise ValueError("no ops, or their versions are no ranges")
    return Spec(
        file=file,
        provenance=Provenance(
            framework="tflite", version=answer["version"], made_by=f"tflite-runtime of {answer['package']}"
        ),
        ops={
            op: Op(name=op, own=_reference_fields(op, ranges), **_version_fields(answer["ops"][op], ""))
            for op in sorted(answer["ops"])
        },
        binding="op_version",
        loading={TENSOR_TYPES: tuple(map(codes.type_name, answer["types"]))} if answer["types"] else {},
    )


def _is_range(value: Any) -> bool:
    """Return whether a value is [least version, greatest version], or None for an op without a kernel."""
    return value is None or (
        isinstance(value, list) and len(value) == 2 and all(type(number) is int for number in value)
    )


def _version_fields(value: list[int] | None, prefix: str) -> dict[str, Any]:
    """Return the fields with a range of versions; `prefix` is the one of the resolver."""
    least, greatest = value or (None, None)
    return {f"{prefix}min_version": least, f"{prefix}max_version": greatest}


def _reference_fields(op: str, ranges: dict[str, dict[str, list[int] | None]]) -> dict[str, Any]:
    """Return the fields of the reference kernels, none if the runtime has no reference resolver."""
    reference = ranges["reference_"]
    return _version_fields(reference[op], "reference_") if op in reference else {}


SOURCE = runtime_source(
    "tflite",
    title="TFLite runtime",
    package="tensorflow",
    requirement="ai-edge-litert",
    file=__file__,
    answer={
        "version": (str, type(None)),
        "package": (str,),
        "ops": (dict,),
        "reference": (dict, type(None)),
        "types": (list,),
    },
    spec_of=spec_of,
)
