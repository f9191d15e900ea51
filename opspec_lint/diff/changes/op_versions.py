"""The facts about op versions: registrations that are missing or name nothing, histories that differ."""

from __future__ import annotations

from opspec_lint.diff.changes.change import Change, SpecDifference
from opspec_lint.kit.text import plural
from opspec_lint.spec.fact import Subject
from opspec_lint.spec.model import Attr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal

    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Checkpoint, Kind, Origin, Update


class RegistrationMissing(Change):
    """Head's op versions have no update for a change of an argument that is not extra.

    `name` is the name of the argument, `update` the missing update.
    """

    event = "op_version_unregistered"

    update: Update
    cause: Change

    @property
    def subject(self) -> Subject:
        """The argument, and which update is missing."""
        return Subject(op=self.op, name=self.name, field=label(self.update))

    @property
    def needs(self) -> Update:
        """The missing update, with the default value that the attr has now."""
        now = getattr(self.cause, "after", None) or getattr(self.cause, "new", None)
        return self.update.but(default_value=now.default_value) if isinstance(now, Attr) else self.update

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

    event = "op_version_names_nothing"

    update: Update
    elsewhere: Kind | None = None
    op_exists: bool = True

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

    `how` is "extended" (checkpoints were added at its end), "lost" (some were removed from its end), "rewritten" (an
    old one changed) or "reworded" (only notes and remarks differ). `places` are the places of the difference on both
    sides, None if unknown.
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


class HistoriesUnknown(SpecDifference):
    """The source of one side has no op versions, although they are needed.

    `count` is how many changes need a registration.
    """

    event = "op_version_unknown"

    side: Literal["base", "head", "neither"]
    count: int

    def words(self) -> dict[str, object]:
        """Return the facts, with the side and the consequence."""
        side = "neither side brings" if self.side == "neither" else f"{self.side} brings no"
        return {**super().words(), "side": side, "consequence": self._consequence()}

    def _consequence(self) -> str:
        changes = plural(self.count, "change") if self.count else ""
        if self.side == "base":
            against = "every registration of head, old or new"
            return (
                f"{changes} checked against {against}"
                if changes
                else "so new registrations cannot be told from old ones"
            )
        told = f"{changes} could not be checked for a registration" if changes else "registrations could not be checked"
        return told if self.side == "neither" else f"{told}, nor the histories for what was lost"


def label(update: Update) -> str:
    """Return the name that Paddle's registry has for such an update: `NewAttr`, `DeleteInput`, `ModifyAttr`."""
    if update.kind is None:
        return "BugfixWithBehaviorChanged"
    return f"{update.action.capitalize()}{update.kind.capitalize()}"


def _show_words(history: Iterable[Checkpoint]) -> list[list[str]]:
    """Return the notes and remarks of a history, which are all that a reworded one differs in."""
    return [[checkpoint.note, *(update.remark for update in checkpoint.updates)] for checkpoint in history]


def _show_history(history: Iterable[Checkpoint]) -> list[str]:
    from opspec_lint.spec.notation import show_update

    return [", ".join(map(show_update, checkpoint.updates)) for checkpoint in history]
