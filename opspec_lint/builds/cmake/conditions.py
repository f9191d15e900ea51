"""The conditions of `if` and `while` of CMake, without what the variables of the file decide."""

from __future__ import annotations

from opspec_lint.builds.cmake.commands import is_true
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.builds.cmake.values import Variables
    from opspec_lint.spec.condition import Condition

_CONSTANTS = frozenset({"0", "1", "ON", "OFF", "YES", "NO", "TRUE", "FALSE", "Y", "N", "IGNORE", "NOTFOUND"})
_UNARY = frozenset(
    {"COMMAND", "DEFINED", "EXISTS", "IS_ABSOLUTE", "IS_DIRECTORY", "IS_SYMLINK", "POLICY", "TARGET", "TEST"}
)
_BINARY = pattern(
    r"(?:STR|VERSION_)?(?:EQUAL|LESS|GREATER|LESS_EQUAL|GREATER_EQUAL)|MATCHES|IN_LIST|IS_NEWER_THAN|PATH_EQUAL"
)
_VARIABLE_NAME = pattern(r"[A-Za-z_]*[A-Z_]\w*")
"""A text that may be the name of a variable of another file: such names have capital letters or underscores."""


def condition_of(arguments: Sequence[str], variables: Variables, runs_if: Condition) -> Condition:
    """Return the condition in the arguments of an `if` that runs under a condition."""
    test = _Test(arguments, variables, runs_if)
    result = test.read_or()
    # A condition that is not valid, such as one that ends early, is an error of CMake.
    return result if test.is_at_end() else requirement(f"{' '.join(arguments)} of CMake")


class _Test:
    """A recursive-descent reader of a condition: NOT binds stronger than AND, AND stronger than OR."""

    def __init__(self, tokens: Sequence[str], variables: Variables, runs_if: Condition) -> None:
        self._tokens = tokens
        self._variables = variables
        self._runs_if = runs_if
        self._at = 0

    def is_at_end(self) -> bool:
        """Return whether all tokens are read."""
        return self._at == len(self._tokens)

    def read_or(self) -> Condition:
        """Return the condition of operands that OR joins."""
        result = self._and()
        while self._accept("OR"):
            result = disjunction((result, self._and()))
        return result

    def _and(self) -> Condition:
        result = self._not()
        while self._accept("AND"):
            result = conjunction(result, self._not())
        return result

    def _not(self) -> Condition:
        if self._accept("NOT"):
            return negation(self._not())
        if self._accept("("):
            result = self.read_or()
            self._accept(")")
            return result
        return self._comparison()

    def _comparison(self) -> Condition:
        """Return the condition of one test."""
        left, sign, right = (*self._tokens[self._at : self._at + 3], "", "", "")[:3]
        if left in _UNARY and sign:
            self._at += 2
            variable = self._variables.lookup(sign, self._runs_if)
            is_set = left == "DEFINED" and variable.is_sure and any(item.condition == ALWAYS for item in variable.items)
            return ALWAYS if is_set else requirement(f"{left} {sign} of CMake")
        if _BINARY.fullmatch(sign):
            self._at += 3
            unknown = requirement(f"{left} {sign} {right} of CMake")
            return self._equality(left, right, unknown) if sign in ("STREQUAL", "EQUAL") else unknown
        self._at += 1
        return self._value(left)

    def _equality(self, left: str, right: str, unknown: Condition) -> Condition:
        """Return the condition under which two sides are equal; `unknown` is the one for unknown values."""
        equal_if = [NEVER]
        for first, first_if in self._operand(left):
            for second, second_if in self._operand(right):
                if first is None or second is None:
                    equal_if.append(conjunction(conjunction(first_if, second_if), unknown))
                elif first == second:
                    equal_if.append(conjunction(first_if, second_if))
        return disjunction(equal_if)

    def _operand(self, text: str) -> list[tuple[str | None, Condition]]:
        """Return the values that a side of a comparison may have, each with its condition; None for an unknown one."""
        if text in self._variables:
            return self._variables.choices(text, self._runs_if)
        value = None if _VARIABLE_NAME.fullmatch(text) else self._variables.value(text, self._runs_if)
        return [(value, ALWAYS)]

    def _value(self, text: str) -> Condition:
        """Return the condition under which a constant or a variable is true."""
        name = text
        if "$" in text:
            value = self._variables.value(text, self._runs_if)
            name = text.removeprefix("${").removesuffix("}") if value is None else value
        if not name or name.upper() in _CONSTANTS or name.isdecimal():
            return ALWAYS if is_true(name) else NEVER
        variable = self._variables.lookup(name, self._runs_if)
        unknown = requirement(f"{name} of CMake")
        if not variable.is_sure:
            return unknown
        known = disjunction((NEVER, *(item.condition for item in variable.items if is_true(item.text))))
        return disjunction((known, conjunction(variable.unknown_if, unknown)))

    def _accept(self, token: str) -> bool:
        """Read the next token if it is a certain one; return whether it was."""
        if self._at < len(self._tokens) and self._tokens[self._at] == token:
            self._at += 1
            return True
        return False
