"""A strict decoder of JSON: no duplicate keys, no unbounded numbers, errors with line and column.

NaN and infinities are accepted, as Python's `json` writes them, and real specs contain them.
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
# Not `raw_decode`, which only converts StopIteration: this runs for each member of a spec.
_scan_value = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_CONFLICT = "<<<<<<< "
"""The beginning of the line with which git marks a merge conflict."""
_TOO_MANY = 1 << 62
"""A number of keys that no text has, for a text whose keys cannot be counted."""
_NO_MEMBER: tuple[str, Any, int] = ("", None, 0)
"""The entry of a memo for a member that it does not have."""
_SECTIONS = frozenset({"ops", "earlier", "op_versions"})
"""The members of a spec file whose own members are decoded one by one."""


def loads(text: str, file: str, memo: Memo | None = None) -> Any:
    """Decode a JSON text; of a key that occurs twice the last one counts, see `check_unique_keys`.

    Args:
        text: the text.
        file: its name in messages.
        memo: decoded parts of another text; the parts of this text are added.

    Raises:
        InputError: the text is no JSON, is nested too deep, or contains a number with thousands of digits.
    """
    if memo is not None:
        known_text, known_value = memo.whole
        if text == known_text:
            return known_value
        try:
            value = _decode_with_memo(text, memo)
        except (ValueError, IndexError, StopIteration, RecursionError):
            memo.members.clear()  # the decoder below raises the error with its place
        else:
            memo.whole = text, value
            return value
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
            where=_position_of_long_integer(text),
            advice="write the file again with `extract`",
        ) from None


def _decode_with_memo(text: str, memo: Memo) -> Any:
    """Return the value of a text; if it is an object, its members are decoded one by one, or found in the memo.

    Raises:
        ValueError, IndexError, StopIteration, RecursionError: the text is no JSON, or nested too deep.
    """
    begin = _skip_space(text, 0)
    if text[begin] == "{":
        value, at, keys = _decode_object(text, begin, (), memo)
        memo.written_keys = text, keys
    else:
        value, at = _scan_value(text, begin)
    if _skip_space(text, at) != len(text):
        raise ValueError
    return value


def _decode_object(text: str, at: int, path: tuple[str, ...], memo: Memo) -> tuple[dict[str, Any], int, int]:
    """Return the object that begins at an offset, the offset of its end, and the number of keys in its text.

    `memo` has the text and the value of each member by its path: a member with the same text as in the document before
    is not decoded again.
    """
    members: dict[str, Any] = {}
    known_members = memo.members
    keys = 0
    at = _skip_space(text, at + 1)
    while text[at] == '"':
        key, at = scanstring(text, at + 1, True)
        keys += 1
        # The form that `json.dumps` writes is tried first; the general form follows.
        if text[at : at + 2] == ": ":
            at += 2
        else:
            at = _skip_space(text, at)
            if text[at] != ":":
                raise ValueError
            at = _skip_space(text, at + 1)
        here = (*path, key)
        known_text, known_value, known_keys = known_members.get(here, _NO_MEMBER)
        if known_text and text.startswith(known_text, at):
            members[key] = known_value
            at += len(known_text)
            keys += known_keys
        elif key in _SECTIONS and not path and text[at] == "{":
            members[key], at, inner_keys = _decode_object(text, at, here, memo)
            keys += inner_keys
        else:
            start = at
            value, at = _scan_value(text, at)
            members[key] = value
            # Containers only: their text has an end of its own, while a known 1 would match the beginning of 12.
            if text[start] in "{[":
                value_keys = _count_written_keys(text, start, at)
                known_members[here] = text[start:at], value, value_keys
                keys += value_keys
        if text[at : at + 3] == ', "':
            at += 2
            continue
        at = _skip_space(text, at)
        if text[at] == "}":
            return members, at + 1, keys
        if text[at] != ",":
            raise ValueError
        at = _skip_space(text, at + 1)
    # Here is either the end of an empty object, or a comma without a member behind it.
    if members or text[at] != "}":
        raise ValueError
    return members, at + 1, keys


def _skip_space(text: str, at: int) -> int:
    """Return the next offset without white space."""
    # One or no space is by far the most frequent, and a regular expression is slower than two comparisons.
    if text[at : at + 1] > " ":
        return at
    if text[at + 1 : at + 2] > " ":
        return at + 1 if text[at] in " \n\t\r" else at
    match = _SPACE.match(text, at)
    return match.end() if match else at


def check_unique_keys(text: str, file: str, keys: int) -> None:
    """Raise an error if an object of a decoded text has a key twice.

    A check of each pair while decoding takes as long as decoding. Instead, the `":` after keys are counted: if there
    are as many as the decoded objects have keys, and no space is before a colon, no key was lost. Any other text, such
    as one with `":` in a string, is decoded again, slowly.

    Args:
        text: the text.
        file: its name in messages.
        keys: the number of keys of all decoded objects.

    Raises:
        InputError: a key occurs twice.
    """
    if not _has_as_many_keys(text, keys):
        for path in _all_duplicates(text):
            raise duplicate_key_error(file, path)


def find_duplicates(text: str, value: Any) -> list[tuple[str | int, ...]]:
    """Return the path of every key that occurs twice in one object of a text; `value` is its decoded value."""
    return [] if _has_as_many_keys(text, count_keys(value)) else _all_duplicates(text)


def count_keys(value: Any) -> int:
    """Return the number of keys of all objects in a decoded value."""
    keys = 0
    stack = [value]
    while stack:
        container = stack.pop()
        if isinstance(container, dict):
            keys += len(container)
            container = container.values()
        stack += [item for item in container if isinstance(item, (dict, list))]
    return keys


def _has_as_many_keys(text: str, keys: int) -> bool:
    return _count_written_keys(text, 0, len(text)) == keys


def _count_written_keys(text: str, start: int, end: int) -> int:
    """Return the number of keys in a part of a text, at least; if a space precedes a colon, more than there can be."""
    return _TOO_MANY if _SPACED_COLON.search(text, start, end) else text.count('":', start, end)


def _all_duplicates(text: str) -> list[tuple[str | int, ...]]:
    try:
        return list(dict.fromkeys(_duplicate_paths(json.loads(text, object_pairs_hook=_collect_duplicates))))
    except RecursionError:
        return []  # no format reads what is nested so deep


def duplicate_key_error(file: str, path: tuple[str | int, ...]) -> InputError:
    """Return the error for a key that occurs twice."""
    problem = f"the key {json.dumps(path[-1])} occurs twice in one object; it is undefined which of the two counts"
    return InputError(file, problem, where=join(*path), advice="remove one of the two")


class _DuplicatePaths(Record):
    """The paths of duplicate keys in an object, in place of the object itself."""

    paths: tuple[tuple[str | int, ...], ...]


def _collect_duplicates(pairs: list[tuple[str, Any]]) -> _DuplicatePaths | None:
    """Return the duplicate keys of an object, given its members; None if there are none. Its values are not kept."""
    paths: list[tuple[str | int, ...]] = []
    seen = set()
    for key, value in pairs:
        if key in seen:
            paths.append((key,))
        seen.add(key)
        paths += [(key, *path) for path in _duplicate_paths(value)]
    return _DuplicatePaths(paths=tuple(paths)) if paths else None


def _duplicate_paths(value: Any) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of duplicate keys in a value."""
    if isinstance(value, _DuplicatePaths):
        yield from value.paths
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, (_DuplicatePaths, list)):
                yield from ((index, *path) for path in _duplicate_paths(item))


def _position_of_long_integer(text: str) -> str:
    """Return the line and column of the first integer that Python refuses to convert (4,300 digits)."""
    match = re.search("[0-9]{4300,}", text)
    if match is None:
        return ""
    line = text.count("\n", 0, match.start()) + 1
    return f"line {line}, column {match.start() - text.rfind(chr(10), 0, match.start())}"


def _syntax_error(text: str, file: str, error: json.JSONDecodeError) -> InputError:
    """Return the error for a text that is no JSON, with the place and what to do."""
    where = f"line {error.lineno}, column {error.colno}"
    # The decoder would name the token that it expected, which is not the cause if the text just ends.
    if not text[error.pos :].strip():
        return InputError(
            file, "the JSON text ends too early", where=where, advice="the file is truncated; write it again"
        )
    if text[error.pos - error.colno + 1 :].startswith(_CONFLICT):
        problem = "is not valid JSON: here begins a merge conflict"
        return InputError(file, problem, where=where, advice="resolve the conflict")
    return InputError(
        # The decoder's messages that end with "at" go on with the place, which `where` has.
        file,
        f"is not valid JSON: {error.msg[:1].lower()}{error.msg[1:].removesuffix(' starting at').removesuffix(' at')}",
        where=where,
        advice="correct it there, or write the file again",
    )
