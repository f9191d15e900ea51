"""Constructors of facts about op versions: missing registrations, updates that name nothing, other histories."""

from __future__ import annotations

from opspec_lint.kit.text import plural
from opspec_lint.spec.fact import Fact
from opspec_lint.spec.model import Attr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Literal, TypeAlias

    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Checkpoint, Kind, Origin, Update

    How: TypeAlias = Literal["extended", "lost", "rewritten", "reworded"]
    History: TypeAlias = tuple[Checkpoint, ...]

_HISTORIES: Mapping[How, EventId] = {
    "extended": "op_version_extended",
    "lost": "op_version_lost",
    "rewritten": "op_version_rewritten",
    "reworded": "op_version_reworded",
}


def registration_missing(cause: Fact, update: Update) -> Fact:
    """Return the fact that head's op versions lack an update for a change of an argument that is not extra.

    Args:
        cause: the fact about the change.
        update: the missing update.
    """
    # A rename needs two updates, so head's declaration belongs to only one of them.
    now = None if cause.halves else cause.after
    return Fact(
        event="op_version_unregistered",
        kind="registration",
        op=cause.op,
        name=str(update.name),
        field=registry_name(update),
        origins=cause.origins,
        facts={"update": registry_name(update)},
        needs=update.replace(default_value=now.default_value) if isinstance(now, Attr) else update,
    )


def registration_dangling(op: str, update: Update, elsewhere: Kind | None = None, *, op_exists: bool = True) -> Fact:
    """Return the fact that an update in head names an argument that the op lacks, or an op that does not exist.

    Args:
        op: the op.
        update: the update.
        elsewhere: the kind of argument under which the op has this name, None if there is none.
        op_exists: whether the op exists.
    """
    if not op_exists:
        what_is_wrong = f"but there is no op '{op}'"
    elif update.action == "delete":
        what_is_wrong = f"which is still an {update.kind} of '{op}'"
    elif elsewhere:
        what_is_wrong = f"which is an {elsewhere} of '{op}' and no {update.kind}"
    else:
        what_is_wrong = f"which is no {update.kind} of '{op}'"
    return Fact(
        event="op_version_names_nothing",
        kind="registration",
        op=op,
        name=str(update.name),
        field=registry_name(update),
        facts={"update": registry_name(update), "what_is_wrong": what_is_wrong},
    )


def history_changed(
    op: str, how: How, index: int, sides: tuple[History, History], places: tuple[Origin | None, Origin | None]
) -> Fact:
    """Return the fact that the version history of an op differs.

    Args:
        op: the op.
        how: "extended" (checkpoints were added at its end), "lost" (checkpoints were removed from its end), "rewritten"
            (an old one changed) or "reworded" (only notes and remarks differ).
        index: the first checkpoint that differs.
        sides: the history in base and in head.
        places: the places of the registrations in base and head, None if unknown.
    """
    old, new = sides
    show = _show_notes if how == "reworded" else _show_history
    at = slice(index, index + 1) if how == "rewritten" else slice(index, None)
    return Fact(
        event=_HISTORIES[how],
        kind="registration",
        op=op,
        name=op,
        old=show(old),
        new=show(new),
        origins=places,
        facts={
            "index": index + 1,
            "checkpoints": plural(abs(len(old) - len(new)), "checkpoint"),
            "total": max(len(old), len(new)),
            "old": " | ".join(_show_history(old[at])) or "nothing",
            "new": " | ".join(_show_history(new[at])) or "nothing",
        },
    )


def histories_unknown(side: Literal["base", "head", "neither"], count: int) -> Fact:
    """Return the fact that the source of one side has no op versions, although changes need registrations.

    Args:
        side: the side without op versions.
        count: the number of changes that need a registration.
    """
    brings = "neither side brings" if side == "neither" else f"{side} brings no"
    return Fact(
        event="op_version_unknown",
        kind="registration",
        facts={"side": brings, "consequence": _consequence_text(side, plural(count, "change") if count else "")},
    )


def _consequence_text(side: Literal["base", "head", "neither"], changes: str) -> str:
    """Return the consequence of unknown op versions as a clause; `changes` is their number as text, "" for none."""
    if side == "base":
        against = "every registration of head, old or new"
        return (
            f"{changes} checked against {against}" if changes else "so new registrations cannot be told from old ones"
        )
    consequence = (
        f"{changes} could not be checked for a registration" if changes else "registrations could not be checked"
    )
    return consequence if side == "neither" else f"{consequence}, nor the histories for what was lost"


def registry_name(update: Update) -> str:
    """Return the name of an update in Paddle's registry: `NewAttr`, `DeleteInput`, `ModifyAttr`."""
    if update.kind is None:
        return "BugfixWithBehaviorChanged"
    return f"{update.action.capitalize()}{update.kind.capitalize()}"


def _show_notes(history: Iterable[Checkpoint]) -> list[object]:
    """Return the notes and remarks of a history, in which alone a reworded history differs."""
    return [[checkpoint.note, *(update.remark for update in checkpoint.updates)] for checkpoint in history]


def _show_history(history: Iterable[Checkpoint]) -> list[Any]:
    """Return each checkpoint of a history as text: `+attr axis, ~input X`."""
    from opspec_lint.spec.notation import show_update

    return [", ".join(map(show_update, checkpoint.updates)) for checkpoint in history]
