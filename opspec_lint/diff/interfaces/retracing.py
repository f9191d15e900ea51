"""The hazards of retracing in the functions of a saved model: causes of many traces, and calls that will find no trace.

Source: the guide to tf.function, "Rules of tracing" and "Controlling retracing". A restored function never retraces, so
a call without a fitting trace is an error.
"""

from __future__ import annotations

from math import prod

from opspec_lint.diff.interfaces.callers import runtime
from opspec_lint.diff.interfaces.facts import interface_fact
from opspec_lint.kit.record import Record
from opspec_lint.spec.interface import traces
from opspec_lint.spec.interface.declarations import FUNCTION, call_kind
from opspec_lint.spec.interface.rendering import show_declaration
from opspec_lint.spec.interface.shapes import accepts_shape, is_static
from opspec_lint.spec.interface.types import CompositeType, TensorType, UnknownType, ValueType, children

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from opspec_lint.diff.interfaces.callers import Runtime
    from opspec_lint.spec.fact import Fact, Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.shapes import Shape
    from opspec_lint.spec.interface.traces import Trace
    from opspec_lint.spec.interface.types import Type
    from opspec_lint.spec.model import Op, Spec

_ENCODED_TYPES = frozenset(
    {"BoundedTensor", "Dataset", "IndexedSlices", "Iterator", "RaggedTensor", "SparseTensor"}
) | {
    "DType",
    "TensorArray",
    "TensorShape",
}
"""The names of composite types that are traced by their structure; all other composites are Python objects."""
_MOST_NAMED = 5
"""The most values that a fact names."""


class _Leaf(Record):
    """An argument of a trace, or a part of one, with all other arguments of this trace as text."""

    type: Type
    context: tuple[tuple[str, str], ...]


def hazards(spec: Spec, only: Collection[str] | None = None) -> Iterator[Fact]:
    """Yield every hazard of retracing in the functions of a model.

    Args:
        spec: the interface of the model.
        only: the names of the declarations to look at, or None for all.
    """
    saved_by = runtime(spec.provenance)
    for name in sorted(spec.ops if only is None else spec.ops.keys() & set(only)):
        op = spec.ops[name]
        if call_kind(op) == FUNCTION:
            yield from _function_hazards(op, saved_by)


def new_hazards(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
    """Yield the hazards that only head's functions have, and the functions with another number of traces."""
    known = {(fact.event, fact.op, fact.name) for fact in hazards(base, only)}
    yield from (fact for fact in hazards(head, only) if (fact.event, fact.op, fact.name) not in known)
    for name in sorted(base.ops.keys() & head.ops.keys() if only is None else set(only)):
        old, new = base.ops.get(name), head.ops.get(name)
        if old is not None and new is not None and len(old.attrs) != len(new.attrs):
            counts = str(len(old.attrs)), str(len(new.attrs))
            yield _fact("trace_count_changed", new, name, "op", counts=counts, before=show_declaration(old))


def _function_hazards(op: Op, saved_by: Runtime) -> Iterator[Fact]:
    """Yield the hazards of retracing in a function of a model."""
    all_traces = traces.traces_of(op)
    if not all_traces:
        yield _fact("function_untraced", op, op.name, "op", may_be=saved_by.unsaved_traces)
        return
    leaves = _leaves_by_path(all_traces)
    for path, path_leaves in leaves.items():
        yield from _path_hazards(op, path, path_leaves)
    if op.get("input_signature") is not True:
        yield from _static_hazard(op, leaves)
    yield from _untraced_values(op, leaves, len(all_traces))


def _leaves_by_path(all_traces: Sequence[Trace]) -> dict[str, list[_Leaf]]:
    """Return the leaves of the arguments of some traces, by their paths, such as `x["k"][0]`."""
    leaves: dict[str, list[_Leaf]] = {}
    for trace in all_traces:
        types = dict(_argument_leaves(trace.arguments))
        texts = tuple((path, str(type_)) for path, type_ in types.items())
        for path, type_ in types.items():
            context = tuple((leaf_path, text) for leaf_path, text in texts if leaf_path != path)
            leaves.setdefault(path, []).append(_Leaf(type=type_, context=context))
    return leaves


def _argument_leaves(arguments: Mapping[str, Type]) -> Iterator[tuple[str, Type]]:
    """Yield the leaves of some arguments, with their paths."""
    for name, type_ in arguments.items():
        yield from _type_leaves(name, type_)


def _type_leaves(path: str, type_: Type) -> Iterator[tuple[str, Type]]:
    """Yield the innermost parts of a type, with their paths."""
    parts = list(children(type_))
    if not parts:
        yield path, type_
    for step, part in parts:
        yield from _type_leaves(path + step, part)


def _path_hazards(op: Op, path: str, leaves: Sequence[_Leaf]) -> Iterator[Fact]:
    """Yield the hazards of the types that the traces of a function have at one path."""
    # Only traces with equal other arguments show that this one caused the retracing.
    groups: dict[tuple[tuple[str, str], ...], list[Type]] = {}
    for leaf in leaves:
        groups.setdefault(leaf.context, []).append(leaf.type)
    numbers = max((_python_numbers(types) for types in groups.values()), key=len)
    if len(numbers) > 1:
        yield _fact("retraced_per_value", op, path, values=_join_names(numbers), count=len(numbers))
    shapes = max((_similar_shapes(types) for types in groups.values()), key=len)
    if len(shapes) > 1:
        spec = f"tf.TensorSpec({_shape_text(_common_shape(shapes))}, tf.{shapes[0].dtype})"
        yield _fact("retraced_per_shape", op, path, values=_join_names(map(str, shapes)), count=len(shapes), spec=spec)
    dtypes = max((_similar_dtypes(types) for types in groups.values()), key=len)
    if len(dtypes) > 1:
        yield _fact("retraced_per_dtype", op, path, values=_join_names(map(str, dtypes)), count=len(dtypes))
    objects = {str(leaf.type): None for leaf in leaves if _is_object(leaf.type)}
    if objects:
        yield _fact("argument_is_object", op, path, values=_join_names(objects))
    texts = {str(leaf.type): None for leaf in leaves if _is_string(leaf.type)}
    if texts:
        yield _fact("string_argument", op, path, values=_join_names(texts))


def _python_numbers(types: Sequence[Type]) -> list[str]:
    """Return the Python numbers among some types. A bool is none: it selects a structure, and has two values only."""
    return list(
        dict.fromkeys(type_.text for type_ in types if isinstance(type_, ValueType) and _is_python_number(type_.value))
    )


def _is_python_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _similar_shapes(types: Sequence[Type]) -> list[TensorType]:
    """Return tensors of one dtype that differ in one dimension, or in rank; none if one accepts all others."""
    tensors = list(dict.fromkeys(tensor for tensor in types if isinstance(tensor, TensorType)))
    similar = [tensor for tensor in tensors if any(_differ_in_single_dimension(tensor, second) for second in tensors)]
    same_dtype = [tensor for tensor in similar if tensor.dtype == similar[0].dtype]
    has_widest = any(all(accepts_shape(tensor.shape, widest.shape) for tensor in same_dtype) for widest in same_dtype)
    return [] if has_widest else same_dtype


def _differ_in_single_dimension(first: TensorType, second: TensorType) -> bool:
    """Return whether two tensors have one dtype, and shapes that differ in one dimension or in rank."""
    a, b = first.shape, second.shape
    if a == b or first.dtype != second.dtype:
        return False
    if a is None or b is None or len(a) != len(b):
        return True
    return sum(was != now for was, now in zip(a, b, strict=True)) == 1


def _similar_dtypes(types: Sequence[Type]) -> list[TensorType]:
    """Return the tensors of one shape that differ in dtype."""
    tensors = list(dict.fromkeys(tensor for tensor in types if isinstance(tensor, TensorType)))
    similar = [tensor for tensor in tensors if any(_differ_in_dtype(tensor, second) for second in tensors)]
    return [tensor for tensor in similar if tensor.shape == similar[0].shape]


def _differ_in_dtype(first: TensorType, second: TensorType) -> bool:
    return first.shape == second.shape and first.dtype != second.dtype


def _is_object(type_: Type) -> bool:
    """Return whether a type is an arbitrary Python object, or unknown."""
    return isinstance(type_, UnknownType) or (
        isinstance(type_, CompositeType) and type_.type_name not in _ENCODED_TYPES
    )


def _is_string(type_: Type) -> bool:
    return isinstance(type_, ValueType) and isinstance(type_.value, str)


def _static_hazard(op: Op, leaves: Mapping[str, Sequence[_Leaf]]) -> Iterator[Fact]:
    """Yield that all traces accept tensors of one fixed shape only."""
    types_by_path = {path: {leaf.type for leaf in path_leaves} for path, path_leaves in leaves.items()}
    # The tensors with dimensions: a scalar has one shape anyway.
    shaped = {
        path: tensor
        for path, types in types_by_path.items()
        for tensor in types
        if isinstance(tensor, TensorType) and tensor.shape
    }
    has_single_type = all(len(types_by_path[path]) == 1 for path in shaped)
    if shaped and has_single_type and all(is_static(tensor.shape) for tensor in shaped.values()):
        path, first = next(iter(shaped.items()))
        # The first dimension is most often the batch, so the advice leaves that open.
        spec = f"tf.TensorSpec({_shape_text((None, *(first.shape or ())[1:]))}, tf.{first.dtype})"
        yield _fact("trace_static", op, path, values=str(first), spec=spec)


def _untraced_values(op: Op, leaves: Mapping[str, Sequence[_Leaf]], count: int) -> Iterator[Fact]:
    """Yield that Python values were traced, but not all combinations.

    `leaves` has the leaves of the arguments in each of `count` traces, by path. A flag can be True or False, even if
    only one was traced; any other argument has the values that were traced.
    """
    values_by_path: dict[str, set[str]] = {}
    for path, path_leaves in leaves.items():
        types = [leaf.type for leaf in path_leaves if isinstance(leaf.type, ValueType)]
        if len(types) == count and any(value_type.value is not None for value_type in types):
            values_by_path[path] = {value_type.text for value_type in types}
            if all(isinstance(value_type.value, bool) for value_type in types):
                values_by_path[path] = {"True", "False"}
    if not values_by_path:
        return
    combinations = prod(map(len, values_by_path.values()))
    columns = [[str(leaf.type) for leaf in leaves[path]] for path in values_by_path]
    traced = len(set(zip(*columns, strict=True)))
    if traced < combinations:
        names = ", ".join(path for path, values in values_by_path.items() if len(values) > 1)
        yield _fact("value_untraced", op, names, values=f"{traced} of {combinations}")


def _common_shape(tensors: Sequence[TensorType]) -> Shape:
    """Return the narrowest shape that accepts all shapes of some tensors."""
    shapes = [tensor.shape for tensor in tensors]
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes) or len({len(shape) for shape in known}) > 1:
        return None
    return tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*known, strict=True))


def _shape_text(shape: Shape) -> str:
    return "None" if shape is None else f"[{', '.join(map(str, shape))}]"


def _join_names(texts: Iterator[str] | Collection[str]) -> str:
    """Return the first texts, and the number of the others: `1, 2, 3, 4, 5 and 7 more`."""
    names = list(texts)
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _fact(  # noqa: PLR0913 - a fact is what it says
    event: EventId,
    op: Op,
    name: str,
    kind: Kind = "input",
    *,
    counts: tuple[str, str] | None = None,
    before: str | None = None,
    **facts: object,
) -> Fact:
    """Return a fact about a function in the interface of a model."""
    return interface_fact(
        event,
        op,
        kind,
        name,
        texts=counts or (None, None),
        declared=(before, show_declaration(op)),
        facts=facts,
        origins=(None, op.origin),
    )
