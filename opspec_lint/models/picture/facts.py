"""The details of a node in a picture: its inputs and outputs with type and shape, and its attrs."""

from __future__ import annotations

from collections import ChainMap

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.spec.values import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from opspec_lint.models.model import Model, Node, Tensor

_MAX_LINES = 60
"""Tensors and attrs of a node that are listed."""
_MAX_DEPTH = 32
"""Nested graphs in which a tensor of a node is looked up."""
_MAX_CARD_LINES = 4
_PLAIN = ("float", "float32")
"""The names of the type that most tensors have, which arrows leave out."""
_MAX_CARD_TEXT = 24
_IDLE = pattern(
    r"false|none|null|-?0(\.0)?|1(\.0)?|\[((0|1), )*(0|1)?\]"
    r'|"(NONE|NOTSET|tensor|graph|DT_\w+|b?float\d+|u?int\d+|complex\d+|bool)?"',
    "i",
)
"""The values of attrs that say nothing about a node, or its type, which its arrows say."""
_SEPARATOR = pattern(r"[/.:]")
_AXES = frozenset({"axis", "axes", "dim", "dims"})
_BOOKKEEPING = frozenset(
    {"op_callstack", "op_device", "op_namescope", "op_role", "place", "struct_name", "stop_gradient"}
)
"""Attrs in which a framework notes for itself where a node is from, and where it runs."""
_MAX_TEXT = 100
"""Characters of a value."""
_MAX_WHOLE = 2000
"""Characters of a value as a whole, which is shown on hover."""


class NodeFact(Record):
    """One line about a node: `role` is `input`, `weight`, `output` or `attr`, and `text` is `whole` cut to a column.

    Of a tensor, `type` is its type and shape, and `brief` its shape, with the type unless most tensors have it. Of a
    weight, `tensor` is its name.
    """

    role: str
    name: str
    text: str
    whole: str
    brief: str = ""
    type: str = ""
    tensor: str = ""


def tensors_by_graph(model: Model) -> dict[int, Mapping[str, Tensor]]:
    """Return, by the `id` of each graph, the tensors of known type and shape by name.

    They include the tensors of the enclosing graphs, and the interface and weights of the model.
    """
    shared: dict[str, Tensor] = {}
    for meta in model.meta_graphs:
        for signature in meta.signatures:
            shared |= {tensor.name: tensor for tensor in (*signature.inputs.values(), *signature.outputs.values())}
        shared |= {tensor.name: tensor for tensor in meta.variables}
    known: dict[int, Mapping[str, Tensor]] = {}
    for meta in model.meta_graphs:
        # By graph: its own tensors, then those of the enclosing graphs, the innermost first.
        visible: list[list[dict[str, Tensor]]] = []
        for graph in meta.graphs:
            own = dict(graph.tensors())
            outer = [] if graph.within is None else visible[graph.within]
            visible.append([own, *outer[: _MAX_DEPTH - 1]])
            # A lookup in a plain mapping is ten times as fast, and most graphs are in no other one.
            known[id(graph)] = shared | own if graph.within is None else ChainMap(*visible[-1], shared)
    return known


def node_facts(
    node: Node,
    known: Mapping[str, Tensor],
    weights: Collection[str] = frozenset(),
    value_name: Callable[[str, object], str | None] = lambda _name, _value: None,
) -> tuple[NodeFact, ...]:
    """Return the lines about a node.

    `known` are the tensors of known type by name, and `weights` the names of inputs that are stored in the model.
    `value_name` names the values of attrs (`ModelFormat.value_name`).
    """
    lines = [*_tensors("input", node.inputs, known, weights), *_tensors("output", node.outputs, known)]
    own = known.get(node.name)
    if own is not None and not node.outputs:
        lines.append(_fact("output", node.name, type_text(own)).replace(type=type_text(own)))
    values = ((name, _unwrap(value)) for name, value in sorted(node.attrs.items()))
    lines += [_fact("attr", name, value_name(name, value) or show(value)) for name, value in values]
    return tuple(lines[:_MAX_LINES])


def content_of(facts: Iterable[NodeFact]) -> tuple[tuple[str, str, str], ...]:
    """Return the attrs of a node and the types of its tensors, without the names of tensors."""
    return tuple(
        (fact.role, fact.name, fact.whole) if fact.role == "attr" else (fact.role, "", fact.type) for fact in facts
    )


def output_type(node: Node, known: Mapping[str, Tensor]) -> str:
    """Return type and shape of the first output of a node, "" if they are unknown."""
    names = [name for _, tensors in node.outputs for name in tensors] or [node.name]
    return next((type_text(tensor) for name in names if (tensor := known.get(name)) is not None), "")


def group_facts(nodes: Iterable[tuple[str, Node, Mapping[str, Tensor]]]) -> tuple[NodeFact, ...]:
    """Return one line per node of a group with its outputs, or nothing if no output is known.

    `nodes` are triples: the label of the node, the node, and the tensors of known type in its graph.
    """
    lines = []
    for called, node, known in nodes:
        outputs = [name for _, names in node.outputs for name in names]
        text = ", ".join(tensor_text(name, known.get(name)) for name in outputs) or output_type(node, known)
        lines.append(_fact("output", called, text))
    return tuple(lines) if any(fact.text for fact in lines) else ()


def _tensors(
    role: str,
    sides: Iterable[tuple[str, tuple[str, ...]]],
    known: Mapping[str, Tensor],
    weights: Collection[str] = frozenset(),
) -> Iterator[NodeFact]:
    """Yield a line for each tensor of the inputs or outputs of a node."""
    for parameter, names in sides:
        for name in names:
            # TensorFlow names the first output of a node `node` or `node:0`.
            tensor = known.get(name) or known.get(name.removesuffix(":0"))
            is_weight = name in weights
            fact = _fact("weight" if is_weight else role, parameter, tensor_text(name, tensor))
            fact = fact.replace(type="" if tensor is None else type_text(tensor))
            if is_weight:
                fact = fact.replace(name=fact.name or _last_part(name), brief=short_type(tensor), tensor=name)
            yield fact


def _last_part(name: str) -> str:
    """Return the last part of the name of a tensor: `weight` of `layer1.0.weight`, and `kernel` of `dense/kernel`."""
    return next((part for part in reversed(_SEPARATOR.split(name)) if part), name)


def tensor_text(name: str, tensor: Tensor | None) -> str:
    """Return a tensor as `name: float32[2, 3]`; both names if the known tensor has another one."""
    if tensor is None:
        return name
    own = tensor.name
    both = name if own in (name, name.removesuffix(":0"), "") else f"{name}, {own}"
    text = type_text(tensor)
    return f"{both}: {text}" if text else both


def type_text(tensor: Tensor) -> str:
    """Return type and shape of a tensor as `float32[?, 3]`, "" if both are unknown."""
    if tensor.shape is None:
        return tensor.dtype or ""
    shape = ", ".join("?" if size < 0 else str(size) for size in tensor.shape)
    return f"{tensor.dtype or 'unknown type'}[{shape}]"


def short_type(tensor: Tensor | None) -> str:
    """Return a tensor for an arrow as `1x64 int8`, "" if it is unknown; a type that most tensors have is left out."""
    if tensor is None:
        return ""
    dtype = "" if tensor.dtype in (None, *_PLAIN) else str(tensor.dtype)
    if tensor.shape is None:
        return dtype
    shape = "\u00d7".join("?" if size < 0 else str(size) for size in tensor.shape)
    return f"{shape or 'scalar'} {dtype}".strip()


def card_attrs(facts: Iterable[NodeFact], constant: Collection[str]) -> list[tuple[str, str]]:
    """Return the attrs of a node that a reader of the picture needs, as (name, text).

    An attr that switches nothing on (`false`, 0, 1, empty) is left out, and so is one that has the same value in every
    node of the model (`constant`), unless it says along which axis the node works.
    """
    return [
        (fact.name, fact.text)
        for fact in facts
        if fact.role == "attr"
        and len(fact.text) <= _MAX_CARD_TEXT
        and not fact.name.startswith("_")
        and fact.name not in _BOOKKEEPING
        and (fact.name in _AXES or not (fact.name in constant or _IDLE.fullmatch(fact.text)))
    ][:_MAX_CARD_LINES]


def constant_attrs(facts_of_nodes: Iterable[tuple[str, Sequence[NodeFact]]]) -> set[str]:
    """Return the attrs that nodes of several ops have, always with one value; pairs are an op and facts of a node."""
    values: dict[str, set[str]] = {}
    ops: dict[str, set[str]] = {}
    for op, facts in facts_of_nodes:
        for fact in facts:
            if fact.role == "attr":
                values.setdefault(fact.name, set()).add(fact.text)
                ops.setdefault(fact.name, set()).add(op)
    return {name for name, texts in values.items() if len(texts) == 1 and len(ops[name]) > 1}


def _unwrap(value: object) -> object:
    """Return a value without wrappers: a mapping with a single key is replaced by its value, recursively."""
    if isinstance(value, dict):
        if not value:
            return []
        return _unwrap(next(iter(value.values()))) if len(value) == 1 else {key: _unwrap(value[key]) for key in value}
    return [_unwrap(item) for item in value] if isinstance(value, (list, tuple)) else value


def _fact(role: str, name: str, text: str) -> NodeFact:
    """Return a line about a node, with long texts cut."""
    whole = shorten(one_line(text), _MAX_WHOLE)
    return NodeFact(role=role, name=shorten(one_line(name), _MAX_TEXT), text=shorten(whole, _MAX_TEXT), whole=whole)
