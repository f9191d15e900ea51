"""The index of the site's search: a script for each framework, with its ops, their arguments, and their releases."""

from __future__ import annotations

import json

from opspec_lint.site import when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from opspec_lint.site.line_site import LineSite
    from opspec_lint.site.releases import Line
    from opspec_lint.site.timeline import DeclaredItem, OpTimeline


def script(site: LineSite) -> str:
    """Return the script of a framework: for each page its name, its file, its ops, and its first release."""
    line = site.line
    index = [
        [page, site.files[page], _ops(names, line, site.ops), site.since(page)] for page, names in site.pages.items()
    ]
    return f"opspec.know({_literal(line.title)},{_literal(index)});\n"


def _ops(names: Iterable[str], line: Line, ops: Mapping[str, OpTimeline]) -> list[Any]:
    """Return for each op of a page its name and releases, and its arguments, with theirs if they differ."""
    rows = []
    for name in names:
        range_of_op = _release_range(ops[name].whole, line)
        arguments: list[Any] = []
        for argument in ops[name].arguments:
            own_range = _release_range(argument, line)
            arguments.append(argument.name if own_range == range_of_op else [argument.name, *own_range])
        rows.append([name, *range_of_op, arguments])
    return rows


def _release_range(item: DeclaredItem, line: Line) -> list[str]:
    """Return the release that added an item, and the one that removed it, "" if the newest release has it."""
    last = item.spans[-1]
    return [when.since(item.spans[0], line), when.until(last, line) or ""]


def _literal(value: Any) -> str:
    """Return a value as a literal that is valid in JavaScript, too."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    # "</script>" inside of a string would end the script element in some uses of the file.
    return text.replace("<", "\\u003c")
