"""The TFLite runtime that an interpreter has installed: it is asked in a process of its own, by `_runtime_probe`.

That may be TensorFlow, tflite_runtime or ai_edge_litert. A runtime says which versions of each op and which types of
tensors it takes, and nothing of options, converter and rows, which stay unknown.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.saved import codes
from opspec_lint.frameworks.tflite.saved.codes import TENSOR_TYPES
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.source import Source
from opspec_lint.spec.model import Op, Provenance, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.sources.reading import Reading

SCHEME = "tflite-runtime"

_ANSWER = {
    "version": (str, type(None)),
    "package": (str,),
    "ops": (dict,),
    "reference": (dict, type(None)),
    "types": (list,),
}


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of the TFLite runtime of the interpreter `argument`; "" is the one that runs this program.

    Raises:
        InputError: the interpreter cannot be run, or has no runtime that can be asked.
    """
    from opspec_lint.sources.interpreter import Query, run_query

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    query = Query(
        scheme=SCHEME,
        title="TFLite runtime",
        name="tensorflow",
        requirement="ai-edge-litert",
        source=__file__,
        answer=_ANSWER,
    )
    told = run_query(query, argument, reading.environment)
    ranges = {"": told["ops"], "reference_": told["reference"] or {}}
    if not told["ops"] or not all(_is_range(each) for ops in ranges.values() for each in ops.values()):
        raise InputError(file, "returned malformed data", advice="is it an ordinary TFLite runtime?")
    return Spec(
        file=file,
        provenance=Provenance(framework="tflite", version=told["version"], made_by=f"{SCHEME} of {told['package']}"),
        ops={op: Op(name=op, own=_own(op, ranges), **_range(told["ops"][op], "")) for op in sorted(told["ops"])},
        binding="op_version",
        loading={TENSOR_TYPES: tuple(map(codes.type_name, told["types"]))} if told["types"] else {},
    )


def _is_range(value: Any) -> bool:
    return value is None or (isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value))


def _range(value: list[int] | None, prefix: str) -> dict[str, Any]:
    least, greatest = value or (None, None)
    return {f"{prefix}min_version": least, f"{prefix}max_version": greatest}


def _own(op: str, ranges: dict[str, dict[str, list[int] | None]]) -> dict[str, Any]:
    reference = ranges["reference_"]
    return _range(reference[op], "reference_") if op in reference else {}


SOURCE = Source(
    summary="the TFLite runtime installed here, or that of another interpreter: tflite-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
