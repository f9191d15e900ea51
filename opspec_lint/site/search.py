"""What the search of the site knows: a script for each framework, with its ops, their arguments, and when they came."""

from __future__ import annotations

import json

from opspec_lint.site import when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from opspec_lint.site.releases import Line
    from opspec_lint.site.timeline import OpTimeline, Thing


def script(
    line: Line, pages: Mapping[str, Sequence[str]], files: Mapping[str, str], ops: Mapping[str, OpTimeline]
) -> str:
    """Return the script of a framework.

    Args:
        line: its releases.
        pages: the ops of each page, by what they are called there.
        files: the file of each page, from the top of the site.
        ops: the timelines of the ops.
    """
    found = [[name, files[name], _ops(names, line, ops)] for name, names in pages.items()]
    return f"opspec.know({_literal(line.title)},{_literal(found)});\n"


def _ops(names: Iterable[str], line: Line, ops: Mapping[str, OpTimeline]) -> list[Any]:
    """Return of each op of a page: its name, when it came and went, and its arguments, with this where it differs."""
    found = []
    for name in names:
        came = _when(ops[name].whole, line)
        arguments = [
            each.name if (own := _when(each, line)) == came else [each.name, *own] for each in ops[name].arguments
        ]
        found.append([name, *came, arguments])
    return found


def _when(thing: Thing, line: Line) -> list[str]:
    last = thing.spans[-1]
    return [when.since(thing.spans[0], line), when.until(last, line) or ""]


def _literal(value: Any) -> str:
    """Return a value as a literal that is one in JavaScript as well."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c")
