"""Up to which version of an op each delegate takes it: the checks that it makes before it takes a node."""

from __future__ import annotations

import re
from functools import cache

from opspec_lint.cpp.comments import without_comments
from opspec_lint.frameworks.tflite.extract.functions import function, line_of, numbered
from opspec_lint.frameworks.tflite.extract.layout import spelt
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from opspec_lint.frameworks.tflite.extract.layout import Delegate

    Limits: TypeAlias = dict[str, tuple[int | None, int]]
    """By op, the greatest version that the delegate takes, None for any, and the line of the check or the case.

    An op is spelt in capitals without underscores, as the runtime's enum has other ones than the schema's.
    """


_CASE = pattern(r"\b(?:case\s+kTfLiteBuiltin(\w+)|(default))\s*:")
_CALL = pattern(r"OpVersion\(\s*\w+\s*,\s*(\w+)")
"""`ExpectMaxOpVersion`, `ExpectOpVersion`, `CheckMaxSupportedOpVersion`."""
_ACCEPTS = ("return", "Expect(")
"""How statements begin that take a node for its version."""
_TAKES = pattern(r"version\s*(?:<=|==)\s*(\d+)")
_REFUSES = pattern(r"version\s*>\s*(\d+)\s*\)\s*\{?\s*return\s+false")
_OTHERS = pattern(r"\bif\s*\(\s*[\w>.-]*\bversion\s*>\s*(\d+)\s*\)\s*\{\s*switch\b")
_PARSER = pattern(r"\bmake_unique<(\w+)>")


def read(text: str, delegate: Delegate) -> Limits:
    """Return the limits of a delegate."""
    limits: Limits = {}
    for name in delegate.functions:
        found = function(text, name)
        if found is not None:
            _read_function(text, *found, limits)
    return limits


def _read_function(text: str, at: int, body: str, limits: Limits) -> None:
    first = line_of(text, at) - 1
    others = _OTHERS.search(body)
    rest = int(others[1]) if others else None
    labels = list(numbered(body, _CASE.finditer(body)))
    if not labels:
        return
    parsers = cache(lambda name: _of_parser(name, text))
    own: Limits = {}
    waiting: list[tuple[str, int]] = []
    for (line, label), (_, following) in zip(labels, [*labels[1:], (0, None)], strict=True):
        waiting.append((spelt(label[1] or ""), line + first))
        code = body[label.end() : following.start() if following else len(body)]
        if code.strip():
            limit = _limit(code, parsers)
            for op, place in waiting:
                _add(own, op, limit, place)
            waiting = []
    default = own.pop("", (None, 0))[0]
    for op in limits.keys() - own.keys():  # what an earlier function names, and this one checks
        if default is not None and limits[op][0] is None:
            limits[op] = default, limits[op][1]
    for op, (limit, line) in own.items():
        if op in limits or not _is_check(own):
            _add(limits, op, rest if limit is None else limit, line)


def _is_check(own: Limits) -> bool:
    """Tell whether a function only checks versions, and takes no op by itself: every case of it has a limit."""
    return bool(own) and all(limit is not None for limit, _ in own.values())


def _add(limits: Limits, op: str, limit: int | None, line: int) -> None:
    known = limits.get(op)
    if known is None or known[0] is None:
        limits[op] = limit, line if limit is not None or known is None else known[1]
    elif limit is not None:
        limits[op] = max(known[0], limit), known[1]


def _limit(code: str, parsers: Callable[[str], list[str]]) -> int | None:
    """Return the greatest version that the code of a case takes, None where it checks none."""
    said = _REFUSES.findall(code)
    for statement in code.split(";"):
        if statement.lstrip("{} \n").startswith(_ACCEPTS):
            said += _TAKES.findall(statement)
    for name in _PARSER.findall(code):
        said += parsers(name)
    said += (each for word in _CALL.findall(code) for each in _numbers(word, code))
    return max(map(int, said), default=None)


def _of_parser(name: str, text: str) -> list[str]:
    """Return the versions that the class of a parser compares with."""
    at = text.find(f"class {name} ")
    if at < 0:
        return []
    body = text[at : text.find("\n};", at)]
    if _CALL.search(body) is None:
        return []
    body = without_comments(body)
    return [each for word in _CALL.findall(body) for each in _numbers(word, body)]


def _numbers(word: str, code: str) -> list[str]:
    """Return the number that a word is, or those that the constant of that name may be."""
    if word.isdecimal():
        return [word]
    found = re.search(rf"\b{word}\s*=([^;]*);", code)
    return re.findall(r"(?<![\w.])(\d+)(?=\s*(?::|$))", found[1]) if found else []
