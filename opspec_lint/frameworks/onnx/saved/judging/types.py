"""The inference of tensor types: from the types that a model states, through the schemas of its nodes.

A schema binds its type variables to the types of a node's inputs, which determines the types of its outputs. For some
ops, attributes or fixed rules determine them. A type that neither the model nor a schema gives stays unknown.
"""

from __future__ import annotations

from typing import NamedTuple

from opspec_lint.frameworks.onnx.saved.files import reading
from opspec_lint.frameworks.onnx.saved.files.messages import message, text, type_name
from opspec_lint.frameworks.onnx.saved.judging.faults import node_refused
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.onnx.saved.files.nodes import Attribute, OnnxNode
    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile, Initializer
    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Input, Op, Output

_BY_ATTRIBUTE = ("to", "dtype", "output_dtype", "output_datatype")
"""Attributes whose value is the type of the first output."""
_LABELS = {
    **dict.fromkeys(("value_float", "value_floats", "values_floats"), "float"),
    **dict.fromkeys(("value_int", "value_ints", "values_int64s", "classlabels_int64s", "classlabels_ints"), "int64"),
    **dict.fromkeys(("value_string", "value_strings", "values_strings", "classlabels_strings"), "string"),
}
"""Attributes whose values become elements of the first output (constants, labels of classes), with their type."""
_TENSORS = ("value", "values_tensor")
"""Attributes that are tensors of the type of the first output."""
_MAX_TYPES = 100
"""The deepest nesting of types: protobuf decodes no more than 100 levels."""


class BoundTypes(Record):
    """The types that the type variables of a node are bound to.

    `types` are the bound variables, `unknown` the variables that could not be bound. `mixed` are the types of the
    tensors of a variable that does not need to have one type for all tensors.
    """

    types: Mapping[str, str]
    unknown: frozenset[str]
    mixed: Mapping[str, frozenset[str]]


class _NodeTensor(NamedTuple):
    """A tensor that a node takes or returns, with the argument of the schema that it is given for.

    `type` is a type or a type variable. `is_mixed`: the tensors of a variadic argument may have different types.
    """

    name: str
    argument: Input | Output
    type: str
    is_mixed: bool


class TensorTypes:
    """The types of the tensors of a graph, extended as its nodes are visited in order.

    A type is looked up in three places, in this order: `_known` has the types of inputs and weights, and of the outputs
    of nodes that were visited; `_declared` has what the graph declares for other tensors, or else what was inferred for
    them; then the enclosing graph.

    Args:
        graph: the graph.
        outer: the types of the enclosing graph.
        given: the types of the inputs of a function, by name.
    """

    def __init__(
        self, graph: GraphFile, outer: TensorTypes | None = None, given: Mapping[str, str] | None = None
    ) -> None:
        stated = {text(value.name): type_text(value.type) for value in (*graph.values, *graph.outputs)}
        self._declared = {name: kind for name, kind in stated.items() if kind is not None}
        self._known = {weight.name: stored_type(weight) for weight in graph.initializers if weight.data_type}
        inputs = {text(value.name): type_text(value.type) for value in graph.inputs}
        self._known |= {name: kind for name, kind in inputs.items() if kind is not None}
        self._known |= given or {}
        self._outer = outer

    def type_of(self, name: str) -> str | None:
        """Return the type of a tensor, None if it is not known."""
        kind = self._known.get(name) or self._declared.get(name)
        return self._outer.type_of(name) if kind is None and self._outer is not None else kind

    def add_inferred(self, names: Sequence[str], types: Sequence[str | None]) -> None:
        """Add inferred types of tensors; types that the graph states take precedence."""
        for name, kind in zip(names, types, strict=False):
            if name and kind is not None:
                self._declared.setdefault(name, kind)

    def contradictions(self, names: Sequence[str], types: Sequence[str | None]) -> Iterator[tuple[str, str, str]]:
        """Yield (name, given type, stated type) for each tensor that the graph declares with another type."""
        for name, kind in zip(names, types, strict=False):
            stated = self._declared.get(name)
            if kind is not None and stated not in (None, kind):
                yield name, kind, str(stated)

    def set_type(self, name: str, kind: str) -> None:
        """Set the type of a tensor, even if the graph states another one."""
        self._known[name] = kind

    def bind(self, resolved: ResolvedNode, schema: Op) -> tuple[BoundTypes, list[Fact]]:
        """Bind the type variables of a node's schema to the types of its tensors; return them, and the faults.

        The types of the outputs are known afterwards. Whether the schema allows the type of an output is not checked,
        because ONNX Runtime runs a node with each type that a kernel has (Cast-13 to float8).
        """
        constraints: Mapping[str, Sequence[str]] = schema.get("type_constraints") or {}
        bindings = {name: allowed[0] for name, allowed in constraints.items() if len(allowed) == 1}
        faults: list[Fact] = []
        inputs = list(_pair_arguments(resolved.node.inputs, schema.inputs, is_mixed=_is_mixed(schema, "inputs")))
        outputs = list(_pair_arguments(resolved.node.outputs, schema.outputs, is_mixed=_is_mixed(schema, "outputs")))
        # Inputs first: they bind the variables that the types of the outputs depend on.
        for tensor in inputs:
            faults += self._bind_input(resolved, tensor, constraints, bindings)
        inferred = inferred_type(resolved.node, bindings)
        if outputs and inferred is not None and outputs[0].type in constraints:
            bindings.setdefault(outputs[0].type, inferred)
        if resolved.node.op in _NORMALIZATIONS:
            bindings.setdefault("U", _stash_type(resolved.node))
        for tensor in outputs:
            faults += self._bind_output(resolved, tensor, constraints, bindings)
        return _bound_types([*inputs, *outputs], constraints, bindings, self.type_of), faults

    def input_type_faults(self, resolved: ResolvedNode, names: Collection[str]) -> Iterator[Fact]:
        """Yield a fault for each of the given tensors that a node takes although its schema does not allow the type."""
        if resolved.schema is None:
            return
        constraints = resolved.schema.get("type_constraints") or {}
        for tensor in _pair_arguments(resolved.node.inputs, resolved.schema.inputs, is_mixed=False):
            if tensor.name in names:
                # As a mixed one, it is compared with the schema alone, and not with the other tensors of the node.
                yield from self._bind_input(resolved, tensor._replace(is_mixed=True), constraints, {})

    def _bind_input(
        self,
        resolved: ResolvedNode,
        tensor: _NodeTensor,
        constraints: Mapping[str, Sequence[str]],
        bindings: dict[str, str],
    ) -> Iterator[Fact]:
        """Bind the type variable of an input to the type of its tensor; yield a fault if it does not fit."""
        actual = self.type_of(tensor.name)
        if actual is None:
            return
        allowed = constraints.get(tensor.type, (tensor.type,))
        spelt = next((kind for kind in allowed if normalize_type(kind) == actual), None)
        if spelt is None:
            yield _type_fault(resolved, tensor.argument.name, _alternatives(allowed), actual)
        elif tensor.type in constraints and not tensor.is_mixed:
            bound = bindings.setdefault(tensor.type, spelt)
            if bound != spelt:
                yield _type_fault(resolved, tensor.argument.name, f"{bound}, as other tensors of {tensor.type}", actual)

    def _bind_output(
        self,
        resolved: ResolvedNode,
        tensor: _NodeTensor,
        constraints: Mapping[str, Sequence[str]],
        bindings: dict[str, str],
    ) -> Iterator[Fact]:
        """Set the type of an output: the one that the schema gives it, or else the one that the graph declares.

        Yields a fault if the two differ. A type variable that no input has bound is bound to the declared type.
        """
        declared = self._declared.get(tensor.name)
        by_schema = None
        if not tensor.is_mixed:
            by_schema = bindings.get(tensor.type, None if tensor.type in constraints else tensor.type)
        inferred = None if by_schema is None else normalize_type(by_schema)
        if inferred is not None and declared is not None and inferred != declared:
            problem = f"an output that is declared as {declared}"
            yield _type_fault(resolved, tensor.argument.name, inferred, problem)
        elif declared is not None and inferred is None and not tensor.is_mixed and tensor.type in constraints:
            bindings.setdefault(tensor.type, declared)
        if inferred or declared:
            self._known[tensor.name] = inferred or str(declared)


def _alternatives(types: Sequence[str]) -> str:
    """Return types as text, joined by "or"; of many, the first ones."""
    if len(types) <= _MAX_LISTED:
        return " or ".join(types)
    return f"{', '.join(types[:_MAX_LISTED])} or {len(types) - _MAX_LISTED} more types"


_MAX_LISTED = 4
"""Types that a message lists."""


def stored_type(weight: Initializer) -> str:
    """Return the type of a weight."""
    return f"tensor({type_name(weight.data_type)})"


def _bound_types(
    tensors: Sequence[_NodeTensor],
    constraints: Mapping[str, Sequence[str]],
    bindings: dict[str, str],
    type_of: Callable[[str], str | None],
) -> BoundTypes:
    """Return the bound, unknown and mixed types of a node's type variables."""
    mixed: dict[str, set[str]] = {}
    unknown = {tensor.type for tensor in tensors if tensor.type in constraints} - bindings.keys()
    for variable in {tensor.type for tensor in tensors if tensor.is_mixed} & unknown:
        types = [type_of(tensor.name) for tensor in tensors if tensor.type == variable]
        mixed[variable] = {kind for kind in types if kind is not None}
        if None not in types:
            unknown.discard(variable)
    return BoundTypes(
        types=bindings,
        unknown=frozenset(unknown),
        mixed={variable: frozenset(types) for variable, types in mixed.items()},
    )


def _pair_arguments(
    names: Sequence[str], arguments: Sequence[Input | Output], *, is_mixed: bool
) -> Iterator[_NodeTensor]:
    """Yield each given tensor of a node with its declared argument; `is_mixed` concerns the variadic argument."""
    for index, name in enumerate(names):
        argument = arguments[min(index, len(arguments) - 1)] if arguments else None
        if name and argument is not None:
            yield _NodeTensor(name, argument, str(argument.type), is_mixed and argument.duplicable is True)


def _is_mixed(schema: Op, section: str) -> bool:
    """Return True if the variadic argument of a section may have tensors of different types."""
    arity = (schema.get("arity") or {}).get(section)
    return arity is not None and not arity["is_homogeneous"]


def inferred_type(node: OnnxNode, bound: Mapping[str, str]) -> str | None:
    """Return the type of a node's first output as the op's type inference function derives it (onnx/defs), or None.

    It covers the ops whose output type is no type variable of an input. `bound` are the bound types of type variables.
    """
    stated = _type_by_attributes(node)
    if stated is None and node.op in _DEFAULT_TYPES:
        stated = _DEFAULT_TYPES[node.op]
    if stated is None and node.op in _TYPE_OF_INPUT:
        stated = bound.get(_TYPE_OF_INPUT[node.op])
    if node.op in _LABEL_MAPPERS and stated is None:
        return _OPPOSITE_LABEL.get(bound.get(_LABEL_MAPPERS[node.op], ""))
    if node.op in _WRAPPERS and stated is not None:
        return f"{_WRAPPERS[node.op]}({stated})"
    if node.op in _RETURNS_ELEMENT_OF:
        holder = "optional" if node.op == "OptionalGetElement" else "seq"
        return _element_type(bound.get(_RETURNS_ELEMENT_OF[node.op]), holder)
    if node.op == "ZipMap" and stated is not None:
        return f"seq(map({stated[len('tensor(') : -1]}, float))"
    return stated


_FLOAT = "tensor(float)"
_DEFAULT_TYPES = {
    **dict.fromkeys(("BlackmanWindow", "HammingWindow", "HannWindow", "RandomNormal", "RandomUniform"), _FLOAT),
    **dict.fromkeys(("ConstantOfShape", "MelWeightMatrix", "SequenceEmpty"), _FLOAT),
    **dict.fromkeys(("LinearClassifier", "SVMClassifier", "TreeEnsembleClassifier"), "tensor(int64)"),
    "Multinomial": "tensor(int32)",
    "QuantizeLinear": "tensor(uint8)",
}
"""Ops with an attribute for the type of the output, and the type without the attribute."""
_TYPE_OF_INPUT = {
    **dict.fromkeys(("Bernoulli", "EyeLike", "RandomNormalLike", "RandomUniformLike"), "T1"),
    **dict.fromkeys(("SequenceConstruct", "SplitToSequence"), "T"),
    "DequantizeLinear": "T2",
    "Optional": "V",
}
"""Ops whose output has the type of an input unless an attribute states one, with the type variable of that input."""
_WRAPPERS = {"Optional": "optional", "SequenceConstruct": "seq", "SequenceEmpty": "seq", "SplitToSequence": "seq"}
"""Ops that return a sequence or optional of such a type."""
_LABEL_MAPPERS = {"CategoryMapper": "T1", "LabelEncoder": "T1"}
"""Ops that map numbers to texts or texts to numbers, with the type variable of the input."""
_OPPOSITE_LABEL = {"tensor(int64)": "tensor(string)", "tensor(string)": "tensor(int64)"}
_RETURNS_ELEMENT_OF = {"ConcatFromSequence": "S", "OptionalGetElement": "O", "SequenceAt": "S"}
"""Ops that return an element of an input, with the type variable of that input."""


_NORMALIZATIONS = ("LayerNormalization", "SimplifiedLayerNormalization")
"""Ops whose further outputs have the type that `stash_type` states."""


def _stash_type(node: OnnxNode) -> str:
    """Return the type of the further outputs of a normalization."""
    code = next((attribute.value.i for attribute in node.attributes if attribute.name == "stash_type"), 1)
    return f"tensor({type_name(code)})"


def constant_type(value: Attribute) -> str | None:
    """Return the type of a constant from its attribute, None if no constant can have this attribute."""
    if value.kind == _TENSOR:
        return stored_type(reading.parse_tensor(memoryview(value.value.t)))
    return _CONSTANT_TYPES.get(value.kind)


_CONSTANT_TYPES = {
    **dict.fromkeys((1, 6, 11), _FLOAT),  # FLOAT, FLOATS, SPARSE_TENSOR
    **dict.fromkeys((2, 7), "tensor(int64)"),  # INT, INTS
    **dict.fromkeys((3, 8), "tensor(string)"),  # STRING, STRINGS
}
"""The types of constants, by the number of their attribute type."""


def _element_type(kind: str | None, holder: str) -> str | None:
    """Return the element type of a sequence or optional, and any other type unchanged."""
    outer, _, inner = (kind or "").partition("(")
    return inner[:-1] if outer == holder else kind


def _type_by_attributes(node: OnnxNode) -> str | None:
    """Return the type that an attribute of a node states, None if no attribute does."""
    for attribute in node.attributes:
        name, value = attribute.name, attribute.value
        if attribute.refers:
            continue
        # The value 0 is UNDEFINED, the default of most of these attributes: then the type does not follow from it.
        if name in _BY_ATTRIBUTE and attribute.kind == _INT and (value.i or node.op == "SequenceEmpty"):
            return f"tensor({type_name(value.i)})"
        if name in _LABELS and attribute.given:
            return f"tensor({_LABELS[name]})"
        if name in _TENSORS and attribute.kind == _TENSOR and value.t:
            return stored_type(reading.parse_tensor(memoryview(value.t)))
        if name == "type" and attribute.kind == _TYPE and value.tp:
            return type_text(message("TypeProto").FromString(value.tp))
    return None


_INT, _TENSOR, _TYPE = 2, 4, 13
"""The numbers of attribute types: INT, TENSOR and TYPE_PROTO."""


def _type_fault(resolved: ResolvedNode, name: str, expected: str, given: str) -> Fact:
    """Return the fault of a tensor of the wrong type."""
    return node_refused(resolved, "model_input_type", "type", name, expected=expected, given=given)


def type_text(kind: Any) -> str | None:
    """Return a TypeProto in the notation of schemas, such as `seq(tensor(float))`; None if it states no type."""
    wrappers: list[str] = []
    for _ in range(_MAX_TYPES):
        if kind.HasField("sequence_type"):
            wrappers.append("seq")
            kind = kind.sequence_type.elem_type
        elif kind.HasField("optional_type"):
            wrappers.append("optional")
            kind = kind.optional_type.elem_type
        else:
            break
    inner = _innermost_text(kind)
    return None if inner is None else "(".join([*wrappers, inner]) + ")" * len(wrappers)


def _innermost_text(kind: Any) -> str | None:
    """Return a TypeProto that is no sequence or optional in the notation of schemas."""
    if kind.HasField("map_type"):
        value = type_text(kind.map_type.value_type)
        return None if value is None else normalize_type(f"map({type_name(kind.map_type.key_type)}, {value})")
    for field, prefix in (("tensor_type", "tensor"), ("sparse_tensor_type", "sparse_tensor")):
        if kind.HasField(field) and getattr(kind, field).elem_type:
            return f"{prefix}({type_name(getattr(kind, field).elem_type)})"
    return None


def normalize_type(kind: str) -> str:
    """Return a type in one spelling: schemas write the values of maps as `tensor(T)` or as `T`."""
    if "map(" not in kind:
        return kind
    import re

    return re.sub(
        r"map\((\w+),\s*(?:tensor\((\w+)\)|(\w+))\)", lambda match: f"map({match[1]},{match[2] or match[3]})", kind
    )
