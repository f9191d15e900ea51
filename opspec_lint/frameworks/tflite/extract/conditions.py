"""The conditions under which the converter writes a version, split at `||` into their alternatives."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

_IF = pattern(r"\bif\s*\((.*)\)", "s")
_PART = pattern(r"\|\||[()]")
_SPACES = pattern(r"\s+")
OR = " || "


def condition_of(text: str) -> str:
    """Return the condition of the `if` at the end of a text, "" if there is none."""
    # Behind the last `;`, as an `if` before it belongs to an earlier statement.
    match = _IF.search(text.rpartition(";")[2])
    return _SPACES.sub(" ", match[1]).strip() if match else ""


def alternatives(condition: str) -> list[str]:
    """Return the parts of a condition between `||` outside of parentheses."""
    parts, depth, start = [], 0, 0
    for match in _PART.finditer(condition):
        if match[0] == "||" and not depth:
            parts.append(condition[start : match.start()].strip())
            start = match.end()
        else:
            depth += {"(": 1, ")": -1}.get(match[0], 0)
    return [*parts, condition[start:].strip()] if condition else []


def either(first: str, second: str) -> str:
    """Return the disjunction of two conditions; "", which always holds, if either is ""."""
    parts = dict.fromkeys((*alternatives(first), *alternatives(second)))
    return OR.join(parts) if first and second else ""
