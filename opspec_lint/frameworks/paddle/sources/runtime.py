"""The ops of the Paddle that an interpreter has installed; `_runtime_probe` runs in that interpreter."""

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
"""The answer of the probe, with the types of its fields.

`op_desc` is the output of its tools/print_op_desc.py, without the newline; `op_versions` is {op: {"version_id",
"checkpoints"}}, None if it has no registry. `support_tensor` are the attrs of each op that can be given as tensors,
which that tool does not print; None if OpProto does not state them.
"""


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of the Paddle in an interpreter; "" is the one that runs this program.

    Raises InputError for an interpreter that cannot run, or has no usable Paddle.
    """
    from opspec_lint.documents.decode import decode
    from opspec_lint.frameworks.paddle.companions import op_versions
    from opspec_lint.sources import recognise

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    answer = probe(argument, reading.environment)
    provenance = Provenance(framework="paddle", version=answer["version"], commit=answer["commit"], made_by=SCHEME)
    spec = _with_support_tensor(recognise.spec_of(decode(answer["op_desc"].encode(), file)), answer["support_tensor"])
    spec = spec.replace(provenance=provenance)
    if answer["op_versions"] is None:
        return spec
    return spec.replace(op_versions=op_versions.parse_table(answer["op_versions"], file))


def probe(argument: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the answer of the Paddle in an interpreter (`_ANSWER`).

    Raises InputError for an interpreter that cannot run, or has no usable Paddle.
    """
    from opspec_lint.sources.interpreter import Query, run_query

    query = Query(
        scheme=SCHEME, title="Paddle", name="paddle", requirement="paddlepaddle", source=__file__, answer=_ANSWER
    )
    return run_query(query, argument, environment)


def _with_support_tensor(spec: Spec, attrs_by_op: Mapping[str, list[str]] | None) -> Spec:
    """Return a spec with the field `support_tensor` of attrs; unchanged if the release does not state it."""
    if attrs_by_op is None:
        return spec
    return spec.replace(
        ops={
            name: op.replace(
                attrs=tuple(attr.replace(support_tensor=attr.name in attrs_by_op.get(name, ())) for attr in op.attrs)
            )
            for name, op in spec.ops.items()
        }
    )


SOURCE = Source(
    summary="the Paddle installed here, or that of another interpreter: paddle-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
