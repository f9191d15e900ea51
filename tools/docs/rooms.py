"""Drawing of the packages of opspec_lint: their purposes, and which imports which.

`python -m tools.docs` writes the drawing to docs/images/rooms.svg. A room is drawn above every room
that it imports. An arrow that follows from two others is left out: where A imports B, and B imports C, A may import C
as well.
"""

from __future__ import annotations

import ast
import textwrap
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).parents[2] / "opspec_lint"
WIDTH, BOX, ROW, LINE, TOP = 960, 290, 146, 17, 14
HEIGHT = 104
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1b222b}.name{font-weight:700;font-size:15px}"
    "rect{fill:#f5f6f8;stroke:#59636f}path{fill:none;stroke:#59636f;stroke-width:1.3;marker-end:url(#tip)}"
    "@media(prefers-color-scheme:dark){text{fill:#e3e8ee}rect{fill:#161b22;stroke:#98a4b1}path{stroke:#98a4b1}}"
)


def rooms() -> dict[str, set[str]]:
    """Return the rooms of the package, and the rooms that the modules of each import."""
    names = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    return {name: _imported(name) & names - {name} for name in sorted(names)}


def svg() -> str:
    """Return the drawing."""
    imports = rooms()
    places = _places(imports)
    marker = '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {_bottom(places)}" role="img">',
        "<title>The rooms of opspec_lint, and which imports which</title>",
        f"<style>{STYLE}</style>",
        f'<defs>{marker}<path d="M0 0L8 4L0 8" style="marker-end:none"/></marker></defs>',
        *(_arrow(places[above], places[below]) for above, below in _arrows(imports)),
        *(line for name, place in places.items() for line in _box(name, place)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _imported(room: str) -> set[str]:
    """Return the rooms that the modules of a room import, including imports for type checkers."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in (PACKAGE / room).rglob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {
        name.split(".")[1] for node in nodes for name in _imported_names(node) if name.startswith(f"{PACKAGE.name}.")
    }


def _imported_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module is not None:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _arrows(imports: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    for above, below in imports.items():
        beyond = {name for imported in below for name in _reached(imports, imported)}
        yield from ((above, name) for name in sorted(below - beyond))


def _reached(imports: dict[str, set[str]], room: str) -> set[str]:
    return imports[room] | {name for below in imports[room] for name in _reached(imports, below)}


def _places(imports: dict[str, set[str]]) -> dict[str, tuple[float, int]]:
    """Return the top left corner of each room, as close as its row permits to the rooms that import it."""
    depth = {name: _depth(imports, name) for name in imports}
    arrows = list(_arrows(imports))
    places: dict[str, tuple[float, int]] = {}
    for row in range(max(depth.values()), -1, -1):
        names = [name for name in imports if depth[name] == row]
        importers = {name: [places[above][0] for above, below in arrows if below == name] for name in names}
        names = sorted(names, key=lambda name: sum(importers[name]) / max(1, len(importers[name])))
        gap = (WIDTH - BOX * len(names)) / (len(names) + 1)
        for at, name in enumerate(names):
            places[name] = (gap + at * (BOX + gap), TOP + ROW * (max(depth.values()) - row))
    return places


def _depth(imports: dict[str, set[str]], room: str) -> int:
    return 1 + max((_depth(imports, below) for below in imports[room]), default=-1)


def _bottom(places: dict[str, tuple[float, int]]) -> int:
    return max(y for _, y in places.values()) + HEIGHT + TOP


def _arrow(above: tuple[float, int], below: tuple[float, int]) -> str:
    x, y = above[0] + BOX / 2, above[1] + HEIGHT
    to, end = below[0] + BOX / 2, below[1]
    middle = (y + end) / 2
    return f'<path d="M{x:.0f} {y}C{x:.0f} {middle:.0f} {to:.0f} {middle:.0f} {to:.0f} {end}"/>'


def _box(name: str, place: tuple[float, int]) -> Iterator[str]:
    x, y = place
    yield f'<rect x="{x:.0f}" y="{y}" width="{BOX}" height="{HEIGHT}" rx="8"/>'
    yield f'<text class="name" x="{x + 12:.0f}" y="{y + 22}">{name}/</text>'
    for number, line in enumerate(textwrap.wrap(_purpose(name), 38)):
        yield f'<text x="{x + 12:.0f}" y="{y + 42 + number * LINE}">{escape(line)}</text>'


def _purpose(room: str) -> str:
    """Return the purpose of a room, from the docstring of its package."""
    text = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    return text.split("\n\n", 1)[0].rstrip(".")
