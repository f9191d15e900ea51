"""The source `tensorflow-runtime`: the ops of an installed TensorFlow, read by `_runtime_probe` in its interpreter."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.source import Source
from opspec_lint.spec.model import GraphVersions, Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "tensorflow-runtime"

_ANSWER = {"version": (str,), "commit": (str, type(None)), "graph_versions": (dict,), "op_list": (str,)}
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
    return op_lists.spec_of(oplist, file).replace(provenance=provenance, graph_versions=versions)


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
