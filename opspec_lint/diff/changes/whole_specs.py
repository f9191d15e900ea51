"""The facts about what a spec says of itself, and of no single op."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.ids import EventId


def spec_fact(
    event: EventId, field: str, facts: Mapping[str, object], sides: tuple[object, object] = (None, None)
) -> Fact:
    """Return the fact that a spec as a whole says something else of itself.

    Args:
        event: what happened.
        field: what of the spec it is about.
        facts: what the templates of the event's rule can name.
        sides: the values of the field in base and in head.
    """
    return Fact(event=event, kind="source", field=field, old=sides[0], new=sides[1], facts=facts)


def binding_changed(old: str, new: str) -> Fact:
    """Return that saved models refer to the arguments of ops in another way than before."""
    return spec_fact("binding_changed", "binding", {"old": old, "new": new}, (old, new))


def source_kind_changed(old: str | None, new: str | None) -> Fact:
    """Return that head was made from another kind of source than base."""
    return spec_fact("source_kind_changed", "made_by", _known(old, new), (old, new))


def loader_checks_less(old: str | None, new: str | None) -> Fact:
    """Return that head says its model is for a loader that looks at less."""
    return spec_fact("loader_checks_less", "version", _known(old, new), (old, new))


def _known(old: str | None, new: str | None) -> dict[str, object]:
    return {"old": old or "unknown", "new": new or "unknown"}
