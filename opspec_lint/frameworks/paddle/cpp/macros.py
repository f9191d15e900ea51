"""Expands the macros that declare ops: REGISTER_REDUCE_OP and its like, and those that hand one of them on.

Only the macros of the tree that lead to a registration or to a maker class are expanded, and what REGISTER_OPERATOR
and its like stand for is not.
"""

from __future__ import annotations

import re

from opspec_lint.frameworks.paddle.cpp.limits import MAX_DEPTH, MAX_EXPANSION, MAX_STEPS
from opspec_lint.frameworks.paddle.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opspec_lint.frameworks.paddle.cpp.preprocessed import Macro

REGISTERING = frozenset(
    {
        "REGISTER_OPERATOR",
        "REGISTER_OP_WITHOUT_GRADIENT",
        "REGISTER_OP_WITH_KERNEL",
        "REGISTER_OP_VERSION",
        "REGISTER_OP",
        "REGISTER_OP_EX",
    }
)
"""The macros that register; what they expand to is not looked at."""

_REGISTERS = re.compile(rf"\b(?:{'|'.join(sorted(REGISTERING))})\b")
_DEFINITION = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(?)((?:[^\\\n]|\\[\s\S])*)", re.MULTILINE)
_MAKER_CLASS = re.compile(r"\b(?:class|struct)\b[^;{}]*(?:Maker|OpProtoAndCheckerMaker)\b")
_PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|[A-Za-z_]\w*|\d[\w.]*|\s+|##|.', re.DOTALL)
_IS_NAME = re.compile(r"[A-Za-z_]\w*")


def definitions(raw: str) -> dict[str, str]:
    """Return the body of each macro with parameters that a text defines, those alone that may lead to a declaration."""
    return {
        name: body
        for name, parenthesis, body in _DEFINITION.findall(raw)
        if parenthesis and not name.startswith("USE_")
    }


def declaring(bodies: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the names of the macros that lead to a registration or to a maker class, by whichever way.

    Args:
        bodies: the name and the body of every macro of the tree.
    """
    bodies = list(bodies)
    names = set(REGISTERING)
    names |= {name for name, body in bodies if _declares(body)}
    words = [(name, set(_IS_NAME.findall(body))) for name, body in bodies if name not in names]
    while True:
        more = {name for name, inside in words if name not in names and not names.isdisjoint(inside)}
        if not more:
            return frozenset(names)
        names |= more


def _declares(body: str) -> bool:
    return bool(_MAKER_CLASS.search(body)) or bool(_REGISTERS.search(body))


class Expander:
    """Expands invocations.

    Args:
        find: returns the macro of a name, None where there is none.
        stop: the names that are left as they are.
    """

    def __init__(self, find: Callable[[str], Macro | None], stop: frozenset[str] = REGISTERING) -> None:
        self._find = find
        self._stop = stop
        self._steps = 0
        self._size = 0

    def expand(self, text: str) -> str:
        """Return a text with its macros expanded.

        Raises:
            UnresolvedError: they grow without end.
        """
        return self._expand(text, frozenset(), 0)

    def _expand(self, text: str, busy: frozenset[str], depth: int) -> str:
        if depth > MAX_DEPTH:
            raise UnresolvedError(f"macros are nested more than {MAX_DEPTH} deep")
        pieces = _PIECE.findall(text)
        out: list[str] = []
        index = 0
        while index < len(pieces):
            piece = pieces[index]
            index += 1
            macro = None
            if piece not in busy and piece not in self._stop and _IS_NAME.fullmatch(piece):
                macro = self._find(piece)
            if macro is None:
                out.append(piece)
                continue
            if macro.parameters is None:
                out.append(self._grown(self._expand(macro.body, busy | {piece}, depth + 1)))
                continue
            found = _arguments(pieces, index)
            if found is None:
                out.append(piece)
                continue
            arguments, index = found
            body = self._substituted(macro, arguments, busy, depth)
            out.append(self._grown(self._expand(body, busy | {piece}, depth + 1)))
        return "".join(out)

    def _grown(self, text: str) -> str:
        self._steps += 1
        self._size += len(text)
        if self._steps > MAX_STEPS or self._size > MAX_EXPANSION:
            raise UnresolvedError(f"macros expand to more than {MAX_EXPANSION} characters")
        return text

    def _substituted(self, macro: Macro, arguments: list[str], busy: frozenset[str], depth: int) -> str:
        names = list(macro.parameters or ())
        variadic = bool(names) and names[-1].endswith("...")
        values = dict(zip(names, arguments, strict=False))
        if variadic:
            rest = names.pop()
            values["__VA_ARGS__"] = ", ".join(arguments[len(names) :])
            if rest != "...":
                values[rest[:-3].strip()] = values["__VA_ARGS__"]
        for name in names:
            values.setdefault(name, "")
        out: list[str] = []
        pieces = _PIECE.findall(macro.body)
        index = 0
        while index < len(pieces):
            piece = pieces[index]
            if piece == "#" and _following(pieces, index) in values:
                index = _index_after_space(pieces, index + 1)
                out.append(_quoted(values[pieces[index]]))
            elif piece == "##":
                while out and out[-1].isspace():
                    out.pop()
                index = _index_after_space(pieces, index + 1)
                right = pieces[index] if index < len(pieces) else ""
                value = values.get(right, right).strip()
                if right == "__VA_ARGS__" and not value and out and out[-1].strip() == ",":
                    out.pop()
                out.append(value)
            elif piece in values:
                value = values[piece]
                pasted = _following(pieces, index) == "##"
                out.append(value.strip() if pasted else self._expand(value, busy, depth + 1))
            else:
                out.append(piece)
            index += 1
        return self._grown("".join(out))


def _arguments(pieces: list[str], index: int) -> tuple[list[str], int] | None:
    """Return the arguments of an invocation, and the index behind it; None where no parenthesis follows."""
    index = _index_after_space(pieces, index)
    if index >= len(pieces) or pieces[index] != "(":
        return None
    depth = 0
    arguments: list[list[str]] = [[]]
    while index < len(pieces):
        piece = pieces[index]
        index += 1
        if piece in ("(", "[", "{"):
            depth += 1
            if depth == 1:
                continue
        elif piece in (")", "]", "}"):
            depth -= 1
            if not depth:
                return ["".join(parts).strip() for parts in arguments], index
        elif piece == "," and depth == 1:
            arguments.append([])
            continue
        arguments[-1].append(piece)
    return None


def _index_after_space(pieces: list[str], index: int) -> int:
    while index < len(pieces) and pieces[index].isspace():
        index += 1
    return index


def _following(pieces: list[str], index: int) -> str:
    index = _index_after_space(pieces, index + 1)
    return pieces[index] if index < len(pieces) else ""


def _quoted(text: str) -> str:
    escaped = text.strip().replace("\\", "\\\\").replace('"', '\\"')
    return '"' + " ".join(escaped.split()) + '"'
