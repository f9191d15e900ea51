"""Parser of one side of a scene: files, commands, or a call of a loader, each with its text."""

from __future__ import annotations

import re
import textwrap

_ENTRY = re.compile(r"(?P<key>[^\s:$][^:\n]*):(?: (?P<text>.*))?")


def entries(side):
    """Return the entries of a side: `KEY: TEXT`, or `KEY:` with an indented text below; a key may have no text."""
    listed = []
    for line in side.splitlines():
        if line.startswith(" "):
            listed[-1][1].append(line)
        else:
            entry = _ENTRY.fullmatch(line)
            key, text = (line, None) if entry is None else (entry["key"], entry["text"])
            listed.append((key, [] if text is None else [text]))
    assert len({key for key, _ in listed}) == len(listed), side
    return {key: textwrap.dedent("\n".join(lines)) for key, lines in listed}
