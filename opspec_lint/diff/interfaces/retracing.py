"""The hazards of retracing that a saved model shows: what made more traces than one, and what no trace will fit.

Source: the guide to tf.function, "Rules of tracing" and "Controlling retracing". A restored function never retraces, so
that a call for which there is no trace is an error.
"""

from __future__ import annotations

from opspec_lint.diff.interfaces.callers import runtime
from opspec_lint.diff.interfaces.facts import interface_fact
from opspec_lint.kit.record import Record
from opspec_lint.spec.interface import traces
from opspec_lint.spec.interface.declarations import FUNCTION, call_kind
from opspec_lint.spec.interface.rendering import show_declaration
from opspec_lint.spec.interface.shapes import accepts_shape, is_static
from opspec_lint.spec.interface.types import Composite, Tensor, UnknownType, Value, children

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

_ENCODED = frozenset({"BoundedTensor", "Dataset", "IndexedSlices", "Iterator", "RaggedTensor", "SparseTensor"}) | {
    "DType",
    "TensorArray",
    "TensorShape",
}
"""The words of what is no tensor and is no object of its own either: it is traced by what is known of it."""
_MOST_NAMED = 5


class _Leaf(Record):
    """An argument, or a part of one, and what else a trace was given."""

    found: Type
    rest: tuple[tuple[str, str], ...]


def hazards(spec: Spec, only: Collection[str] | None = None) -> Iterator[Fact]:
    """Yield every hazard of the functions of a model.

    Args:
        spec: the interface of the model.
        only: the names of the declarations to look at, or None for all.
    """
    saved_by = runtime(spec.provenance)
    for name in sorted(spec.ops if only is None else spec.ops.keys() & set(only)):
        op = spec.ops[name]
        if call_kind(op) == FUNCTION:
            yield from _of_function(op, saved_by)


def new_hazards(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
    """Yield the hazards of head's functions that base's do not have, and how many traces a function has now."""
    known = {(each.event, each.op, each.name) for each in hazards(base, only)}
    yield from (each for each in hazards(head, only) if (each.event, each.op, each.name) not in known)
    for name in sorted(base.ops.keys() & head.ops.keys() if only is None else set(only)):
        old, new = base.ops.get(name), head.ops.get(name)
        if old is not None and new is not None and len(old.attrs) != len(new.attrs):
            counts = str(len(old.attrs)), str(len(new.attrs))
            yield _fact("trace_count_changed", new, name, "op", counts=counts, before=show_declaration(old))


def _of_function(op: Op, saved_by: Runtime) -> Iterator[Fact]:
    every = traces.traces_of(op)
    if not every:
        yield _fact("function_untraced", op, op.name, "op", may_be=saved_by.unsaved_traces)
        return
    leaves = _by_path(every)
    for path, found in leaves.items():
        yield from _of_path(op, path, found)
    if op.get("input_signature") is not True:
        yield from _static(op, leaves)
    yield from _untraced(op, leaves, len(every))


def _by_path(every: Sequence[Trace]) -> dict[str, list[_Leaf]]:
    """Return the leaves of the arguments of some traces, by the way to them."""
    found: dict[str, list[_Leaf]] = {}
    for trace in every:
        flat = dict(_flat(trace.arguments))
        texts = tuple((path, str(each)) for path, each in flat.items())
        for path, each in flat.items():
            rest = tuple(pair for pair in texts if pair[0] != path)
            found.setdefault(path, []).append(_Leaf(found=each, rest=rest))
    return found


def _flat(arguments: Mapping[str, Type]) -> Iterator[tuple[str, Type]]:
    for name, each in arguments.items():
        yield from _leaves(name, each)


def _leaves(path: str, found: Type) -> Iterator[tuple[str, Type]]:
    inside = list(children(found))
    if not inside:
        yield path, found
    for step, each in inside:
        yield from _leaves(path + step, each)


def _of_path(op: Op, path: str, found: Sequence[_Leaf]) -> Iterator[Fact]:
    groups: dict[tuple[tuple[str, str], ...], list[Type]] = {}
    for leaf in found:
        groups.setdefault(leaf.rest, []).append(leaf.found)
    numbers = max((_numbers(each) for each in groups.values()), key=len)
    if len(numbers) > 1:
        yield _fact("retraced_per_value", op, path, values=_listed(numbers), count=len(numbers))
    shapes = max((_shapes(each) for each in groups.values()), key=len)
    if len(shapes) > 1:
        spec = f"tf.TensorSpec({_shape_text(_general(shapes))}, tf.{shapes[0].dtype})"
        yield _fact("retraced_per_shape", op, path, values=_listed(map(str, shapes)), count=len(shapes), spec=spec)
    dtypes = max((_dtypes(each) for each in groups.values()), key=len)
    if len(dtypes) > 1:
        yield _fact("retraced_per_dtype", op, path, values=_listed(map(str, dtypes)), count=len(dtypes))
    objects = {str(each.found): None for each in found if _is_object(each.found)}
    if objects:
        yield _fact("argument_is_object", op, path, values=_listed(objects))
    texts = {str(each.found): None for each in found if _is_string(each.found)}
    if texts:
        yield _fact("string_argument", op, path, values=_listed(texts))


def _numbers(found: Sequence[Type]) -> list[str]:
    """Return the numbers of Python among what stands at one place; a bool chooses a structure, and is none."""
    return list(dict.fromkeys(each.text for each in found if isinstance(each, Value) and _is_number(each.value)))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shapes(found: Sequence[Type]) -> list[Tensor]:
    """Return tensors of one dtype that differ in one dimension, or in their ranks; none where one takes all others."""
    tensors = list(dict.fromkeys(each for each in found if isinstance(each, Tensor)))
    near = [each for each in tensors if any(_is_near(each, other) for other in tensors if other.dtype == each.dtype)]
    alike = [each for each in near if each.dtype == near[0].dtype]
    return [] if any(all(accepts_shape(each.shape, other.shape) for each in alike) for other in alike) else alike


def _is_near(one: Tensor, other: Tensor) -> bool:
    a, b = one.shape, other.shape
    if a == b:
        return False
    if a is None or b is None or len(a) != len(b):
        return True
    return sum(was != now for was, now in zip(a, b, strict=True)) == 1


def _dtypes(found: Sequence[Type]) -> list[Tensor]:
    """Return tensors of one shape that differ in their dtypes."""
    tensors = list(dict.fromkeys(each for each in found if isinstance(each, Tensor)))
    alike = [each for each in tensors if any(_is_other_dtype(each, other) for other in tensors)]
    return [each for each in alike if each.shape == alike[0].shape]


def _is_other_dtype(one: Tensor, other: Tensor) -> bool:
    return one.shape == other.shape and one.dtype != other.dtype


def _is_object(found: Type) -> bool:
    return isinstance(found, UnknownType) or (isinstance(found, Composite) and found.type_name not in _ENCODED)


def _is_string(found: Type) -> bool:
    return isinstance(found, Value) and isinstance(found.value, str)


def _static(op: Op, leaves: Mapping[str, Sequence[_Leaf]]) -> Iterator[Fact]:
    """Yield that all traces take tensors of one size, which leaves nothing open, and none of another one."""
    tensors = {path: {each.found for each in found} for path, found in leaves.items()}
    sized = {path: each for path, found in tensors.items() for each in found if isinstance(each, Tensor) and each.shape}
    is_one = all(len(tensors[path]) == 1 for path in sized)
    if sized and is_one and all(is_static(each.shape) for each in sized.values()):
        path, first = next(iter(sized.items()))
        spec = f"tf.TensorSpec({_shape_text((None, *(first.shape or ())[1:]))}, tf.{first.dtype})"
        yield _fact("trace_static", op, path, values=str(first), spec=spec)


def _untraced(op: Op, leaves: Mapping[str, Sequence[_Leaf]], count: int) -> Iterator[Fact]:
    """Yield that values of Python were traced, and others that go with them were not."""
    chosen: dict[str, dict[str, None]] = {}
    for path, found in leaves.items():
        values = [each.found for each in found if isinstance(each.found, Value)]
        if len(values) == count and any(each.value is not None for each in values):
            seen = dict.fromkeys(each.text for each in values)
            is_flag = all(isinstance(each.value, bool) for each in values)
            chosen[path] = seen | (dict.fromkeys(("True", "False")) if is_flag else {})
    combinations = 1
    for seen in chosen.values():
        combinations *= len(seen)
    rows = zip(*([str(each.found) for each in leaves[path]] for path in chosen), strict=True)
    traced = len(set(rows))
    if chosen and traced < combinations:
        names = ", ".join(path for path, seen in chosen.items() if len(seen) > 1)
        yield _fact("value_untraced", op, names, values=f"{traced} of {combinations}")


def _general(found: Sequence[Tensor]) -> Shape:
    """Return the narrowest shape that takes all of some."""
    shapes = [each.shape for each in found]
    known = [each for each in shapes if each is not None]
    if len(known) < len(shapes) or len({len(each) for each in known}) > 1:
        return None
    return tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*known, strict=True))


def _shape_text(shape: Shape) -> str:
    return "None" if shape is None else f"[{', '.join(map(str, shape))}]"


def _listed(found: Iterator[str] | Collection[str]) -> str:
    every = list(found)
    more = f" and {len(every) - _MOST_NAMED} more" if len(every) > _MOST_NAMED else ""
    return ", ".join(every[:_MOST_NAMED]) + more


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
