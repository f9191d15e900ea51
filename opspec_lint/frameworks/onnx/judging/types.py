"""The types of the tensors of a model, as far as the model states them and schemas carry them on.

A schema binds its type variables by the types of a node's inputs, and so gives the types of its outputs. What neither
the model nor a schema says stays unknown.
"""

from __future__ import annotations

from opspec_lint.frameworks.onnx.files.messages import text, type_name
from opspec_lint.frameworks.onnx.judging.faults import of_node
from opspec_lint.kit.record import Record
from opspec_lint.models import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.onnx.files.nodes import Attribute
    from opspec_lint.frameworks.onnx.files.reading import GraphFile, ModelFile
    from opspec_lint.frameworks.onnx.judging.place import Place
    from opspec_lint.models.fault import Fault
    from opspec_lint.spec.model import Input, Op, Output

_BY_ATTRIBUTE = ("to", "dtype")
"""Attributes that are the type of the first output."""
_CONSTANTS = {
    **dict.fromkeys(("value_float", "value_floats"), "tensor(float)"),
    **dict.fromkeys(("value_int", "value_ints"), "tensor(int64)"),
    **dict.fromkeys(("value_string", "value_strings"), "tensor(string)"),
}
_MAX_TYPES = 100
"""How deep types stand in one another at most: protobuf decodes no more."""


class Bound(Record):
    """What is known of a node's type variables, and which of them its inputs and outputs have."""

    types: Mapping[str, str]
    used: frozenset[str]


class Types:
    """The types of the tensors of a model, graph by graph: one in a node comes after the graph around it."""

    def __init__(self, model: ModelFile) -> None:
        self._model = model
        self._known: list[dict[str, str]] = []
        self._declared: dict[str, str] = {}
        self._around: list[dict[str, str]] = []

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

    def bind(self, place: Place, schema: Op) -> tuple[Bound, list[Fault]]:
        """Return what a node's tensors bind the variables of its schema to, and the types that do not fit.

        The types of its outputs are known from then on.
        """
        constraints: Mapping[str, Sequence[str]] = schema.get("type_constraints") or {}
        found = {name: allowed[0] for name, allowed in constraints.items() if len(allowed) == 1}
        faults: list[Fault] = []
        inputs = list(_paired(place.node.inputs, schema.inputs, _is_mixed(schema, "inputs")))
        outputs = list(_paired(place.node.outputs, schema.outputs, _is_mixed(schema, "outputs")))
        for name, argument, is_mixed in inputs:
            faults += self._bind(place, (name, argument, is_mixed), constraints, found)
        first = next((argument for _, argument, _ in outputs), None)
        stated = _by_attributes(place.node.attributes, place.node.op)
        if first is not None and stated is not None and str(first.type) in constraints:
            found.setdefault(str(first.type), stated)
        for name, argument, is_mixed in outputs:
            kind = str(argument.type)
            given = None if is_mixed else found.get(kind, None if kind in constraints else kind)
            declared = self._declared.get(name)
            if given is not None and declared is not None and given != declared:
                faults.append(_of_type(place, argument.name, given, f"an output that is declared as {declared}"))
            elif declared is not None:
                faults += self._bind(place, (name, argument, is_mixed), constraints, found)
            if given or declared:
                self._known[-1][name] = given or str(declared)
        used = {str(argument.type) for _, argument, _ in (*inputs, *outputs)}
        return Bound(types=found, used=frozenset(used & constraints.keys())), faults

    def _bind(
        self,
        place: Place,
        given: tuple[str, Input | Output, bool],
        constraints: Mapping[str, Sequence[str]],
        found: dict[str, str],
    ) -> Iterator[Fault]:
        """Bind the variable of an argument to the type of its tensor, and yield that it does not fit."""
        name, argument, is_mixed = given
        kind, actual = str(argument.type), self.of(name)
        if actual is None:
            return
        allowed = constraints.get(kind, (kind,))
        if actual not in map(_plain, allowed):
            yield _of_type(place, argument.name, " or ".join(allowed), actual)
        elif kind in constraints and not is_mixed and found.setdefault(kind, actual) not in (actual, _plain(actual)):
            yield _of_type(place, argument.name, f"{found[kind]}, as other tensors of {kind}", actual)


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
        if each.name in _CONSTANTS:
            return _CONSTANTS[each.name]
        if each.name == "value" and each.kind == _TENSOR and each.value.t:
            code = next((begin for number, kind, begin, _ in wire.fields(each.value.t) if (number, kind) == (2, 0)), 0)
            return f"tensor({type_name(code)})"
    return "tensor(float)" if op == "ConstantOfShape" else None


_INT, _TENSOR = 2, 4


def _of_type(place: Place, name: str, expected: str, given: str) -> Fault:
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
        return None if value is None else _plain(f"map({type_name(kind.map_type.key_type)}, {value})")
    for field, word in (("tensor_type", "tensor"), ("sparse_tensor_type", "sparse_tensor")):
        if kind.HasField(field) and getattr(kind, field).elem_type:
            return f"{word}({type_name(getattr(kind, field).elem_type)})"
    return None


def _plain(kind: str) -> str:
    """Return a type in one spelling: schemas write the values of maps as tensors or without."""
    if "map(" not in kind:
        return kind
    import re

    return re.sub(
        r"map\((\w+),\s*(?:tensor\((\w+)\)|(\w+))\)", lambda match: f"map({match[1]},{match[2] or match[3]})", kind
    )
