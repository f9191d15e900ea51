"""Comparison of the results of two declarations: callers break if a result was removed or retyped."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.interface.shapes import compare_shapes
from opspec_lint.spec.interface.types import CompositeType, GroupType, TensorType, UnknownType, children

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.diff.interfaces.facts import DeclarationPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.types import Type

_WHOLE = "result"
_SINGLE_KEY = pattern(r'\["([^"\\\[\]]+)"\]')
_SHAPE_EVENTS: Mapping[str, EventId] = {"widened": "result_shape_widened", "narrowed": "result_shape_narrowed"}
"""The events of changed shapes, by how head's shape relates to base's."""


def compare(pair: DeclarationPair, old: Type, new: Type, path: str = "") -> Iterator[Fact]:
    """Yield every difference between two results; `path` leads to them as Python writes it: `["y"][0]`."""
    if old == new:
        return
    name = _result_name(path) or _WHOLE
    if _states_less(old, new) or _states_less(new, old):
        if _states_less(new, old):
            yield pair.fact("result_unsaid", "output", name, str(old), str(new))
        else:
            yield pair.fact("result_said", "output", name, str(old), str(new), callers=())
        return
    if isinstance(old, TensorType) and isinstance(new, TensorType):
        yield from _compare_tensors(pair, old, new, name)
    elif isinstance(old, GroupType) and isinstance(new, GroupType) and _same_kind(old, new):
        yield from _compare_groups(pair, old, new, path)
    elif isinstance(old, CompositeType) and isinstance(new, CompositeType) and old.is_like(new):
        yield from compare(pair, old.parts[0], new.parts[0], path)
    else:
        yield pair.fact("result_structure_changed", "output", name, str(old), str(new))


def _states_less(first: Type, second: Type) -> bool:
    """Return whether a type states nothing of what another type states: `?`, or a composite without its parts."""
    if isinstance(first, CompositeType) and isinstance(second, CompositeType):
        return first.type_name == second.type_name and not first.parts
    return first == UnknownType()


def _same_kind(old: GroupType, new: GroupType) -> bool:
    """Return whether two groups are of one kind; sequences must have the same length, as callers unpack them."""
    if old.kind in ("dict", "named_tuple"):
        return old.kind == new.kind
    return old.kind == new.kind and len(old.items) == len(new.items)


def _compare_tensors(pair: DeclarationPair, old: TensorType, new: TensorType, name: str) -> Iterator[Fact]:
    """Yield the differences between two tensors that are results."""
    if old.dtype != new.dtype:
        yield pair.fact("result_dtype_changed", "output", name, str(old), str(new))
    became = compare_shapes(old.shape, new.shape)
    if became == "narrowed":
        yield pair.fact(_SHAPE_EVENTS[became], "output", name, str(old), str(new), callers=())
    elif became != "same" and pair.shape_callers != ():
        event: EventId = _SHAPE_EVENTS.get(became, "result_shape_changed")
        yield pair.fact(event, "output", name, str(old), str(new), callers=pair.shape_callers)


def _compare_groups(pair: DeclarationPair, old: GroupType, new: GroupType, path: str) -> Iterator[Fact]:
    """Yield the differences between two groups of results, item by item."""
    before, after = dict(children(old)), dict(children(new))
    removed = [step for step in before if step not in after]
    added = [step for step in after if step not in before]
    renamed = find_renames(before, after, removed, added)
    for step, type_ in before.items():
        if step in after:
            yield from compare(pair, type_, after[step], path + step)
        elif step in renamed:
            new_step = renamed[step]
            old_name, new_name = _result_name(path + step), _result_name(path + new_step)
            yield pair.fact(
                "result_renamed",
                "output",
                old_name,
                str(type_),
                str(after[new_step]),
                new_name=new_name,
                callers=pair.result_name_callers,
            )
        else:
            yield pair.fact("result_removed", "output", _result_name(path + step), str(type_))
    for step in added:
        if step not in renamed.values():
            yield pair.fact("result_added", "output", _result_name(path + step), None, str(after[step]), callers=())


def _result_name(path: str) -> str:
    """Return a path as the name of a result: the key for a path of one key, `y` for `["y"]`; others unchanged."""
    match = _SINGLE_KEY.fullmatch(path)
    return match[1] if match else path


def find_renames(
    before: dict[str, Type], after: dict[str, Type], removed: list[str], added: list[str]
) -> dict[str, str]:
    """Return the new names of renamed things: a removed and an added thing, each the only one with its type."""
    renames = {}
    for name in removed:
        alike = [candidate for candidate in added if after[candidate] == before[name]]
        rivals = [candidate for candidate in removed if before[candidate] == before[name]]
        if len(alike) == len(rivals) == 1:
            renames[name] = alike[0]
    return renames
