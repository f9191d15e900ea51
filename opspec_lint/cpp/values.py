"""The values of C++, beside numbers: strings, null pointers, objects, lists; what a variable holds of one."""

from __future__ import annotations

from opspec_lint.cpp.numbers import NUMBERS, computed, kind_of, number
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.type_names import CType


class Null:
    """The null pointer."""

    def __bool__(self) -> bool:
        return False


NULL = Null()


class This:
    """The object whose method is followed, or a pointer to it: nothing is known of it but its methods."""


THIS = This()


class Chars(str):
    """A C string: a pointer to characters."""

    __slots__ = ()

    def text(self) -> str:
        """Return the string that is made of it, which ends at the first zero."""
        return str(self).partition("\0")[0]


class Unordered(list[object]):
    """The items of a container whose order C++ does not say."""

    __slots__ = ()


class Position:
    """An iterator: a place in a list, as long as the list is what it was.

    Args:
        items: the list.
        index: the place, from 0 to the length of the list.
    """

    __slots__ = ("index", "items")

    def __init__(self, items: list[object], index: int) -> None:
        self.items = items
        self.index = index


def between(first: Any, last: Any) -> list[object]:
    """Return the items from one position to another.

    Raises:
        UnresolvedError: the values are no positions in one list.
    """
    if not isinstance(first, Position) or not isinstance(last, Position) or first.items is not last.items:
        raise UnresolvedError("a range that cannot be evaluated")
    return first.items[first.index : last.index]


def string(value: str) -> str:
    """Return a string as std::string holds it."""
    return value.text() if isinstance(value, Chars) else value


def held(value: Any, kind: CType | None) -> Any:
    """Return a value as a variable of a type holds it.

    Raises:
        UnresolvedError: the type cannot hold it, or is not known.
    """
    if kind == "auto":
        return value
    if isinstance(kind, tuple):
        return _contained(value, *kind)
    if kind in NUMBERS:
        return _held_number(value, kind)
    while isinstance(value, list) and len(value) == 1:  # `T x = {y}`
        value = value[0]
    if kind == "string":
        if isinstance(value, str):
            return string(value)
        if value == []:
            return ""
    elif kind == "chars" and isinstance(value, (Chars, Null)):
        return value
    raise UnresolvedError(f"a variable of type {kind or 'unknown'} cannot be {shown(value)}")


def _held_number(value: Any, kind: str) -> Any:
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value == []:
        value = 0
    if kind_of(value) is None:
        if kind == "bool" and isinstance(value, (Chars, Null)):
            return isinstance(value, Chars)
        raise UnresolvedError(f"a variable of type {kind} cannot be {shown(value)}")
    return number(value, kind)


def _contained(value: Any, container: str, item: CType | None) -> Any:
    if not isinstance(value, list) or (isinstance(value, Unordered) and container != "unordered_set"):
        raise UnresolvedError(f"a {container} cannot be {shown(value)}")
    if container == "array" and item == "char" and len(value) == 1 and isinstance(value[0], Chars):
        return value
    items = list(value) if item is None else [held(each, item) for each in value]
    if container not in ("set", "unordered_set"):
        return items
    if item is None or isinstance(item, tuple):
        raise UnresolvedError("a set of unknown items")
    # std::set orders strings by their bytes, Python by their characters.
    unique = sorted(set(items), key=lambda each: each.encode() if isinstance(each, str) else each)
    return Unordered(unique) if container == "unordered_set" else unique


def truth(value: Any) -> bool:
    """The value as a condition.

    Raises:
        UnresolvedError: the value is no condition.
    """
    if isinstance(value, (bool, int, float, Null)):
        return bool(value)
    if isinstance(value, (Chars, This)):
        return True
    raise UnresolvedError(f"{shown(value)} is not a condition")


def plus(a: Any, b: Any) -> Any:
    """Return a sum, or two strings as one."""
    if isinstance(a, str) and isinstance(b, str) and not (isinstance(a, Chars) and isinstance(b, Chars)):
        return string(a) + string(b)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, str) and not isinstance(one, Chars) and kind_of(other) == "char":
            return one + chr(other) if one is a else chr(other) + one
    return arithmetic("+", a, b)


def arithmetic(sign: str, a: Any, b: Any) -> Any:
    """The result of an operator of C++ on two numbers, or of a comparison of two strings.

    Raises:
        UnresolvedError: the operator does not apply to the values.
    """
    if kind_of(a) is not None and kind_of(b) is not None:
        return computed(sign, a, b)
    if sign in ("==", "!="):
        if isinstance(a, str) and isinstance(b, str) and not (isinstance(a, Chars) and isinstance(b, Chars)):
            return (string(a) == string(b)) == (sign == "==")
        pointers = [isinstance(each, Null) for each in (a, b)]
        if any(pointers) and all(isinstance(each, (Null, Chars, This)) for each in (a, b)):
            return all(pointers) == (sign == "==")
        if type(a) is list and type(b) is list:
            return (a == b) == (sign == "==")
    raise UnresolvedError(f"{shown(a)} {sign} {shown(b)} cannot be evaluated")


def shown(value: Any) -> str:
    """A value as messages show it."""
    if isinstance(value, This):
        return "the object"
    return "a null pointer" if isinstance(value, Null) else repr(value)[:60]
