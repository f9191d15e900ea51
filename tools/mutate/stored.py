"""Stored faults, on which the tests of two revisions can be compared."""

from __future__ import annotations

import json
from typing import NamedTuple

from tools.mutate.faults import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_CONTEXT = 3
"""Lines before and after a fault that tell places of equal text apart."""


class StoredFault(NamedTuple):
    """A fault as text, without positions, which differ between revisions."""

    path: str
    kind: str
    before: list[str]
    sound: list[str]
    faulty: list[str]
    after: list[str]


def save(file: Path, drawn: list[tuple[str, Fault]], texts: Mapping[str, str]) -> None:
    """Write faults, each with the path of its module; `texts` are the modules without them."""
    file.write_text(json.dumps([_store(path, fault, texts[path]) for path, fault in drawn], indent=1), encoding="utf-8")


def load(file: Path, texts: Mapping[str, str]) -> Iterator[tuple[str, Fault | None]]:
    """Yield each stored fault with its path, located in the modules `texts`; None if they lack its lines."""
    for fields in json.loads(file.read_text(encoding="utf-8")):
        fault = StoredFault(*fields)
        # A module can have been moved: its lines are then looked for in all others.
        ranked = [{fault.path: texts[fault.path]}, texts] if fault.path in texts else [texts]
        yield next(filter(None, (_locate(fault, some) for some in ranked)), (fault.path, None))


def _store(path: str, fault: Fault, text: str) -> StoredFault:
    data = text.encode()
    first = data.count(b"\n", 0, fault.begin)
    last = data.count(b"\n", 0, fault.end)
    lines, faulty = (module.split("\n") for module in (text, fault.planted_in(text)))
    end = last + 1 + len(faulty) - len(lines)
    return StoredFault(
        path,
        fault.kind,
        lines[max(0, first - _CONTEXT) : first],
        lines[first : last + 1],
        faulty[first:end],
        lines[last + 1 : last + 1 + _CONTEXT],
    )


def _locate(fault: StoredFault, texts: Mapping[str, str]) -> tuple[str, Fault] | None:
    """Return the only place of a fault; add lines of context until only one place matches."""
    candidates = {path: lines for path, text in texts.items() if set(fault.sound) <= set(lines := text.split("\n"))}
    for context in range(_CONTEXT + 1):
        before = fault.before[len(fault.before) - min(context, len(fault.before)) :]
        pattern = [*before, *fault.sound, *fault.after[:context]]
        places = [
            (path, start + len(before))
            for path, lines in candidates.items()
            for start in range(len(lines) - len(pattern) + 1)
            if lines[start : start + len(pattern)] == pattern
        ]
        if len(places) == 1:
            ((path, first),) = places
            lines = [line.encode() for line in candidates[path]]
            begin = sum(len(line) + 1 for line in lines[:first])
            end = begin + len("\n".join(fault.sound).encode())
            return path, Fault(fault.kind, first + 1, begin, end, "\n".join(fault.faulty))
    return None
