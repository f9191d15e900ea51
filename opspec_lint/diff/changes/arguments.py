"""The facts about an input, output or attr as a whole: added, removed, renamed, moved."""

from __future__ import annotations

from opspec_lint.kit.text import shorten
from opspec_lint.spec import values
from opspec_lint.spec.fact import LONGEST, Fact
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fact import AnyArgument
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Declared, Kind

_SURE = 0.8
"""The least confidence with which a rename is stated as certain."""
_ADDED: Mapping[tuple[Kind, bool], EventId] = {
    ("input", True): "input_added_dispensable",
    ("input", False): "input_added_not_dispensable",
    ("output", True): "output_added_dispensable",
    ("output", False): "output_added_not_dispensable",
    ("attr", True): "attr_added_with_default",
    ("attr", False): "attr_added_without_default",
}
"""The events of additions, by what is added, and by whether models may omit it."""
_REMOVED: Mapping[Kind, EventId] = {"input": "input_removed", "output": "output_removed", "attr": "attr_removed"}
_RENAMED: Mapping[Kind, EventId] = {"input": "input_renamed", "output": "output_renamed", "attr": "attr_renamed"}
_MOVED: Mapping[Kind, EventId] = {"input": "input_moved", "output": "output_moved"}


def argument_added(
    op: str, kind: Kind, argument: AnyArgument, *, is_optional: bool | None = None, is_trusted: bool = True
) -> Fact:
    """Return the fact that only head's op has an input, output or attr.

    Args:
        op: the op.
        kind: the kind of the argument.
        argument: its declaration in head.
        is_optional: whether models may omit it, None if the argument itself says so.
        is_trusted: whether base knows `extra`: if it does not, head alone cannot exempt an argument that models must
            not omit.
    """
    optional = is_omittable(argument) if is_optional is None else is_optional
    is_exempt = argument.extra is True and (is_trusted or optional)
    return Fact(
        event=_ADDED[kind, optional],
        kind=kind,
        op=op,
        name=argument.name,
        new=argument,
        after=argument,
        origins=(None, argument.origin),
        describe=_default if kind == "attr" else None,
        is_exempt=is_exempt,
        adds=None if is_exempt else argument,
        registers="new",
    )


def argument_removed(op: str, kind: Kind, argument: AnyArgument) -> Fact:
    """Return the fact that only base's op has an input, output or attr."""
    return Fact(
        event=_REMOVED[kind],
        kind=kind,
        op=op,
        name=argument.name,
        old=argument,
        before=argument,
        origins=(argument.origin, None),
        is_exempt=argument.extra is True,
        registers="delete",
    )


def argument_renamed(gone: Fact, come: Fact, confidence: float) -> Fact:
    """Return the fact that a removed and an added argument are very likely the same one.

    It was renamed, or it is an input that became an output of the same name, or the reverse.

    Args:
        gone: its removal.
        come: its addition.
        confidence: how sure that is, between 0.5 and 1.
    """
    events = _RENAMED if gone.kind == come.kind else _MOVED
    was_renamed = "was renamed" if confidence >= _SURE else "seems to have been renamed"
    return Fact(
        event=events[gone.kind],  # type: ignore[index]
        kind=gone.kind,
        op=gone.op,
        name=gone.name,
        new_name=come.name,
        confidence=confidence,
        old=gone.old,
        new=come.new,
        before=gone.before,
        after=come.after,
        origins=(gone.origins[0], come.origins[1]),
        facts={"new_name": come.name, "confidence": confidence, "was_renamed": was_renamed},
        is_exempt=gone.is_exempt and come.is_exempt,
        halves=(gone, come),
        adds=come.adds,
    )


def is_addition(fact: Fact) -> bool:
    """Tell whether a fact is that only head's op has an argument."""
    return fact.registers == "new" and fact.before is None


def is_removal(fact: Fact) -> bool:
    """Tell whether a fact is that only base's op has an argument."""
    return fact.registers == "delete"


def is_rename(fact: Fact) -> bool:
    """Tell whether a fact is that an argument was renamed or moved."""
    return bool(fact.halves)


def without_untrusted_exemption(fact: Fact) -> Fact:
    """Return a fact as it is where base does not know `extra`: head alone does not exempt what it adds."""
    if is_rename(fact):
        gone, come = fact.halves
        return argument_renamed(gone, without_untrusted_exemption(come), fact.confidence or 1.0)
    if is_addition(fact) and fact.is_exempt and fact.event not in _OPTIONAL:
        return fact.replace(is_exempt=False, adds=fact.after)
    return fact


_OPTIONAL = frozenset(event for (_, is_optional), event in _ADDED.items() if is_optional)


def is_omittable(argument: Declared) -> bool:
    """Tell whether a model may leave an argument out: it is dispensable, or has a default value."""
    if "dispensable" in argument._fields:
        return argument.get("dispensable") is True
    return argument.get("default_value") not in (None, UNKNOWN)


def _default(fact: Fact) -> Mapping[str, object]:
    """Return the default value of an added attr, as text."""
    default = fact.new.get("default_value")
    return {"new": "unknown" if default is UNKNOWN else shorten(values.show(default), LONGEST)}
