"""The evaluator of preprocessor conditions such as `#if defined(X) && Y > 1`."""

from __future__ import annotations

from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.numbers import apply_sign, compute, convert_number, kind_of
from opspec_lint.cpp.tokens import character_value, number_value
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_TOKEN = pattern(
    r"(?<!\w)[A-Za-z_]\w*(?!['\"])|\d(?:\w|'(?=\w))*|'(?:[^'\\\n]|\\.)+'|&&|\|\||[=!<>]=|<<|>>|[-!<>()+*/%,&|^~?:]"
)
_SPACE = pattern(r"(?:\s|\\\n)*")
_BINARY: tuple[frozenset[str], ...] = (
    frozenset({"||"}),
    frozenset({"&&"}),
    frozenset({"|"}),
    frozenset({"^"}),
    frozenset({"&"}),
    frozenset({"==", "!="}),
    frozenset({"<", ">", "<=", ">="}),
    frozenset({"<<", ">>"}),
    frozenset({"+", "-"}),
    frozenset({"*", "/", "%"}),
)
ALTERNATIVE = {
    "and": "&&",
    "or": "||",
    "not": "!",
    "bitand": "&",
    "bitor": "|",
    "compl": "~",
    "xor": "^",
    "not_eq": "!=",
}
"""The other spellings of operators: https://eel.is/c++draft/lex.digraph"""
_MAX_TOKEN = 400
"""Characters of a token."""
_MAX_TOKENS = 5000
"""Tokens of a condition."""
_MAX_NAMES = 1000
"""Macros that one condition may expand."""
STANDARD = "__cplusplus"
PREDEFINED = frozenset({STANDARD, "__FILE__", "__LINE__", "__DATE__", "__TIME__", "__STDC_HOSTED__"})
"""Macros that every compiler of C++ defines: https://eel.is/c++draft/cpp.predefined"""
_STANDARDS = ("201703", "202002", "202302")
"""The values of `__cplusplus` in builds: all frameworks need C++17, and some build as a later standard."""
_DEFINED = pattern(r"\bdefined(?:\s|\\\n)*(?:\((?:\s|\\\n)*(\w+)(?:\s|\\\n)*\)|\b(\w+))")
_PARAMETERS = pattern(r"\(([^()]*)\)([\s\S]*)")


class MacroWithParameters(str):
    """The body of a macro with parameters, among the bodies of macros by name."""

    __slots__ = ("parameters",)

    parameters: tuple[str, ...]


def macro_body(text: str) -> str:
    """Return the body of a macro by the text behind its name; a `(` next to the name begins parameters."""
    match = _PARAMETERS.match(text)
    if match is None:
        return text.strip()
    return with_parameters(match[1], match[2].strip())


def with_parameters(parameters: str, body: str) -> MacroWithParameters:
    """Return the body of a macro with the parameters that a text lists."""
    result = MacroWithParameters(body)
    result.parameters = tuple(name.strip() for name in parameters.split(",") if name.strip())
    return result


def is_followed(condition: str, defined: Mapping[str, str]) -> bool:
    """Return whether `is_true` is certain to evaluate a condition as a compiler does, of any standard."""
    try:
        is_exact, tests_standard = _parse(condition, defined, lambda parser: (parser.is_exact(), parser.tests_standard))
        if not (is_exact and tests_standard):
            return bool(is_exact)
        return len({is_true(condition, {**defined, STANDARD: number}) for number in _STANDARDS}) == 1
    except (IndexError, ValueError, UnresolvedError):
        return False


def is_true(condition: str, defined: Mapping[str, str]) -> bool:
    """Return whether `#if condition` holds. An undefined name counts as 0, as for a compiler.

    An invalid condition does not hold.
    """
    try:
        return bool(_parse(condition, defined, lambda parser: parser.all()))
    except (IndexError, ValueError, UnresolvedError):
        return False


class _InvocationError(Exception):
    """The invocation of a macro with parameters, which the parser does not expand."""


def _parse(condition: str, defined: Mapping[str, str], evaluate: Callable[[_Parser], Any]) -> Any:
    """Return the result of the parser of a condition, in which macros with parameters are expanded."""
    try:
        return evaluate(_Parser(condition, defined))
    except _InvocationError:
        return evaluate(_Parser(_expanded(condition, defined), dict.fromkeys(defined, "")))


def _expanded(condition: str, defined: Mapping[str, str]) -> str:
    """Return a condition with all macros expanded, and with the results of `defined`, which hides its operand.

    Raises:
        UnresolvedError: the macros grow without end.
    """
    from opspec_lint.cpp.macro import Macro
    from opspec_lint.cpp.macros import Expander

    def find(name: str) -> Macro | None:
        body = defined.get(name)
        return None if body is None else Macro(name, getattr(body, "parameters", None), body, "")

    return Expander(find).expand(
        _DEFINED.sub(lambda match: f" {int(is_defined(match[1] or match[2], defined))} ", condition)
    )


def is_defined(name: str, defined: Mapping[str, str]) -> bool:
    """Return whether a macro is defined, by a file, by a build, or by each compiler."""
    return name in defined or name in PREDEFINED


class _Parser:
    """A parser of a condition that evaluates it by recursive descent.

    All numbers have the types `intmax_t` and `uintmax_t`: https://eel.is/c++draft/cpp.cond
    """

    def __init__(self, condition: str, defined: Mapping[str, str]) -> None:
        self._is_exact = True
        self.tests_standard = False
        """Whether the value depends on the standard of C++, which builds choose."""
        self._tokens = self._split(condition)
        self._at = 0
        self._defined = defined
        self._names = 0
        # By macro, the number of tokens left after its expansion: until then, it is not expanded again.
        self._busy: dict[str, int] = {}
        # The depth of operands that do not count, such as that of `0 &&`: what they compute may be undefined.
        self._skipped = 0

    def is_exact(self) -> bool:
        """Return whether a compiler certainly finds the same value for the whole condition."""
        self.all()
        return self._is_exact and self._at == len(self._tokens)

    def all(self) -> int:
        """Return the value of the whole condition."""
        return int(self._ternary(0))

    def _split(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        tokens = _TOKEN.findall(text)
        if len(tokens) > _MAX_TOKENS:
            raise ValueError
        if _SPACE.sub("", text) != "".join(tokens):
            self._is_exact = False
        return [ALTERNATIVE.get(token, token) for token in tokens]

    def _ternary(self, depth: int) -> Any:
        """Return the value of `a ? b : c`, or of an operand alone."""
        value = self._binary(0, depth)
        if not self._is_next("?"):
            return value
        self._next()
        first = self._operand(not value, 0, depth + 1)
        if self._next() != ":":
            raise ValueError
        second = self._operand(bool(value), 0, depth + 1)
        # Both operands decide the type of the result.
        is_unsigned = "unsigned long" in (kind_of(first), kind_of(second))
        return convert_number(first if value else second, "unsigned long" if is_unsigned else "long")

    def _operand(self, is_skipped: bool, level: int, depth: int) -> Any:
        """Return the value of an operand, which does not count if it is skipped."""
        self._skipped += is_skipped
        value = self._binary(level, depth) if level else self._ternary(depth)
        self._skipped -= is_skipped
        return value

    def _binary(self, level: int, depth: int) -> Any:
        """Return the value of operands joined by the operators of a level, by the levels above it."""
        if depth > MAX_DEPTH:
            raise ValueError
        if level == len(_BINARY):
            return self._unary(depth)
        value = self._binary(level + 1, depth)
        while self._at < len(self._tokens) and self._tokens[self._at] in _BINARY[level]:
            sign = self._next()
            if sign in ("&&", "||"):
                is_decided = bool(value) == (sign == "||")
                right = self._operand(is_decided, level + 1, depth)
                value = convert_number(bool(value) if is_decided else bool(right), "long")
            else:
                value = self._compute(sign, value, self._binary(level + 1, depth))
        return value

    def _compute(self, sign: str, first: Any, second: Any) -> Any:
        """Return the result of an operator; UnresolvedError is raised where C++ does not define it."""
        try:
            value = compute(sign, first, second)
        except UnresolvedError:
            if not self._skipped:
                raise
            value = 0
        return value if kind_of(value) == "unsigned long" else convert_number(value, "long")

    def _unary(self, depth: int) -> Any:
        """Return the value of an operand with the signs before it, of `defined`, or of parentheses."""
        text = self._next()
        if depth > MAX_DEPTH or len(text) > _MAX_TOKEN:
            raise ValueError
        if text == "!":
            return convert_number(not self._unary(depth + 1), "long")
        if text in ("-", "+", "~"):
            return apply_sign(text, self._unary(depth + 1))
        if text == "(":
            value = self._ternary(depth + 1)
            self._close()
            return value
        if text == "defined":
            name = self._next()
            if name == "(":
                name = self._next()
                self._close()
            return convert_number(is_defined(name, self._defined), "long")
        if text[0].isdigit() or text[0] == "'":
            return _literal(text)
        return self._name(text, depth)

    def _name(self, name: str, depth: int) -> Any:
        """Return the value of a name: of its macro, or 0."""
        if self._is_next("("):
            if isinstance(self._defined.get(name), MacroWithParameters):
                raise _InvocationError
            self._is_exact = False
            self._skip_arguments()
            return convert_number(0, "long")
        if name in PREDEFINED and name not in self._defined:
            self.tests_standard = self.tests_standard or name == STANDARD
            self._is_exact = self._is_exact and name == STANDARD
            return convert_number(int(_STANDARDS[0]) if name == STANDARD else 1, "long")
        # Of all identifiers, only `true` is not replaced by 0: https://eel.is/c++draft/cpp.cond
        if name == "true" and name not in self._defined:
            return convert_number(1, "long")
        value = self._defined.get(name, "")
        # Without arguments, the name of a macro with parameters is an ordinary one.
        body = [] if isinstance(value, MacroWithParameters) else self._split(value)
        left = len(self._tokens) - self._at
        if not body or self._names > _MAX_NAMES or self._busy.get(name, left + 1) <= left:
            return convert_number(0, "long")
        self._names += 1
        self._busy[name] = left
        # The body is inserted as tokens, as its operators bind as if they were written there.
        self._tokens[self._at : self._at] = body
        return self._unary(depth + 1)

    def _skip_arguments(self) -> None:
        """Skip the arguments of a function-like name, which counts as 0."""
        depth = 0
        while True:
            text = self._next()
            depth += (text == "(") - (text == ")")
            if not depth:
                return

    def _is_next(self, sign: str) -> bool:
        """Return whether the next token is a sign."""
        return self._at < len(self._tokens) and self._tokens[self._at] == sign

    def _close(self) -> None:
        """Skip a closing parenthesis."""
        if self._next() != ")":
            raise ValueError

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]


def _literal(text: str) -> Any:
    """Return the value of a literal, in the widest type of its kind."""
    value = character_value(text) if text[0] == "'" else number_value(text)
    if isinstance(value, float):
        raise UnresolvedError(f"{text} is no whole number")
    is_unsigned = kind_of(value) == "unsigned long" or (text[0] != "'" and "u" in text.lower())
    return convert_number(value, "unsigned long" if is_unsigned else "long")
