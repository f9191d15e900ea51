"""Compares two signatures or graphs, whose tensors callers give and take by their keys."""

from __future__ import annotations

from opspec_lint.diff.interfaces import results
from opspec_lint.spec.interface.declarations import GRAPH, call_kind
from opspec_lint.spec.interface.rendering import result_group, type_with_default
from opspec_lint.spec.interface.shapes import compare_shapes
from opspec_lint.spec.interface.types import Composite, Tensor, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.diff.interfaces.callers import Loaders
    from opspec_lint.diff.interfaces.facts import DeclarationPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.types import Type
    from opspec_lint.spec.model import Input

_UNCHECKED: EventId = "shape_unchecked"
_SHAPE_EVENTS: Mapping[str, EventId] = {"narrowed": "shape_narrowed", "incomparable": "shape_changed"}


def compare(pair: DeclarationPair, loads: Loaders) -> Iterator[Fact]:
    """Yield every fact that tells two signatures or graphs apart."""
    old, new = pair.old, pair.new
    pair.by_result_name = loads.by_result_name(old)
    takes = list(_inputs(pair, loads))
    yield from takes
    if any(each.event in (*_SHAPE_EVENTS.values(), _UNCHECKED) for each in takes):
        pair.by_shape = loads.by_shape(old)  # old sizes give old results wherever nobody looks at them
    yield from results.compare(pair, result_group(old), result_group(new))
    if call_kind(old) == GRAPH:
        yield from _orders(pair, loads)


def _inputs(pair: DeclarationPair, loads: Loaders) -> Iterator[Fact]:
    before = {each.name: parse(str(each.type)) for each in pair.old.inputs}
    after = {each.name: parse(str(each.type)) for each in pair.new.inputs}
    declared = {each.name: each for each in pair.old.inputs}, {each.name: each for each in pair.new.inputs}
    removed = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    renamed = results.find_renames(before, after, removed, added)
    for name, each in before.items():
        at = declared[0][name], declared[1].get(renamed.get(name, name))
        if name in after:
            yield from compare_input(pair, loads, name, each, after[name])
            yield from _default(pair, declared[0][name], declared[1][name])
        elif name in renamed:
            yield pair.fact("parameter_renamed", "input", name, name, renamed[name], new_name=renamed[name], places=at)
        else:
            yield pair.fact("parameter_removed", "input", name, str(each), places=at)
    for name in added:
        if name not in renamed.values():
            yield _added(pair, declared[1][name])


def _added(pair: DeclarationPair, new: Input) -> Fact:
    """Return that an input was added: sessions use its default value, calls by keyword do not (measured: 2.18.1)."""
    has_default = isinstance(new.get("default"), str)
    callers = tuple(each for each in pair.callers if each != "session") if has_default else pair.callers
    event: EventId = "parameter_added" if callers else "parameter_added_optional"
    return pair.fact(event, "input", new.name, None, type_with_default(new), callers=callers, places=(None, new))


def _default(pair: DeclarationPair, old: Input, new: Input) -> Iterator[Fact]:
    """Yield what became of the default value of an input, which sessions alone use."""
    was, now = (default if isinstance(default := each.get("default"), str) else None for each in (old, new))
    if was == now:
        return
    at = (old, new)
    if was is None:
        yield pair.fact("parameter_default_added", "input", old.name, None, now, callers=(), places=at)
    elif now is None:
        yield pair.fact("parameter_default_removed", "input", old.name, was, None, callers=("session",), places=at)
    else:
        yield pair.fact(
            "parameter_default_changed",
            *("input", old.name, was, now),
            callers=("session",),
            places=at,
            then="the result changes",
        )


def compare_input(pair: DeclarationPair, loads: Loaders, name: str, old: Type, new: Type) -> Iterator[Fact]:
    """Yield what became of the type of an input."""
    if isinstance(old, Composite) and isinstance(new, Composite) and old.is_like(new):
        old, new = loads.looked_at(old), loads.looked_at(new)
    if not (isinstance(old, Tensor) and isinstance(new, Tensor)):
        if old != new:
            yield pair.fact("structure_changed", "input", name, str(old), str(new))
        return
    if old.dtype != new.dtype:
        callers = loads.by_dtype(pair.old, old.dtype, new.dtype)
        yield pair.fact("dtype_changed", "input", name, str(old), str(new), callers=callers)
    became = compare_shapes(old.shape, new.shape)
    if became == "widened":
        yield pair.fact("shape_widened", "input", name, str(old), str(new), callers=())
    elif became != "same":
        refused = loads.by_shape(pair.old)
        event = _SHAPE_EVENTS[became] if refused else _UNCHECKED
        yield pair.fact(event, "input", name, str(old), str(new), callers=refused or None)


def _orders(pair: DeclarationPair, loads: Loaders) -> Iterator[Fact]:
    """Yield that what a graph takes or gives stands in another order, by which some callers know it."""
    sides = (pair.old, pair.new)
    orders: dict[EventId, list[list[str]]] = {
        "result_order_changed": [[each.name for each in op.outputs] for op in sides]
    }
    if loads.feeds_by_position:
        orders["parameter_order_changed"] = [[each.name for each in op.inputs] for op in sides]
    for event, (old, new) in orders.items():
        if old != new and sorted(old) == sorted(new):
            yield pair.fact(event, "op", pair.old.name, ", ".join(old), ", ".join(new))
