"""The expansion of macros in a text, as a preprocessor does it ([cpp.replace]).

Steps for each invocation: collect the arguments, expand them, substitute them in the body with `#` and `##`, and scan
the result again together with the text behind it. A macro is not expanded in its own expansion: each piece of text has
the set of macros that it came from, its *hide set*.
"""

from __future__ import annotations

from opspec_lint.cpp.limits import MAX_DEPTH, MAX_EXPANSION, MAX_SCANNED, MAX_STEPS
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.cpp.macro import Macro

_PIECE = pattern(
    r'(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|(?<!\\)"(?:[^"\\\n]|\\.)*"|(?<!\\)\'(?:[^\'\\\n]|\\.)+\'|[A-Za-z_]\w*'
    r"|\.?\d(?:[eEpP][-+]|[\w.]|'(?=\w))*|\s+|##|.",
    "s",
)
_IS_NAME = pattern(r"[A-Za-z_]\w*")


def _pieces(text: str) -> list[str]:
    """Return the tokens and blanks of a text."""
    return [match[0] for match in _PIECE.finditer(text)]


class Piece:
    """A token or blank: its text, its offset in the source, and its hide set."""

    __slots__ = ("hide_set", "offset", "text")

    def __init__(self, text: str, offset: int, hide_set: frozenset[str] = frozenset()) -> None:
        self.text = text
        self.offset = offset
        self.hide_set = hide_set


class Expander:
    """An expander of macros, with limits on the growth of a text; `find` returns the macro of a name, or None."""

    def __init__(self, find: Callable[[str], Macro | None]) -> None:
        self._find = find
        self._steps = 0
        self._size = 0
        self._scanned = 0
        self._pasted_size = 0

    def _parse_arguments(self, waiting: list[Piece]) -> tuple[list[list[Piece]], int] | None:
        invocation = _parse_arguments(waiting)
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
        """Return pieces with all macros expanded; `depth` counts nested arguments."""
        if depth > MAX_DEPTH:
            raise UnresolvedError(f"macros are nested more than {MAX_DEPTH} deep")
        out: list[Piece] = []
        # Reversed, so that an expansion is pushed back where `pop` takes the next piece.
        waiting = pieces[::-1]
        while waiting:
            piece = waiting.pop()
            macro = self._macro_to_expand(piece)
            if macro is None:
                out.append(piece)
                continue
            hide_set = piece.hide_set | {piece.text}
            if macro.parameters is None:
                body = [Piece(text, piece.offset, hide_set) for text in _pieces(_paste_body(macro.body))]
            else:
                invocation = self._parse_arguments(waiting)
                # The name of a macro with parameters invokes it only before a parenthesis ([cpp.replace]).
                if invocation is None:
                    out.append(piece)
                    continue
                arguments, behind = invocation
                # At the end, as `waiting` is reversed: the arguments behind the name are its last pieces.
                del waiting[len(waiting) - behind :]
                body = self._substitute(macro, arguments, piece, hide_set, depth)
            self._count_growth(body)
            waiting += body[::-1]
        return out

    def _macro_to_expand(self, piece: Piece) -> Macro | None:
        """Return the macro that a piece invokes, None for another piece or one that is hidden."""
        text = piece.text
        if not (text[0].isalpha() or text[0] == "_") or text in piece.hide_set:
            return None
        return self._find(text) if _IS_NAME.fullmatch(text) else None

    def _count_growth(self, body: list[Piece]) -> None:
        """Count an expansion; raise UnresolvedError beyond the limits."""
        self._steps += 1
        self._size += sum(len(piece.text) for piece in body)
        if self._steps > MAX_STEPS or self._size > MAX_EXPANSION:
            raise UnresolvedError(f"macros expand to more than {MAX_EXPANSION} characters")

    def _substitute(
        self, macro: Macro, arguments: list[list[Piece]], name: Piece, hide_set: frozenset[str], depth: int
    ) -> list[Piece]:
        """Return the body of a macro with its arguments substituted."""
        names = [parameter.strip() for parameter in macro.parameters or ()]
        values = _bind_parameters(names, arguments, name.text)
        plain: dict[str, list[Piece]] = {}
        body = _pieces(macro.body)
        out: list[Piece] = []
        index = 0
        while index < len(body):
            text = body[index]
            if text == "#" and _next_piece(body, index) in values:
                index = _index_after_space(body, index + 1)
                out.append(
                    Piece(_stringify("".join([piece.text for piece in values[body[index]]])), name.offset, hide_set)
                )
            elif text == "##":
                index = _index_after_space(body, index + 1)
                right = body[index] if index < len(body) else ""
                self._paste(out, right, values, name, hide_set)
            elif text in values:
                # Operands of `##` are not expanded ([cpp.concat]).
                if _next_piece(body, index) == "##":
                    out += _with_offset(values[text], name.offset)
                else:
                    if text not in plain:
                        plain[text] = self._expand(values[text], depth + 1)
                    out += _with_offset(plain[text], name.offset)
            else:
                out.append(Piece(text, name.offset, hide_set))
            index += 1
        return out

    def _paste(
        self, out: list[Piece], right: str, values: dict[str, list[Piece]], name: Piece, hide_set: frozenset[str]
    ) -> None:
        """Join the last piece of `out` and the operand on the right of `##`."""
        while out and out[-1].text.isspace():
            out.pop()
        more = _with_offset(values[right], name.offset) if right in values else [Piece(right, name.offset, hide_set)]
        # GNU extension: without arguments, `, ## __VA_ARGS__` leaves out the comma.
        if out and out[-1].text == "," and right == "__VA_ARGS__":
            if not more:
                out.pop()
            else:
                out += more
            return
        if out and more and not out[-1].text.isspace():
            glued = out.pop().text + more[0].text
            self._pasted_size += len(glued)
            if self._pasted_size > MAX_EXPANSION:
                raise UnresolvedError(f"macros paste more than {MAX_EXPANSION} characters")
            out += [Piece(text, name.offset, hide_set) for text in _pieces(glued)]
            more = more[1:]
        out += more


def _bind_parameters(names: list[str], arguments: list[list[Piece]], macro: str) -> dict[str, list[Piece]]:
    """Return the arguments of a macro by the names of its parameters.

    Raises:
        UnresolvedError: the call has more or fewer arguments than the macro has parameters.
    """
    is_variadic = bool(names) and names[-1].endswith("...")
    if not names and len(arguments) == 1 and not arguments[0]:  # `F()` has no argument, not an empty one
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


def _with_offset(pieces: list[Piece], offset: int) -> list[Piece]:
    """Return pieces with another offset.

    They keep their own hide sets: an argument is scanned again, and may contain the macro that it is passed to.
    """
    return [Piece(piece.text, offset, piece.hide_set) for piece in pieces]


def _paste_body(body: str) -> str:
    """Return the body of a macro without parameters, with the operands of each `##` joined."""
    first, *others = body.split("##")
    if not others:
        return body
    return "".join([first.rstrip(), *(part.strip() for part in others[:-1]), others[-1].lstrip()])


def _parse_arguments(waiting: list[Piece]) -> tuple[list[list[Piece]], int] | None:
    """Return the arguments of an invocation, and the number of pieces at the end of `waiting` that it uses.

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
                return [_strip_space(argument) for argument in arguments], len(waiting) - at - 1
        elif piece.text == "," and depth == 1:
            arguments.append([])
            continue
        arguments[-1].append(piece)
    return None


def _strip_space(pieces: list[Piece]) -> list[Piece]:
    """Return pieces without blanks at both ends."""
    start, end = 0, len(pieces)
    while start < end and pieces[start].text.isspace():
        start += 1
    while end > start and pieces[end - 1].text.isspace():
        end -= 1
    return pieces[start:end]


def _index_after_space(pieces: list[str], index: int) -> int:
    """Return the index of the next piece that is no blank."""
    while index < len(pieces) and pieces[index].isspace():
        index += 1
    return index


def _next_piece(pieces: list[str], index: int) -> str:
    """Return the text of the next piece that is no blank, "" at the end."""
    index = _index_after_space(pieces, index + 1)
    return pieces[index] if index < len(pieces) else ""


def _stringify(text: str) -> str:
    """Return the string literal that `#` makes of an argument ([cpp.stringize])."""
    parts = [
        part.replace("\\", "\\\\").replace('"', '\\"') if part[:1] in ('"', "'") else part
        for part in _pieces(text.strip())
    ]
    return '"' + " ".join("".join(parts).split()) + '"'
