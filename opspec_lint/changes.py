"""The closed set of facts that a check can yield. A change states what is, and judges nothing.

Every change is an event with a name, and for every event there is a rule of that name that judges it.
"""

from __future__ import annotations

from opspec_lint import values
from opspec_lint.model import OP_FLAGS, UNKNOWN
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Literal, TypeAlias

    from opspec_lint.model import Attr, Checkpoint, GraphVersions, Input, Kind, Op, Output, Update

    AnyArgument: TypeAlias = Input | Output | Attr
    Side: TypeAlias = Literal["base", "head"]

ARGUMENT_FLAGS = ("duplicable", "dispensable", "intermediate")
"""The flags of inputs and outputs alone."""

EVENTS = frozenset(
    {
        "allowed_values_narrowed",
        "allowed_values_widened",
        "argument_order_changed",
        "argument_name_changed",
        "argument_type_changed",
        "argument_type_generalised",
        "arguments_swapped",
        "attr_added_with_default",
        "attr_added_without_default",
        "attr_default_added",
        "attr_default_added_late",
        "attr_default_changed",
        "attr_default_removed",
        "attr_removed",
        "attr_renamed",
        "attr_type_changed",
        "bad_consumers_changed",
        "deprecation_changed",
        "detail_changed",
        "dispensable_cleared",
        "dispensable_set",
        "duplicable_cleared",
        "duplicable_set",
        "extra_cleared",
        "extra_cleared_not_optional",
        "extra_set",
        "generated_cleared",
        "generated_set",
        "graph_version_lowered",
        "graph_version_raised",
        "input_added_dispensable",
        "input_added_not_dispensable",
        "input_moved",
        "input_ref_cleared",
        "input_ref_set",
        "input_removed",
        "input_renamed",
        "intermediate_cleared",
        "intermediate_set",
        "maximum_lowered",
        "maximum_raised",
        "min_consumer_lowered",
        "min_consumer_raised",
        "min_producer_lowered",
        "min_producer_raised",
        "minimum_lowered",
        "minimum_raised",
        "new_graphs_refused",
        "old_graphs_refused",
        "op_added",
        "op_flag_cleared",
        "op_flag_set",
        "op_invalid",
        "op_removed",
        "op_version_extended",
        "op_version_lost",
        "op_version_names_nothing",
        "op_version_reworded",
        "op_version_rewritten",
        "op_version_unknown",
        "op_version_unregistered",
        "output_added_dispensable",
        "output_added_not_dispensable",
        "output_moved",
        "output_ref_cleared",
        "output_ref_set",
        "output_removed",
        "output_renamed",
        "quant_cleared",
        "quant_set",
    }
)
"""Every event that is about ops."""

CIRCUMSTANCES = frozenset(
    {
        "compat_key_unread",
        "nothing_compared",
        "op_still_unresolved",
        "op_unresolved",
        "op_version_dropped",
        "policy_changed",
        "release_too_small",
        "spec_added",
        "spec_removed",
        "waiver_expired",
        "waiver_incomplete",
        "waiver_outdated",
        "waiver_too_broad",
        "waiver_unknown_rule",
        "waiver_unused",
        "yaml_generator_unknown",
    }
)
"""Every event that is about a file, a setting, a waiver (`circumstances`) or the reading of a source (`remarks`)."""

FLAGS = (*ARGUMENT_FLAGS, "generated", "extra", "quant")
DETAILS = ("full_type", "handle_data", "control_outputs")
"""What a declaration says besides, and no graph depends on."""


class Change(Record):
    """A fact about one op. `kind` and `name` say what of it; for `kind` "op", `name` is the op's.

    A fact of kind "source" concerns no one op. `against` is which of the op's earlier declarations it tells head's
    apart from, counted back from base's, and 0 for base's own.
    """

    op: str
    kind: Literal["op", "input", "output", "attr", "registration", "source"]
    name: str
    against: int = 0

    exempt: ClassVar[bool] = False
    """Whether all this concerns is extra, which no saved model holds."""

    @property
    def event(self) -> str:
        """The name of the event, which is the id of the rule that judges it."""
        raise NotImplementedError


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


class OpInvalid(Change):
    """The framework refuses head's declaration of the op, new or changed; `reason` are its own words."""

    reason: str

    @property
    def event(self) -> str:
        """`op_invalid`."""
        return "op_invalid"


class ArgumentAdded(Change):
    """Only head's op has the input, output or attr.

    `optional` is whether models may leave it out, None where the argument itself says that.
    """

    new: AnyArgument
    optional: bool | None = None

    @property
    def exempt(self) -> bool:  # type: ignore[override]
        """Whether it is added as extra."""
        return self.new.extra is True

    @property
    def event(self) -> str:
        """`input_added_dispensable`, `input_added_not_dispensable`, `attr_added_with_default` and the like."""
        optional = may_be_left_out(self.new) if self.optional is None else self.optional
        if self.kind == "attr":
            return "attr_added_with_default" if optional else "attr_added_without_default"
        return f"{self.kind}_added_{'dispensable' if optional else 'not_dispensable'}"


class ArgumentRemoved(Change):
    """Only base's op has the input, output or attr."""

    old: AnyArgument

    @property
    def exempt(self) -> bool:  # type: ignore[override]
        """Whether it was extra."""
        return self.old.extra is True

    @property
    def event(self) -> str:
        """`input_removed`, `output_removed`, `attr_removed`."""
        return f"{self.kind}_removed"


class ArgumentRenamed(Change):
    """A removed and an added argument of one kind that are very likely one. `name` is base's.

    `confidence` is between 0.5 and 1.
    """

    new_name: str
    removed: ArgumentRemoved
    added: ArgumentAdded
    confidence: float

    @property
    def exempt(self) -> bool:  # type: ignore[override]
        """Whether it was extra and still is."""
        return self.removed.exempt and self.added.exempt

    @property
    def event(self) -> str:
        """`input_renamed`, `output_renamed`, `attr_renamed`."""
        return f"{self.kind}_renamed"


class ArgumentMoved(ArgumentRenamed):
    """An input that became an output of the same name, or the reverse. `kind` is base's."""

    @property
    def event(self) -> str:
        """`input_moved`, `output_moved`."""
        return f"{self.kind}_moved"


class FieldChanged(Change):
    """A field that both sides know is different. `before` and `after` are the op or argument as a whole.

    `exempt` is whether the argument was extra before, unless that very field changed.
    """

    field: str
    old: Any
    new: Any
    before: Any
    after: Any
    exempt: bool = False  # type: ignore[misc]

    @property
    def event(self) -> str:
        """`dispensable_cleared`, `attr_default_changed`, `allowed_values_narrowed` and the like."""
        if self.field == "extra" and not self.new:
            return "extra_cleared" if may_be_left_out(self.after) else "extra_cleared_not_optional"
        if self.field in FLAGS:
            return f"{self.field}_{'set' if self.new else 'cleared'}"
        if self.field == "type":
            return "attr_type_changed" if self.kind == "attr" else "argument_type_changed"
        if self.field == "default_value":
            return f"attr_default_{_direction(self.old, self.new)}"
        if self.field == "allowed_values":
            return f"allowed_values_{'widened' if _widened(self.old, self.new) else 'narrowed'}"
        if self.field == "minimum":
            return f"minimum_{'lowered' if _lowered(self.old, self.new) else 'raised'}"
        if self.field == "maximum":
            return f"maximum_{'raised' if _raised(self.old, self.new) else 'lowered'}"
        if self.field == "is_ref":
            return f"{self.kind}_ref_{'set' if self.new else 'cleared'}"
        if self.field in OP_FLAGS:
            return f"op_flag_{'set' if self.new else 'cleared'}"
        if self.field in DETAILS:
            return "detail_changed"
        if self.field == "name":
            return "argument_name_changed"
        return "argument_order_changed" if self.field == "order" else "deprecation_changed"


class TypeGeneralised(FieldChanged):
    """An input or output declares another type, which for old graphs comes to the same: `float`, or `T` with it."""

    @property
    def event(self) -> str:
        """`argument_type_generalised`."""
        return "argument_type_generalised"


class ArgumentsSwapped(FieldChanged):
    """Inputs of equal types changed places. Where names are not bound, nothing but the names can tell."""

    @property
    def event(self) -> str:
        """`arguments_swapped`."""
        return "arguments_swapped"


class DefaultAddedLate(FieldChanged):
    """An attr that came after the first declaration of the op, without a default value, has one now."""

    @property
    def event(self) -> str:
        """`attr_default_added_late`."""
        return "attr_default_added_late"


class GraphVersionsChanged(Change):
    """A number that decides which saved graphs a release reads and writes. Concerns no one op.

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
        if self.field == "bad_consumers":
            return "bad_consumers_changed"
        word = "graph_version" if self.field == "producer" else self.field
        return f"{word}_{'raised' if self.new > self.old else 'lowered'}"


class GraphsRefused(Change):
    """One release reads no graph that the other writes, for its version. Concerns no one op.

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


class HistoryChanged(Change):
    """The version history of an op differs. `index` is the first checkpoint that does.

    `how` is "extended" (checkpoints were added at its end), "lost" (some are gone from its end), "rewritten" (an old
    one says something else) or "reworded" (only notes and remarks differ).
    """

    how: Literal["extended", "lost", "rewritten", "reworded"]
    index: int
    old: tuple[Checkpoint, ...]
    new: tuple[Checkpoint, ...]

    @property
    def event(self) -> str:
        """`op_version_extended`, `op_version_lost`, `op_version_rewritten`, `op_version_reworded`."""
        return f"op_version_{self.how}"


class HistoriesUnknown(Change):
    """One side's source knows no op versions, and there is something to look up in them. Concerns no one op.

    `count` is how many changes want a registration.
    """

    side: Literal["base", "head", "neither"]
    count: int

    @property
    def event(self) -> str:
        """`op_version_unknown`."""
        return "op_version_unknown"


def may_be_left_out(argument: AnyArgument) -> bool:
    """Tell whether a model may leave an argument out: it is dispensable, or has a default value."""
    if hasattr(argument, "dispensable"):
        return argument.dispensable is True
    return argument.default_value is not None and argument.default_value is not UNKNOWN


def _direction(old: Any, new: Any) -> str:
    return "added" if old is None else "removed" if new is None else "changed"


def _widened(old: Any, new: Any) -> bool:
    if new is None or old is None:
        return new is None
    if not (isinstance(old, tuple) and isinstance(new, tuple)):
        return False
    return not values.beyond(old, new)


def _lowered(old: float | None, new: float | None) -> bool:
    return new is None or (old is not None and new < old)


def _raised(old: float | None, new: float | None) -> bool:
    return new is None or (old is not None and new > old)
