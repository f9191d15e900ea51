"""JSON, strictly: no duplicate keys, no unbounded numbers, errors that name line and column.

NaN and infinities are read, as Python's own `json` writes them: real specs hold them.
"""

from __future__ import annotations

import json
import re

from opspec_lint.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
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
            file, "holds an integer of thousands of digits, which no attr can hold", advice="the file was tampered with"
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
        json.loads(text, object_pairs_hook=lambda pairs: _unique(pairs, text, file))


def _unique(pairs: list[tuple[str, Any]], text: str, file: str) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        written = json.dumps(twice, ensure_ascii=text.isascii())
        raise InputError(
            file,
            f"the key {written} stands twice in one object; which of them counts is anybody's guess",
            where=_lines_of(text, written),
            advice="remove one of the two",
        )
    return result


def _lines_of(text: str, word: str) -> str:
    lines = [str(number) for number, line in enumerate(text.splitlines(), 1) if word in line]
    return f"line {lines[0]}" if len(lines) == 1 else f"one of lines {', '.join(lines[:8])}" if lines else ""


def _syntax_error(text: str, file: str, error: json.JSONDecodeError) -> InputError:
    where = f"line {error.lineno}, column {error.colno}"
    if not text[error.pos :].strip():
        return InputError(
            file, "the JSON text ends too early", where=where, advice="the file is truncated; write it anew"
        )
    return InputError(
        file, f"is not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}", where=where, advice="write the file anew"
    )
