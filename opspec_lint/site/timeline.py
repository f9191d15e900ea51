"""The releases that have an op and each of its arguments, and their declarations there.

A declaration counts as changed if `check` says so (`diff/fields.py`). A field that a spec does not know is no change:
the last known value is carried on.
"""

from __future__ import annotations

from opspec_lint.diff.fields import differing_fields
from opspec_lint.kit.record import Compact, Record
from opspec_lint.lint.remarks import unresolved_ops
from opspec_lint.spec.model import SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.site.releases import Line
    from opspec_lint.spec.fact import Kind
    from opspec_lint.spec.fields import FieldTable, Section
    from opspec_lint.spec.model import Declared, Op

    State: TypeAlias = Literal["there", "absent", "unknown"]

SECTION_OF: dict[Kind, Section] = {"op": "ops", "input": "inputs", "output": "outputs", "attr": "attrs"}
"""The section of the fields of an op, or of its arguments of a kind."""


class DeclarationPeriod(Compact):
    """Consecutive releases, from index `start` to before `end`, in which an item has one declaration.

    `declared` is None unless the state is "there". `changed` are the fields that differ from the period before, if the
    item was there as well.
    """

    start: int
    end: int
    state: State
    declared: Declared | None = None
    changed: tuple[str, ...] = ()


class DeclaredItem(Record):
    """An op (`kind` "op") or an argument, with its periods, which together are all releases of the line."""

    kind: Kind
    name: str
    periods: tuple[DeclarationPeriod, ...]

    @property
    def is_there_last(self) -> bool:
        """True if the newest release has it."""
        return self.periods[-1].state == "there"

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of releases that have it, oldest first."""
        return tuple(_spans(self.periods))


class Span(Record):
    """The releases that have an op or argument: the places of the first one, and of the first one without it.

    `until` is None if the newest release has it. `is_older` is true if it may have been added earlier: the release
    before is not here, or could not be read. `is_gone_before` is the same for its removal.
    """

    since: int
    is_older: bool
    until: int | None
    is_gone_before: bool = False


class OpTimeline(Record):
    """An op in all releases of a line: itself, and its inputs, outputs and attrs, as the newest release orders them."""

    whole: DeclaredItem
    arguments: tuple[DeclaredItem, ...]

    @property
    def states(self) -> tuple[State, ...]:
        """The state of the op in each release."""
        return tuple(period.state for period in self.whole.periods for _ in range(period.start, period.end))


def timelines(line: Line) -> dict[str, OpTimeline]:
    """Return the timeline of each op that any release of a line has, in order of name."""
    names = sorted({name for release in line.releases for name in line.ops_of(release)})
    doubtful = _unresolved(line)
    return {name: _timeline(name, line, doubtful) for name in names}


def _unresolved(line: Line) -> list[set[str | None]]:
    """Return for each release the ops of its source that could not be read."""
    specs = [release.spec for release in line.releases]
    return [
        {name for newer in specs for name in unresolved_ops(spec, newer)} if spec.remarks else set[str | None]()
        for spec in specs
    ]


def _timeline(name: str, line: Line, doubtful: Sequence[set[str | None]]) -> OpTimeline:
    """Return the timeline of an op; a release whose reader may have missed the op counts as unknown."""
    ops: list[Op | None] = [release.spec.ops.get(name) for release in line.releases]
    states = [_state(op, is_unread=name in unread) for op, unread in zip(ops, doubtful, strict=True)]
    return OpTimeline(
        whole=DeclaredItem(kind="op", name=name, periods=tuple(_periods("op", ops, states, line.table))),
        arguments=tuple(_arguments(ops, states, line.table)),
    )


def _arguments(ops: Sequence[Op | None], states: Sequence[State], table: FieldTable) -> Iterator[DeclaredItem]:
    """Yield the arguments that an op has in any release."""
    for kind, section in SECTIONS.items():
        known = {id(op): _by_name(getattr(op, section)) for op in ops if op is not None}
        lists = [known.get(id(op), {}) for op in ops]
        # reversed: the newest release with an op determines the order of its arguments.
        for key in dict.fromkeys(key for by_key in reversed(lists) for key in by_key):
            declared = [by_key.get(key) for by_key in lists]
            own_states = [
                _state(argument, is_unread=state == "unknown") for argument, state in zip(declared, states, strict=True)
            ]
            name, _ = key
            yield DeclaredItem(kind=kind, name=name, periods=tuple(_periods(kind, declared, own_states, table)))


def _state(declared: Declared | None, *, is_unread: bool) -> State:
    """Return the state of an op or argument in a release whose reader may have missed it (`is_unread`)."""
    if declared is not None:
        return "there"
    return "unknown" if is_unread else "absent"


def _by_name(arguments: Iterable[Declared]) -> dict[tuple[str, int], Declared]:
    """Return arguments by name, and by number if several have the same name."""
    result: dict[tuple[str, int], Declared] = {}
    for argument in arguments:
        number = 0
        while (argument.name, number) in result:
            number += 1
        result[argument.name, number] = argument
    return result


def _periods(
    kind: Kind, declared: Sequence[Declared | None], states: Sequence[State], table: FieldTable
) -> Iterator[DeclarationPeriod]:
    """Yield the series of releases that declare an op or argument in the same way."""
    every = table.fields_of(SECTION_OF[kind])
    now: DeclarationPeriod | None = None
    for start, end in _equal_runs(declared, states):
        current, state = declared[start], states[start]
        changed: tuple[str, ...] = ()
        old, new = None if now is None else now.declared, current
        if current is not None and old is not None:
            new = _fill_unknown(old, current, every)
            changed = tuple(field.name for field, *_ in differing_fields(old, new, every.values()))
        if now is not None and now.state == state and not changed:
            now = now.replace(end=end, declared=new)
            continue
        if now is not None:
            yield now
        now = DeclarationPeriod(start=start, end=end, state=state, declared=new, changed=changed)
    if now is not None:
        yield now


def _equal_runs(declared: Sequence[Declared | None], states: Sequence[State]) -> Iterator[tuple[int, int]]:
    """Yield the releases in a row that have one and the same declaration: the first place, and the one behind them."""
    start = 0
    for end in range(1, len(states) + 1):
        if end == len(states) or declared[end] is not declared[start] or states[end] != states[start]:
            yield start, end
            start = end


def _fill_unknown(old: Declared, new: Declared, names: Iterable[str]) -> Declared:
    """Return a declaration with what the one before knew, where it does not know it itself."""
    known = {name: value for name in names if new.get(name) is UNKNOWN and (value := old.get(name)) is not UNKNOWN}
    return new.replace(**known) if known else new


def _spans(periods: Sequence[DeclarationPeriod]) -> Iterator[Span]:
    """Yield the spans of releases that have an item; an unreadable release in between does not end a span."""
    # An unknown state continues what was before: a release that could not be read neither adds nor removes.
    open_: Span | None = None
    before: State = "unknown"
    for period in periods:
        if period.state == "there" and open_ is None:
            open_ = Span(since=period.start, is_older=before == "unknown", until=None)
        elif period.state == "absent" and open_ is not None:
            yield open_.replace(until=period.start, is_gone_before=before == "unknown")
            open_ = None
        before = period.state
    if open_ is not None:
        yield open_
