"""The conditions of the code that says which version the converter writes: their parts, each of which is enough."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

_IF = pattern(r"\bif\s*\((.*)\)", "s")
_PART = pattern(r"\|\||[()]")
_SPACES = pattern(r"\s+")
OR = " || "


def condition_of(text: str) -> str:
    """Return the condition of the `if` that a text ends with, "" where it ends with none."""
    found = _IF.search(text.rpartition(";")[2])
    return _SPACES.sub(" ", found[1]).strip() if found else ""


def alternatives(condition: str) -> list[str]:
    """Return the parts of a condition each of which is enough, in their order."""
    parts, depth, start = [], 0, 0
    for found in _PART.finditer(condition):
        if found[0] == "||" and not depth:
            parts.append(condition[start : found.start()].strip())
            start = found.end()
        else:
            depth += {"(": 1, ")": -1}.get(found[0], 0)
    return [*parts, condition[start:].strip()] if condition else []


def either(one: str, other: str) -> str:
    """Return the condition that either of two is; "" where one of them is none."""
    parts = dict.fromkeys((*alternatives(one), *alternatives(other)))
    return OR.join(parts) if one and other else ""
