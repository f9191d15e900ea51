"""Tokens of C++ text, values of literals, and pairs of brackets."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from opspec_lint.cpp.limits import MAX_LIST, MAX_TOKENS
from opspec_lint.cpp.numbers import Float32, first_fitting
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Token = tuple[str, str, int]
"""The kind (one of the letters below), the text, and the offset."""

NAME, NUMBER, STRING, CHARACTER, SIGN = "nds'o"

_TOKEN = pattern(
    r"(?:([A-Za-z_]\w*(?![\w'\"]))"
    r"|([(){}\[\],;~?])"
    r"|(\.?\d(?:[eEpP][-+]|[\w.]|'(?=\w))*)"
    r"|(?=[\"'uULR])(?:"
    r'((?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|(?:u8|[uUL])?(?<!\\)"(?:[^"\\\n]|\\.)*")'
    r"|((?:u8|[uUL])?(?<!\\)'(?:[^'\\\n]|\\.)+'))"
    r"|([A-Za-z_]\w*)"
    r"|(::|->|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[^\s\w]))\s*",
    "s",
)
"""A token and the blanks behind it. The most frequent kinds are tried first; a name before a quote may be a prefix."""
_KINDS = {1: NAME, 2: SIGN, 3: NUMBER, 4: STRING, 6: CHARACTER, 7: NAME, 8: SIGN}
_BRACE = pattern(r"[{}]")
_MANY_PAIRS, _LONG = 150, 20_000
"""Braces, and characters, after which a block counts as long."""
_PARENTHESIS = pattern(r"[()]")
_BRACKET = {"(": ")", "{": "}", "[": "]"}
_NOT_IN_TEMPLATE = (";", ")", "}", "]", "&&", "||", "==", "!=", "<=", ">=")
"""Signs that cannot occur in template arguments."""
_ESCAPE = pattern(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\n|(.))", "s")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}
_RAW = pattern(r'(?:u8|[uUL])?R"([^()\\\s]{0,16})\((.*)\)\1"', "s")
_INT = pattern(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uU]?(?:[lL]|ll|LL)?|(?:[lL]|ll|LL)[uU])")
_FLOAT = pattern(r"((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([fFlL]?)")
_HEXADECIMAL = pattern(r"(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][-+]?\d+)([fF]?)")
_DECIMAL_TYPES = {"": ("int", "long"), "l": ("long",), "u": ("unsigned int", "unsigned long"), "lu": ("unsigned long",)}
_OCTAL_TYPES = {"": ("int", "unsigned int", "long", "unsigned long"), "l": ("long", "unsigned long")}
"""The types of decimal literals by suffix, and of octal and hexadecimal ones, the first that fits ([lex.icon])."""
_MAX_DIGITS = 60


class Tokens(list[Token]):
    """A list of tokens that can look up the closing bracket of an opening one."""

    __slots__ = ("_angles", "_brackets")

    def __init__(self, tokens: Iterable[Token] = ()) -> None:
        """Create a list of the given tokens."""
        super().__init__(tokens)
        self._brackets: dict[int, int] | None = None
        self._angles: dict[int, int] = {}

    def closing(self, opening: int) -> int:
        """Return the index of the token that closes a bracket.

        Raises:
            UnresolvedError: the bracket is not closed.
        """
        brackets = self._brackets if self._brackets is not None else self.pairs()
        if opening not in brackets:
            what = repr(self[opening][1]) if opening < len(self) else "the end"
            raise UnresolvedError(f"no bracket closes {what}")
        return brackets[opening]

    def pairs(self) -> dict[int, int]:
        """Return the index of the closing bracket of each opening one."""
        if self._brackets is None:
            self._brackets = self._pair_brackets()
        return self._brackets

    def closing_angle(self, opening: int) -> int:
        """Return the index of the `>` that closes the `<` of template arguments, -1 if there is none.

        Raises:
            UnresolvedError: a bracket between them is never closed.
        """
        if opening not in self._angles:
            self._pair_angles(opening)
        return self._angles[opening]

    def _pair_brackets(self) -> dict[int, int]:
        """Return the closing index of each opening bracket."""
        pairs: dict[int, int] = {}
        stack: list[int] = []
        for index, (kind, text, _) in enumerate(self):
            if kind != SIGN:
                continue
            if text in _BRACKET:
                stack.append(index)
            elif text in ")}]" and stack:
                if _BRACKET[self[stack[-1]][1]] == text:
                    pairs[stack.pop()] = index
                else:
                    # Brackets that cross: none of the open ones counts as closed.
                    stack.clear()
        return pairs

    def _pair_angles(self, opening: int) -> None:
        """Pair a `<`, and each further `<` up to its end: without that, a text of many `<` takes quadratic time."""
        stack: list[int] = []
        index = opening
        while index < len(self):
            kind, text, _ = self[index]
            if kind == SIGN:
                if text == "<":
                    stack.append(index)
                elif text == ">":
                    self._angles[stack.pop()] = index
                    if not stack:
                        return
                elif text in _BRACKET:
                    index = self.closing(index)
                elif text in _NOT_IN_TEMPLATE:
                    break
            index += 1
        self._angles |= dict.fromkeys(stack, -1)


def tokenize(text: str, start: int, end: int, limit: int = MAX_TOKENS) -> Tokens:
    """Return the tokens of a part of a text that has no comments; at most `limit`.

    Raises:
        UnresolvedError: the text has too many tokens.
    """
    result = Tokens(
        (_KINDS[group := match.lastindex or 0], match[group], match.start())
        for match in islice(_TOKEN.finditer(text, start, end), limit + 1)
    )
    if len(result) > limit:
        raise UnresolvedError(f"more than {limit} tokens")
    return result


def closing_brace(bare: str, opening: int) -> int:
    """Return the offset of the brace that closes an opening one, or the end of the text."""
    depth, at = 0, opening
    for _ in range(_MANY_PAIRS):
        closing = bare.find("}", at, opening + _LONG)
        if closing < 0:
            break
        depth += bare.count("{", at, closing) - 1
        if not depth:
            return closing
        at = closing + 1
    # A long block has inner ones that are searched as well: from here on, one scan pairs all braces.
    return _pair_braces(bare).get(opening, len(bare))


@lru_cache(maxsize=4)
def _pair_braces(bare: str) -> dict[int, int]:
    """Return the offset of the closing brace of each opening one, cached: nested blocks share one scan."""
    closings: dict[int, int] = {}
    stack: list[int] = []
    for match in _BRACE.finditer(bare):
        if match[0] == "{":
            stack.append(match.start())
        elif stack:
            closings[stack.pop()] = match.start()
    return closings


def closing_parenthesis(bare: str, opening: int) -> int:
    """Return the offset of the parenthesis that closes another one.

    Raises:
        UnresolvedError: the parenthesis is not closed within `MAX_LIST` characters.
    """
    depth = 0
    for match in _PARENTHESIS.finditer(bare, opening, opening + MAX_LIST):
        depth += 1 if match[0] == "(" else -1
        if not depth:
            return match.start()
    raise UnresolvedError("no parenthesis closes a list")


def split_arguments(all_tokens: Tokens, start: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges of tokens between commas; none for an empty range."""
    if start >= end:
        return []
    ranges: list[tuple[int, int]] = []
    since = index = start
    while index < end:
        kind, text, _ = all_tokens[index]
        if kind == SIGN:
            if text in _BRACKET:
                index = all_tokens.closing(index)
            elif text == "<" and index > start and all_tokens[index - 1][0] == NAME:
                # A comma of template arguments separates nothing here; a `<` that is not closed is a comparison.
                closed = all_tokens.closing_angle(index)
                index = closed if 0 <= closed < end else index
            elif text == ",":
                ranges.append((since, index))
                since = index + 1
        index += 1
    return [*ranges, (since, end)]


def string_value(text: str) -> str:
    """Return the value of a string literal.

    Raises:
        UnresolvedError: the literal is no UTF-8.
    """
    raw = _RAW.fullmatch(text)
    if raw:
        return raw[2]
    inside = text[text.index('"') + 1 : -1]
    return _unescape(inside) if "\\" in inside else inside


def character_value(text: str) -> int:
    """Return the number of a character literal, of type `char`.

    Raises:
        UnresolvedError: the literal is not one byte of type `char`.
    """
    value = _unescape(text[text.index("'") + 1 : -1]) if text[0] == "'" else ""
    if len(value) != 1 or ord(value) > 127:
        raise UnresolvedError(f"unknown character {text}")
    number: int = first_fitting(ord(value), "char")
    return number


def number_value(text: str) -> int | float:
    """Return the value of a number literal, in its C++ type.

    Raises:
        UnresolvedError: the text is no number.
    """
    if len(text) > _MAX_DIGITS:
        raise UnresolvedError("a number that is too long")
    # Digits may be separated by quotes ([lex.icon]).
    text = text.replace("'", "")
    whole = _INT.fullmatch(text)
    if whole:
        return _integer_value(whole[1], "".join(sorted(set(whole[2].lower()))))
    parts = _FLOAT.fullmatch(text)
    exact = _HEXADECIMAL.fullmatch(text)
    # Python's float is a double, which may have too few digits for a long double.
    if parts is not None and parts[2] in ("l", "L") and not float(parts[1]).is_integer():
        raise UnresolvedError(f"{text} is a long double")
    if parts is None and exact is None:
        raise UnresolvedError(f"unknown number {text}")
    value, suffix = (float(parts[1]), parts[2]) if parts else (float.fromhex(exact[1]), exact[2])  # type: ignore[index]
    return Float32(value) if suffix in ("f", "F") else value


def _integer_value(digits: str, suffix: str) -> int:
    """Return an integer literal in the first type of [lex.icon] that can hold it."""
    is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
    if is_octal and not set(digits) <= set("01234567"):
        raise UnresolvedError(f"unknown number {digits}")
    kinds = _DECIMAL_TYPES[suffix]
    if is_octal or not digits.isdigit():
        kinds = _OCTAL_TYPES.get(suffix, kinds)
    number: int = first_fitting(int(digits, 8 if is_octal else 0), *kinds)
    return number


def _unescape(inside: str) -> str:
    """Return a text with its escapes replaced. Escaped bytes and the characters around them form UTF-8 together."""
    data = bytearray()
    at = 0
    for match in _ESCAPE.finditer(inside):
        data += inside[at : match.start()].encode("utf-8", "surrogatepass")
        at = match.end()
        octal, hexadecimal, short, long, character = match.groups()
        number = int(octal, 8) if octal else int(hexadecimal[-8:], 16) if hexadecimal else None
        if number is not None:
            if number > 255 or (hexadecimal and len(hexadecimal) > 8):
                raise UnresolvedError("an escape of more than a byte")
            data.append(number)
        elif short or long:
            code = int(short or long, 16)
            if code > 0x10FFFF or 0xD800 <= code < 0xE000:
                raise UnresolvedError("an escape that is not a character")
            data += chr(code).encode("utf-8")
        elif character is not None:
            data += _ESCAPED.get(character, character).encode("utf-8", "surrogatepass")
    data += inside[at:].encode("utf-8", "surrogatepass")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise UnresolvedError("a string that is not UTF-8") from None


def statement_end(tokens: Tokens, start: int) -> int:
    """Return the index of the `;` behind a statement, or of the `}` of its block; else the number of tokens.

    Raises:
        UnresolvedError: a bracket is not closed.
    """
    index = start
    while index < len(tokens):
        kind, text, _ = tokens[index]
        if kind == SIGN:
            if text in "({[":
                index = tokens.closing(index)
            elif text in (";", "}"):
                return index
        index += 1
    return index


def tokens_between_commas(tokens: Tokens) -> list[Tokens]:
    """Return the tokens between commas, outside of brackets."""
    parts = [Tokens()]
    depth = 0
    for token in tokens:
        if token[0] == SIGN:
            depth += (token[1] in "([{") - (token[1] in ")]}")
            if token[1] == "," and not depth:
                parts.append(Tokens())
                continue
        parts[-1].append(token)
    return parts
