"""What stands on a box."""

from __future__ import annotations

from opspec_lint.kit.text import one_line, plural, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.picture.box import Box

TO = " … "
"""Between the first and the last of several names on a box."""
_LONGEST = 60
"""Characters of a label."""
_DRAWN = 30
"""Columns of a line in a drawing."""


def lines(box: Box, size: int, findings: int = 0) -> list[str]:
    """Return the lines on a box that stands for `size` nodes, of which there are so many findings."""
    label = own_name(name(box), one_line(box.op))
    if box.kind == "node":
        found = [shorten(one_line(box.op), _LONGEST), label]
    elif box.kind == "kin":
        found = [f"{shorten(one_line(box.op), _LONGEST)}, {plural(size, 'node')}", label]
    elif box.kind == "alike":
        found = [label, f"{box.times} copies, {plural(size, 'node')}"]
    else:
        found = [label, plural(size, "node")]
    if findings:
        found.append(plural(findings, "finding"))
    return [each for each in dict.fromkeys(found) if each]


def own_name(label: str, op: str) -> str:
    """Return what a label says beside the op: of nodes that are called by op and place, such as `relu#3`, the place."""
    parts = label.split(TO)
    is_place = all(each.startswith(f"{op}#") and each[len(op) + 1 :].isdecimal() for each in parts)
    return TO.join(each[len(op) :] for each in parts) if is_place else label


def short(text: str) -> str:
    """Return a line as a drawing has room for it, cut in its middle."""
    if columns(text) <= _DRAWN:
        return text
    half = (_DRAWN - 1) // 2
    begin, end = 0, len(text)
    while columns(text[: begin + 1]) <= half:
        begin += 1
    while columns(text[end - 1 :]) <= half:
        end -= 1
    return f"{text[:begin]}…{text[end:]}"


def columns(text: str) -> int:
    """Return how many columns a text takes in a font whose characters are equally wide."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def name(box: Box) -> str:
    """Return the name of a box on one line, cut in its middle where it is long."""
    label = one_line(box.label)
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST // 2]}…{label[-_LONGEST // 2 :]}"
