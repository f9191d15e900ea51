"""The evaluator of constant expressions of C++, as they occur in names and in default values of arguments.

It parses tokens by precedence climbing, and computes each value at once. Everything that is not certainly known raises
UnresolvedError: a value is never guessed.
"""

from __future__ import annotations

from opspec_lint.cpp import library
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.numbers import apply_sign, common_type, convert_number, kind_of
from opspec_lint.cpp.tokens import (
    CHARACTER,
    NAME,
    NUMBER,
    SIGN,
    STRING,
    character_value,
    number_value,
    split_arguments,
    string_value,
)
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import THIS, Chars, This, add_values, arithmetic, convert, truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.type_names import CType

    class NameResolver(Protocol):
        """A resolver of the names in an expression, in the scope of the expression."""

        def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
            """Return the value of a variable, constant or enumerator."""

        def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
            """Return the result of a function; a name that ends in `<...>` has the arguments of its template."""

        def type_text(self, text: str) -> str:
            """Return a type with the aliases and template parameters in it replaced."""


_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_UNARY = frozenset("-+!~&*")
_LEVEL_OF = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}


class NoNames:
    """A resolver that knows no name, for YAML and for enums. Constants of C headers need none: `_Parser` knows them."""

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Raise UnresolvedError for any name."""
        raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no known value")

    def type_text(self, text: str) -> str:
        """Return a type unchanged."""
        return text

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:  # noqa: ARG002
        """Raise UnresolvedError for any function."""
        raise UnresolvedError(f"the function {name} is not known")


def evaluate(tokens: Tokens, start: int, end: int, names: NameResolver, depth: int = 0) -> Any:
    """Return the value of an expression: a number, a string, a list, an iterator, `NULL` or `THIS`.

    Raises:
        UnresolvedError: the expression cannot be evaluated.
    """
    parser = _Parser(tokens, start, end, names, depth)
    value = parser.ternary()
    if parser.at != end:
        raise UnresolvedError(f"{text_of(tokens, start, end)} cannot be evaluated")
    return value


def text_of(tokens: Tokens, start: int, end: int) -> str:
    """Return the text of some tokens, shortened."""
    text = ""
    for kind, token, _ in tokens[start : min(end, start + 40)]:
        text += f" {token}" if kind == NAME and text and (text[-1].isalnum() or text[-1] == "_") else token
    return text if len(text) <= 80 else f"{text[:77]}..."


class _Parser:
    """A parser of an expression that evaluates it by precedence climbing."""

    def __init__(self, tokens: Tokens, start: int, end: int, names: NameResolver, depth: int) -> None:
        self._tokens = tokens
        self.at = start
        self._end = end
        self._names = names
        self._depth = depth

    def ternary(self) -> Any:
        """Return the value of an expression, with `?:` at its top."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise UnresolvedError(f"an expression is nested more than {MAX_DEPTH} deep")
        value = self._binary_value(0)
        if self._at_sign("?"):
            self.at += 1
            colon = self._find_colon()
            first, second = (self.at, colon), (colon + 1, self._end)
            chosen, unused = (first, second) if truth(value) else (second, first)
            value = evaluate(self._tokens, *chosen, self._names, self._depth)
            value = self._in_common_type(value, unused)
            self.at = self._end
        self._depth -= 1
        return value

    def _in_common_type(self, value: Any, unused_branch: tuple[int, int]) -> Any:
        """Return the value of a branch in the type that both branches have."""
        kind = kind_of(value)
        if kind is None:
            return value
        try:
            second = kind_of(evaluate(self._tokens, *unused_branch, self._names, self._depth))
        except UnresolvedError:
            if self._depth > 1 or kind not in ("int", "bool") or value < 0:
                raise
            # Conversion to any other type keeps a small positive value, and nothing is computed with it.
            return value
        return value if second is None or second == kind else convert_number(value, common_type(kind, second))

    def _find_colon(self) -> int:
        """Return the index of the `:` of a `?:`, over nested ones."""
        index = self.at
        nested = 0
        while index < self._end:
            kind, text, _ = self._tokens[index]
            if kind == SIGN:
                if text in "({[":
                    index = self._tokens.closing(index)
                elif text == "?":
                    nested += 1
                elif text == ":":
                    if not nested:
                        return index
                    nested -= 1
            index += 1
        raise UnresolvedError("a condition without its colon")

    def _binary_value(self, level: int) -> Any:
        """Return the value of operands joined by operators of at least a level of precedence."""
        value = self._unary_value()
        return self._climb(value, level)

    def _climb(self, value: Any, level: int) -> Any:
        """Apply the operators of at least a level that follow a value."""
        while True:
            sign = self._operator()
            own = _LEVEL_OF.get(sign, -1)
            if own < level:
                return value
            # A shift is two tokens, as `_operator` explains.
            self.at += len(sign) if sign in ("<<", ">>") else 1
            right = self._unary_value()
            while True:
                next_level = _LEVEL_OF.get(self._operator(), -1)
                if next_level <= own:
                    break
                right = self._climb(right, next_level)
            if sign == "&&":
                value = truth(value) and truth(right)
            elif sign == "||":
                value = truth(value) or truth(right)
            elif sign == "+":
                value = add_values(value, right)
            else:
                value = arithmetic(sign, value, right)

    def _operator(self) -> str:
        """Return the binary operator at the next token, "" if there is none."""
        if self.at >= self._end or self._tokens[self.at][0] != SIGN:
            return ""
        text = self._tokens[self.at][1]
        if text in "<>" and self.at + 1 < self._end:
            following = self._tokens[self.at + 1]
            # The tokenizer never joins `>>`, which may close two lists of template arguments; `> >` is no shift.
            if following[1] == text and following[2] == self._tokens[self.at][2] + 1:
                return text * 2
        return text

    def _unary_value(self) -> Any:
        """Return the value of an operand with the signs before it."""
        signs: list[str] = []
        while self.at < self._end and self._tokens[self.at][0] == SIGN and self._tokens[self.at][1] in _UNARY:
            signs.append(self._tokens[self.at][1])
            self.at += 1
        value = self._apply_members(self._primary_value())
        for sign in reversed(signs):
            if sign == "!":
                value = not truth(value)
            elif sign not in "&*":
                value = apply_sign(sign, value)
            # `This` is the object and the pointer to it, so that `&` and `*` leave it unchanged.
            elif not isinstance(value, This):
                raise UnresolvedError(f"{sign} cannot be applied")
        return value

    def _primary_value(self) -> Any:
        """Return the value of a literal, name, list or parenthesis."""
        if self.at >= self._end:
            raise UnresolvedError("an expression that ends early")
        kind, text, _ = self._tokens[self.at]
        if kind == STRING:
            return self._string_literal()
        if kind == NUMBER:
            self.at += 1
            return number_value(text)
        if kind == CHARACTER:
            self.at += 1
            return character_value(text)
        if kind == NAME or text == "::":
            return self._named_value()
        if text == "(":
            return self._parenthesis()
        if text == "{":
            return self._braced_list()
        raise UnresolvedError(f"{text_of(self._tokens, self.at, self._end)} cannot be evaluated")

    def _string_literal(self) -> Chars:
        """Return adjacent string literals as one C string."""
        parts: list[str] = []
        while self.at < self._end:
            kind, text, _ = self._tokens[self.at]
            if kind == STRING:
                parts.append(string_value(text))
                self.at += 1
            # A macro among adjacent strings, such as PRId64.
            elif kind == NAME and self._followed_by_string():
                parts.append(str(self._names.constant((), text)))
                self.at += 1
            else:
                break
        return Chars("".join(parts))

    def _followed_by_string(self) -> bool:
        return self.at + 1 >= self._end or self._tokens[self.at + 1][0] == STRING

    def _parenthesis(self) -> Any:
        """Return the value of a parenthesis, or of a cast `(TYPE) operand`."""
        closed = self._tokens.closing(self.at)
        inside = (self.at + 1, closed)
        written = _joined_text(self._tokens, *inside)
        self.at = closed + 1
        if self.at < self._end and self._may_be_cast(written):
            kind = c_type(written, self._names)
            if kind is not None:
                return convert(self._unary_value(), kind)
        return evaluate(self._tokens, *inside, self._names, self._depth)

    def _may_be_cast(self, written: str) -> bool:
        """Return whether a parenthesis may be a cast: the inside a type, and the next token an operand."""
        kind, text, _ = self._tokens[self.at]
        # Not `*` and `&`, which may as well be binary operators behind a parenthesis.
        is_operand = kind != SIGN or text in ("(", "-", "+", "!", "~", "::")
        return is_operand and written.replace("::", "").replace(" ", "").replace("_", "").isalnum()

    def _braced_list(self) -> list[Any]:
        """Return the values of `{...}`."""
        closed = self._tokens.closing(self.at)
        items = self._arguments(self.at + 1, closed)
        self.at = closed + 1
        return items

    def _arguments(self, start: int, end: int) -> list[Any]:
        """Return the values of the arguments in a range of tokens."""
        ranges = split_arguments(self._tokens, start, end)
        if ranges and ranges[-1][0] == ranges[-1][1]:
            ranges.pop()  # a comma at the end
        return [evaluate(self._tokens, *argument, self._names, self._depth) for argument in ranges]

    def _named_value(self) -> Any:
        """Return the value of a name with qualifiers: a constant, a call, or an object."""
        path: list[str] = [""] if self._at_sign("::") else []
        template = ""
        while True:
            if self._at_sign("::"):
                self.at += 1
            if self.at >= self._end or self._tokens[self.at][0] != NAME:
                raise UnresolvedError(f"{'::'.join(path)} cannot be evaluated")
            if template and path[-1] != "numeric_limits":
                raise UnresolvedError(f"a member of the template {'::'.join(path)} is not evaluated")
            path.append(self._tokens[self.at][1])
            self.at += 1
            if self._at_sign("<"):
                closed = self._tokens.closing_angle(self.at)
                # Template arguments are followed by a call, a list or a member; otherwise `<` is a comparison.
                if 0 <= closed < self._end and (closed + 1 >= self._end or self._tokens[closed + 1][1] in "({::"):
                    template = _joined_text(self._tokens, self.at + 1, closed)
                    self.at = closed + 1
            if not self._at_sign("::"):
                break
        qualifiers, name = tuple(path[:-1]), path[-1]
        if self._at_sign("("):
            return self._call(qualifiers, name, template)
        if self._at_sign("{"):
            return construct(self._type_of("::".join(path), template), [self._braced_list()])
        if not qualifiers and name == "this":
            return THIS
        if name in library.CONSTANTS and qualifiers in ((), ("std",), ("",), ("", "std")):
            return library.CONSTANTS[name]
        return self._names.constant(qualifiers, name)

    def _type_of(self, written: str, template: str = "") -> CType | None:
        """Return the type of a name with template arguments."""
        return c_type(f"{written}<{template}>" if template else written, self._names)

    def _call(self, qualifiers: tuple[str, ...], name: str, template: str) -> Any:
        """Return the result of a call: a cast, a constructor, or a function of the library or of the tree."""
        closed = self._tokens.closing(self.at)
        inside, self.at = (self.at + 1, closed), closed + 1
        if name == "sizeof" and not qualifiers:
            return library.size_of(c_type(_joined_text(self._tokens, *inside), self._names))
        if name in ("static_cast", "const_cast") and template:
            value = evaluate(self._tokens, *inside, self._names, self._depth)
            return convert(value, c_type(template, self._names))
        if "numeric_limits" in qualifiers:
            return library.limit(c_type(template, self._names), name, template)
        arguments = self._arguments(*inside)
        written = "::".join((*qualifiers, name))
        kind = self._type_of(written, template) if template else c_type(written)
        if kind is not None:
            return construct(kind, arguments)
        plain = qualifiers[1:] if qualifiers[:1] == ("",) else qualifiers
        result = library.call_library(plain, name, c_type(template, self._names) if template else None, arguments)
        if result is not None:
            return result[0]
        return self._names.call(qualifiers, f"{name}<{template}>" if template else name, arguments)

    def _apply_members(self, value: Any) -> Any:
        """Apply `[index]` and method calls to a value."""
        while self.at + 1 < self._end and self._tokens[self.at][1] in (".", "->", "["):
            if self._at_sign("["):
                closed = self._tokens.closing(self.at)
                index = evaluate(self._tokens, self.at + 1, closed, self._names, self._depth)
                value = library.item(value, index)
                self.at = closed + 1
                continue
            name = self._tokens[self.at + 1][1]
            self.at += 2
            if not self._at_sign("("):
                raise UnresolvedError(f"the member {name} is not known")
            closed = self._tokens.closing(self.at)
            arguments = self._arguments(self.at + 1, closed)
            self.at = closed + 1
            if isinstance(value, This):
                value = self._names.call((), name, arguments)
            else:
                value = library.call_method(value, name, arguments)
        return value

    def _at_sign(self, sign: str) -> bool:
        """Return whether the next token is the given sign."""
        return self.at < self._end and self._tokens[self.at][1] == sign and self._tokens[self.at][0] == SIGN


def construct(kind: CType | None, arguments: list[Any]) -> Any:
    """Return the value that a constructor of a type makes.

    Raises:
        UnresolvedError: the object cannot be evaluated.
    """
    if isinstance(kind, tuple):
        return library.container(arguments, *kind)
    if kind == "string":
        return library.string_of(arguments)
    if kind is None or len(arguments) > 1:
        raise UnresolvedError(f"{kind or 'an object of an unknown type'}(...) cannot be evaluated")
    return convert(arguments[0] if arguments else [], kind)


def _joined_text(tokens: Tokens, start: int, end: int) -> str:
    """Return the text of tokens, separated by blanks."""
    return " ".join([text for _, text, _ in tokens[start:end]])
