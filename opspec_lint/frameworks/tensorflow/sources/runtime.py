"""The source `tensorflow-runtime`: the ops of an installed TensorFlow, read by `_runtime_probe` in its interpreter."""

from __future__ import annotations

from opspec_lint.sources.runtime_source import runtime_source
from opspec_lint.spec.model import GraphVersions, Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.model import Op, Spec

_NUMBERS = ("producer", "min_consumer", "min_producer")


def spec_of(answer: dict[str, Any], file: str) -> Spec:
    """Return the spec of the answer of the probe."""
    import base64

    from opspec_lint.frameworks.tensorflow.extract import op_lists

    provenance = Provenance(
        framework=op_lists.FRAMEWORK, version=answer["version"], commit=answer["commit"], made_by="tensorflow-runtime"
    )
    versions = _graph_versions(answer["graph_versions"])
    oplist = op_lists.from_bytes(base64.b64decode(answer["op_list"], validate=True), file)
    oplist.op.sort(key=lambda op: op.name)  # TF_GetAllOpList has the order of a hash table
    spec = op_lists.spec_of(oplist, file).replace(provenance=provenance, graph_versions=versions)
    return spec if answer["kernels"] is None else spec.replace(ops=_with_kernels(spec.ops, answer["kernels"]))


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


def _graph_versions(answer: dict[str, Any]) -> GraphVersions:
    """Check and convert the graph versions in the answer of the probe.

    Raises:
        TypeError: a version is no number, or the day no text.
    """
    day = answer.get("producer_since")
    if not all(type(answer.get(field)) is int for field in _NUMBERS) or not isinstance(day, (str, type(None))):
        raise TypeError("the graph versions are malformed")
    return GraphVersions(**{field: answer[field] for field in _NUMBERS}, producer_since=day)


SOURCE = runtime_source(
    "tensorflow",
    title="TensorFlow",
    package="tensorflow",
    requirement="tensorflow",
    file=__file__,
    answer={
        "version": (str,),
        "commit": (str, type(None)),
        "graph_versions": (dict,),
        "op_list": (str,),
        "kernels": (list, type(None)),
    },
    spec_of=spec_of,
)
