"""Compares what two declarations give: who reads a result breaks where it is gone or another one."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.interface.shapes import compare_shapes
from opspec_lint.spec.interface.types import Composite, Group, Tensor, UnknownType, children

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.diff.interfaces.facts import DeclarationPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.types import Type

_WHOLE = "result"
_OF_ONE_KEY = pattern(r'\["([^"\\\[\]]+)"\]')
_SHAPES: Mapping[str, EventId] = {"widened": "result_shape_widened", "narrowed": "result_shape_narrowed"}


def compare(pair: DeclarationPair, old: Type, new: Type, path: str = "") -> Iterator[Fact]:
    """Yield every fact that tells two results apart; `path` is the way to them, as Python writes it."""
    if old == new:
        return
    name = _key(path) or _WHOLE
    if _is_bare(old, new) or _is_bare(new, old):
        if _is_bare(new, old):
            yield pair.fact("result_unsaid", "output", name, str(old), str(new))
        else:
            yield pair.fact("result_said", "output", name, str(old), str(new), callers=())
        return
    if isinstance(old, Tensor) and isinstance(new, Tensor):
        yield from _tensors(pair, old, new, name)
    elif isinstance(old, Group) and isinstance(new, Group) and _same_kind(old, new):
        yield from _groups(pair, old, new, path)
    elif isinstance(old, Composite) and isinstance(new, Composite) and old.is_like(new):
        yield from compare(pair, old.parts[0], new.parts[0], path)
    else:
        yield pair.fact("result_structure_changed", "output", name, str(old), str(new))


def _is_bare(one: Type, other: Type) -> bool:
    """Tell whether a type says nothing of what another one says."""
    if isinstance(one, Composite) and isinstance(other, Composite):
        return one.type_name == other.type_name and not one.parts
    return one == UnknownType()


def _same_kind(old: Group, new: Group) -> bool:
    if old.kind in ("dict", "named_tuple"):
        return old.kind == new.kind
    return old.kind == new.kind and len(old.items) == len(new.items)


def _tensors(pair: DeclarationPair, old: Tensor, new: Tensor, name: str) -> Iterator[Fact]:
    if old.dtype != new.dtype:
        yield pair.fact("result_dtype_changed", "output", name, str(old), str(new))
    became = compare_shapes(old.shape, new.shape)
    if became == "narrowed":
        yield pair.fact(_SHAPES[became], "output", name, str(old), str(new), callers=())
    elif became != "same" and pair.by_shape != ():
        event: EventId = _SHAPES.get(became, "result_shape_changed")
        yield pair.fact(event, "output", name, str(old), str(new), callers=pair.by_shape)


def _groups(pair: DeclarationPair, old: Group, new: Group, path: str) -> Iterator[Fact]:
    before, after = dict(children(old)), dict(children(new))
    removed = [step for step in before if step not in after]
    added = [step for step in after if step not in before]
    renamed = find_renames(before, after, removed, added)
    for step, each in before.items():
        if step in after:
            yield from compare(pair, each, after[step], path + step)
        elif step in renamed:
            now = renamed[step]
            old_name, new_name = _key(path + step), _key(path + now)
            yield pair.fact(
                "result_renamed",
                "output",
                old_name,
                str(each),
                str(after[now]),
                new_name=new_name,
                callers=pair.by_result_name,
            )
        else:
            yield pair.fact("result_removed", "output", _key(path + step), str(each))
    for step in added:
        if step not in renamed.values():
            yield pair.fact("result_added", "output", _key(path + step), None, str(after[step]), callers=())


def _key(path: str) -> str:
    """Return the key that a path of one key stands for, as an output of a signature is called; any other path whole."""
    found = _OF_ONE_KEY.fullmatch(path)
    return found[1] if found else path


def find_renames(
    before: dict[str, Type], after: dict[str, Type], removed: list[str], added: list[str]
) -> dict[str, str]:
    """Return the new names of what was renamed: of what is gone, the one thing of its type that came."""
    found = {}
    for name in removed:
        alike = [each for each in added if after[each] == before[name]]
        rivals = [each for each in removed if before[each] == before[name]]
        if len(alike) == len(rivals) == 1:
            found[name] = alike[0]
    return found
