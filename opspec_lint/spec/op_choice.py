"""Selection of ops by name, or by a shell pattern such as `conv*`, for `--op` and the setting `ignore`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """Return whether the name of an op matches any of some patterns."""
    from fnmatch import fnmatchcase

    # fnmatch would ignore the case on Windows, but the names of ops are case-sensitive everywhere.
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def select_names(patterns: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the names that patterns select, each once, in the order of the patterns and then of the names."""
    selected: dict[str, None] = {}
    for pattern in patterns:
        # A name counts as itself first: as a pattern, `NAME [BUILD]` would contain a set of characters.
        selected |= dict.fromkeys(
            [pattern] if pattern in names else [name for name in names if matches_any(name, (pattern,))]
        )
    return list(selected)


def unmatched_patterns(patterns: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the patterns that select no name."""
    return [
        pattern
        for pattern in patterns
        if pattern not in names and not any(matches_any(name, (pattern,)) for name in names)
    ]
