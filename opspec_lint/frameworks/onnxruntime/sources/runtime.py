"""The source `onnxruntime-runtime`: the ONNX Runtime in an interpreter, which runs `_runtime_probe`."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import DEFAULT
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.source import Source
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "onnxruntime-runtime"

_ANSWER = {
    "version": (str,),
    "ir_version": (int,),
    "opsets": (dict,),
    **dict.fromkeys(("schemas", "kernels", "fallbacks"), (list,)),
}


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of the ONNX Runtime in the interpreter `argument`; "" is the interpreter that runs this program.

    Raises InputError if the interpreter cannot run, or has no usable ONNX Runtime.
    """
    from opspec_lint.frameworks.onnx import _writing
    from opspec_lint.frameworks.onnx.extract import schemas
    from opspec_lint.frameworks.onnxruntime.kernels import add_kernels
    from opspec_lint.interpreters.runner import read_probe
    from opspec_lint.sources.interpreter import Query, run_query

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    query = Query(
        scheme=SCHEME,
        title="ONNX Runtime",
        name="onnxruntime",
        requirement="onnxruntime",
        needed=read_probe(_writing.__file__, "_writing.py"),
        source=__file__,
        answer=_ANSWER,
    )
    answer = run_query(query, argument, reading.environment)
    try:
        add_kernels(answer["schemas"], answer["kernels"], answer["fallbacks"])
    except (AttributeError, IndexError, KeyError, TypeError):
        advice = "name an interpreter with an unmodified ONNX Runtime"
        raise InputError(file, "returned malformed data", advice=advice) from None
    return schemas.spec_of(
        answer["schemas"],
        Provenance(framework="onnxruntime", version=answer["version"], made_by=SCHEME),
        file,
        ir_version=answer["ir_version"],
        opsets={domain or DEFAULT: version for domain, version in answer["opsets"].items()},
    )


SOURCE = Source(
    summary="the ONNX Runtime installed here, or that of another interpreter: onnxruntime-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
