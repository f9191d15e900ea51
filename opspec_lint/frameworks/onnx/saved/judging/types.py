"""The types of the tensors of a model, as far as the model states them and schemas carry them on.

A schema binds its type variables by the types of a node's inputs, and so gives the types of its outputs. What neither
the model nor a schema says stays unknown.
"""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files import reading
from opspec_lint.frameworks.onnx.saved.files.messages import text, type_name
from opspec_lint.frameworks.onnx.saved.judging.faults import of_node
from opspec_lint.kit.record import Record
from opspec_lint.models import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.onnx.saved.files.nodes import Attribute
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, ModelFile
    from opspec_lint.frameworks.onnx.saved.judging.place import Place
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Input, Op, Output

_BY_ATTRIBUTE = ("to", "dtype")
"""Attributes that are the type of the first output."""
_LABELS = {
    **dict.fromkeys(("value_float", "value_floats", "values_floats"), "float"),
    **dict.fromkeys(("value_int", "value_ints", "values_int64s", "classlabels_int64s", "classlabels_ints"), "int64"),
    **dict.fromkeys(("value_string", "value_strings", "values_strings", "classlabels_strings"), "string"),
}
"""Attributes whose values are the elements of the first output: those of constants, and labels of classes."""
_WITH_GRAPHS = {"If": 0, "Scan": 0, "Loop": 1}
"""Ops that return what the graphs in them return, each with the outputs of these that come before."""
_MAX_TYPES = 100
"""How deep types stand in one another at most: protobuf decodes no more."""


class Bound(Record):
    """What is known of a node's type variables.

    `types` are those that are bound, `unknown` those that its inputs and outputs have, and that are not. `mixed` are
    the types of the tensors of variables that each may have another one.
    """

    types: Mapping[str, str]
    unknown: frozenset[str]
    mixed: Mapping[str, frozenset[str]]


class Types:
    """The types of the tensors of a model, graph by graph: one in a node comes after the graph around it."""

    def __init__(self, model: ModelFile) -> None:
        self._model = model
        self._known: list[dict[str, str]] = []
        self._declared: dict[str, str] = {}
        self._around: list[dict[str, str]] = []
        self._inner: dict[int | None, list[GraphFile]] = {}
        for graph in model.graphs:
            self._inner.setdefault(graph.within, []).append(graph)

    def enter(self, graph: GraphFile) -> None:
        """Go on with the next graph."""
        self._around = []
        around = graph
        while around.within is not None:
            self._around.append(self._known[around.within])
            around = self._model.graphs[around.within]
        stated = {text(each.name): type_text(each.type) for each in (*graph.values, *graph.outputs)}
        self._declared = {name: kind for name, kind in stated.items() if kind is not None}
        known = {each.name: f"tensor({type_name(each.data_type)})" for each in graph.initializers if each.data_type}
        inputs = {text(each.name): type_text(each.type) for each in graph.inputs}
        known |= {name: kind for name, kind in inputs.items() if kind is not None}
        self._known.append(known)

    def of(self, name: str) -> str | None:
        """Return the type of a tensor, None where it is not known."""
        if name in self._known[-1]:
            return self._known[-1][name]
        return self._declared.get(name) or next((each[name] for each in self._around if name in each), None)

    def bind(self, place: Place, schema: Op) -> tuple[Bound, list[Fact]]:
        """Return the types that a node's tensors bind the variables of its schema to, and those that do not fit.

        The types of its outputs are known from then on.
        """
        constraints: Mapping[str, Sequence[str]] = schema.get("type_constraints") or {}
        found = {name: allowed[0] for name, allowed in constraints.items() if len(allowed) == 1}
        faults: list[Fact] = []
        inputs = list(_paired(place.node.inputs, schema.inputs, _is_mixed(schema, "inputs")))
        outputs = list(_paired(place.node.outputs, schema.outputs, _is_mixed(schema, "outputs")))
        for name, argument, is_mixed in inputs:
            faults += self._bind(place, (name, argument, is_mixed), constraints, found)
        first = next((argument for _, argument, _ in outputs), None)
        by_attribute = _by_attributes(place.node.attributes, place.node.op)
        if first is not None and by_attribute is not None and str(first.type) in constraints:
            found.setdefault(str(first.type), by_attribute)
        self._declare_from_inside(place)
        for name, argument, is_mixed in outputs:
            kind = str(argument.type)
            stated = None if is_mixed else found.get(kind, None if kind in constraints else kind)
            given = None if stated is None else one_spelling(stated)
            declared = self._declared.get(name)
            if given is not None and declared is not None and given != declared:
                faults.append(_of_type(place, argument.name, given, f"an output that is declared as {declared}"))
            elif declared is not None:
                faults += self._bind(place, (name, argument, is_mixed), constraints, found)
            if given or declared:
                self._known[-1][name] = given or str(declared)
        return _bound([*inputs, *outputs], constraints, found, self.of), faults

    def _declare_from_inside(self, place: Place) -> None:
        """Take the types of the outputs of a node from those that the graph in it states for its own.

        A loop has its condition before the others, which the node does not return.
        """
        if place.node.op not in _WITH_GRAPHS:
            return
        label = reading.label_of(place.node.name, "", 0)
        around = f"{place.graph}/" if place.graph else ""
        inner = (
            each for each in self._inner.get(len(self._known) - 1, ()) if each.name.startswith(f"{around}{label}.")
        )
        for graph in inner:
            stated = [type_text(each.type) for each in graph.outputs][_WITH_GRAPHS[place.node.op] :]
            for name, kind in zip(place.node.outputs, stated, strict=False):
                if kind is not None:
                    self._declared.setdefault(name, kind)

    def _bind(
        self,
        place: Place,
        given: tuple[str, Input | Output, bool],
        constraints: Mapping[str, Sequence[str]],
        found: dict[str, str],
    ) -> Iterator[Fact]:
        """Bind the variable of an argument to the type of its tensor, and yield that it does not fit."""
        name, argument, is_mixed = given
        kind, actual = str(argument.type), self.of(name)
        if actual is None:
            return
        allowed = constraints.get(kind, (kind,))
        spelt = next((each for each in allowed if one_spelling(each) == actual), None)
        if spelt is None:
            yield _of_type(place, argument.name, " or ".join(allowed), actual)
        elif kind in constraints and not is_mixed and found.setdefault(kind, spelt) != spelt:
            yield _of_type(place, argument.name, f"{found[kind]}, as other tensors of {kind}", actual)


def _bound(
    tensors: Sequence[tuple[str, Input | Output, bool]],
    constraints: Mapping[str, Sequence[str]],
    found: dict[str, str],
    type_of: Callable[[str], str | None],
) -> Bound:
    """Return the known types of the variables of a node's tensors."""
    mixed: dict[str, set[str]] = {}
    unknown = {str(argument.type) for _, argument, _ in tensors if str(argument.type) in constraints} - found.keys()
    for variable in {str(argument.type) for _, argument, is_mixed in tensors if is_mixed} & unknown:
        types = [type_of(name) for name, argument, _ in tensors if argument.type == variable]
        mixed[variable] = {each for each in types if each is not None}
        if None not in types:
            unknown.discard(variable)
    return Bound(
        types=found,
        unknown=frozenset(unknown),
        mixed={variable: frozenset(types) for variable, types in mixed.items()},
    )


def _paired(
    names: Sequence[str], arguments: Sequence[Input | Output], is_mixed: bool
) -> Iterator[tuple[str, Input | Output, bool]]:
    """Yield the tensors of a node that are given, each with its argument, and whether that mixes types."""
    for place, name in enumerate(names):
        argument = arguments[min(place, len(arguments) - 1)] if arguments else None
        if name and argument is not None:
            yield name, argument, is_mixed and argument.duplicable is True


def _is_mixed(schema: Op, section: str) -> bool:
    arity = (schema.get("arity") or {}).get(section)
    return arity is not None and not arity["is_homogeneous"]


def _by_attributes(attributes: Sequence[Attribute], op: str) -> str | None:
    """Return the type of a node's first output where an attribute states it."""
    for each in attributes:
        if each.name in _BY_ATTRIBUTE and each.kind == _INT and not each.refers:
            return f"tensor({type_name(each.value.i)})"
        if each.name in _LABELS and each.given:
            label = _LABELS[each.name]
            return f"seq(map({label}, float))" if op == "ZipMap" else f"tensor({label})"
        if each.name == "value" and each.kind == _TENSOR and each.value.t:
            code = next((begin for number, kind, begin, _ in wire.fields(each.value.t) if (number, kind) == (2, 0)), 0)
            return f"tensor({type_name(code)})"
    return "tensor(float)" if op == "ConstantOfShape" else None


_INT, _TENSOR = 2, 4


def _of_type(place: Place, name: str, expected: str, given: str) -> Fact:
    return of_node(place, "model_input_type", "type", name, expected=expected, given=given)


def type_text(kind: Any) -> str | None:
    """Return a TypeProto as schemas write it, such as `seq(tensor(float))`; None where it states none."""
    words: list[str] = []
    for _ in range(_MAX_TYPES):
        if kind.HasField("sequence_type"):
            words.append("seq")
            kind = kind.sequence_type.elem_type
        elif kind.HasField("optional_type"):
            words.append("optional")
            kind = kind.optional_type.elem_type
        else:
            break
    inner = _innermost(kind)
    return None if inner is None else "(".join([*words, inner]) + ")" * len(words)


def _innermost(kind: Any) -> str | None:
    if kind.HasField("map_type"):
        value = type_text(kind.map_type.value_type)
        return None if value is None else one_spelling(f"map({type_name(kind.map_type.key_type)}, {value})")
    for field, word in (("tensor_type", "tensor"), ("sparse_tensor_type", "sparse_tensor")):
        if kind.HasField(field) and getattr(kind, field).elem_type:
            return f"{word}({type_name(getattr(kind, field).elem_type)})"
    return None


def one_spelling(kind: str) -> str:
    """Return a type in one spelling: schemas write the values of maps as tensors or without."""
    if "map(" not in kind:
        return kind
    import re

    return re.sub(
        r"map\((\w+),\s*(?:tensor\((\w+)\)|(\w+))\)", lambda match: f"map({match[1]},{match[2] or match[3]})", kind
    )
