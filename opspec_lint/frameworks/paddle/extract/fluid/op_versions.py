"""The op versions that C++ registers by REGISTER_OP_VERSION."""

from __future__ import annotations

import re

from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.tokens import NAME, split_arguments, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.cpp.values import std_string
from opspec_lint.frameworks.paddle.extract.attr_types import to_plain_value
from opspec_lint.frameworks.paddle.extract.declarations import make_history
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from opspec_lint.cpp.expressions import NameResolver
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.paddle.extract.declarations import History
    from opspec_lint.spec.model import Action, Kind
    from opspec_lint.spec.records import UpdateRecord

_REGISTER = pattern(r"REGISTER_OP_VERSION\s*\(\s*(\w+)\s*\)")
_VERBS: dict[str, Action] = {"New": "new", "Modify": "modify", "Delete": "delete"}
_METHODS: dict[str, tuple[Action, Kind | None]] = {
    f"{verb}{kind.capitalize()}": (action, kind) for verb, action in _VERBS.items() for kind in SECTIONS
}
_METHODS["BugfixWithBehaviorChanged"] = ("bugfix", None)


def registered_histories(
    code: Code, names_at: Callable[[Code, int], NameResolver]
) -> Iterator[tuple[str, History | UnresolvedError]]:
    """Yield each op whose versions a C++ file registers, with its history or the error that prevents it."""
    for match in _REGISTER.finditer(code.bare):
        place = code.place(match.start())
        names = names_at(code, match.start())
        try:
            tokens = tokenize(code.text, match.end(), _statement_end(code, match.end()))
            checkpoints = attempt(lambda: _checkpoints(tokens, code, names))  # noqa: B023 - called here
            yield match[1], make_history(checkpoints, code.path)
        except UnresolvedError as error:
            yield match[1], error.at(code.path, place[0])


def _statement_end(code: Code, start: int) -> int:
    """Return the offset of the `;` that ends a statement, outside of strings and parentheses."""
    depth = 0
    for match in re.compile(r"[();]").finditer(code.bare, start):
        sign = match[0]
        # The depth is negative in a statement with one parenthesis too many, which is then reported by its text.
        if sign == ";" and depth <= 0:
            return match.start()
        depth += (sign == "(") - (sign == ")")
    return len(code.bare)


def _checkpoints(
    tokens: Tokens, code: Code, names: NameResolver
) -> list[tuple[str, list[tuple[UpdateRecord, int]], int]]:
    """Parse `.AddCheckpoint(note, description)...` into (note, updates, line) for each checkpoint."""
    checkpoints: list[tuple[str, list[tuple[UpdateRecord, int]], int]] = []
    at = 0
    while at < len(tokens):
        if tokens[at][1] != "." or at + 2 >= len(tokens) or tokens[at + 1][1] != "AddCheckpoint":
            raise UnresolvedError(f"{text_of(tokens, at, len(tokens))} is not evaluated")
        # The tokens are `. AddCheckpoint ( note , description )`.
        closed = tokens.closing(at + 2)
        ranges = split_arguments(tokens, at + 3, closed)
        if len(ranges) != 2:
            raise UnresolvedError("a checkpoint needs a note and a description")
        note = evaluate(tokens, *ranges[0], names)
        line = code.place(tokens[at + 1][2])[0]
        checkpoints.append((_string(note), _updates(tokens, *ranges[1], code, names), line))
        at = closed + 1
    return checkpoints


def _updates(tokens: Tokens, start: int, end: int, code: Code, names: NameResolver) -> list[tuple[UpdateRecord, int]]:
    """Parse `OpVersionDesc().NewAttr(...)...` into updates, each with its line."""
    at = start
    while at < end and tokens[at][1] != "OpVersionDesc":
        at += 1
    if at + 1 >= end:
        raise UnresolvedError(f"{text_of(tokens, start, end)} is not evaluated")
    at = tokens.closing(at + 1) + 1
    updates: list[tuple[UpdateRecord, int]] = []
    while at < end:
        # The tokens are `. method ( arguments )`, perhaps with `< type >` behind the method.
        method = tokens[at + 1][1] if at + 2 < end and tokens[at + 1][0] == NAME else ""
        at += 2
        if at < end and tokens[at][1] == "<":
            at = tokens.closing_angle(at) + 1
        if method not in _METHODS or at >= end or tokens[at][1] != "(":
            raise UnresolvedError(f"the update {method or text_of(tokens, at, end)} is not known")
        closed = tokens.closing(at)
        values = [evaluate(tokens, *span, names) for span in split_arguments(tokens, at + 1, closed)]
        updates.append((_update(*_METHODS[method], values), code.place(tokens[at][2])[0]))
        at = closed + 1
    return updates


def _update(action: Action, kind: Kind | None, values: list[Any]) -> UpdateRecord:
    """Return the record of one update from the arguments of its method."""
    if kind is None:
        return {"action": action, "remark": _string(values[0] if values else "")}
    if len(values) < 2:
        raise UnresolvedError("an update needs a name and a remark")
    default = to_plain_value(values[2]) if len(values) > 2 else None
    name, remark = _string(values[0]), _string(values[1])
    return {"action": action, "kind": kind, "name": name, "remark": remark, "default_value": default}


def _string(value: Any) -> str:
    """Return a C++ string as a plain one; raise UnresolvedError for another value."""
    if not isinstance(value, str):
        raise UnresolvedError(f"{value!r} is not a string")
    return std_string(value)
