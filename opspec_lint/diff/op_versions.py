"""The facts about op versions: changes without a registration, registrations of nothing, rewritten histories."""

from __future__ import annotations

from collections import Counter

from opspec_lint.diff.changes.op_versions import (
    histories_unknown,
    history_changed,
    registration_dangling,
    registration_missing,
)
from opspec_lint.spec import op_table
from opspec_lint.spec.model import SECTIONS, UNKNOWN, Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.diff.changes.op_versions import History, How
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Checkpoint, Op, Origin, Spec

    _Key: TypeAlias = tuple[str, str | None, str | None]


def registration_changes(
    base: Spec, head: Spec, changes: Sequence[Fact], only: Collection[str] | None = None
) -> Iterator[Fact]:
    """Yield the facts about op versions.

    A change needs a registration if it is about an argument that is not extra (Paddle pull request 37600). A fault
    that base has as well is no fact of this comparison.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        changes: the facts about ops that were found between the two.
        only: the names of the ops to look at, or None for all.
    """
    wanted = {(change.op, *_key(update)): (change, update) for change in changes for update in required_updates(change)}
    is_changed = any(change.op for change in changes)
    if head.op_versions is UNKNOWN:
        if is_changed:
            side: Literal["head", "neither"] = "neither" if base.op_versions is UNKNOWN else "head"
            yield histories_unknown(side, len(wanted))
        return
    histories: Mapping[str, History] = {} if base.op_versions is UNKNOWN else base.op_versions
    if is_changed and base.op_versions is UNKNOWN:
        yield histories_unknown("base", len(wanted))
    registered: dict[str, tuple[Counter[_Key], Counter[_Key]]] = {}
    for change, update in wanted.values():
        op = change.op or ""
        if op not in registered:
            registered[op] = _registered(histories.get(op, ()), head.op_versions.get(op, ()))
        ever, newly = registered[op]
        if not (newly if update.action == "modify" else ever)[_key(update)]:
            yield registration_missing(change, update)
    if base.op_versions is UNKNOWN:
        return
    for op in sorted(histories.keys() | head.op_versions.keys()):
        if only is None or op in only:
            yield from _compare_histories(op, base, head, histories.get(op, ()), head.op_versions.get(op, ()))


def required_updates(fact: Fact) -> Iterator[Update]:
    """Yield the updates that op versions have to register for a fact, none if it is exempt (pull request 37600)."""
    if fact.is_exempt:
        return
    for half in fact.halves:
        yield from required_updates(half)
    if fact.registers is not None:
        yield Update(action=fact.registers, kind=fact.kind, name=fact.name)  # type: ignore[arg-type]


def _compare_histories(op: str, base: Spec, head: Spec, old: History, new: History) -> Iterator[Fact]:
    """Yield what became of an op's history, and which updates of it newly name nothing."""
    in_base, in_head = op in base.ops, op in head.ops
    difference = _difference(old, new)
    if difference is None and in_base and in_head and op_table.certainly_equal(base.ops, head.ops, op):
        return
    if in_base and not in_head and not new:  # the op took its history along
        return
    if difference is not None:
        how, index = difference
        places = _place(index, base.history_origins.get(op, ())), _place(index, head.history_origins.get(op, ()))
        yield history_changed(op, how, index, (old, new), places)
    standing = _dangling(op, base.ops.get(op), old)
    yield from (fault for key, fault in _dangling(op, head.ops.get(op), new).items() if key not in standing)


def dangling_registrations(spec: Spec) -> Iterator[Fact]:
    """Yield every registration of a spec that names nothing in its op."""
    if spec.op_versions is not UNKNOWN:
        for op, history in sorted(spec.op_versions.items()):
            yield from _dangling(op, spec.ops.get(op), history).values()


def _dangling(name: str, op: Op | None, history: Iterable[Checkpoint]) -> dict[_Key, Fact]:
    """Return the updates of an op's history that name nothing in the op, each once however often it stands there."""
    return dict(_all_dangling(name, op, history))


def _all_dangling(name: str, op: Op | None, history: Iterable[Checkpoint]) -> Iterator[tuple[_Key, Fact]]:
    """Yield every update of an op's history that names nothing in the op.

    An update that says an argument is new or modified must name an argument of that kind, unless a later one says
    that it was deleted. What was deleted long ago cannot be looked up, so a deletion names something unless the op
    still has it.
    """
    required_updates = [update for checkpoint in history for update in checkpoint.updates if update.kind]
    if op is None:
        for update in required_updates:
            yield _key(update), registration_dangling(name, update, op_exists=False)
        return
    names = {kind: {argument.name for argument in getattr(op, section)} for kind, section in SECTIONS.items()}
    last = {_key(update): index for index, update in enumerate(required_updates)}
    for index, update in enumerate(required_updates):
        gone = update.action == "delete"
        undone = last.get(("new" if gone else "delete", update.kind, update.name), -1) > index
        if undone or (update.name in names[update.kind]) is not gone:  # type: ignore[index]
            continue
        elsewhere = None if gone else next((kind for kind in SECTIONS if update.name in names[kind]), None)
        yield _key(update), registration_dangling(name, update, elsewhere)


def _registered(old: History, new: History) -> tuple[Counter[_Key], Counter[_Key]]:
    """Return the updates that head's history of an op holds, and those of them that base's does not."""
    before, after = (Counter(_key(each) for point in history for each in point.updates) for history in (old, new))
    return after, after - before


def _difference(old: History, new: History) -> tuple[How, int] | None:
    """Return how two histories of an op differ, and the first checkpoint that does; None if they do not."""
    index = next((i for i, (was, now) in enumerate(zip(old, new, strict=False)) if not _says_same(was, now)), None)
    if index is not None:
        return "rewritten", index
    if len(old) != len(new):
        return ("extended" if len(new) > len(old) else "lost"), min(len(old), len(new))
    index = next((i for i, (was, now) in enumerate(zip(old, new, strict=True)) if _notes(was) != _notes(now)), None)
    return None if index is None else ("reworded", index)


def _place(index: int, places: Sequence[tuple[Origin, ...]]) -> Origin | None:
    """Return where a side registers the checkpoint that differs first; the last one if it has none there."""
    return places[min(index, len(places) - 1)][0] if places else None


def _says_same(a: Checkpoint, b: Checkpoint) -> bool:
    return len(a.updates) == len(b.updates) and all(map(_says_same_update, a.updates, b.updates))


def _notes(checkpoint: Checkpoint) -> tuple[str, ...]:
    return checkpoint.note, *(update.remark for update in checkpoint.updates)


def _says_same_update(a: Update, b: Update) -> bool:
    from opspec_lint.spec import values

    if _key(a) != _key(b):
        return False
    return UNKNOWN in (a.default_value, b.default_value) or values.same(a.default_value, b.default_value)


def _key(update: Update) -> _Key:
    return update.action, update.kind, update.name
