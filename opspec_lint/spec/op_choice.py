"""Selects ops by name, or by a pattern as in the shell; `--op` and the setting `ignore` use the same patterns."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """Tell whether the name of an op fits any of some patterns."""
    from fnmatch import fnmatchcase

    return any(fnmatchcase(name, pattern) for pattern in patterns)


def select_names(words: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the names that words select, each once, in the order of the words and then of the names."""
    found: dict[str, None] = {}
    for word in words:
        found |= dict.fromkeys([word] if word in names else [name for name in names if matches_any(name, (word,))])
    return list(found)


def unmatched_patterns(words: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the words that select no name."""
    return [word for word in words if word not in names and not any(matches_any(name, (word,)) for name in names)]
