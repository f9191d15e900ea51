"""The source `tensorflow-runtime`: the ops of an installed TensorFlow, read by `_runtime_probe` in its interpreter."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.source import Source
from opspec_lint.spec.model import GraphVersions, Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Op, Spec

SCHEME = "tensorflow-runtime"

_ANSWER = {
    "version": (str,),
    "commit": (str, type(None)),
    "graph_versions": (dict,),
    "op_list": (str,),
    "kernels": (list, type(None)),
}
_NUMBERS = ("producer", "min_consumer", "min_producer")


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of the TensorFlow in the interpreter `argument`; "" is the interpreter of this program."""
    import base64

    from opspec_lint.frameworks.tensorflow.extract import op_lists
    from opspec_lint.sources.interpreter import Query, run_query

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    query = Query(
        scheme=SCHEME, title="TensorFlow", name="tensorflow", requirement="tensorflow", source=__file__, answer=_ANSWER
    )
    answer = run_query(query, argument, reading.environment)
    try:
        data = base64.b64decode(answer["op_list"], validate=True)
    except ValueError:
        raise _malformed(file) from None
    provenance = Provenance(
        framework=op_lists.FRAMEWORK, version=answer["version"], commit=answer["commit"], made_by=SCHEME
    )
    versions = _graph_versions(answer["graph_versions"], file)
    oplist = op_lists.from_bytes(data, file)
    oplist.op.sort(key=lambda op: op.name)  # TF_GetAllOpList has the order of a hash table
    spec = op_lists.spec_of(oplist, file).replace(provenance=provenance, graph_versions=versions)
    if answer["kernels"] is None:
        return spec
    try:
        return spec.replace(ops=_with_kernels(spec.ops, answer["kernels"]))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise _malformed(file) from None


def _with_kernels(ops: Mapping[str, Op], kernels: list[tuple[str, dict[str, list[int]]]]) -> Mapping[str, Op]:
    """Return ops with the field `cpu_kernels`; each kernel is an op and types by attr."""
    from opspec_lint.frameworks.tensorflow.extract.cpu_kernels import collect
    from opspec_lint.frameworks.tensorflow.extract.messages import data_type

    kernels_by_op: dict[str, list[dict[str, list[str]]]] = {}
    for name, restrictions in kernels:
        types = {attr: [data_type(number) for number in numbers] for attr, numbers in restrictions.items()}
        kernels_by_op.setdefault(name, []).append(types)
    return {
        name: op.replace(
            own={**op.own, "cpu_kernels": collect(kernels_by_op.get(name, ()), [attr.name for attr in op.attrs])}
        )
        for name, op in ops.items()
    }


def _graph_versions(answer: dict[str, Any], file: str) -> GraphVersions:
    """Check and convert the graph versions in the answer of the probe."""
    day = answer.get("producer_since")
    if not all(type(answer.get(field)) is int for field in _NUMBERS) or not isinstance(day, (str, type(None))):
        raise _malformed(file)
    return GraphVersions(**{field: answer[field] for field in _NUMBERS}, producer_since=day)


def _malformed(file: str) -> InputError:
    return InputError(file, "returned malformed data", advice="name an interpreter with an unmodified TensorFlow")


SOURCE = Source(
    summary="the TensorFlow installed here, or that of another interpreter: tensorflow-runtime:PYTHON",
    extract=extract,
    runs_code=True,
)
