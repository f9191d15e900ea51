"""Constructors of facts about a whole input, output or attr: added, removed, renamed, moved."""

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

_CERTAIN_RENAME = 0.8
"""The least confidence with which the text of a rename does not say "seems"."""
_ADDED: Mapping[tuple[Kind, bool], EventId] = {
    ("input", True): "input_added_dispensable",
    ("input", False): "input_added_not_dispensable",
    ("output", True): "output_added_dispensable",
    ("output", False): "output_added_not_dispensable",
    ("attr", True): "attr_added_with_default",
    ("attr", False): "attr_added_without_default",
}
"""The events of additions, by the kind of the argument, and whether models may omit it."""
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
        is_optional: whether models may omit it, None if its declaration decides.
        is_trusted: whether base knows `extra`. If it does not, head alone cannot exempt an argument that models must
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
        describe=_default_text if kind == "attr" else None,
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


def argument_renamed(removal: Fact, addition: Fact, confidence: float) -> Fact:
    """Return the fact that a removed and an added argument are probably the same argument.

    The argument was renamed, or moved: it is an input that became an output of the same name, or the reverse.

    Args:
        removal: the fact that base's argument is gone.
        addition: the fact that head's argument is new.
        confidence: the confidence that they are the same, from 0.5 to 1.
    """
    events = _RENAMED if removal.kind == addition.kind else _MOVED
    old_origin, _ = removal.origins
    _, new_origin = addition.origins
    was_renamed = "was renamed" if confidence >= _CERTAIN_RENAME else "seems to have been renamed"
    return Fact(
        event=events[removal.kind],  # type: ignore[index]
        kind=removal.kind,
        op=removal.op,
        name=removal.name,
        new_name=addition.name,
        confidence=confidence,
        old=removal.old,
        new=addition.new,
        before=removal.before,
        after=addition.after,
        origins=(old_origin, new_origin),
        facts={"new_name": addition.name, "confidence": confidence, "was_renamed": was_renamed},
        is_exempt=removal.is_exempt and addition.is_exempt,
        halves=(removal, addition),
        adds=addition.adds,
    )


def is_addition(fact: Fact) -> bool:
    """Return whether a fact states that only head's op has an argument."""
    # An argument that stops being extra is registered as "new" as well, but base has it.
    return fact.registers == "new" and fact.before is None


def is_removal(fact: Fact) -> bool:
    """Return whether a fact states that only base's op has an argument."""
    return fact.registers == "delete"


def is_rename(fact: Fact) -> bool:
    """Return whether a fact states that an argument was renamed or moved."""
    return bool(fact.halves)


def without_untrusted_exemption(fact: Fact) -> Fact:
    """Return a fact for a base that does not know `extra`: head's `extra` does not exempt what head adds."""
    if is_rename(fact):
        gone, come = fact.halves
        return argument_renamed(gone, without_untrusted_exemption(come), fact.confidence or 1.0)
    if is_addition(fact) and fact.is_exempt and fact.event not in _OPTIONAL:
        return fact.replace(is_exempt=False, adds=fact.after)
    return fact


_OPTIONAL = frozenset(event for (_, is_optional), event in _ADDED.items() if is_optional)
"""The events of added arguments that models may omit; they break no model, so head's `extra` may exempt them."""


def is_omittable(argument: Declared) -> bool:
    """Return whether a model may omit an argument: it is dispensable, or has a default value."""
    if "dispensable" in argument._fields:
        return argument.get("dispensable") is True
    return argument.get("default_value") not in (None, UNKNOWN)


def _default_text(fact: Fact) -> Mapping[str, object]:
    """Return the default value of an added attr, as text."""
    default = fact.new.get("default_value")
    return {"new": "unknown" if default is UNKNOWN else shorten(values.show(default), LONGEST)}
