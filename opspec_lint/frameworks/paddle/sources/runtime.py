"""The ops of the Paddle that an interpreter has installed; `_runtime_probe` runs in that interpreter."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.framework import FLAGS, flags_of
from opspec_lint.sources.source import Source
from opspec_lint.spec.canonical import ARGUMENTS
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Op, Spec

SCHEME = "paddle-runtime"
_TOOL = "print_op_desc"

_ANSWER: dict[str, tuple[type, ...]] = {
    "version": (str,),
    "commit": (str, type(None)),
    "op_desc": (str,),
    "unprinted_flags": (dict,),
    "op_versions": (dict, type(None)),
}
"""The answer of the probe, with the types of its fields.

`op_desc` is the output of its tools/print_op_desc.py, without the newline; `op_versions` is {op: {"version_id",
"checkpoints"}}, None if it has no registry. `unprinted_flags` has the flags that this tool does not print:
{section: {flag: {op: [argument]}}}, without those that OpProto lacks.
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
    spec = recognise.spec_of(decode(answer["op_desc"].encode(), file)).replace(provenance=provenance)
    if answer["unprinted_flags"]:
        spec = spec.replace(ops={name: _add_flags(op, answer["unprinted_flags"]) for name, op in spec.ops.items()})
    if answer["op_versions"] is None:
        return spec
    return spec.replace(op_versions=op_versions.parse_table(answer["op_versions"], file))


def probe(argument: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the answer of the Paddle in an interpreter (`_ANSWER`).

    Raises InputError for an interpreter that cannot run, or has no usable Paddle.
    """
    from opspec_lint.sources.interpreter import Query, run_query

    printed = [flag.field.name for flag in FLAGS if flag.is_late and _TOOL not in flag.field.absent_in]
    unprinted = {
        section: [flag.field.name for flag in flags_of(section) if _TOOL in flag.field.absent_in]
        for section in ARGUMENTS
    }
    query = Query(
        scheme=SCHEME,
        title="Paddle",
        name="paddle",
        requirement="paddlepaddle",
        source=__file__,
        needed=f"PRINTED = {printed!r}\nUNPRINTED = {unprinted!r}\n",
        answer=_ANSWER,
    )
    return run_query(query, argument, environment)


def _add_flags(op: Op, unprinted: Mapping[str, Mapping[str, Mapping[str, list[str]]]]) -> Op:
    """Return an op whose arguments have the flags that print_op_desc does not print."""
    return op.replace(
        **{
            section: tuple(
                argument.replace(**{flag: argument.name in by_op.get(op.name, ()) for flag, by_op in flags.items()})
                for argument in getattr(op, section)
            )
            for section, flags in unprinted.items()
        }
    )


SOURCE = Source(
    summary="the Paddle installed here, or that of another interpreter: paddle-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
