"""JSON, strictly: no duplicate keys, no unbounded numbers, errors that name line and column.

NaN and infinities are read, as Python's own `json` writes them: real specs hold them.
"""

from __future__ import annotations

import json
import re

from opspec_lint.errors import InputError
from opspec_lint.plain import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SPACED_COLON = re.compile(r'"[ \t\n\r]+:')


def loads(text: str, file: str) -> Any:
    """Decode a JSON text; of a key that occurs twice the last one counts, see `check_unique_keys`.

    Raises:
        InputError: the text is no JSON, is nested too deep, or holds a number of thousands of digits.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _syntax_error(text, file, error) from None
    except RecursionError:
        raise InputError(
            file, "is nested hundreds of levels deep, which no spec is", advice="write the file anew with `extract`"
        ) from None
    except ValueError:
        raise InputError(
            file,
            "holds an integer of thousands of digits, which no attr can hold",
            where=_long_integer(text),
            advice="write the file anew with `extract`",
        ) from None


def check_unique_keys(text: str, file: str, keys: int) -> None:
    """Make sure that no object of a decoded text has a key twice.

    Looking at every pair while decoding takes as long as decoding. Every key is followed by `":`, with or without
    space between the two. A text without such space, and with as many `":` as its decoded objects have keys, has lost
    none; any other text is decoded once more, slowly.

    Args:
        text: what was decoded.
        file: its name, for the message.
        keys: how many keys all its decoded objects have together.

    Raises:
        InputError: a key occurs twice.
    """
    if text.count('":') != keys or _SPACED_COLON.search(text):
        for path in duplicates(text):
            raise twice(file, path)


def duplicates(text: str) -> list[tuple[str | int, ...]]:
    """Return the path of every key that stands twice in one object of a text."""
    try:
        return list(dict.fromkeys(_lost(json.loads(text, object_pairs_hook=_Object))))
    except RecursionError:
        return []  # no format reads what is nested so deep


def twice(file: str, path: tuple[str | int, ...]) -> InputError:
    """Return the error for a key that stands twice."""
    problem = f"the key {json.dumps(path[-1])} stands twice in one object; which of them counts is anybody's guess"
    return InputError(file, problem, where=join(*path), advice="remove one of the two")


class _Object(dict):  # type: ignore[type-arg]
    """A decoded object that remembers the paths of the keys it lost, its members' included."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.lost: list[tuple[str | int, ...]] = []
        seen = set()
        for key, value in pairs:
            if key in seen:
                self.lost.append((key,))
            seen.add(key)
            self.lost += [(key, *path) for path in _lost(value)]


def _lost(value: Any) -> Iterator[tuple[str | int, ...]]:
    values: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while values:
        path, value = values.pop()
        if isinstance(value, _Object):
            yield from ((*path, *lost) for lost in value.lost)
        elif isinstance(value, list):
            values += [((*path, index), item) for index, item in reversed(list(enumerate(value)))]


def _long_integer(text: str) -> str:
    found = re.search("[0-9]{4300,}", text)
    if found is None:
        return ""
    line = text.count("\n", 0, found.start()) + 1
    return f"line {line}, column {found.start() - text.rfind(chr(10), 0, found.start())}"


def _syntax_error(text: str, file: str, error: json.JSONDecodeError) -> InputError:
    where = f"line {error.lineno}, column {error.colno}"
    if not text[error.pos :].strip():
        return InputError(
            file, "the JSON text ends too early", where=where, advice="the file is truncated; write it anew"
        )
    return InputError(
        file, f"is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}", where=where, advice="write the file anew"
    )
