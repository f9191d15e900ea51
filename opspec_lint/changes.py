"""The closed set of facts that a check can yield. A change states what is, and judges nothing.

Every change is an event with a name, and for every event there is a rule of that name that judges it.
"""

from __future__ import annotations

from opspec_lint import values
from opspec_lint.model import UNKNOWN
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Literal, TypeAlias

    from opspec_lint.model import Attr, Checkpoint, Input, Kind, Op, Output, Update

    AnyArgument: TypeAlias = Input | Output | Attr
    Side: TypeAlias = Literal["base", "head"]

ARGUMENT_FLAGS = ("duplicable", "dispensable", "intermediate")
"""The flags of inputs and outputs alone."""

EVENTS = frozenset(
    {
        "allowed_values_narrowed",
        "allowed_values_widened",
        "argument_order_changed",
        "argument_type_changed",
        "attr_added_with_default",
        "attr_added_without_default",
        "attr_default_added",
        "attr_default_changed",
        "attr_default_removed",
        "attr_removed",
        "attr_renamed",
        "attr_type_changed",
        "deprecation_changed",
        "dispensable_cleared",
        "dispensable_set",
        "duplicable_cleared",
        "duplicable_set",
        "extra_cleared",
        "extra_cleared_not_optional",
        "extra_set",
        "generated_cleared",
        "generated_set",
        "input_added_dispensable",
        "input_added_not_dispensable",
        "input_moved",
        "input_removed",
        "input_renamed",
        "intermediate_cleared",
        "intermediate_set",
        "minimum_lowered",
        "minimum_raised",
        "op_added",
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


class Change(Record):
    """A fact about one op. `kind` and `name` say what of it; for `kind` "op", `name` is the op's."""

    op: str
    kind: Literal["op", "input", "output", "attr", "registration"]
    name: str

    exempt: ClassVar[bool] = False
    """Whether all this concerns is extra, which no saved model holds."""

    @property
    def event(self) -> str:
        """The name of the event, which is the id of the rule that judges it."""
        raise NotImplementedError


class OpAdded(Change):
    """Only head has the op. `ops` are head's; the op is not built until somebody asks for it."""

    ops: Mapping[str, Op]

    @property
    def new(self) -> Op:
        """The op of head."""
        return self.ops[self.op]

    @property
    def event(self) -> str:
        """`op_added`."""
        return "op_added"


class OpRemoved(Change):
    """Only base has the op. `ops` are base's; the op is not built until somebody asks for it."""

    ops: Mapping[str, Op]

    @property
    def old(self) -> Op:
        """The op of base."""
        return self.ops[self.op]

    @property
    def event(self) -> str:
        """`op_removed`."""
        return "op_removed"


class ArgumentAdded(Change):
    """Only head's op has the input, output or attr."""

    new: AnyArgument

    @property
    def exempt(self) -> bool:  # type: ignore[override]
        """Whether it is added as extra."""
        return self.new.extra is True

    @property
    def event(self) -> str:
        """`input_added_dispensable`, `input_added_not_dispensable`, `attr_added_with_default` and the like."""
        if self.kind == "attr":
            return "attr_added_with_default" if may_be_left_out(self.new) else "attr_added_without_default"
        return f"{self.kind}_added_{'dispensable' if may_be_left_out(self.new) else 'not_dispensable'}"


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
        return "argument_order_changed" if self.field == "order" else "deprecation_changed"


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


def _widened(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    return not new or (bool(old) and all(any(values.same(was, now) for now in new) for was in old))


def _lowered(old: int | None, new: int | None) -> bool:
    return new is None or (old is not None and new < old)
