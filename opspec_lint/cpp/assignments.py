"""The effects of single statements on variables: declarations, assignments, and calls of mutating methods."""

from __future__ import annotations

from opspec_lint.cpp import library
from opspec_lint.cpp.expressions import construct, evaluate, text_of
from opspec_lint.cpp.tokens import NAME, SIGN, split_arguments
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import Chars, This, add_values, arithmetic, convert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.effects import Effects
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.type_names import CType
    from opspec_lint.cpp.variables import Variables

_NOT_TYPES = frozenset(
    {"return", "if", "for", "while", "else", "new", "delete", "throw", "using", "typedef", "case", "goto", "default",
     "struct", "class", "enum", "union", "template", "operator", "this"}
)  # fmt: skip
_TYPE_KEYWORDS = frozenset(
    {"auto", "const", "int", "float", "double", "bool", "char", "long", "short", "unsigned", "signed", "constexpr",
     "static"}
)  # fmt: skip
_ASSIGNING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="})
_QUALIFIERS = frozenset({"const", "static", "constexpr", "auto", "volatile", "extern", "thread_local"})


class Assignments:
    """The interpreter of the statements of one function that declare and change variables."""

    def __init__(self, tokens: Tokens, environment: Variables, effects: Effects) -> None:
        self._tokens = tokens
        self._environment = environment
        self._effects = effects

    def follow(self, start: int, end: int) -> bool:
        """Execute a statement, and return whether it was understood."""
        first = self._tokens[start][1]
        if first in ("using", "typedef"):
            return self._follow_alias(start, end)
        if first == "static_assert":
            return True
        return self._declare(start, end) or self._follow_change(start, end)

    def declared(self, start: int, end: int) -> str | None:
        """Return the name of the first variable that a range of tokens declares, None if it declares none."""
        declarator = self._first_declarator(start, end)
        return None if declarator is None else self._tokens[declarator][1]

    def type_of(self, start: int, end: int) -> tuple[CType | None, bool]:
        """Return the type that a range of tokens names, and whether it is a reference."""
        texts = [text for _, text, _ in self._tokens[start:end]]
        is_reference = any(text in ("&", "&&") for text in texts)
        return c_type(" ".join(texts), self._environment), is_reference

    def _follow_alias(self, start: int, end: int) -> bool:
        """Execute a `using` or `typedef`; return True if it is understood."""
        tokens = self._tokens
        texts = [text for _, text, _ in tokens[start:end]]
        if texts[0] == "using" and texts[2:3] == ["="]:
            self._environment.aliases[texts[1]] = " ".join(texts[3:])
            return True
        if texts[0] == "typedef" and tokens[end - 1][0] == NAME:
            self._environment.aliases[texts[-1]] = " ".join(texts[1:-1])
            return True
        if texts[:2] == ["using", "std"]:
            return True
        if texts[0] == "using" and texts[1:2] != ["namespace"] and "::" in texts:
            names = [text for text in texts[1:] if text != "::"]
            try:
                value = self._environment.outer.constant(tuple(names[:-1]), names[-1])
            except UnresolvedError as error:
                value = error
            self._environment.declare(names[-1], value, "auto").is_fixed = True
            return True
        raise UnresolvedError(f"{text_of(tokens, start, end)} is not evaluated")

    def _first_declarator(self, start: int, end: int) -> int | None:
        """Return the index of the first name that a statement declares, or None."""
        tokens = self._tokens
        index = start
        names = 0
        last = -1
        while index < end:
            kind, text, _ = tokens[index]
            if kind == NAME:
                if text in _NOT_TYPES:
                    return None
                names += 1
                last = index
            elif text == "<":
                closed = tokens.closing_angle(index)
                if closed < 0 or closed >= end:
                    return None
                index = closed
            elif text == "::":
                names -= index > start and tokens[index - 1][0] == NAME  # `a::b` counts as one name
            elif text not in ("*", "&", "&&"):
                break
            index += 1
        # A declaration has a type and a name, and the name is the last word before its value.
        if names < 2 or last <= start or tokens[last - 1][1] in ("::", ".") or tokens[last][1] in _TYPE_KEYWORDS:
            return None
        if index < end and (last != index - 1 or tokens[index][1] not in ("=", "{", "(", "[", ",")):
            return None
        if index == end and last != end - 1:
            return None
        return last

    def _declare(self, start: int, end: int) -> bool:
        """Execute a declaration; return False if the statement is none."""
        tokens = self._tokens
        first = self._first_declarator(start, end)
        if first is None:
            if tokens[start][1] in _QUALIFIERS:
                raise UnresolvedError(f"{text_of(tokens, start, end)} is not evaluated")
            return False
        if self._effects.may_have_effect(tokens, start, end, is_value=True):
            raise UnresolvedError(f"{text_of(tokens, start, end)} is not evaluated")
        stars = first
        while tokens[stars - 1][1] in ("*", "&", "&&"):
            stars -= 1
        base = " ".join([text for _, text, _ in tokens[start:stars]])
        for at, stop in split_arguments(tokens, stars, end):
            name = at
            while name < stop and tokens[name][1] in ("*", "&", "&&", "const"):
                name += 1
            if name >= stop or tokens[name][0] != NAME:
                raise UnresolvedError(f"{text_of(tokens, start, end)} is not evaluated")
            signs = " ".join([text for _, text, _ in tokens[at:name]])
            self._declare_variable(f"{base} {signs}", name, stop)
        return True

    def _declare_variable(self, written: str, name: int, end: int) -> None:
        """Declare the variable at an index, with the value behind it."""
        tokens = self._tokens
        at = name + 1
        dimensions: list[tuple[int, int]] = []
        while at < end and tokens[at][1] == "[":
            closed = tokens.closing(at)
            dimensions.append((at + 1, closed))
            at = closed + 1
        kind = c_type(written, self._environment)
        try:
            value = self._declared_value(kind, dimensions, at, end)
            if dimensions:
                kind = "chars" if isinstance(value, Chars) else ("vector", kind)
        except UnresolvedError as error:
            value = error
            # A call in the value may change its arguments.
            self._environment.forget_known(tokens, at, end)
        variable = self._environment.declare(tokens[name][1], value, kind)
        is_constant = "const" in written.split() or "constexpr" in written.split()
        if "static" in written.split() and not is_constant:
            # It keeps the value that an earlier call of the function left in it.
            variable.is_fixed = True
        if "&" in written or "*" in written:
            # The characters behind a `const char*` cannot change, so it counts as a plain string.
            variable.is_fixed = not (is_constant and kind == "chars")
            self._mark_fixed(at, end)

    def _mark_fixed(self, start: int, end: int) -> None:
        """Mark the variables that a range names as fixed: a reference may change them."""
        for kind, text, _ in self._tokens[start:end]:
            variable = self._environment.find(text) if kind == NAME else None
            if variable is not None:
                variable.is_fixed = True

    def _declared_value(self, kind: CType | None, dimensions: list[tuple[int, int]], at: int, end: int) -> Any:
        """Return the value of a variable at its declaration."""
        if at >= end:
            # Only class types have a default value: a number without one is indeterminate ([dcl.init]).
            if dimensions or not (kind == "string" or isinstance(kind, tuple)):
                raise UnresolvedError("the value of a variable is unknown")
            return convert([], kind)
        if len(dimensions) > 1:
            raise UnresolvedError("an array of arrays cannot be evaluated")
        is_list = self._tokens[at][1] == "{"
        value = self._initial_value(kind, at, end)
        if dimensions:
            return self._array_items(value, kind, dimensions[0])
        if not isinstance(value, list):
            return value if kind is None and isinstance(value, This) else convert(value, kind)
        # `auto x{1}` is an int and no list, since C++17 ([dcl.type.auto.deduct]).
        if kind == "auto" and is_list and len(value) == 1:
            return value[0]
        if kind == "string" or (isinstance(kind, tuple) and is_list and len(value) == 1):
            return construct(kind, [value])
        return convert(value, kind)

    def _initial_value(self, kind: CType | None, at: int, end: int) -> Any:
        """Return the initial value after the name of a variable: `= x`, `{x}` or `(x)`."""
        tokens = self._tokens
        sign = tokens[at][1]
        if sign == "=":
            return evaluate(tokens, at + 1, end, self._environment)
        if sign == "{" and tokens.closing(at) == end - 1:
            return evaluate(tokens, at, end, self._environment)
        if sign == "(" and tokens.closing(at) == end - 1:
            arguments = [
                evaluate(tokens, *argument, self._environment) for argument in split_arguments(tokens, at + 1, end - 1)
            ]
            if kind == "string" or isinstance(kind, tuple):
                return construct(kind, arguments)
            if len(arguments) == 1:
                return arguments[0]
        raise UnresolvedError("the value of a variable is unknown")

    def _array_items(self, value: Any, kind: CType | None, dimension: tuple[int, int]) -> Any:
        """Return the items of an array, filled up to its size."""
        if isinstance(value, Chars):
            if kind != "char":
                raise UnresolvedError("an array that cannot be evaluated")
            return value
        items = convert(value, ("vector", kind))
        if dimension[0] < dimension[1]:
            count = evaluate(self._tokens, *dimension, self._environment)
            if not isinstance(count, int) or not len(items) <= count <= 1000:
                raise UnresolvedError("an array that cannot be evaluated")
            if len(items) < count:
                # C++ initialises the missing items with zero ([dcl.init.aggr]).
                items += convert([[]] * (count - len(items)), ("vector", kind))
        return items

    def _follow_change(self, start: int, end: int) -> bool:
        """Execute an assignment, an increment or a changing method of a variable; return whether it is one."""
        tokens = self._tokens
        first, last = tokens[start], tokens[end - 1]
        if (end - start == 2 and "++" in (first[1], last[1])) or (end - start == 2 and "--" in (first[1], last[1])):
            name, sign = (last[1], first[1]) if first[0] == SIGN else (first[1], last[1])
            return self._set_variable(name, sign[0], 1)
        if end - start < 3 or first[0] != NAME or self._environment.find(first[1]) is None:
            return False
        sign = tokens[start + 1][1]
        if tokens[start + 1][0] != SIGN:
            return False
        shift = self._shift_operator(start, end)
        if shift:
            return self._assign(start, end, shift, start + 4)
        if sign in _ASSIGNING:
            return self._assign(start, end, sign[:-1], start + 2)
        if sign in (".", "->"):
            return self._follow_method(start, end)
        return False

    def _shift_operator(self, start: int, end: int) -> str:
        """Return `<<` or `>>` for `<<=` and `>>=`, "" for any other operator."""
        # `>>=` is two tokens, as `>>` may close two lists of template arguments.
        texts = [text for _, text, _ in self._tokens[start + 1 : min(start + 3, end)]]
        return {"<,<=": "<<", ">,>=": ">>"}.get(",".join(texts), "")

    def _assign(self, start: int, end: int, operator: str, value_at: int) -> bool:
        """Execute an assignment; return False if its value is unknown."""
        tokens = self._tokens
        if operator in ("<<", ">>"):
            value_at = start + 3
        if self._effects.may_have_effect(tokens, value_at, end, is_value=True):
            raise UnresolvedError(f"{text_of(tokens, start, end)} is not evaluated")
        try:
            return self._set_variable(tokens[start][1], operator, evaluate(tokens, value_at, end, self._environment))
        except UnresolvedError:
            return False

    def _set_variable(self, name: str, operator: str, operand: Any) -> bool:
        """Set a variable to the result of `operator=`; return False if there is no such variable."""
        variable = self._environment.find(name)
        if variable is None:
            return False
        if operator:
            before = self._environment.constant((), name)
            operand = add_values(before, operand) if operator == "+" else arithmetic(operator, before, operand)
        self._environment.assign(name, operand)
        return True

    def _follow_method(self, start: int, end: int) -> bool:
        """Execute a mutating method of a string or container; return False if it is not known."""
        tokens = self._tokens
        variable = self._environment.find(tokens[start][1])
        if variable is None or isinstance(variable.value, UnresolvedError) or variable.is_fixed:
            return False
        if start + 3 >= end or tokens[start + 3][1] != "(" or tokens.closing(start + 3) != end - 1:
            return False
        if self._effects.may_have_effect(tokens, start + 4, end, is_value=True):
            raise UnresolvedError(f"{text_of(tokens, start, end)} is not evaluated")
        try:
            arguments = [
                evaluate(tokens, *argument, self._environment)
                for argument in split_arguments(tokens, start + 4, end - 1)
            ]
            value = convert(
                library.call_mutating_method(variable.value, tokens[start + 2][1], arguments), variable.kind
            )
        except UnresolvedError:
            return False
        variable.value = value
        return True
