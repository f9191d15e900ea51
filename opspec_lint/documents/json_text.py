"""JSON, strictly: no duplicate keys, no unbounded numbers, errors that name line and column.

NaN and infinities are read, as Python's own `json` writes them: real specs hold them.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.documents.memo import Memo

_SPACED_COLON = pattern(r'"[ \t\n\r]+:')
_SPACE = pattern(r"[ \t\n\r]*")
_SCAN = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_CONFLICT = "<<<<<<< "
"""How the line begins by which git marks a conflict."""
_DEEP = frozenset({"ops", "earlier", "op_versions"})
"""Members whose own members are looked at one by one."""


def loads(text: str, file: str, memo: Memo | None = None) -> Any:
    """Decode a JSON text; of a key that occurs twice the last one counts, see `check_unique_keys`.

    Args:
        text: the text.
        file: its name, for messages.
        memo: what was decoded of another text; what is decoded of this one is added.

    Raises:
        InputError: the text is no JSON, is nested too deep, or holds a number of thousands of digits.
    """
    if memo is not None:
        if text == memo.whole[0]:
            return memo.whole[1]
        try:
            memo.whole = text, _decoded(text, memo)
            return memo.whole[1]
        except (ValueError, IndexError, StopIteration, RecursionError):
            memo.members.clear()  # what is wrong, the decoder says
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _syntax_error(text, file, error) from None
    except RecursionError:
        raise InputError(
            file,
            "is nested hundreds of levels deep, beyond the limit for a spec",
            advice="write the file again with `extract`",
        ) from None
    except ValueError:
        raise InputError(
            file,
            "holds an integer of thousands of digits, which no attr can hold",
            where=_long_integer(text),
            advice="write the file again with `extract`",
        ) from None


def _decoded(text: str, memo: Memo) -> Any:
    """Return the value of a text, its members decoded one by one where it is an object.

    Raises:
        ValueError, IndexError, StopIteration, RecursionError: it is no JSON, or nothing that this is for.
    """
    begin = _skip(text, 0)
    if text[begin] == "{":
        value, at = _object(text, begin, (), memo)
    else:
        value, at = _SCAN(text, begin)
    if _skip(text, at) != len(text):
        raise ValueError
    return value


def _object(text: str, at: int, path: tuple[str, ...], memo: Memo) -> tuple[dict[str, Any], int]:
    """Return the object that begins at a place, and where it ends."""
    found: dict[str, Any] = {}
    members = memo.members
    at = _skip(text, at + 1)
    while text[at] == '"':
        key, at = scanstring(text, at + 1, True)
        if text[at : at + 2] == ": ":
            at += 2
        else:
            at = _skip(text, at)
            if text[at] != ":":
                raise ValueError
            at = _skip(text, at + 1)
        here = (*path, key)
        known = members.get(here)
        if known is not None and text.startswith(known[0], at):
            found[key] = known[1]
            at += len(known[0])
        elif key in _DEEP and not path and text[at] == "{":
            found[key], at = _object(text, at, here, memo)
        else:
            start = at
            found[key], at = value, _ = _SCAN(text, at)
            if text[start] in "{[":  # what ends by itself: 1 is not the 1 of 12
                members[here] = text[start:at], value
        if text[at : at + 3] == ', "':
            at += 2
            continue
        at = _skip(text, at)
        if text[at] == "}":
            return found, at + 1
        if text[at] != ",":
            raise ValueError
        at = _skip(text, at + 1)
    if found or text[at] != "}":
        raise ValueError
    return found, at + 1


def _skip(text: str, at: int) -> int:
    """Return the next place at which there is no space."""
    if text[at : at + 1] > " ":
        return at
    if text[at + 1 : at + 2] > " ":
        return at + 1 if text[at] in " \n\t\r" else at
    found = _SPACE.match(text, at)
    return found.end() if found else at


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
    if not _has_as_many_keys(text, keys):
        for path in _all_duplicates(text):
            raise twice(file, path)


def duplicates(text: str, value: Any) -> list[tuple[str | int, ...]]:
    """Return the path of every key that occurs twice in one object of a text; `value` is what was decoded of it."""
    return [] if _has_as_many_keys(text, count_keys(value)) else _all_duplicates(text)


def count_keys(value: Any) -> int:
    """Return how many keys the objects of a decoded value have together."""
    keys = 0
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            keys += len(each)
            each = each.values()
        left += [item for item in each if isinstance(item, (dict, list))]
    return keys


def _has_as_many_keys(text: str, keys: int) -> bool:
    return text.count('":') == keys and not _SPACED_COLON.search(text)


def _all_duplicates(text: str) -> list[tuple[str | int, ...]]:
    try:
        return list(dict.fromkeys(_paths(json.loads(text, object_pairs_hook=_lost))))
    except RecursionError:
        return []  # no format reads what is nested so deep


def twice(file: str, path: tuple[str | int, ...]) -> InputError:
    """Return the error for a key that stands twice."""
    problem = f"the key {json.dumps(path[-1])} occurs twice in one object; it is undefined which of the two counts"
    return InputError(file, problem, where=join(*path), advice="remove one of the two")


class _Lost(Record):
    """What is kept of an object that lost keys, or whose members did: their paths."""

    paths: tuple[tuple[str | int, ...], ...]


def _lost(pairs: list[tuple[str, Any]]) -> _Lost | None:
    """Return the losses of an object, None where there are none; its values are not kept."""
    paths: list[tuple[str | int, ...]] = []
    seen = set()
    for key, value in pairs:
        if key in seen:
            paths.append((key,))
        seen.add(key)
        paths += [(key, *path) for path in _paths(value)]
    return _Lost(paths=tuple(paths)) if paths else None


def _paths(value: Any) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, _Lost):
        yield from value.paths
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, (_Lost, list)):
                yield from ((index, *path) for path in _paths(item))


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
            file, "the JSON text ends too early", where=where, advice="the file is truncated; write it again"
        )
    if text[error.pos - error.colno + 1 :].startswith(_CONFLICT):
        problem = "is not valid JSON: here begins a merge conflict"
        return InputError(file, problem, where=where, advice="resolve the conflict")
    return InputError(
        file, f"is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}", where=where, advice="write the file again"
    )
