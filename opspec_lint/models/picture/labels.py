"""The texts on the boxes of a picture."""

from __future__ import annotations

from opspec_lint.kit.text import one_line, plural, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.picture.box import Box

TO = " … "
"""The separator of the first and the last name in the label of several boxes."""
_MAX_LABEL = 60
"""Characters of a label."""
_MAX_COLUMNS = 30
"""Columns of a line in a drawing."""


def box_lines(box: Box, size: int, findings: int = 0) -> list[str]:
    """Return the lines of text on a box that contains `size` nodes and has `findings` findings."""
    label = without_op(box_label(box), one_line(box.op))
    if box.kind == "node":
        texts = [shorten(one_line(box.op), _MAX_LABEL), label]
    elif box.kind == "kin":
        texts = [f"{shorten(one_line(box.op), _MAX_LABEL)}, {plural(size, 'node')}", label]
    elif box.kind == "alike":
        texts = [label, f"{box.times} copies, {plural(size, 'node')}"]
    else:
        texts = [label, plural(size, "node")]
    if findings:
        texts.append(plural(findings, "finding"))
    return [text for text in dict.fromkeys(texts) if text]


def without_op(label: str, op: str) -> str:
    """Return `#3` for the label `relu#3` of a node with the op `relu`, and any other label unchanged."""
    parts = label.split(TO)
    is_place = all(part.startswith(f"{op}#") and part[len(op) + 1 :].isdecimal() for part in parts)
    return TO.join(part[len(op) :] for part in parts) if is_place else label


def cut_middle(text: str) -> str:
    """Return a line cut in its middle to the width of a box in a drawing."""
    if column_count(text) <= _MAX_COLUMNS:
        return text
    half = (_MAX_COLUMNS - 1) // 2
    begin, end = 0, len(text)
    while column_count(text[: begin + 1]) <= half:
        begin += 1
    while column_count(text[end - 1 :]) <= half:
        end -= 1
    return f"{text[:begin]}…{text[end:]}"


def column_count(text: str) -> int:
    """Return the width of a text in a monospaced font, in columns."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def box_label(box: Box) -> str:
    """Return the label of a box on one line, cut in its middle if it is long."""
    label = one_line(box.label)
    # Both ends of a long name matter: the outer scopes, and the name of the node itself.
    return label if len(label) <= _MAX_LABEL else f"{label[: _MAX_LABEL // 2]}…{label[-_MAX_LABEL // 2 :]}"
