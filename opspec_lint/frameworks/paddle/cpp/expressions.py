"""Evaluates the constant expressions of C++ that names and defaults of arguments are written as."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.cpp.limits import MAX_DEPTH
from opspec_lint.frameworks.paddle.cpp.tokens import (
    CHARACTER,
    NAME,
    NUMBER,
    SIGN,
    STRING,
    Float32,
    character_value,
    number_value,
    split_arguments,
    string_value,
)
from opspec_lint.frameworks.paddle.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.cpp.values import NULL, arithmetic, attr_type, converted, plus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from opspec_lint.frameworks.paddle.cpp.tokens import Tokens

    class Names(Protocol):
        """What the names of an expression mean where it stands."""

        def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
            """Return the value of a variable, constant or enumerator."""

        def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
            """Return what a function returns."""

        def type_text(self, text: str) -> str:
            """Return a type with the template parameters in it replaced."""


_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_LEVEL_OF = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "nullptr": NULL,
    "NULL": NULL,
    "INT_MAX": (1 << 31) - 1,
    "INT_MIN": -(1 << 31),
    "INT32_MAX": (1 << 31) - 1,
    "INT32_MIN": -(1 << 31),
    "INT64_MAX": (1 << 63) - 1,
    "INT64_MIN": -(1 << 63),
    "LLONG_MAX": (1 << 63) - 1,
    "UINT32_MAX": (1 << 32) - 1,
    "UINT64_MAX": (1 << 64) - 1,
    "SIZE_MAX": (1 << 64) - 1,
    "FLT_MAX": 3.4028234663852886e38,
    "FLT_MIN": 1.1754943508222875e-38,
    "FLT_EPSILON": 1.1920928955078125e-07,
    "DBL_MAX": 1.7976931348623157e308,
    "M_PI": 3.141592653589793,
}
_LIMITS: dict[str, dict[str, Any]] = {
    "INT": {"max": (1 << 31) - 1, "min": -(1 << 31), "lowest": -(1 << 31)},
    "LONG": {"max": (1 << 63) - 1, "min": -(1 << 63), "lowest": -(1 << 63)},
    "FLOAT": {
        "max": Float32(3.4028234663852886e38),
        "min": Float32(1.1754943508222875e-38),
        "lowest": Float32(-3.4028234663852886e38),
        "epsilon": Float32(1.1920928955078125e-07),
        "infinity": Float32(float("inf")),
        "quiet_NaN": Float32(float("nan")),
    },
    "FLOAT64": {
        "max": 1.7976931348623157e308,
        "min": 2.2250738585072014e-308,
        "lowest": -1.7976931348623157e308,
        "epsilon": 2.220446049250313e-16,
        "infinity": float("inf"),
        "quiet_NaN": float("nan"),
    },
}
_CONTAINERS = ("vector", "set", "unordered_set", "initializer_list", "array", "list")
_NUMBERS = frozenset({"INTS", "LONGS", "FLOATS", "FLOAT64S", "BOOLEANS"})
_MAX_COPIES = 10_000


class NoNames:
    """The names of an expression where there are none but those of limits.h: in YAML, and in an enum."""

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Refuse a name."""
        raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no value that could be found")

    def type_text(self, text: str) -> str:
        """Return a type as it is."""
        return text

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:  # noqa: ARG002
        """Refuse a function."""
        raise UnresolvedError(f"the function {name} is not known")


def evaluate(tokens: Tokens, start: int, end: int, names: Names, depth: int = 0) -> Any:
    """Return the value of an expression: bool, int, float, `Float32`, str, list, or `NULL`.

    Raises:
        UnresolvedError: it cannot be evaluated.
    """
    parser = _Parser(tokens, start, end, names, depth)
    value = parser.ternary()
    if parser.at != end:
        raise UnresolvedError(f"{text_of(tokens, start, end)} cannot be evaluated")
    return value


def text_of(tokens: Tokens, start: int, end: int) -> str:
    """Return the text of some tokens, shortened."""
    text = ""
    for kind, word, _ in tokens[start : min(end, start + 40)]:
        text += f" {word}" if kind == NAME and text and (text[-1].isalnum() or text[-1] == "_") else word
    return text if len(text) <= 80 else f"{text[:77]}..."


class _Parser:
    def __init__(self, tokens: Tokens, start: int, end: int, names: Names, depth: int) -> None:
        self._tokens = tokens
        self.at = start
        self._end = end
        self._names = names
        self._depth = depth

    def ternary(self) -> Any:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise UnresolvedError(f"an expression is nested more than {MAX_DEPTH} deep")
        value = self._binary(0)
        if self._is("?"):
            self.at += 1
            colon = self._find_colon()
            holds = bool(value)
            first, second = (self.at, colon), (colon + 1, self._end)
            begin, end = first if holds else second
            value = evaluate(self._tokens, begin, end, self._names, self._depth)
            self.at = self._end
        self._depth -= 1
        return value

    def _find_colon(self) -> int:
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

    def _binary(self, level: int) -> Any:
        value = self._unary()
        return self._climb(value, level)

    def _climb(self, value: Any, level: int) -> Any:
        while True:
            sign = self._operator()
            own = _LEVEL_OF.get(sign, -1)
            if own < level:
                return value
            self.at += len(sign) if sign in ("<<", ">>") else 1
            right = self._unary()
            while True:
                next_level = _LEVEL_OF.get(self._operator(), -1)
                if next_level <= own:
                    break
                right = self._climb(right, next_level)
            if sign == "&&":
                value = bool(value) and bool(right)
            elif sign == "||":
                value = bool(value) or bool(right)
            elif sign == "+":
                value = plus(value, right)
            else:
                value = arithmetic(sign, value, right)

    def _operator(self) -> str:
        if self.at >= self._end or self._tokens[self.at][0] != SIGN:
            return ""
        text = self._tokens[self.at][1]
        if text in "<>" and self.at + 1 < self._end:
            following = self._tokens[self.at + 1]
            if following[1] == text and following[2] == self._tokens[self.at][2] + 1:
                return text * 2
        return text

    def _unary(self) -> Any:
        negations: list[str] = []
        while self.at < self._end and self._tokens[self.at][0] == SIGN and self._tokens[self.at][1] in "-+!~&":
            negations.append(self._tokens[self.at][1])
            self.at += 1
        value = self._postfix(self._primary())
        for sign in reversed(negations):
            if sign == "!":
                value = not value
            elif sign in "-+" and isinstance(value, (int, float)):
                value = (Float32(-value) if isinstance(value, Float32) else -value) if sign == "-" else value
            elif sign == "~" and isinstance(value, int):
                value = ~value
            else:
                raise UnresolvedError(f"{sign} cannot be applied")
        return value

    def _primary(self) -> Any:
        if self.at >= self._end:
            raise UnresolvedError("an expression that ends early")
        kind, text, _ = self._tokens[self.at]
        if kind == STRING:
            return self._string()
        if kind == NUMBER:
            self.at += 1
            return number_value(text)
        if kind == CHARACTER:
            self.at += 1
            return character_value(text)
        if kind == NAME or text == "::":
            return self._named()
        if text == "(":
            return self._parenthesis()
        if text == "{":
            return self._list()
        raise UnresolvedError(f"{text_of(self._tokens, self.at, self._end)} cannot be evaluated")

    def _string(self) -> str:
        parts: list[str] = []
        while self.at < self._end:
            kind, text, _ = self._tokens[self.at]
            if kind == STRING:
                parts.append(string_value(text))
                self.at += 1
            elif kind == NAME and self._followed_by_string():  # a macro among adjacent strings
                parts.append(str(self._names.constant((), text)))
                self.at += 1
            else:
                break
        return "".join(parts)

    def _followed_by_string(self) -> bool:
        return self.at + 1 >= self._end or self._tokens[self.at + 1][0] == STRING

    def _parenthesis(self) -> Any:
        closed = self._tokens.closing(self.at)
        inside = (self.at + 1, closed)
        kind = attr_type("".join(text for _, text, _ in self._tokens[slice(*inside)]))
        self.at = closed + 1
        if kind is not None and self.at < self._end and self._tokens[self.at][1] not in (",", ")"):
            return _cast(self._unary(), kind)
        return evaluate(self._tokens, *inside, self._names, self._depth)

    def _list(self) -> list[Any]:
        closed = self._tokens.closing(self.at)
        items = self._arguments(self.at + 1, closed)
        self.at = closed + 1
        return items

    def _arguments(self, start: int, end: int) -> list[Any]:
        ranges = split_arguments(self._tokens, start, end)
        if ranges and ranges[-1][0] == ranges[-1][1]:
            ranges.pop()  # a comma at the end
        return [evaluate(self._tokens, *each, self._names, self._depth) for each in ranges]

    def _named(self) -> Any:
        words: list[str] = []
        template = ""
        while True:
            if self._is("::"):
                self.at += 1
            if self.at >= self._end or self._tokens[self.at][0] != NAME:
                raise UnresolvedError(f"{'::'.join(words)} cannot be evaluated")
            words.append(self._tokens[self.at][1])
            self.at += 1
            if self._is("<"):
                closed = self._tokens.closing_angle(self.at)
                if 0 <= closed < self._end and (closed + 1 >= self._end or self._tokens[closed + 1][1] in "({::"):
                    template = "".join(f"{text} " for _, text, _ in self._tokens[self.at + 1 : closed])
                    self.at = closed + 1
            if not self._is("::"):
                break
        qualifiers, name = tuple(words[:-1]), words[-1]
        if self._is("("):
            closed = self._tokens.closing(self.at)
            start, self.at = self.at + 1, closed + 1
            return self._called(qualifiers, name, template, (start, closed))
        if self._is("{") and (template or attr_type(name) or name in _CONTAINERS):
            return self._made("::".join(words), template, [self._list()])
        if not qualifiers and name in _WORDS:
            return _WORDS[name]
        if name == "none" and qualifiers[-1:] in (("boost",), ("paddle",)):
            return NULL
        return self._names.constant(qualifiers, name)

    def _called(self, qualifiers: tuple[str, ...], name: str, template: str, inside: tuple[int, int]) -> Any:
        if name in ("static_cast", "reinterpret_cast", "const_cast") and template:
            value = evaluate(self._tokens, *inside, self._names, self._depth)
            kind = attr_type(self._names.type_text(template))
            return value if kind is None else _cast(value, kind)
        if "numeric_limits" in qualifiers:
            limits = _LIMITS.get(attr_type(self._names.type_text(template)) or "", {})
            if name not in limits:
                raise UnresolvedError(f"std::numeric_limits<{template.strip()}>::{name}() is not known")
            return limits[name]
        arguments = self._arguments(*inside)
        written = "::".join((*qualifiers, name))
        if template or attr_type(self._names.type_text(written)) or name in _CONTAINERS:
            return self._made(name, template, arguments)
        if name == "getenv":
            return NULL  # as in a build's own process, where nobody sets it
        if name == "GradVarName" and len(arguments) == 1:
            return plus(arguments[0], "@GRAD")
        if name == "to_string" and len(arguments) == 1 and isinstance(arguments[0], int):
            return str(int(arguments[0]))
        return self._names.call(qualifiers, name, arguments)

    def _made(self, name: str, template: str, arguments: list[Any]) -> Any:
        """Return what a constructor makes."""
        last = name.rpartition("::")[2]
        if last in _CONTAINERS:
            made = _container(arguments)
            kind = attr_type(f"std::vector<{self._names.type_text(template)}>") if template else None
            return _cast(made, kind) if kind in _NUMBERS else made
        if last == "string":
            return _string_of(arguments)
        kind = attr_type(self._names.type_text(name))
        if kind is not None and not template and len(arguments) <= 1:
            return _cast(arguments[0] if arguments else [], kind)
        raise UnresolvedError(f"{name}{'<...>' if template else ''}(...) cannot be evaluated")

    def _postfix(self, value: Any) -> Any:
        while self.at + 1 < self._end and self._tokens[self.at][1] in (".", "->", "["):
            if self._is("["):
                closed = self._tokens.closing(self.at)
                index = evaluate(self._tokens, self.at + 1, closed, self._names, self._depth)
                if not isinstance(value, list) or not isinstance(index, int) or not 0 <= index < len(value):
                    raise UnresolvedError("an index that cannot be evaluated")
                value = value[index]
                self.at = closed + 1
                continue
            name = self._tokens[self.at + 1][1]
            self.at += 2
            if not self._is("("):
                raise UnresolvedError(f"the member {name} is not known")
            closed = self._tokens.closing(self.at)
            has_arguments = closed > self.at + 1
            self.at = closed + 1
            value = _member(value, name, has_arguments=has_arguments)
        return value

    def _is(self, sign: str) -> bool:
        return self.at < self._end and self._tokens[self.at][1] == sign and self._tokens[self.at][0] == SIGN


def _member(value: Any, name: str, *, has_arguments: bool) -> Any:
    if not has_arguments:
        if name in ("data", "c_str", "str", "to_string") and isinstance(value, str):
            return value
        if name == "data" and isinstance(value, list) and len(value) == 1:  # std::array<const char, N> k = {"..."}
            return value[0]
        if name in ("size", "length") and isinstance(value, (list, str)):
            return len(value)
    raise UnresolvedError(f"the member {name} is not known")


def _container(arguments: list[Any]) -> list[Any]:
    if not arguments:
        return []
    if len(arguments) == 1:
        if isinstance(arguments[0], list):
            return arguments[0]
        if isinstance(arguments[0], int) and 0 <= arguments[0] <= _MAX_COPIES:
            return [[]] * arguments[0]
    elif len(arguments) == 2 and isinstance(arguments[0], int) and 0 <= arguments[0] <= _MAX_COPIES:
        return [arguments[1]] * arguments[0]
    raise UnresolvedError("a container that cannot be evaluated")


def _string_of(arguments: list[Any]) -> str:
    if len(arguments) == 1 and isinstance(arguments[0], list):
        arguments = arguments[0]
    if not arguments:
        return ""
    if len(arguments) == 1 and isinstance(arguments[0], str):
        return arguments[0]
    if len(arguments) == 2 and isinstance(arguments[0], int) and isinstance(arguments[1], int):
        return chr(arguments[1]) * min(max(arguments[0], 0), _MAX_COPIES)
    raise UnresolvedError("a string that cannot be evaluated")


def _cast(value: Any, kind: str) -> Any:
    made = converted(value, kind)
    if kind == "FLOAT":
        return Float32(made)
    if isinstance(made, tuple):
        return [Float32(item) for item in made] if kind == "FLOATS" else list(made)
    return made
