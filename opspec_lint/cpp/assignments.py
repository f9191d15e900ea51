"""Follows what single statements do to the variables of a function: declarations, assignments, changing methods."""

from __future__ import annotations

from opspec_lint.cpp import library
from opspec_lint.cpp.expressions import constructed, evaluate, text_of
from opspec_lint.cpp.tokens import NAME, SIGN, split_arguments
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import Chars, This, arithmetic, held, plus

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
_TYPE_WORDS = frozenset(
    {"auto", "const", "int", "float", "double", "bool", "char", "long", "short", "unsigned", "signed", "constexpr",
     "static"}
)  # fmt: skip
_ASSIGNING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="})
_QUALIFIERS = frozenset({"const", "static", "constexpr", "auto", "volatile", "extern", "thread_local"})


class Assignments:
    """Follows the statements of one function that declare and change variables."""

    def __init__(self, words: Tokens, here: Variables, effects: Effects) -> None:
        self._words = words
        self._here = here
        self._effects = effects

    def follow(self, start: int, end: int) -> bool:
        """Follow a statement; tell whether it was understood."""
        first = self._words[start][1]
        if first in ("using", "typedef"):
            return self._alias(start, end)
        if first == "static_assert":
            return True
        return self._declare(start, end) or self._change(start, end)

    def declared(self, start: int, end: int) -> str | None:
        """Return the name of the variable that a range declares, None where it declares none."""
        split = self._first_declarator(start, end)
        return None if split is None else self._words[split][1]

    def type_of(self, start: int, end: int) -> tuple[CType | None, bool]:
        """Return the type that a range says, and whether it is a reference through which something may change."""
        texts = [text for _, text, _ in self._words[start:end]]
        is_reference = any(text in ("&", "&&") for text in texts)
        return c_type(" ".join(texts), self._here), is_reference

    def _alias(self, start: int, end: int) -> bool:
        words = self._words
        texts = [text for _, text, _ in words[start:end]]
        if texts[0] == "using" and texts[2:3] == ["="]:
            self._here.aliases[texts[1]] = " ".join(texts[3:])
            return True
        if texts[0] == "typedef" and words[end - 1][0] == NAME:
            self._here.aliases[texts[-1]] = " ".join(texts[1:-1])
            return True
        if texts[:2] == ["using", "std"]:
            return True
        if texts[0] == "using" and texts[1:2] != ["namespace"] and "::" in texts:
            names = [text for text in texts[1:] if text != "::"]
            try:
                value = self._here.outer.constant(tuple(names[:-1]), names[-1])
            except UnresolvedError as error:
                value = error
            self._here.declare(names[-1], value, "auto").is_fixed = True
            return True
        raise UnresolvedError(f"{text_of(words, start, end)} is not followed")

    def _first_declarator(self, start: int, end: int) -> int | None:
        """Return the index of the name that a statement declares first, None where it declares none."""
        words = self._words
        index = start
        names = 0
        last = -1
        while index < end:
            kind, text, _ = words[index]
            if kind == NAME:
                if text in _NOT_TYPES:
                    return None
                names += 1
                last = index
            elif text == "<":
                closed = words.closing_angle(index)
                if closed < 0 or closed >= end:
                    return None
                index = closed
            elif text == "::":
                names -= index > start and words[index - 1][0] == NAME  # `a::b` counts as one name
            elif text not in ("*", "&", "&&"):
                break
            index += 1
        # A declaration has a type and a name, and the name is the last word before its value.
        if names < 2 or last <= start or words[last - 1][1] in ("::", ".") or words[last][1] in _TYPE_WORDS:
            return None
        if index < end and (last != index - 1 or words[index][1] not in ("=", "{", "(", "[", ",")):
            return None
        if index == end and last != end - 1:
            return None
        return last

    def _declare(self, start: int, end: int) -> bool:
        words = self._words
        first = self._first_declarator(start, end)
        if first is None:
            if words[start][1] in _QUALIFIERS:
                raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
            return False
        if self._effects.may_have_effect(words, first + 1, end, is_value=True):
            raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
        stars = first
        while words[stars - 1][1] in ("*", "&", "&&"):
            stars -= 1
        base = " ".join([text for _, text, _ in words[start:stars]])
        for at, stop in split_arguments(words, stars, end):
            name = at
            while name < stop and words[name][1] in ("*", "&", "&&", "const"):
                name += 1
            if name >= stop or words[name][0] != NAME:
                raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
            signs = " ".join([text for _, text, _ in words[at:name]])
            self._declare_one(f"{base} {signs}", name, stop)
        return True

    def _declare_one(self, written: str, name: int, end: int) -> None:
        words = self._words
        at = name + 1
        dimensions: list[tuple[int, int]] = []
        while at < end and words[at][1] == "[":
            closed = words.closing(at)
            dimensions.append((at + 1, closed))
            at = closed + 1
        kind = c_type(written, self._here)
        try:
            value = self._initial(kind, dimensions, at, end)
            if dimensions:
                kind = "chars" if isinstance(value, Chars) else ("vector", kind)
        except UnresolvedError as error:
            value = error
            self._here.forget_known(words, at, end)  # a call in the value may change what it is given
        variable = self._here.declare(words[name][1], value, kind)
        is_constant = "const" in written.split() or "constexpr" in written.split()
        if "static" in written.split() and not is_constant:
            variable.is_fixed = True  # it keeps what an earlier call left in it
        if "&" in written or "*" in written:
            variable.is_fixed = not (is_constant and kind == "chars")
            self._fix(at, end)

    def _fix(self, start: int, end: int) -> None:
        """Take in that variables may be changed by another name."""
        for kind, text, _ in self._words[start:end]:
            variable = self._here.find(text) if kind == NAME else None
            if variable is not None:
                variable.is_fixed = True

    def _initial(self, kind: CType | None, dimensions: list[tuple[int, int]], at: int, end: int) -> Any:
        """Return the value of a variable at its declaration."""
        if at >= end:
            if dimensions or not (kind == "string" or isinstance(kind, tuple)):
                raise UnresolvedError("the value of a variable is unknown")
            return held([], kind)
        if len(dimensions) > 1:
            raise UnresolvedError("an array of arrays cannot be evaluated")
        is_list = self._words[at][1] == "{"
        value = self._written(kind, at, end)
        if dimensions:
            return self._array(value, kind, dimensions[0])
        if not isinstance(value, list):
            return value if kind is None and isinstance(value, This) else held(value, kind)
        if kind == "auto" and is_list and len(value) == 1:
            return value[0]
        if kind == "string" or (isinstance(kind, tuple) and is_list and len(value) == 1):
            return constructed(kind, [value])
        return held(value, kind)

    def _written(self, kind: CType | None, at: int, end: int) -> Any:
        """Return the value that stands behind the name of a variable: `= x`, `{x}` or `(x)`."""
        words = self._words
        sign = words[at][1]
        if sign == "=":
            return evaluate(words, at + 1, end, self._here)
        if sign == "{" and words.closing(at) == end - 1:
            return evaluate(words, at, end, self._here)
        if sign == "(" and words.closing(at) == end - 1:
            arguments = [evaluate(words, *each, self._here) for each in split_arguments(words, at + 1, end - 1)]
            if kind == "string" or isinstance(kind, tuple):
                return constructed(kind, arguments)
            if len(arguments) == 1:
                return arguments[0]
        raise UnresolvedError("the value of a variable is unknown")

    def _array(self, value: Any, kind: CType | None, dimension: tuple[int, int]) -> Any:
        if isinstance(value, Chars):
            if kind != "char":
                raise UnresolvedError("an array that cannot be evaluated")
            return value
        items = held(value, ("vector", kind))
        if dimension[0] < dimension[1]:
            count = evaluate(self._words, *dimension, self._here)
            if not isinstance(count, int) or not len(items) <= count <= 1000:
                raise UnresolvedError("an array that cannot be evaluated")
            if len(items) < count:
                # C++ makes zeros of the items that are not written.
                items += held([[]] * (count - len(items)), ("vector", kind))
        return items

    def _change(self, start: int, end: int) -> bool:
        """Follow an assignment, an increment or a changing method of a variable; tell whether it is one."""
        words = self._words
        first, last = words[start], words[end - 1]
        if (end - start == 2 and "++" in (first[1], last[1])) or (end - start == 2 and "--" in (first[1], last[1])):
            name, sign = (last[1], first[1]) if first[0] == SIGN else (first[1], last[1])
            return self._set(name, sign[0], 1)
        if end - start < 3 or first[0] != NAME or self._here.find(first[1]) is None:
            return False
        sign = words[start + 1][1]
        if words[start + 1][0] != SIGN:
            return False
        shift = self._shift(start, end)
        if shift:
            return self._assign(start, end, shift, start + 4)
        if sign in _ASSIGNING:
            return self._assign(start, end, sign[:-1], start + 2)
        if sign in (".", "->"):
            return self._method(start, end)
        return False

    def _shift(self, start: int, end: int) -> str:
        # `>>=` is two tokens, as `>>` may close two lists of template arguments.
        texts = [text for _, text, _ in self._words[start + 1 : min(start + 3, end)]]
        return {"<,<=": "<<", ">,>=": ">>"}.get(",".join(texts), "")

    def _assign(self, start: int, end: int, operator: str, value_at: int) -> bool:
        words = self._words
        if operator in ("<<", ">>"):
            value_at = start + 3
        if self._effects.may_have_effect(words, value_at, end, is_value=True):
            raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
        try:
            return self._set(words[start][1], operator, evaluate(words, value_at, end, self._here))
        except UnresolvedError:
            return False

    def _set(self, name: str, operator: str, operand: Any) -> bool:
        variable = self._here.find(name)
        if variable is None:
            return False
        if operator:
            before = self._here.constant((), name)
            operand = plus(before, operand) if operator == "+" else arithmetic(operator, before, operand)
        self._here.assign(name, operand)
        return True

    def _method(self, start: int, end: int) -> bool:
        words = self._words
        variable = self._here.find(words[start][1])
        if variable is None or isinstance(variable.value, UnresolvedError) or variable.is_fixed:
            return False
        if start + 3 >= end or words[start + 3][1] != "(" or words.closing(start + 3) != end - 1:
            return False
        if self._effects.may_have_effect(words, start + 4, end, is_value=True):
            raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
        try:
            arguments = [evaluate(words, *each, self._here) for each in split_arguments(words, start + 4, end - 1)]
            value = held(library.changed(variable.value, words[start + 2][1], arguments), variable.kind)
        except UnresolvedError:
            return False
        variable.value = value
        return True
