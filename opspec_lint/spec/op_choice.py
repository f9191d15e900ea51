"""Ops that were chosen by name, or by a pattern in which `*` stands for any characters and `?` for one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable


def chosen(words: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the ops that words choose of some names, in the order of the words and then of the names; each once."""
    found: dict[str, None] = {}
    for word in words:
        found |= dict.fromkeys([word] if word in names else filter(_matcher(word), names))
    return list(found)


def unmatched(words: Iterable[str], names: Collection[str]) -> list[str]:
    """Return the words that choose none of some names."""
    return [word for word in words if word not in names and not any(map(_matcher(word), names))]


def _matcher(word: str) -> Callable[[str], bool]:
    if not {"*", "?"} & {*word}:
        return word.__eq__
    import re

    pattern = re.escape(word).replace(r"\*", ".*").replace(r"\?", ".")
    return lambda name: re.fullmatch(pattern, name, re.DOTALL) is not None
