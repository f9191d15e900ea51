"""The op versions that a tree registers: REGISTER_OP_VERSION in C++, and op_version.yaml."""

from __future__ import annotations

import re

from opspec_lint.paddle_tree.cpptokens import NAME, split_arguments, tokens
from opspec_lint.paddle_tree.expressions import evaluate, text_of
from opspec_lint.paddle_tree.faults import UnresolvedError
from opspec_lint.paddle_tree.values import Null
from opspec_lint.paddle_tree.yamlentries import Entry, resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from opspec_lint.paddle_tree.cppcode import Code
    from opspec_lint.paddle_tree.cpptokens import Tokens
    from opspec_lint.paddle_tree.expressions import Names

    Update: TypeAlias = tuple[str, "str | None", "str | None", str, Any, int]
    """The action, the kind and the name of what it is about, the remark, the default, and the line."""

    Checkpoint: TypeAlias = tuple[str, "list[Update]", int]
    """The note, the updates, and the line."""

_REGISTER = re.compile(r"REGISTER_OP_VERSION\s*\(\s*(\w+)\s*\)")
_METHODS: dict[str, tuple[str, str | None]] = {
    f"{verb}{kind}": (action, kind.lower())
    for verb, action in (("New", "new"), ("Modify", "modify"), ("Delete", "delete"))
    for kind in ("Attr", "Input", "Output")
}
_METHODS["BugfixWithBehaviorChanged"] = ("bugfix", None)
_KEYS: dict[str, tuple[str, str | None]] = {
    f"{verb}_{kind}": (action, kind)
    for verb, action in (("add", "new"), ("modify", "modify"), ("delete", "delete"))
    for kind in ("attr", "input", "output")
}
_KEYS["fix_bug"] = ("bugfix", None)


class History:
    """The checkpoints of an op, and where they are registered."""

    __slots__ = ("checkpoints", "column", "file", "line", "op")

    def __init__(self, op: str, checkpoints: list[Checkpoint], file: str, line: int, column: int) -> None:
        self.op = op
        self.checkpoints = checkpoints
        self.file = file
        self.line = line
        self.column = column


def registered(code: Code, names: Names) -> Iterator[History | tuple[str, UnresolvedError]]:
    """Yield the histories that a C++ file registers; an op with the error for one that cannot be evaluated."""
    for match in _REGISTER.finditer(code.bare):
        place = code.place(match.start())
        try:
            words = tokens(code.text, match.end(), _end(code, match.end()))
            yield History(match[1], _checkpoints(words, code, names), code.path, *place)
        except UnresolvedError as error:
            yield match[1], error.at(code.path, place[0])


def _end(code: Code, start: int) -> int:
    """Return the offset of the `;` that ends a statement, outside of strings and parentheses."""
    depth = 0
    for match in re.compile(r"[();]").finditer(code.bare, start):
        sign = match[0]
        if sign == ";" and depth <= 0:
            return match.start()
        depth += (sign == "(") - (sign == ")")
    return len(code.bare)


def _checkpoints(words: Tokens, code: Code, names: Names) -> list[Checkpoint]:
    found: list[Checkpoint] = []
    at = 0
    while at < len(words):
        if words[at][1] != "." or at + 2 >= len(words) or words[at + 1][1] != "AddCheckpoint":
            raise UnresolvedError(f"{text_of(words, at, len(words))} is not followed")
        closed = words.closing(at + 2)
        ranges = split_arguments(words, at + 3, closed)
        if len(ranges) != 2:
            raise UnresolvedError("a checkpoint has a note and a description")
        note = evaluate(words, *ranges[0], names)
        line = code.place(words[at + 1][2])[0]
        found.append((_string(note), _updates(words, *ranges[1], code, names), line))
        at = closed + 1
    return found


def _updates(words: Tokens, start: int, end: int, code: Code, names: Names) -> list[Update]:
    at = start
    while at < end and words[at][1] != "OpVersionDesc":
        at += 1
    if at + 1 >= end:
        raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
    at = words.closing(at + 1) + 1
    found: list[Update] = []
    while at < end:
        method = words[at + 1][1] if at + 2 < end and words[at + 1][0] == NAME else ""
        at += 2
        if at < end and words[at][1] == "<":
            at = words.closing_angle(at) + 1
        if method not in _METHODS or at >= end or words[at][1] != "(":
            raise UnresolvedError(f"the update {method or text_of(words, at, end)} is not known")
        closed = words.closing(at)
        values = [evaluate(words, *each, names) for each in split_arguments(words, at + 1, closed)]
        found.append(_update(*_METHODS[method], values, code.place(words[at][2])[0]))
        at = closed + 1
    return found


def _update(action: str, kind: str | None, values: list[Any], line: int) -> Update:
    if kind is None:
        return action, None, None, _string(values[0] if values else ""), None, line
    if len(values) < 2:
        raise UnresolvedError("an update has a name and a remark")
    default = _plain(values[2]) if len(values) > 2 else None
    return action, kind, _string(values[0]), _string(values[1]), default, line


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Null):
        return None
    return float(value) if isinstance(value, float) else value


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise UnresolvedError(f"{value!r} is no string")
    return value


class _None:
    """The names in the defaults of op_version.yaml."""

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        if name == "none":
            return Null()
        raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no value that could be found")

    def type_text(self, text: str) -> str:
        return text

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:  # noqa: ARG002
        raise UnresolvedError(f"the function {name} is not known")


def history_of(entry: Entry, op: str, file: str, place: tuple[int, int]) -> History:
    """Return the history that an entry of op_version.yaml makes for an op.

    Raises:
        UnresolvedError: it is not of the form that the generator reads.
    """
    checkpoints: list[Checkpoint] = []
    for point in entry.get("version") or ():
        if not isinstance(point, Entry) or not isinstance(point.get("action"), list):
            raise UnresolvedError("a checkpoint without its action", file, entry.line)
        updates: list[Update] = []
        for action in point["action"]:
            if not isinstance(action, Entry):
                raise UnresolvedError("an action that is no mapping", file, point.line)
            for key, (verb, kind) in _KEYS.items():
                if key in action:
                    updates.append(_action(action, key, verb, kind, file))
        checkpoints.append((str(point.get("checkpoint", "")), updates, point.line))
    return History(op, checkpoints, file, *place)


def _action(action: Entry, key: str, verb: str, kind: str | None, file: str) -> Update:
    remark = str(action.get("comment", ""))
    if kind is None:
        return verb, None, None, remark, None, action.line
    if kind != "attr" or verb == "delete" or "default" not in action:
        return verb, kind, str(action[key]), remark, None, action.line
    text = str(resolved(action["default"]))
    words = tokens(text, 0, len(text))
    try:
        default = _plain(evaluate(words, 0, len(words), _None()))
    except UnresolvedError as error:
        raise error.at(file, action.line) from None
    return verb, kind, str(action[key]), remark, default, action.line
