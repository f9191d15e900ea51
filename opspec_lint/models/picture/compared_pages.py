"""The pages of two models with their differences: the states of boxes, their partners, and a list of changed nodes."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.models.picture.difference import DrawnNode, compare_nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


_MAX_CHANGED = 6
"""Attrs on a box that are not equal in the other model; its details have all."""


class PageChange(Record):
    """A node that only one of two models has, or that is not equal in both: the id of its box, its name and state."""

    id: str
    label: str
    state: str


class PageNode(DrawnNode):
    """A node to compare with another model's nodes, and the number of its box."""

    box: int


class ComparedPage(Record):
    """One of two models to compare: the prefix of the ids on its page, its nodes, and its boxes for the script."""

    id: str
    nodes: Sequence[PageNode]
    boxes: Sequence[dict[str, Any]]


def mark_differences(first: ComparedPage, second: ComparedPage) -> tuple[tuple[PageChange, ...], ...]:
    """Add the differences of two models to their boxes, and return the changed nodes of each."""
    difference = compare_nodes(first.nodes, second.nodes)
    changed_first = dict.fromkeys(difference.changed, "changed")
    changed_second = dict.fromkeys((difference.matches[at] for at in difference.changed), "changed")
    back = {partner: at for at, partner in difference.matches.items()}
    states_first = changed_first | dict.fromkeys(difference.removed, "removed")
    states_second = changed_second | dict.fromkeys(difference.added, "added")
    _mark_boxes(first, states_first)
    _mark_boxes(second, states_second)
    _link_boxes(first, second, difference.matches)
    _link_boxes(second, first, back)
    return _changes(first, states_first), _changes(second, states_second)


def _mark_boxes(page: ComparedPage, states: Mapping[int, str]) -> None:
    """Set `state` of the boxes with nodes that are not equal, and `differs` to the names of these nodes."""
    by_box: dict[int, list[str]] = {}
    for number, node in enumerate(page.nodes):
        state = states.get(number, "")
        by_box.setdefault(node.box, []).append(state)
        if state:
            page.boxes[node.box].setdefault("differs", []).append(node.name)
    for at, of_members in by_box.items():
        if any(of_members):
            # A box of several nodes is added or removed only if all of them are.
            page.boxes[at]["state"] = of_members[0] if len(set(of_members)) == 1 else "changed"


def _link_boxes(page: ComparedPage, partner_page: ComparedPage, matches: Mapping[int, int]) -> None:
    """Set `other` of boxes to the box of the matched node, and `twin` to its facts if the nodes are not equal."""
    for number, partner in sorted(matches.items()):
        box, partner_box = page.boxes[page.nodes[number].box], partner_page.nodes[partner].box
        box.setdefault("other", partner_box)
        if "state" in box and "twin" not in box:
            box["twin"] = partner_page.boxes[partner_box].get("facts", [])
            if len(box["names"]) == 1:
                box["card"] = _card_of_changed(box)


def _card_of_changed(box: dict[str, Any]) -> list[Sequence[str]]:
    """Return the lines of attrs on a box: changed attrs first, whatever their values."""
    own, partner = (
        {name: text for role, name, text in facts if role == "attr"} for facts in (box.get("facts", []), box["twin"])
    )
    changed = [(name, text) for name, text in own.items() if partner.get(name) != text]
    return [*changed[:_MAX_CHANGED], *(line for line in box.get("card", []) if tuple(line) not in changed)]


def _changes(page: ComparedPage, states: Mapping[int, str]) -> tuple[PageChange, ...]:
    """Return the nodes of a page that are not equal in the other model, in the order of the file."""
    return tuple(
        PageChange(id=f"{page.id}b{node.box}", label=f"{node.op} {node.name}", state=states[number])
        for number, node in enumerate(page.nodes)
        if number in states
    )
