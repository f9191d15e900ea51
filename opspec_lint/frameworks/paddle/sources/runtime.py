"""The Paddle that an interpreter has installed: it is asked in a process of that interpreter, by `_runtime_probe`."""

from __future__ import annotations

from opspec_lint.sources.source import Source
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "paddle-runtime"

_ANSWER: dict[str, tuple[type, ...]] = {
    "version": (str,),
    "commit": (str, type(None)),
    "op_desc": (str,),
    "support_tensor": (dict, type(None)),
    "op_versions": (dict, type(None)),
}
"""What a Paddle says of itself.

`op_desc` is what its tools/print_op_desc.py prints, without the newline; `op_versions` is {op: {"version_id",
"checkpoints"}}, None where it has no op version registry. `support_tensor` are the attrs of each op that may be given
as tensors, which that tool does not print; None where OpProto does not say.
"""


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of the Paddle of the interpreter `argument`; "" is the one that runs this program.

    Raises:
        InputError: the interpreter cannot be run, or has no Paddle that can be asked.
    """
    from opspec_lint.documents.decode import decode
    from opspec_lint.frameworks.paddle.companions import op_versions
    from opspec_lint.sources import recognise

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    told = probe(argument, reading.environment)
    provenance = Provenance(framework="paddle", version=told["version"], commit=told["commit"], made_by=SCHEME)
    spec = _with_support_tensor(recognise.spec_of(decode(told["op_desc"].encode(), file)), told["support_tensor"])
    spec = spec.replace(provenance=provenance)
    if told["op_versions"] is None:
        return spec
    return spec.replace(op_versions=op_versions.parse_table(told["op_versions"], file))


def probe(argument: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the answer of the Paddle of an interpreter (`_ANSWER`).

    Raises:
        InputError: the interpreter cannot be run, or has no Paddle that can be asked.
    """
    from opspec_lint.sources.interpreter import Query, run_query

    query = Query(
        scheme=SCHEME, title="Paddle", name="paddle", requirement="paddlepaddle", source=__file__, answer=_ANSWER
    )
    return run_query(query, argument, environment)


def _with_support_tensor(spec: Spec, told: Mapping[str, list[str]] | None) -> Spec:
    """Return a spec that says which attrs may be given as tensors; as it is where the release does not say."""
    if told is None:
        return spec
    return spec.replace(
        ops={
            name: op.replace(
                attrs=tuple(each.replace(support_tensor=each.name in told.get(name, ())) for each in op.attrs)
            )
            for name, op in spec.ops.items()
        }
    )


SOURCE = Source(
    summary="the Paddle installed here, or that of another interpreter: paddle-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
