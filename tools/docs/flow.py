"""Drawing of the data flow through opspec-lint; `python -m tools.docs` writes it to docs/images/flow.svg."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

BOX, GAP, HEIGHT, ROW = 168, 34, 74, 104
STYLE = (
    "text{font:12.5px system-ui,sans-serif;fill:#1b222b}.name{font-weight:700;font-size:15px}"
    "rect{fill:#f5f6f8;stroke:#59636f}path{fill:none;stroke:#59636f;stroke-width:1.3;marker-end:url(#tip)}"
    "@media(prefers-color-scheme:dark){text{fill:#e3e8ee}rect{fill:#161b22;stroke:#98a4b1}path{stroke:#98a4b1}}"
)


class Box(NamedTuple):
    """A box of the drawing: its column and row, its name, and two lines below it."""

    column: int
    row: int
    name: str
    lines: tuple[str, str]

    @property
    def left(self) -> int:
        """The x coordinate of the left edge."""
        return 10 + self.column * (BOX + GAP)

    @property
    def top(self) -> int:
        """The y coordinate of the upper edge."""
        return 10 + self.row * ROW


BOXES = {
    "sources": Box(0, 0, "Sources", ("framework, source tree,", "file; sources/")),
    "specs": Box(1, 0, "Spec", ("base and head", "spec/")),
    "facts": Box(2, 0, "Facts", ("what differs", "diff/")),
    "repository": Box(1, 1, "Repository", ("files, settings, waivers", "git/, project/")),
    "circumstances": Box(2, 1, "Facts", ("on files and settings", "project/")),
    "findings": Box(3, 1, "Findings", ("by rules and a profile", "lint/")),
    "report": Box(4, 1, "Report", ("text, HTML, JSON, …", "report/")),
    "model": Box(1, 2, "Saved model", ("and a spec", "models/")),
    "faults": Box(2, 2, "Faults", ("what stops a loader", "frameworks/*/loaders/")),
}
ARROWS = (
    ("sources", "specs"),
    ("specs", "facts"),
    ("facts", "findings"),
    ("repository", "circumstances"),
    ("circumstances", "findings"),
    ("model", "faults"),
    ("faults", "findings"),
    ("findings", "report"),
)


def svg() -> str:
    """Return the drawing."""
    width = max(box.left for box in BOXES.values()) + BOX + 10
    height = max(box.top for box in BOXES.values()) + HEIGHT + 10
    marker = '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        "<title>How data flows: sources become specs, specs facts, facts findings, findings a report</title>",
        f"<style>{STYLE}</style>",
        f'<defs>{marker}<path d="M0 0L8 4L0 8z" style="marker-end:none;fill:#59636f;stroke:none"/></marker></defs>',
        *(_box(box) for box in BOXES.values()),
        *(_arrow(BOXES[start], BOXES[end]) for start, end in ARROWS),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _box(box: Box) -> str:
    rect = f'<rect x="{box.left}" y="{box.top}" width="{BOX}" height="{HEIGHT}" rx="7"/>'
    name = f'<text class="name" x="{box.left + 12}" y="{box.top + 24}">{escape(box.name)}</text>'
    lines = (
        f'<text x="{box.left + 12}" y="{box.top + 44 + 17 * number}">{escape(line)}</text>'
        for number, line in enumerate(box.lines)
    )
    return rect + name + "".join(lines)


def _arrow(start: Box, end: Box) -> str:
    x, to = start.left + BOX, end.left - 1
    y, until = start.top + HEIGHT // 2, end.top + HEIGHT // 2 + 12 * (start.row - end.row)
    bend = to - GAP // 2
    return f'<path d="M{x} {y}H{bend}V{until}H{to}"/>'
