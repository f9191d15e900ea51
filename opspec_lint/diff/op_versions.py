"""Comparison of op versions: changes without a registration, registrations that name nothing, rewritten histories."""

from __future__ import annotations

from collections import Counter
from functools import partial

from opspec_lint.diff.changes.op_versions import (
    histories_unknown,
    history_changed,
    registration_dangling,
    registration_missing,
)
from opspec_lint.diff.memory import NO_MEMORY
from opspec_lint.spec import op_table
from opspec_lint.spec.model import SECTIONS, UNKNOWN, Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.diff.changes.op_versions import History, How
    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Checkpoint, Op, Origin, Spec

    _UpdateKey: TypeAlias = tuple[str, str | None, str | None]
    _OpUpdateKey: TypeAlias = tuple[str, str, str | None, str | None]


def registration_changes(
    base: Spec,
    head: Spec,
    changes: Sequence[Fact],
    only: Collection[str] | None = None,
    memory: NoMemory = NO_MEMORY,
) -> Iterator[Fact]:
    """Yield the facts about op versions.

    A change needs a registration if it is about an argument that is not extra (Paddle pull request 37600). A fault that
    base has as well is no fact of a comparison.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        changes: the facts about ops of the two specs.
        only: the names of the ops to look at, or None for all.
        memory: results of comparisons of other specs that share ops with these.
    """
    required = {
        key: (change, update)
        for change in changes
        for key, update in memory.derive(change, "required updates", partial(_required_by_key, change))
    }
    is_changed = any(change.op for change in changes)
    if head.op_versions is UNKNOWN:
        if is_changed:
            side: Literal["head", "neither"] = "neither" if base.op_versions is UNKNOWN else "head"
            yield histories_unknown(side, len(required))
        return
    histories: Mapping[str, History] = {} if base.op_versions is UNKNOWN else base.op_versions
    if is_changed and base.op_versions is UNKNOWN:
        yield histories_unknown("base", len(required))
    registered: dict[str, tuple[Counter[_UpdateKey], Counter[_UpdateKey]]] = {}
    for (op, *_), (change, update) in required.items():
        if op not in registered:
            registered[op] = _registered_updates(histories.get(op, ()), head.op_versions.get(op, ()))
        in_head, new_in_head = registered[op]
        # An argument can be modified several times, so only a new registration counts; it can be added or deleted once.
        counted = new_in_head if update.action == "modify" else in_head
        if not counted[_update_key(update)]:
            missing = partial(registration_missing, change, update)
            yield memory.derive_fact(change, ("unregistered", *_update_key(update)), missing)
    if base.op_versions is UNKNOWN:
        return
    for op in sorted(histories.keys() | head.op_versions.keys()):
        if only is None or op in only:
            yield from _compare_histories(op, base, head, histories.get(op, ()), head.op_versions.get(op, ()))


def _required_by_key(fact: Fact) -> tuple[tuple[_OpUpdateKey, Update], ...]:
    return tuple(((fact.op or "", *_update_key(update)), update) for update in required_updates(fact))


def required_updates(fact: Fact) -> Iterator[Update]:
    """Yield the updates that a fact needs in op versions, none if it is exempt (Paddle pull request 37600)."""
    if fact.is_exempt:
        return
    for half in fact.halves:
        yield from required_updates(half)
    if fact.registers is not None:
        yield Update(action=fact.registers, kind=fact.kind, name=fact.name)  # type: ignore[arg-type]


def _compare_histories(op: str, base: Spec, head: Spec, old: History, new: History) -> Iterator[Fact]:
    """Yield the difference between two histories of an op, and the updates that name nothing only in head."""
    in_base, in_head = op in base.ops, op in head.ops
    difference = _first_difference(old, new)
    if difference is None and in_base and in_head and op_table.certainly_equal(base.ops, head.ops, op):
        return
    if in_base and not in_head and not new:  # the op took its history along
        return
    if difference is not None:
        how, index = difference
        places = (
            _checkpoint_origin(index, base.history_origins.get(op, ())),
            _checkpoint_origin(index, head.history_origins.get(op, ())),
        )
        yield history_changed(op, how, index, (old, new), places)
    dangling_in_base = _dangling_by_key(op, base.ops.get(op), old)
    yield from (
        fault for key, fault in _dangling_by_key(op, head.ops.get(op), new).items() if key not in dangling_in_base
    )


def dangling_registrations(spec: Spec) -> Iterator[Fact]:
    """Yield every registration of a spec that names nothing in its op."""
    if spec.op_versions is not UNKNOWN:
        for op, history in sorted(spec.op_versions.items()):
            yield from _dangling_by_key(op, spec.ops.get(op), history).values()


def _dangling_by_key(name: str, op: Op | None, history: Iterable[Checkpoint]) -> dict[_UpdateKey, Fact]:
    """Return the updates of an op's history that name nothing in the op, each once however often it occurs."""
    return dict(_find_dangling(name, op, history))


def _find_dangling(name: str, op: Op | None, history: Iterable[Checkpoint]) -> Iterator[tuple[_UpdateKey, Fact]]:
    """Yield every update of an op's history that names nothing in the op.

    An update with the action "new" or "modify" must name an argument of its kind, unless a later update deletes it. An
    argument that was deleted long ago cannot be looked up, so a deletion is wrong only if the op still has the
    argument.
    """
    updates = [update for checkpoint in history for update in checkpoint.updates if update.kind]
    if op is None:
        for update in updates:
            yield _update_key(update), registration_dangling(name, update, op_exists=False)
        return
    names = {kind: {argument.name for argument in getattr(op, section)} for kind, section in SECTIONS.items()}
    last_index = {_update_key(update): index for index, update in enumerate(updates)}
    for index, update in enumerate(updates):
        is_deletion = update.action == "delete"
        opposite = "new" if is_deletion else "delete"
        is_undone = last_index.get((opposite, update.kind, update.name), -1) > index
        has_argument = update.name in names[update.kind]  # type: ignore[index]
        if is_undone or has_argument is not is_deletion:
            continue
        # An update of an attr may name an input, and the other way round.
        kind_with_name = None if is_deletion else next((kind for kind in SECTIONS if update.name in names[kind]), None)
        yield _update_key(update), registration_dangling(name, update, kind_with_name)


def _registered_updates(old: History, new: History) -> tuple[Counter[_UpdateKey], Counter[_UpdateKey]]:
    """Return the updates in head's history of an op, and those among them that base's history lacks."""
    before, after = (
        Counter(_update_key(update) for checkpoint in history for update in checkpoint.updates)
        for history in (old, new)
    )
    return after, after - before


def _first_difference(old: History, new: History) -> tuple[How, int] | None:
    """Return the kind of the first difference between two histories, and its index; None if they are equal."""
    index = next(
        (i for i, (was, now) in enumerate(zip(old, new, strict=False)) if not _equal_checkpoints(was, now)), None
    )
    if index is not None:
        return "rewritten", index
    if len(old) != len(new):
        return ("extended" if len(new) > len(old) else "lost"), min(len(old), len(new))
    # Notes are compared last: a rewritten update matters more than a reworded note before it.
    index = next(
        (
            i
            for i, (was, now) in enumerate(zip(old, new, strict=True))
            if _checkpoint_notes(was) != _checkpoint_notes(now)
        ),
        None,
    )
    return None if index is None else ("reworded", index)


def _checkpoint_origin(index: int, places: Sequence[tuple[Origin, ...]]) -> Origin | None:
    """Return the place of the registration of a checkpoint, or of the last one if a side has fewer."""
    return places[min(index, len(places) - 1)][0] if places else None


def _equal_checkpoints(a: Checkpoint, b: Checkpoint) -> bool:
    """Return whether two checkpoints have equal updates; notes do not count."""
    return len(a.updates) == len(b.updates) and all(map(_equal_updates, a.updates, b.updates))


def _checkpoint_notes(checkpoint: Checkpoint) -> tuple[str, ...]:
    return checkpoint.note, *(update.remark for update in checkpoint.updates)


def _equal_updates(a: Update, b: Update) -> bool:
    """Return whether two updates are equal; an unknown default value agrees with any."""
    from opspec_lint.spec import values

    if _update_key(a) != _update_key(b):
        return False
    return UNKNOWN in (a.default_value, b.default_value) or values.same(a.default_value, b.default_value)


def _update_key(update: Update) -> _UpdateKey:
    return update.action, update.kind, update.name
