"""Whether a node is as its schema says: attributes, and the number of inputs and outputs (OpSchema::Verify of ONNX)."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files.nodes import kind_name
from opspec_lint.frameworks.onnx.saved.judging.faults import of_node
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.frameworks.onnx.saved.files.nodes import Attribute
    from opspec_lint.frameworks.onnx.saved.judging.place import Place
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Input, Op, Output

_INTERNAL = "__"
"""How the names of attributes begin that no schema is asked for."""
_WHOLE = (4, 5, 11, 13)
"""The types of attributes that must have a value: a tensor, a graph, a sparse tensor, a type."""


def faults_of(place: Place, schema: Op) -> Iterator[Fact]:
    """Yield what of a node is not as its schema says."""
    yield from _counts(place, schema)
    yield from _attributes(place, schema)


def own_faults(place: Place) -> Iterator[Fact]:
    """Yield what is wrong with a node whatever its schema says."""
    seen = set()
    for each in place.node.attributes:
        if each.name in seen:
            yield of_node(place, "model_wiring", "attr_twice", each.name, problem="states an attribute twice")
        seen.add(each.name)
        if len(each.given) > 1 or (each.refers and each.given) or each.given - {each.kind}:
            given = " and ".join(sorted(map(kind_name, each.given)))
            yield _of_type(place, each, kind_name(each.kind), f"a value of type {given}")
    if not place.node.inputs and not place.node.outputs:
        yield of_node(place, "model_wiring", "input_count", problem="has neither inputs nor outputs")


def _counts(place: Place, schema: Op) -> Iterator[Fact]:
    arity = schema.get("arity")
    inputs, outputs = place.node.inputs, place.node.outputs
    counted: tuple[tuple[str, EventId, Sequence[str]], ...] = (
        ("inputs", "model_input_count", inputs),
        ("outputs", "model_output_count", outputs),
    )
    for section, event, names in counted:
        arguments: Sequence[Input | Output] = getattr(schema, section)
        least, most = bounds(arguments, (arity or {}).get(section, {}).get("min", 1))
        if len(names) < least or (most is not None and len(names) > most):
            expected = f"{least} or more" if most is None else str(most) if least == most else f"{least} to {most}"
            yield of_node(place, event, event.removeprefix("model_"), expected=expected, given=len(names))
            continue
        for argument, name in zip(arguments, names, strict=False):
            if not name and not argument.dispensable and not argument.duplicable:
                problem = f"leaves the {section[:-1]} '{argument.name}' empty, which is required"
                yield of_node(place, "model_wiring", "input_missing", argument.name, problem=problem)


def bounds(arguments: Sequence[Input | Output], arity: int) -> tuple[int, int | None]:
    """Return how many tensors a node must have at least, and may have at most: None for any number."""
    least = 0
    for place, each in enumerate(arguments):
        if each.duplicable:
            return place + arity, None
        if not each.dispensable:
            least = place + 1
    return least, len(arguments)


def _attributes(place: Place, schema: Op) -> Iterator[Fact]:
    declared = {each.name: each for each in schema.attrs}
    for each in place.node.attributes:
        known = declared.get(each.name)
        if known is None:
            if not each.name.startswith(_INTERNAL):
                yield of_node(place, "model_attr_unknown", "attr_unknown", each.name)
        elif known.type is not UNKNOWN and kind_name(each.kind) != known.type:
            yield _of_type(place, each, str(known.type), kind_name(each.kind))
        elif each.kind in _WHOLE and each.kind not in each.given and not each.refers:
            yield _of_type(place, each, str(known.type), "no value")
    given = {each.name for each in place.node.attributes}
    for name, known in declared.items():
        if known.get("required") is True and name not in given:
            yield of_node(place, "model_attr_missing", "attr_missing", name)


def _of_type(place: Place, attribute: Attribute, declared: str, given: str) -> Fact:
    return of_node(place, "model_attr_type", "attr_type", attribute.name, declared=declared, given=given)
