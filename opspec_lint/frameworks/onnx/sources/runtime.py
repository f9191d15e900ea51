"""The source `onnx-runtime`: the onnx in an interpreter, which runs `_runtime_probe`."""

from __future__ import annotations

from opspec_lint.sources.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "onnx-runtime"

_ANSWER = {"info": (dict,), "schemas": (list,)}


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of the onnx in the interpreter `argument`; "" is the interpreter that runs this program.

    Raises InputError if the interpreter cannot run, or has no usable onnx.
    """
    from opspec_lint.frameworks.onnx.formats import onnx_schemas
    from opspec_lint.sources.interpreter import Query, run_query

    query = Query(scheme=SCHEME, title="onnx", name="onnx", requirement="onnx", source=__file__, answer=_ANSWER)
    answer = run_query(query, argument, reading.environment)
    return onnx_schemas.load(answer, f"{SCHEME}:{argument}" if argument else SCHEME)


SOURCE = Source(
    summary="the onnx installed here, or that of another interpreter: onnx-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
