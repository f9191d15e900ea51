"""Comparison of two signatures or graphs, whose tensors callers pass and read by their keys."""

from __future__ import annotations

from opspec_lint.diff.interfaces import results
from opspec_lint.spec.interface.declarations import GRAPH, call_kind
from opspec_lint.spec.interface.rendering import result_group, type_with_default
from opspec_lint.spec.interface.shapes import compare_shapes
from opspec_lint.spec.interface.types import CompositeType, TensorType, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.diff.interfaces.callers import Loaders
    from opspec_lint.diff.interfaces.facts import DeclarationPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.types import Type
    from opspec_lint.spec.model import Input

_SHAPE_UNCHECKED: EventId = "shape_unchecked"
_SHAPE_EVENTS: Mapping[str, EventId] = {"narrowed": "shape_narrowed", "incomparable": "shape_changed"}


def compare(pair: DeclarationPair, loads: Loaders) -> Iterator[Fact]:
    """Yield every difference between two signatures or graphs."""
    old, new = pair.old, pair.new
    pair.result_name_callers = loads.broken_by_result_name(old)
    input_facts = list(_compare_inputs(pair, loads))
    yield from input_facts
    if any(fact.event in (*_SHAPE_EVENTS.values(), _SHAPE_UNCHECKED) for fact in input_facts):
        pair.shape_callers = loads.broken_by_shape(old)  # old sizes give old results wherever nobody looks at them
    yield from results.compare(pair, result_group(old), result_group(new))
    if call_kind(old) == GRAPH:
        yield from _compare_orders(pair, loads)


def _compare_inputs(pair: DeclarationPair, loads: Loaders) -> Iterator[Fact]:
    """Yield the differences between the inputs of two signatures or graphs."""
    before = {parameter.name: parse(str(parameter.type)) for parameter in pair.old.inputs}
    after = {parameter.name: parse(str(parameter.type)) for parameter in pair.new.inputs}
    old_inputs = {parameter.name: parameter for parameter in pair.old.inputs}
    new_inputs = {parameter.name: parameter for parameter in pair.new.inputs}
    removed = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    renamed = results.find_renames(before, after, removed, added)
    for name, old_type in before.items():
        at = old_inputs[name], new_inputs.get(renamed.get(name, name))
        if name in after:
            yield from compare_input(pair, loads, name, old_type, after[name])
            yield from _compare_default(pair, old_inputs[name], new_inputs[name])
        elif name in renamed:
            yield pair.fact("parameter_renamed", "input", name, name, renamed[name], new_name=renamed[name], places=at)
        else:
            yield pair.fact("parameter_removed", "input", name, str(old_type), places=at)
    for name in added:
        if name not in renamed.values():
            yield _added_fact(pair, new_inputs[name])


def _added_fact(pair: DeclarationPair, new: Input) -> Fact:
    """Return that an input was added: sessions use its default value, calls by keyword do not (measured: 2.18.1)."""
    has_default = isinstance(new.get("default"), str)
    callers = tuple(caller for caller in pair.callers if caller != "session") if has_default else pair.callers
    event: EventId = "parameter_added" if callers else "parameter_added_optional"
    return pair.fact(event, "input", new.name, None, type_with_default(new), callers=callers, places=(None, new))


def _compare_default(pair: DeclarationPair, old: Input, new: Input) -> Iterator[Fact]:
    """Yield the difference between two default values of an input, which only sessions use."""
    was, now = (default if isinstance(default := parameter.get("default"), str) else None for parameter in (old, new))
    if was == now:
        return
    places = (old, new)
    if was is None:
        yield pair.fact("parameter_default_added", "input", old.name, None, now, callers=(), places=places)
    elif now is None:
        yield pair.fact("parameter_default_removed", "input", old.name, was, None, callers=("session",), places=places)
    else:
        yield pair.fact(
            "parameter_default_changed",
            *("input", old.name, was, now),
            callers=("session",),
            places=places,
            then="the result changes",
        )


def compare_input(pair: DeclarationPair, loads: Loaders, name: str, old: Type, new: Type) -> Iterator[Fact]:
    """Yield the differences between the old and the new type of an input."""
    if isinstance(old, CompositeType) and isinstance(new, CompositeType) and old.is_like(new):
        old, new = loads.checked_type(old), loads.checked_type(new)
    if not (isinstance(old, TensorType) and isinstance(new, TensorType)):
        if old != new:
            yield pair.fact("structure_changed", "input", name, str(old), str(new))
        return
    if old.dtype != new.dtype:
        callers = loads.broken_by_dtype(pair.old, old.dtype, new.dtype)
        yield pair.fact("dtype_changed", "input", name, str(old), str(new), callers=callers)
    change = compare_shapes(old.shape, new.shape)
    if change == "widened":
        yield pair.fact("shape_widened", "input", name, str(old), str(new), callers=())
    elif change != "same":
        breaking = loads.broken_by_shape(pair.old)
        event = _SHAPE_EVENTS[change] if breaking else _SHAPE_UNCHECKED
        yield pair.fact(event, "input", name, str(old), str(new), callers=breaking or None)


def _compare_orders(pair: DeclarationPair, loads: Loaders) -> Iterator[Fact]:
    """Yield that the inputs or outputs of a graph have another order, for callers that know them by position."""
    sides = (pair.old, pair.new)
    orders: dict[EventId, list[list[str]]] = {
        "result_order_changed": [[argument.name for argument in op.outputs] for op in sides]
    }
    if loads.feeds_by_position:
        orders["parameter_order_changed"] = [[argument.name for argument in op.inputs] for op in sides]
    for event, (old, new) in orders.items():
        if old != new and sorted(old) == sorted(new):
            yield pair.fact(event, "op", pair.old.name, ", ".join(old), ", ".join(new))
