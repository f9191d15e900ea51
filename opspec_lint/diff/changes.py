"""The facts that a comparison of two specs can yield. A change states what is, and judges nothing.

Every change is an event with a name, and for every event there is a rule of that name that judges it.
"""

from __future__ import annotations

from opspec_lint.kit.text import plural, shorten
from opspec_lint.spec import values
from opspec_lint.spec.fact import Fact, Subject
from opspec_lint.spec.model import SECTIONS, UNKNOWN, Update
from opspec_lint.spec.op_table import origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Literal

    from opspec_lint.spec.fact import AnyArgument
    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Checkpoint, Declared, GraphVersions, Kind, Op, Origin

_LONGEST = 300
"""Characters of a value in a sentence; the finding holds all of it."""
_SURE = 0.8
"""The confidence from which on a rename is stated as a fact."""


class Change(Fact):
    """A fact about one op. `kind` and `name` say what of it; for `kind` "op", `name` is the op's.

    A fact of kind "source" is about no one op. `against` is which of the op's earlier declarations it tells head's
    apart from, counted back from base's, and 0 for base's own.
    """

    op: str
    name: str
    against: int = 0

    @property
    def subject(self) -> Subject:
        """The op, and what of it."""
        return Subject(op=self.op, name=self.name)

    @property
    def remark(self) -> str:
        """Which declaration of base it is told apart from."""
        if not self.against:
            return ""
        return f", counted from the declaration {plural(self.against, 'version')} before base's"

    def updates(self) -> Iterator[Update]:
        """Yield what op versions have to register for it, nothing if it is exempt (Paddle pull request 37600)."""
        return iter(())


class OpAdded(Change):
    """Only head has the op. `ops` are head's; the op is not built until somebody asks for it.

    `predecessor` is the op of head that it may take the place of, by its name: `Sum` of `SumV2`.
    """

    ops: Mapping[str, Op]
    predecessor: str | None = None

    @property
    def new(self) -> Op:
        """The op of head."""
        return self.ops[self.op]

    @property
    def event(self) -> str:
        """`op_added`."""
        return "op_added"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where head declares the op."""
        return None, origin(self.ops, self.op)

    def words(self) -> dict[str, object]:
        """Return the facts, with the predecessor."""
        return {**super().words(), "predecessor": self.predecessor}


class OpRemoved(Change):
    """Only base has the op. `ops` are base's; the op is not built until somebody asks for it.

    `successor` is the op of head that may have taken its place, by its name: `SumV2` of `Sum`. `graph_version` is the
    version of the graphs that base writes, None where that is not known.
    """

    ops: Mapping[str, Op]
    successor: str | None = None
    graph_version: int | None = None

    @property
    def old(self) -> Op:
        """The op of base."""
        return self.ops[self.op]

    @property
    def event(self) -> str:
        """`op_removed`."""
        return "op_removed"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where base declares the op."""
        return origin(self.ops, self.op), None

    def words(self) -> dict[str, object]:
        """Return the facts, with the successor and the version of base's graphs."""
        written = "base's" if self.graph_version is None else str(self.graph_version)
        return {**super().words(), "successor": self.successor, "graph_version": written}


class OpInvalid(Change):
    """The framework refuses head's declaration of the op, new or changed; `reason` are its own words."""

    reason: str

    @property
    def event(self) -> str:
        """`op_invalid`."""
        return "op_invalid"

    @property
    def subject(self) -> Subject:
        """The op."""
        return Subject(op=self.op, name=self.name, field="invalid")

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the reason."""
        return None, self.reason

    def words(self) -> dict[str, object]:
        """Return the facts, with the reason."""
        return {**super().words(), "reason": shorten(self.reason, _LONGEST)}


class BuildsChanged(Change):
    """Other builds of the framework have the op. `ops` are base's and head's.

    `old` and `new` are the builds, empty for every one; `lost` and `gained` what tells them apart, empty where that
    are builds without a name here. `is_exempt` is whether no released build lost it.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    ops: tuple[Op, Op]
    is_exempt: bool = False  # type: ignore[misc]

    @property
    def event(self) -> str:
        """`builds_lost`, or `builds_gained` where it lost none."""
        return "builds_lost" if self.lost or not self.old else "builds_gained"

    @property
    def subject(self) -> Subject:
        """The builds."""
        return Subject(op=self.op, name=self.name, field="builds")

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare the op."""
        return self.ops[0].origin, self.ops[1].origin

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the builds on both sides, none for every build."""
        return values.thaw(self.old), values.thaw(self.new)

    def words(self) -> dict[str, object]:
        """Return the facts, with the builds that lost the op or have it now, and those that have it at all."""
        changed = self.lost if self.event == "builds_lost" else self.gained
        return {
            **super().words(),
            "builds": ", ".join(changed) or "all but those that are named",
            "left": ", ".join(self.new) or "every build",
        }


class ArgumentAdded(Change):
    """Only head's op has the input, output or attr.

    `optional` is whether models may leave it out, None where the argument itself says that. `is_trusted` is whether
    base speaks of extra at all: if it does not, what head says of that is not enough to add what no model may leave
    out.
    """

    new: AnyArgument
    optional: bool | None = None
    is_trusted: bool = True

    @property
    def is_exempt(self) -> bool:  # type: ignore[override]
        """Whether it is added as extra."""
        return self.new.extra is True and (self.is_trusted or self._is_optional)

    @property
    def event(self) -> str:
        """`input_added_dispensable`, `input_added_not_dispensable`, `attr_added_with_default` and the like."""
        if self.kind == "attr":
            return "attr_added_with_default" if self._is_optional else "attr_added_without_default"
        return f"{self.kind}_added_{'dispensable' if self._is_optional else 'not_dispensable'}"

    @property
    def _is_optional(self) -> bool:
        return may_be_left_out(self.new) if self.optional is None else self.optional

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where head declares it."""
        return None, self.new.origin

    def values(self, table: Table) -> tuple[Any, Any]:
        """Return its declaration."""
        return None, _declaration(self.new, self.kind, table)

    def words(self) -> dict[str, object]:
        """Return the facts, of an attr with its default value."""
        if self.kind != "attr":
            return super().words()
        default = self.new.get("default_value")
        shown = "unknown" if default is UNKNOWN else shorten(values.show(default), _LONGEST)
        return {**super().words(), "new": shown}

    def added(self) -> Iterator[Declared]:
        """Yield the argument, unless it is extra."""
        if not self.is_exempt:
            yield self.new

    def updates(self) -> Iterator[Update]:
        """Yield that it is new."""
        if not self.is_exempt:
            yield Update(action="new", kind=self.kind, name=self.name)  # type: ignore[arg-type]


class ArgumentRemoved(Change):
    """Only base's op has the input, output or attr."""

    old: AnyArgument

    @property
    def is_exempt(self) -> bool:  # type: ignore[override]
        """Whether it was extra."""
        return self.old.extra is True

    @property
    def event(self) -> str:
        """`input_removed`, `output_removed`, `attr_removed`."""
        return f"{self.kind}_removed"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where base declares it."""
        return self.old.origin, None

    def values(self, table: Table) -> tuple[Any, Any]:
        """Return its declaration."""
        return _declaration(self.old, self.kind, table), None

    def updates(self) -> Iterator[Update]:
        """Yield that it is deleted."""
        if not self.is_exempt:
            yield Update(action="delete", kind=self.kind, name=self.name)  # type: ignore[arg-type]


class ArgumentRenamed(Change):
    """A removed and an added argument of one kind that are very likely one. `name` is base's.

    `confidence` is between 0.5 and 1.
    """

    new_name: str
    gone: ArgumentRemoved
    come: ArgumentAdded
    confidence: float

    @property
    def is_exempt(self) -> bool:  # type: ignore[override]
        """Whether it was extra and still is."""
        return self.gone.is_exempt and self.come.is_exempt

    @property
    def event(self) -> str:
        """`input_renamed`, `output_renamed`, `attr_renamed`."""
        return f"{self.kind}_renamed"

    @property
    def subject(self) -> Subject:
        """The argument, under both names."""
        return Subject(op=self.op, name=self.name, new_name=self.new_name, confidence=self.confidence)

    @property
    def halves(self) -> tuple[Fact, ...]:
        """The removal and the addition that it is."""
        return self.gone, self.come

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare it."""
        return self.gone.old.origin, self.come.new.origin

    def values(self, table: Table) -> tuple[Any, Any]:
        """Return both declarations."""
        return self.gone.values(table)[0], self.come.values(table)[1]

    def words(self) -> dict[str, object]:
        """Return the facts, with the new name and how sure that is."""
        was_renamed = "was renamed" if self.confidence >= _SURE else "seems to have been renamed"
        more = {"new_name": self.new_name, "confidence": self.confidence, "was_renamed": was_renamed}
        return {**super().words(), **more}

    def added(self) -> Iterator[Declared]:
        """Yield the argument under its new name."""
        return self.come.added()

    def updates(self) -> Iterator[Update]:
        """Yield that one is deleted and one is new."""
        if not self.is_exempt:
            yield from self.gone.updates()
            yield from self.come.updates()


class ArgumentMoved(ArgumentRenamed):
    """An input that became an output of the same name, or the reverse. `kind` is base's."""

    @property
    def event(self) -> str:
        """`input_moved`, `output_moved`."""
        return f"{self.kind}_moved"


class FieldChanged(Change):
    """A field that both sides know is different. `before` and `after` are the op or argument as a whole.

    `events` is what that is called, as the field declares it: two names for setting and clearing a flag, or one;
    without any, the field is one of `_NAMED` below. `was_extra` is whether base says that the argument is extra.
    """

    field: str
    old: Any
    new: Any
    before: Declared
    after: Declared
    events: tuple[str, ...] = ()
    was_extra: bool = False

    @property
    def is_exempt(self) -> bool:  # type: ignore[override]
        """Whether the argument was extra before, unless it is that very field which changed."""
        return self.was_extra and self.field != "extra"

    @property
    def event(self) -> str:
        """`dispensable_cleared`, `attr_default_changed`, `allowed_values_narrowed` and the like."""
        if not self.events:
            return _NAMED[self.field](self)
        return self.events[0 if self.new or len(self.events) == 1 else 1]

    @property
    def subject(self) -> Subject:
        """The field."""
        return Subject(op=self.op, name=self.name, field=self.field)

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare the op or argument."""
        return self.before.origin, self.after.origin

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return both values."""
        return values.thaw(self.old), values.thaw(self.new)

    def words(self) -> dict[str, object]:
        """Return the facts, with both values; of allowed values also what came and went."""
        found = {**super().words(), "old": self._shown(self.old), "new": self._shown(self.new), "field": self.field}
        return found | _came_and_went(self.old, self.new) if self.field == "allowed_values" else found

    def added(self) -> Iterator[Declared]:
        """Yield the argument if it became part of the op's definition, or its default value did."""
        if not self.is_exempt and (self.field == "default_value" or (self.field == "extra" and not self.new)):
            yield self.after

    def updates(self) -> Iterator[Update]:
        """Yield that the argument is modified, or new where it stops being extra."""
        if not self.is_exempt and self.kind != "op":
            stops_being_extra = self.field == "extra" and not self.new
            action: Literal["new", "modify"] = "new" if stops_being_extra else "modify"
            yield Update(action=action, kind=self.kind, name=self.name)  # type: ignore[arg-type]

    def _shown(self, value: Any) -> str:
        if self.field in ("type", "name"):
            return str(value)
        return "none" if value is None else shorten(values.show(value), _LONGEST)


class ExtraUnsaid(FieldChanged):
    """Base says that an argument is extra; head does not speak of that, and lets no model leave it out."""

    field: str = "extra"
    old: Any = True
    new: Any = None

    @property
    def event(self) -> str:
        """`extra_unsaid`."""
        return "extra_unsaid"

    def added(self) -> Iterator[Declared]:
        """Yield nothing: head need not have changed anything."""
        return iter(())

    def updates(self) -> Iterator[Update]:
        """Yield nothing, likewise."""
        return iter(())


class GraphVersionsChanged(Change):
    """A number that decides which saved graphs a release reads and writes. Is about no one op.

    `before` and `after` are the graph versions of base and head as a whole. `too_early` is whether this comes sooner
    than half a year after graphs of head's lowest version were first written.
    """

    field: str
    old: Any
    new: Any
    before: GraphVersions
    after: GraphVersions
    too_early: bool = False

    @property
    def event(self) -> str:
        """`graph_version_raised`, `min_consumer_raised`, `bad_consumers_changed` and the like."""
        if self.field in ("bad_consumers", "producer_since"):
            return f"{self.field}_changed"
        word = "graph_version" if self.field == "producer" else self.field
        return f"{word}_{'raised' if self.new > self.old else 'lowered'}"

    @property
    def subject(self) -> Subject:
        """The number."""
        return Subject(op=None, name=None, field=self.field)

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return both numbers."""
        return values.thaw(self.old), values.thaw(self.new)

    def words(self) -> dict[str, object]:
        """Return the facts, with both numbers and what both releases write."""
        shown = {"old": values.show(self.old), "new": values.show(self.new)}
        return {**super().words(), "name": self.name, **shown, **_written(self.before, self.after)}


class GraphsRefused(Change):
    """One release reads no graph that the other writes, for its version. Is about no one op.

    `graphs` says whose graphs those are, the "old" release's or the "new" one's; `field` which number is in the way.
    """

    graphs: Literal["old", "new"]
    field: str
    before: GraphVersions
    after: GraphVersions

    @property
    def event(self) -> str:
        """`old_graphs_refused`, `new_graphs_refused`."""
        return f"{self.graphs}_graphs_refused"

    @property
    def subject(self) -> Subject:
        """The number."""
        return Subject(op=None, name=None, field=self.field)

    def words(self) -> dict[str, object]:
        """Return the facts, with what both releases write."""
        return {**super().words(), "name": self.name, **_written(self.before, self.after)}


class RegistrationMissing(Change):
    """Head's op versions hold no update for a change of an argument that is not extra.

    `name` is the argument's; `update` is the one that is missing.
    """

    update: Update
    cause: Change

    @property
    def event(self) -> str:
        """`op_version_unregistered`."""
        return "op_version_unregistered"

    @property
    def subject(self) -> Subject:
        """The argument, and which update is missing."""
        return Subject(op=self.op, name=self.name, field=label(self.update))

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides declare what changed."""
        return self.cause.origins()

    def words(self) -> dict[str, object]:
        """Return the facts, with the update."""
        return {**super().words(), "update": label(self.update)}


class RegistrationDangling(Change):
    """An update of head names an argument that the op does not have, or an op that does not exist.

    `elsewhere` is the kind under which the op does have the name; `op_exists` whether there is an op.
    """

    update: Update
    elsewhere: Kind | None = None
    op_exists: bool = True

    @property
    def event(self) -> str:
        """`op_version_names_nothing`."""
        return "op_version_names_nothing"

    @property
    def subject(self) -> Subject:
        """The name, and which update has it."""
        return Subject(op=self.op, name=self.name, field=label(self.update))

    def words(self) -> dict[str, object]:
        """Return the facts, with the update and what is wrong with it."""
        return {**super().words(), "update": label(self.update), "what_is_wrong": self._what_is_wrong()}

    def _what_is_wrong(self) -> str:
        update = self.update
        if not self.op_exists:
            return f"but there is no op '{self.op}'"
        if update.action == "delete":
            return f"which is still an {update.kind} of '{self.op}'"
        if self.elsewhere:
            return f"which is an {self.elsewhere} of '{self.op}' and no {update.kind}"
        return f"which is no {update.kind} of '{self.op}'"


class HistoryChanged(Change):
    """The version history of an op differs. `index` is the first checkpoint that does.

    `how` is "extended" (checkpoints were added at its end), "lost" (some are gone from its end), "rewritten" (an old
    one says something else) or "reworded" (only notes and remarks differ). `places` are where both sides register what
    differs, None where that is not known.
    """

    how: Literal["extended", "lost", "rewritten", "reworded"]
    index: int
    old: tuple[Checkpoint, ...]
    new: tuple[Checkpoint, ...]
    places: tuple[Origin | None, Origin | None] = (None, None)

    @property
    def event(self) -> str:
        """`op_version_extended`, `op_version_lost`, `op_version_rewritten`, `op_version_reworded`."""
        return f"op_version_{self.how}"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where both sides register what differs."""
        return self.places

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return both histories."""
        show: Callable[[Iterable[Checkpoint]], Any] = _show_words if self.how == "reworded" else _show_history
        return show(self.old), show(self.new)

    def words(self) -> dict[str, object]:
        """Return the facts, with how many checkpoints there are and what they say."""
        at = slice(self.index, self.index + 1) if self.how == "rewritten" else slice(self.index, None)
        return {
            **super().words(),
            "index": self.index + 1,
            "checkpoints": plural(abs(len(self.old) - len(self.new)), "checkpoint"),
            "total": max(len(self.old), len(self.new)),
            "old": " | ".join(_show_history(self.old[at])) or "nothing",
            "new": " | ".join(_show_history(self.new[at])) or "nothing",
        }


class HistoriesUnknown(Change):
    """One side's source knows no op versions, and there is something to look up in them. Is about no one op.

    `count` is how many changes need a registration.
    """

    side: Literal["base", "head", "neither"]
    count: int

    @property
    def event(self) -> str:
        """`op_version_unknown`."""
        return "op_version_unknown"

    @property
    def subject(self) -> Subject:
        """No one op."""
        return Subject(op=None, name=None)

    def words(self) -> dict[str, object]:
        """Return the facts, with the side and what comes of it."""
        side = "neither side brings" if self.side == "neither" else f"{self.side} brings no"
        return {**super().words(), "side": side, "consequence": self._consequence()}

    def _consequence(self) -> str:
        changes = plural(self.count, "change") if self.count else ""
        if self.side == "base":
            against = "all that head ever registered, old or new"
            return f"{changes} checked against {against}" if changes else "nobody can tell which registrations are new"
        told = f"{changes} could not be checked for a registration" if changes else "registrations could not be checked"
        return told if self.side == "neither" else f"{told}, nor the histories for what was lost"


def label(update: Update) -> str:
    """Return the name that Paddle's registry has for such an update: `NewAttr`, `DeleteInput`, `ModifyAttr`."""
    if update.kind is None:
        return "BugfixWithBehaviorChanged"
    return f"{update.action.capitalize()}{update.kind.capitalize()}"


def may_be_left_out(argument: Declared) -> bool:
    """Tell whether a model may leave an argument out: it is dispensable, or has a default value."""
    if "dispensable" in argument._fields:
        return argument.get("dispensable") is True
    return argument.get("default_value") not in (None, UNKNOWN)


def _direction(change: FieldChanged) -> str:
    return "added" if change.old is None else "removed" if change.new is None else "changed"


def _of_allowed_values(old: Any, new: Any) -> str:
    if old is None or new is None:
        return "widened" if new is None else "narrowed"
    if values.beyond(old, new):
        return "narrowed"
    return "widened" if values.beyond(new, old) else "reordered"


def _is_lowered(change: FieldChanged) -> bool:
    return change.new is None or (change.old is not None and change.new < change.old)


def _is_raised(change: FieldChanged) -> bool:
    return change.new is None or (change.old is not None and change.new > change.old)


def _of_range(change: FieldChanged) -> str:
    if change.old is None or change.new is None:
        return "kernel_added" if change.old is None else "kernel_removed"
    return f"{change.field}_{'raised' if change.new > change.old else 'lowered'}"


def _of_extra(change: FieldChanged) -> str:
    if change.new:
        return "extra_set"
    return "extra_cleared" if may_be_left_out(change.after) else "extra_cleared_not_optional"


_NAMED: dict[str, Callable[[FieldChanged], str]] = {
    "default_value": lambda change: f"attr_default_{_direction(change)}",
    "allowed_values": lambda change: f"allowed_values_{_of_allowed_values(change.old, change.new)}",
    "minimum": lambda change: f"minimum_{'lowered' if _is_lowered(change) else 'raised'}",
    "maximum": lambda change: f"maximum_{'raised' if _is_raised(change) else 'lowered'}",
    "extra": _of_extra,
    "invalid": lambda _: "op_valid",
    "min_version": _of_range,
    "max_version": _of_range,
}
"""What a change of those fields is called whose name depends on more than whether it was set."""


def _declaration(argument: AnyArgument, kind: str, table: Table) -> dict[str, Any]:
    fields = table.of(SECTIONS[kind]) if kind in SECTIONS else {}
    found = ((name, argument.get(name)) for name, field in fields.items() if field.is_shown)
    return {name: values.thaw(value) for name, value in found if value is not UNKNOWN}


def _came_and_went(old: Any, new: Any) -> dict[str, object]:
    """Return what is no longer allowed, and what newly is."""
    instead = shorten(values.show(new), _LONGEST)
    return {
        "lost": _beyond(old, new) or f"what is not in {instead}",
        "gained": _beyond(new, old) or "any value",
    }


def _beyond(one: Any, other: Any) -> str:
    """Return the values of one set that another has not."""
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return ""
    return ", ".join(map(values.show, values.beyond(one, other)))


def _written(before: GraphVersions, after: GraphVersions) -> dict[str, object]:
    return {
        "written": after.producer,
        "written_before": before.producer,
        "since": after.producer_since,
        "first": before.producer_since,
    }


def _show_words(history: Iterable[Checkpoint]) -> list[list[str]]:
    """Return the notes and remarks of a history, which are all that a reworded one differs in."""
    return [[checkpoint.note, *(update.remark for update in checkpoint.updates)] for checkpoint in history]


def _show_history(history: Iterable[Checkpoint]) -> list[str]:
    from opspec_lint.spec.notation import show_update

    return [", ".join(map(show_update, checkpoint.updates)) for checkpoint in history]
