"""C++ values other than numbers: strings, null pointers, objects, lists; and conversion to the type of a variable."""

from __future__ import annotations

from opspec_lint.cpp.numbers import NUMBERS, compute, convert_number, kind_of
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
    """The object whose method is executed, or a pointer to it; only calls of its methods are evaluated."""


THIS = This()


class Chars(str):
    """A C string: a pointer to characters."""

    __slots__ = ()

    def text(self) -> str:
        """Return the string up to the first zero, as `std::string` would copy it."""
        return str(self).partition("\0")[0]


class Unordered(list[object]):
    """The items of a container whose order C++ does not define."""

    __slots__ = ()


class Position:
    """An iterator: a position in a list, from 0 to its length, valid until the list changes."""

    __slots__ = ("index", "items")

    def __init__(self, items: list[object], index: int) -> None:
        self.items = items
        self.index = index


def items_between(first: Any, last: Any) -> list[object]:
    """Return the items between two iterators.

    Raises:
        UnresolvedError: the values are no iterators into one list.
    """
    if not isinstance(first, Position) or not isinstance(last, Position) or first.items is not last.items:
        raise UnresolvedError("a range that cannot be evaluated")
    return first.items[first.index : last.index]


def std_string(value: str) -> str:
    """Return a string as std::string stores it."""
    return value.text() if isinstance(value, Chars) else value


def convert(value: Any, kind: CType | None) -> Any:
    """Return a value converted to the type of a variable.

    Raises:
        UnresolvedError: the value cannot be converted, or the type is unknown.
    """
    if kind == "auto":
        return value
    if isinstance(kind, tuple):
        return _to_container(value, *kind)
    if kind in NUMBERS:
        return _to_number(value, kind)
    while isinstance(value, list) and len(value) == 1:  # `T x = {y}`
        value = value[0]
    if kind == "string":
        if isinstance(value, str):
            return std_string(value)
        if value == []:
            return ""
    elif kind == "chars" and isinstance(value, (Chars, Null)):
        return value
    raise UnresolvedError(f"a variable of type {kind or 'unknown'} cannot be {describe(value)}")


def _to_number(value: Any, kind: str) -> Any:
    """Return a value converted to a type of number; `{}` is 0."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value == []:
        value = 0
    if kind_of(value) is None:
        if kind == "bool" and isinstance(value, (Chars, Null)):
            # A pointer is true unless it is null ([conv.bool]).
            return isinstance(value, Chars)
        raise UnresolvedError(f"a variable of type {kind} cannot be {describe(value)}")
    return convert_number(value, kind)


def _to_container(value: Any, container: str, item: CType | None) -> Any:
    """Return a list converted to a container, with its items converted."""
    if not isinstance(value, list) or (isinstance(value, Unordered) and container != "unordered_set"):
        raise UnresolvedError(f"a {container} cannot be {describe(value)}")
    if container == "array" and item == "char" and len(value) == 1 and isinstance(value[0], Chars):
        return value
    items = list(value) if item is None else [convert(value_of_item, item) for value_of_item in value]
    if container not in ("set", "unordered_set"):
        return items
    if item is None or isinstance(item, tuple):
        raise UnresolvedError("a set of unknown items")
    # std::set orders strings by their bytes, Python by their characters.
    unique = sorted(set(items), key=lambda item: item.encode() if isinstance(item, str) else item)
    return Unordered(unique) if container == "unordered_set" else unique


def truth(value: Any) -> bool:
    """Return the value as a condition.

    Raises:
        UnresolvedError: the value is no condition.
    """
    if isinstance(value, (bool, int, float, Null)):
        return bool(value)
    if isinstance(value, (Chars, This)):
        return True
    raise UnresolvedError(f"{describe(value)} is not a condition")


def add_values(a: Any, b: Any) -> Any:
    """Return the sum of numbers, or the concatenation of strings."""
    if isinstance(a, str) and isinstance(b, str) and not (isinstance(a, Chars) and isinstance(b, Chars)):
        # At least one is a std::string: two C strings are pointers, which cannot be added.
        return std_string(a) + std_string(b)
    for text, character in ((a, b), (b, a)):
        if isinstance(text, str) and not isinstance(text, Chars) and kind_of(character) == "char":
            return text + chr(character) if text is a else chr(character) + text
    return arithmetic("+", a, b)


def arithmetic(sign: str, a: Any, b: Any) -> Any:
    """Return the result of an operator of C++ on two numbers, or of a comparison of two strings.

    Raises:
        UnresolvedError: the operator does not apply to the values.
    """
    if kind_of(a) is not None and kind_of(b) is not None:
        return compute(sign, a, b)
    if sign in ("==", "!="):
        if isinstance(a, str) and isinstance(b, str) and not (isinstance(a, Chars) and isinstance(b, Chars)):
            # At least one is a std::string: two C strings compare their addresses, which are not known.
            return (std_string(a) == std_string(b)) == (sign == "==")
        pointers = [isinstance(operand, Null) for operand in (a, b)]
        if any(pointers) and all(isinstance(operand, (Null, Chars, This)) for operand in (a, b)):
            return all(pointers) == (sign == "==")
        if type(a) is list and type(b) is list:
            return (a == b) == (sign == "==")
    raise UnresolvedError(f"{describe(a)} {sign} {describe(b)} cannot be evaluated")


def describe(value: Any) -> str:
    """Return the text of a value in messages."""
    if isinstance(value, This):
        return "the object"
    return "a null pointer" if isinstance(value, Null) else repr(value)[:60]
