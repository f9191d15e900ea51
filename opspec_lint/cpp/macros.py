"""Expansion of the macros in a text, as in the preprocessor."""

from __future__ import annotations

from opspec_lint.cpp.limits import MAX_DEPTH, MAX_EXPANSION, MAX_SCANNED, MAX_STEPS
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.cpp.preprocessed import Macro

_PIECE = pattern(
    r'(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|(?<!\\)"(?:[^"\\\n]|\\.)*"|(?<!\\)\'(?:[^\'\\\n]|\\.)+\'|[A-Za-z_]\w*'
    r"|\.?\d(?:[eEpP][-+]|[\w.]|'(?=\w))*|\s+|##|.",
    "s",
)
_IS_NAME = pattern(r"[A-Za-z_]\w*")


def _pieces(text: str) -> list[str]:
    return [match[0] for match in _PIECE.finditer(text)]


class Piece:
    """A piece of text: the macros that made it, which are not expanded in it again, and its offset in the source."""

    __slots__ = ("busy", "offset", "text")

    def __init__(self, text: str, offset: int, busy: frozenset[str] = frozenset()) -> None:
        self.text = text
        self.offset = offset
        self.busy = busy


class Expander:
    """An expander of macros: arguments first, then the result is scanned again, together with the following text.

    Args:
        find: returns the macro of a name, or None.
    """

    def __init__(self, find: Callable[[str], Macro | None]) -> None:
        self._find = find
        self._steps = 0
        self._size = 0
        self._scanned = 0
        self._glued = 0

    def _arguments(self, waiting: list[Piece]) -> tuple[list[list[Piece]], int] | None:
        invocation = _arguments(waiting)
        self._scanned += len(waiting) if invocation is None else invocation[1]
        if self._scanned > MAX_SCANNED:
            raise UnresolvedError(f"more than {MAX_SCANNED} pieces are looked through for the arguments of macros")
        return invocation

    def expand(self, text: str) -> str:
        """Return a text with its macros expanded.

        Raises:
            UnresolvedError: the macros grow without end.
        """
        return "".join([piece.text for piece in self.pieces(text, 0)])

    def pieces(self, text: str, offset: int) -> list[Piece]:
        """Return the pieces of a text with its macros expanded; the pieces of an expansion have the offset of its name.

        Raises:
            UnresolvedError: the macros grow without end.
        """
        pieces = [Piece(match[0], offset + match.start()) for match in _PIECE.finditer(text)]
        return self._expand(pieces, 0)

    def _expand(self, pieces: list[Piece], depth: int) -> list[Piece]:
        if depth > MAX_DEPTH:
            raise UnresolvedError(f"macros are nested more than {MAX_DEPTH} deep")
        out: list[Piece] = []
        waiting = pieces[::-1]  # reversed, so that an expansion is pushed back where `pop` takes the next piece
        while waiting:
            piece = waiting.pop()
            macro = self._macro(piece)
            if macro is None:
                out.append(piece)
                continue
            busy = piece.busy | {piece.text}
            if macro.parameters is None:
                body = [Piece(text, piece.offset, busy) for text in _pieces(_paste_all(macro.body))]
            else:
                invocation = self._arguments(waiting)
                if invocation is None:
                    out.append(piece)
                    continue
                arguments, behind = invocation
                del waiting[len(waiting) - behind :]
                body = self._substitute(macro, arguments, piece, busy, depth)
            self._count_growth(body)
            waiting += body[::-1]
        return out

    def _macro(self, piece: Piece) -> Macro | None:
        text = piece.text
        if not (text[0].isalpha() or text[0] == "_") or text in piece.busy:
            return None
        return self._find(text) if _IS_NAME.fullmatch(text) else None

    def _count_growth(self, body: list[Piece]) -> None:
        self._steps += 1
        self._size += sum(len(piece.text) for piece in body)
        if self._steps > MAX_STEPS or self._size > MAX_EXPANSION:
            raise UnresolvedError(f"macros expand to more than {MAX_EXPANSION} characters")

    def _substitute(
        self, macro: Macro, arguments: list[list[Piece]], name: Piece, busy: frozenset[str], depth: int
    ) -> list[Piece]:
        names = [parameter.strip() for parameter in macro.parameters or ()]
        values = _bind(names, arguments, name.text)
        plain: dict[str, list[Piece]] = {}
        body = _pieces(macro.body)
        out: list[Piece] = []
        index = 0
        while index < len(body):
            text = body[index]
            if text == "#" and _next(body, index) in values:
                index = _index_after_space(body, index + 1)
                out.append(Piece(_quote("".join([piece.text for piece in values[body[index]]])), name.offset, busy))
            elif text == "##":
                index = _index_after_space(body, index + 1)
                right = body[index] if index < len(body) else ""
                self._paste(out, right, values, name, busy)
            elif text in values:
                if _next(body, index) == "##":  # operands of `##` are not expanded ([cpp.concat])
                    out += _with_offset(values[text], name.offset, busy)
                else:
                    if text not in plain:
                        plain[text] = self._expand(values[text], depth + 1)
                    out += _with_offset(plain[text], name.offset, busy)
            else:
                out.append(Piece(text, name.offset, busy))
            index += 1
        return out

    def _paste(
        self, out: list[Piece], right: str, values: dict[str, list[Piece]], name: Piece, busy: frozenset[str]
    ) -> None:
        """Put the two sides of `##` together."""
        while out and out[-1].text.isspace():
            out.pop()
        more = _with_offset(values[right], name.offset, busy) if right in values else [Piece(right, name.offset, busy)]
        if out and out[-1].text == "," and right == "__VA_ARGS__":  # GNU: no arguments, no comma
            if not more:
                out.pop()
            else:
                out += more
            return
        if out and more and not out[-1].text.isspace():
            glued = out.pop().text + more[0].text
            self._glued += len(glued)
            if self._glued > MAX_EXPANSION:
                raise UnresolvedError(f"macros paste more than {MAX_EXPANSION} characters")
            out += [Piece(text, name.offset, busy) for text in _pieces(glued)]
            more = more[1:]
        out += more


def _bind(names: list[str], arguments: list[list[Piece]], macro: str) -> dict[str, list[Piece]]:
    """Return the arguments of a macro by the names of its parameters.

    Raises:
        UnresolvedError: the call has more or fewer arguments than the macro has parameters.
    """
    is_variadic = bool(names) and names[-1].endswith("...")
    if not names and len(arguments) == 1 and not arguments[0]:  # `F()`
        arguments = []
    if is_variadic:
        fixed = len(names) - 1
        if len(arguments) < fixed:
            raise UnresolvedError(f"the macro {macro} has too few arguments")
        rest: list[Piece] = []
        for index, argument in enumerate(arguments[fixed:]):
            rest += [Piece(", ", argument[0].offset if argument else 0)] * bool(index) + argument
        given = names[-1].removesuffix("...").strip() or "__VA_ARGS__"
        return dict(zip(names[:-1], arguments, strict=False)) | {given: rest}
    if len(arguments) != len(names):
        raise UnresolvedError(f"the macro {macro} takes {len(names)} arguments, not {len(arguments)}")
    return dict(zip(names, arguments, strict=True))


def _with_offset(pieces: list[Piece], offset: int, busy: frozenset[str]) -> list[Piece]:
    del busy  # the pieces of an argument are expanded again, except by the macros that made them
    return [Piece(piece.text, offset, piece.busy) for piece in pieces]


def _paste_all(body: str) -> str:
    """Return the body of a macro without parameters with `##` carried out."""
    first, *others = body.split("##")
    if not others:
        return body
    return "".join([first.rstrip(), *(part.strip() for part in others[:-1]), others[-1].lstrip()])


def _arguments(waiting: list[Piece]) -> tuple[list[list[Piece]], int] | None:
    """Return the arguments of an invocation, and the number of pieces at the end of `waiting` that it consumes.

    `waiting` is in reverse order. The result is None if no parenthesis follows, or none closes it.
    """
    at = len(waiting) - 1
    while at >= 0 and waiting[at].text.isspace():
        at -= 1
    if at < 0 or waiting[at].text != "(":
        return None
    depth = 0
    arguments: list[list[Piece]] = [[]]
    while at >= 0:
        piece = waiting[at]
        at -= 1
        if piece.text == "(":
            depth += 1
            if depth == 1:
                continue
        elif piece.text == ")":
            depth -= 1
            if not depth:
                return [_strip(argument) for argument in arguments], len(waiting) - at - 1
        elif piece.text == "," and depth == 1:
            arguments.append([])
            continue
        arguments[-1].append(piece)
    return None


def _strip(pieces: list[Piece]) -> list[Piece]:
    start, end = 0, len(pieces)
    while start < end and pieces[start].text.isspace():
        start += 1
    while end > start and pieces[end - 1].text.isspace():
        end -= 1
    return pieces[start:end]


def _index_after_space(pieces: list[str], index: int) -> int:
    while index < len(pieces) and pieces[index].isspace():
        index += 1
    return index


def _next(pieces: list[str], index: int) -> str:
    index = _index_after_space(pieces, index + 1)
    return pieces[index] if index < len(pieces) else ""


def _quote(text: str) -> str:
    parts = [
        part.replace("\\", "\\\\").replace('"', '\\"') if part[:1] in ('"', "'") else part
        for part in _pieces(text.strip())
    ]
    return '"' + " ".join("".join(parts).split()) + '"'
