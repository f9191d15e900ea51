"""Constructors of facts about a spec as a whole: its binding, its source, its loader."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.ids import EventId


def spec_fact(
    event: EventId, field: str, facts: Mapping[str, object], sides: tuple[object, object] = (None, None)
) -> Fact:
    """Return the fact that a property of the whole spec differs.

    Args:
        event: the event.
        field: the property.
        facts: the values that the templates of the event's rule can name.
        sides: the values of the property in base and in head.
    """
    old, new = sides
    return Fact(event=event, kind="source", field=field, old=old, new=new, facts=facts)


def binding_changed(old: str, new: str) -> Fact:
    """Return the fact that saved models refer to the arguments of ops in another way than before."""
    return spec_fact("binding_changed", "binding", {"old": old, "new": new}, (old, new))


def source_kind_changed(old: str | None, new: str | None) -> Fact:
    """Return the fact that head was made from another kind of source than base."""
    return spec_fact("source_kind_changed", "made_by", _old_and_new_texts(old, new), (old, new))


def loader_checks_less(old: str | None, new: str | None) -> Fact:
    """Return the fact that head states a loader that checks less of its arguments than base's."""
    return spec_fact("loader_checks_less", "version", _old_and_new_texts(old, new), (old, new))


def _old_and_new_texts(old: str | None, new: str | None) -> dict[str, object]:
    return {"old": old or "unknown", "new": new or "unknown"}
