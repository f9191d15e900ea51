"""The tokens of C++ that registrations of ops are read from: no comments, no directives, strings as they are."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN = pattern(
    r"""(?P<skipped>\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*)"""
    r"""|(?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\((?P<inside>.*?)\)(?P=mark)")"""
    r"""|(?P<string>(?:u8|[uUL])?(?<!\\)"(?P<text>(?:[^"\\\n]|\\.)*)")|(?P<char>(?<!\\)'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[\w.']|(?<=[eEpP])[+-])*)|(?P<sign>::|->|\.\.\.|.)""",
    "sm",
)
_ESCAPE = pattern(r"\\(\n|.)", "s")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\n": ""}
_OPENING = {"(": ")", "{": "}", "[": "]"}


class Token(Record):
    """A word, a sign or a string; `line` is where it stands. `text` is what a string holds."""

    text: str
    line: int
    is_string: bool = False

    def __hash__(self) -> int:
        return hash((self.text, self.line))


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text."""
    found: list[Token] = []
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup not in ("mark", "inside", "text") else None
        if match["raw"] is not None:
            found.append(Token(text=match["inside"], line=line, is_string=True))
        elif match["string"] is not None:
            value = _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[1], escape[1]), match["text"])
            found.append(Token(text=value, line=line, is_string=True))
        elif kind != "skipped":
            found.append(Token(text=match[0], line=line))
        line += match[0].count("\n")
    return found


def closing(every: Sequence[Token], opening: int) -> int:
    """Return the place of the bracket that closes one; that of the last token where none does."""
    waiting: list[str] = []
    for place in range(opening, len(every)):
        if every[place].is_string:
            continue
        sign = every[place].text
        if sign in _OPENING:
            waiting.append(_OPENING[sign])
        elif waiting and sign == waiting[-1]:
            waiting.pop()
            if not waiting:
                return place
    return len(every) - 1


def arguments(every: Sequence[Token], opening: int) -> list[list[Token]]:
    """Return the arguments in brackets, each as its tokens; those between `<` and `>` are kept together."""
    found: list[list[Token]] = [[]]
    depth = 0
    for each in every[opening + 1 : closing(every, opening)]:
        sign = "" if each.is_string else each.text
        if sign == "," and not depth:
            found.append([])
            continue
        depth += (sign in ("(", "{", "[", "<")) - (sign in (")", "}", "]", ">"))
        found[-1].append(each)
    return found if found != [[]] else []
