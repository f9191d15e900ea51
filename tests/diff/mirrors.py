"""The mirror image of the facts of a comparison: the facts that replace them when base and head change places."""

from __future__ import annotations

from opspec_lint.diff.changes.arguments import is_rename
from opspec_lint.spec.event import SUBJECTS, events
from tests.support import per_framework

EVENTS = {name: event for name, event in events().items() if event.is_of_contract}
MIRRORS = {name: event.mirrors for name, event in EVENTS.items() if event.mirrors}
HOLES = {name: event.one_sided for name, event in EVENTS.items() if not event.mirrors}
"""The events without a mirror, each with the reason."""


def facts(changes) -> list[tuple[str, str, str]]:
    """Return (event, kind, name) of some changes, sorted."""
    return sorted((change.event, change.kind, _name(change)) for change in changes)


def is_mirrored(forth, back) -> bool:
    """Tell whether `back` is what becomes of the changes `forth` when base and head change places."""
    rest = [fact for fact in facts(back) if fact[0] not in HOLES]
    for change in forth:
        if change.event in HOLES:
            continue
        kind, name = _opposite_side(change)
        partner = next((fact for fact in rest if fact[0] in MIRRORS[change.event] and fact[1:] == (kind, name)), None)
        if partner is None:
            return False
        rest.remove(partner)
    return not rest


def _opposite_side(change) -> tuple[str, str]:
    """Return the kind and the name under which a change stands where base and head have changed places."""
    if change.event in SUBJECTS.load("slots"):
        return change.kind, _under_its_number(change)
    if change.event in SUBJECTS.load("interfaces"):
        return change.kind, change.new_name or change.name
    for name_in_head in per_framework.every("name_in_head").values():
        if (name := name_in_head(change)) is not None:
            return change.kind, name
    if is_rename(change):
        return change.halves[1].kind, change.new_name
    if change.field == "order":
        places = {name: place for place, name in enumerate(change.old)}
        return change.kind, next(name for place, name in enumerate(change.new) if places.get(name, place) != place)
    if change.field == "name":
        return change.kind, change.new
    return change.kind, _name(change)


def _name(change) -> str:
    """Return the name of what a change is about, which is its field where that is a spec as a whole."""
    return change.name or change.field or ""


def _under_its_number(change) -> str:
    """Return the thing of head with the number of a thing of base."""
    if change.event in ("root_changed", "slot_key_changed"):
        return change.new
    if change.event in ("slot_reassigned", "enum_value_renumbered", "union_member_retyped") and change.new:
        return change.new["name"]
    if change.event == "slot_reused":
        return change.facts["other"]
    return change.new_name or change.name
