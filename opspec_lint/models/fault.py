"""The facts of an audit: what of a model a loader of a release stumbles over, and what that leads to."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fact import Effect, Kind
    from opspec_lint.spec.ids import EventId

EFFECTS: tuple[Effect, ...] = ("loads", "changed", "cannot_tell", "fails_at_run", "refused")
"""From the mildest to the worst."""
NOT_FETCHED: EventId = "model_not_fetched"


def new_fault(  # noqa: PLR0913 - a fact is what it says
    *,
    event: EventId,
    kind: Kind,
    op: str | None,
    effect: Effect,
    name: str = "",
    reason: str | None = None,
    facts: Mapping[str, object] | None = None,
) -> Fact:
    """Return a fact about a model under a loader, which is so of its main graph unless it is given another one.

    Args:
        event: what it is.
        kind: what it is about.
        op: the op, None where it is about none.
        effect: what it leads to.
        name: the attr, input, key or file that it is about.
        reason: the word that the loader's error goes by, None where it has none.
        facts: what the templates of the rule can name besides.
    """
    return Fact(
        event=event,
        kind=kind,
        op=op,
        name=name or None,
        graph="",
        facts=facts or {},
        is_of_contract=False,
        effect=effect,
        reason=reason,
    )


def model_fault(event: EventId, name: str, effect: Effect, reason: str | None = None, **facts: object) -> Fact:
    """Return a fault of a model as a whole.

    Args:
        event: what it is.
        name: what of the model it is about.
        effect: what it leads to.
        reason: the word that the loader's error goes by, None where it has none.
        facts: what the templates of the rule can name besides.
    """
    return new_fault(event=event, kind="model", op=None, name=name, effect=effect, reason=reason, facts=facts)


def op_fault(  # noqa: PLR0913 - a fault is what it says
    event: EventId,
    op: str,
    effect: Effect,
    reason: str | None = None,
    *,
    kind: Kind = "op",
    name: str | None = None,
    **facts: object,
) -> Fact:
    """Return a fault of an op in a model, or of an argument of it.

    Args:
        event: what it is.
        op: the op.
        effect: what it leads to.
        reason: the word that the loader's error goes by, None where it has none.
        kind: what it is about.
        name: the name of that, None for the op itself.
        facts: what the templates of the rule can name besides.
    """
    name = op if name is None else name
    return new_fault(event=event, kind=kind, op=op, name=name, effect=effect, reason=reason, facts=facts)


def not_judged(name: str, problem: str, remedy: str, *, op: str | None = None) -> Fact:
    """Return the fault of what nobody can tell: because of a problem, which a remedy ends."""
    return model_fault("model_not_judged", name, "cannot_tell", problem=problem, remedy=remedy).replace(op=op)


def not_fetched(path: str) -> Fact:
    """Return the fault of a file that is a pointer of git-lfs: nothing is known of it, and nothing is wrong with it."""
    problem, remedy = f"{path}: is a pointer of git-lfs", "`git lfs pull` fetches it"
    return model_fault(NOT_FETCHED, path, "loads", problem=problem, remedy=remedy)


def not_followed(path: str, problem: str) -> Fact:
    """Return the fault of a file that is not read since it lies outside the folder of the model."""
    return not_judged(path, f"{path} {problem}", "copy the file into the model's folder")


def unreadable(path: str, problem: str, remedy: str) -> Fact:
    """Return the fault of a path that is no model, or cannot be read."""
    return model_fault("model_unreadable", path, "refused", problem=problem, remedy=remedy)
