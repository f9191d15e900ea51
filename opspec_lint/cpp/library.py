"""The part of C++'s standard library that is used in names and in default values of arguments."""

from __future__ import annotations

import math

from opspec_lint.cpp.numbers import SIZES, Float32, convert_number, first_fitting, kind_of, limits
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import (
    NULL,
    Chars,
    Position,
    Unordered,
    add_values,
    arithmetic,
    convert,
    items_between,
    std_string,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.type_names import CType

_MAX_COPIES = 10_000


def _limit_of(kind: str, *, greatest: bool = True) -> Any:
    """Return the greatest or least value of an integer type."""
    return convert_number(limits(kind)[greatest], kind)


CONSTANTS: dict[str, Any] = {
    "true": True,
    "false": False,
    "nullptr": NULL,
    "NULL": NULL,
    **{
        f"{name}_{end}": _limit_of(kind, greatest=end == "MAX")
        for name, kind in (
            ("CHAR", "char"),
            ("SHRT", "short"),
            ("INT", "int"),
            ("LONG", "long"),
            ("LLONG", "long"),
            ("INT8", "signed char"),
            ("INT16", "short"),
            ("INT32", "int"),
            ("INT64", "long"),
        )
        for end in ("MAX", "MIN")
    },
    **{
        f"{name}_MAX": _limit_of(kind)
        for name, kind in (
            ("UCHAR", "unsigned char"),
            ("USHRT", "unsigned short"),
            ("UINT", "unsigned int"),
            ("ULONG", "unsigned long"),
            ("ULLONG", "unsigned long"),
            ("UINT8", "unsigned char"),
            ("UINT16", "unsigned short"),
            ("UINT32", "unsigned int"),
            ("UINT64", "unsigned long"),
            ("SIZE", "unsigned long"),
        )
    },
    "FLT_MAX": Float32(3.4028234663852886e38),
    "FLT_MIN": Float32(1.1754943508222875e-38),
    "FLT_EPSILON": Float32(1.1920928955078125e-07),
    "DBL_MAX": 1.7976931348623157e308,
    "DBL_MIN": 2.2250738585072014e-308,
    "DBL_EPSILON": 2.220446049250313e-16,
    "M_PI": math.pi,
}
"""The constants of limits.h, stdint.h, float.h and math.h, and the literals that are names."""

_FRACTIONS: dict[str, dict[str, Any]] = {
    "float": {
        "max": CONSTANTS["FLT_MAX"],
        "min": CONSTANTS["FLT_MIN"],
        "lowest": Float32(-CONSTANTS["FLT_MAX"]),
        "epsilon": CONSTANTS["FLT_EPSILON"],
        "infinity": Float32(math.inf),
        "quiet_NaN": Float32(math.nan),
    },
    "double": {
        "max": CONSTANTS["DBL_MAX"],
        "min": CONSTANTS["DBL_MIN"],
        "lowest": -CONSTANTS["DBL_MAX"],
        "epsilon": CONSTANTS["DBL_EPSILON"],
        "infinity": math.inf,
        "quiet_NaN": math.nan,
    },
}


def limit(kind: CType | None, name: str, written: str) -> Any:
    """Return the result of a function of `std::numeric_limits`.

    Raises:
        UnresolvedError: the function is not known.
    """
    if isinstance(kind, str) and kind in _FRACTIONS and name in _FRACTIONS[kind]:
        return _FRACTIONS[kind][name]
    if isinstance(kind, str) and kind in SIZES and kind not in _FRACTIONS and name in ("max", "min", "lowest"):
        return _limit_of(kind, greatest=name == "max")
    raise UnresolvedError(f"std::numeric_limits<{written.strip()}>::{name}() is not known")


def size_of(kind: CType | None) -> Any:
    """Return the size of a type of number."""
    if not isinstance(kind, str) or kind not in SIZES:
        raise UnresolvedError("the size of something that is not a number")
    return convert_number(SIZES[kind], "unsigned long")


def call_library(
    qualifiers: tuple[str, ...], name: str, template: CType | None, values: list[Any]
) -> tuple[Any] | None:
    """Return the result of a function, in a tuple; None if the library has no such function.

    Args:
        qualifiers: the namespaces before its name.
        name: the name.
        template: the type between `<` and `>`, None if there is none.
        values: its arguments.

    Raises:
        UnresolvedError: the library has the function, but it is not implemented here.
    """
    if qualifiers != ("std",) or name == "getenv":
        return None  # what the environment sets is known to the caller, if at all
    if template is not None and name in ("min", "max"):
        values = [convert(value, template) for value in values]
    elif template is None and name in _FUNCTIONS and len(values) == _FUNCTIONS[name][0]:
        return (_FUNCTIONS[name][1](*values),)
    if name in ("min", "max") and len(values) == 2 and kind_of(values[0]) == kind_of(values[1]) is not None:
        # Of equal values, such as 0.0 and -0.0, the first is returned ([alg.min.max]).
        is_less = arithmetic("<", values[1], values[0])
        return (values[1] if is_less == (name == "min") and values[0] != values[1] else values[0],)
    raise UnresolvedError(f"the function std::{name} is not known")


def _to_string(value: Any) -> str:
    """Return the text that `std::to_string` makes of a number: six decimals for a floating-point number."""
    kind = kind_of(value)
    if kind is None:
        raise UnresolvedError("a string of something that is not a number")
    return f"{float(value):f}" if kind in ("float", "double") else str(int(value))


def _absolute(value: Any) -> Any:
    """Return the absolute value of a number, in its promoted type."""
    return arithmetic("-", 0, value) if arithmetic("<", value, 0) else arithmetic("+", value, 0)


_FUNCTIONS: dict[str, tuple[int, Any]] = {
    "to_string": (1, _to_string),
    "abs": (1, _absolute),
    "string": (1, std_string),
    "move": (1, lambda value: value),
}


def container(arguments: list[Any], name: str, item: CType | None) -> Any:
    """Return the container that a constructor makes, as a list.

    Raises:
        UnresolvedError: its items are unknown.
    """
    if name in ("vector", "list", "deque") and arguments and kind_of(arguments[0]) is not None and len(arguments) < 3:
        count = int(arguments[0])
        if isinstance(arguments[0], float) or not 0 <= count <= _MAX_COPIES:
            raise UnresolvedError("a container that cannot be evaluated")
        value = arguments[1] if len(arguments) > 1 else []
        return convert([value] * count, (name, item))
    if not arguments:
        return convert([], (name, item))
    if len(arguments) == 1 and isinstance(arguments[0], list):
        items = arguments[0]
        if name != "array" and len(items) == 1 and isinstance(items[0], list) and not isinstance(item, tuple):
            # `vector<int> x{y}` copies y.
            items = items[0]
        return convert(items, (name, item))
    raise UnresolvedError("a container that cannot be evaluated")


def string_of(arguments: list[Any]) -> str:
    """Return the string that a constructor of `std::string` makes.

    Raises:
        UnresolvedError: the string cannot be evaluated.
    """
    if len(arguments) == 1 and isinstance(arguments[0], list):
        arguments = arguments[0]
        if arguments and all(kind_of(character) == "char" for character in arguments):
            return "".join(map(chr, arguments))
        if len(arguments) > 1:
            raise UnresolvedError("a string that cannot be evaluated")
    if not arguments:
        return ""
    if len(arguments) == 1 and isinstance(arguments[0], str):
        return std_string(arguments[0])
    if len(arguments) == 2 and isinstance(arguments[0], int) and isinstance(arguments[1], int):
        if not 0 <= arguments[0] <= _MAX_COPIES or not 0 <= arguments[1] < 128:
            raise UnresolvedError("a string that cannot be evaluated")
        return chr(arguments[1]) * arguments[0]
    raise UnresolvedError("a string that cannot be evaluated")


def item(value: Any, index: Any) -> Any:
    """Return an item of a list, or a character of a string.

    Raises:
        UnresolvedError: the value has no such item.
    """
    # In ASCII only, an index of characters is one of bytes.
    if isinstance(value, str) and value.isascii() and kind_of(index) not in (None, "float", "double"):
        if 0 <= index < len(value):
            return first_fitting(ord(value[index]), "char")
    elif (
        isinstance(value, list)
        and not isinstance(value, Unordered)
        and kind_of(index) not in (None, "float", "double")
        and 0 <= index < len(value)
    ):
        return value[index]
    raise UnresolvedError("an index that cannot be evaluated")


def call_method(value: Any, name: str, arguments: list[Any]) -> Any:
    """Return the result of a constant method of a string or container.

    Raises:
        UnresolvedError: the method is not known.
    """
    if name == "at" and len(arguments) == 1 and not isinstance(value, Chars):
        return item(value, arguments[0])
    if not arguments:
        if name in ("data", "c_str") and isinstance(value, str):
            return Chars(value)
        if name in ("str", "to_string") and isinstance(value, str):
            return value
        if name == "data" and isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
            # std::array<const char, N> k = {"..."} has the string as its one item.
            return value[0]
        if isinstance(value, (list, str)) and not isinstance(value, Chars):
            if name in ("size", "length"):
                # size() counts bytes, and strings here consist of characters.
                length = len(value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value)
                return first_fitting(length, "unsigned long")
            if name == "empty":
                return not value
            if name in ("front", "back") and value:
                return item(value, 0 if name == "front" else len(value) - 1)
        # Not `isinstance`: the items of an `Unordered`, which is a list as well, have no known order.
        if type(value) is list and name in _POSITIONS:
            return Position(value, len(value) if _POSITIONS[name] else 0)
    raise UnresolvedError(f"the member {name} is not known")


_POSITIONS = {"begin": False, "cbegin": False, "end": True, "cend": True}
"""The methods that return an iterator, and whether it points behind the last item."""


def _insert_items(value: list[Any], at: Any, first: Any, last: Any) -> list[Any]:
    """Return a list with the items between two iterators inserted at a third iterator."""
    added = items_between(first, last)
    # An iterator into another list is invalid, and a change invalidates those into this list.
    if not isinstance(at, Position) or at.items is not value or first.items is value:
        raise UnresolvedError("a place in a list that cannot be evaluated")
    if len(value) + len(added) > _MAX_COPIES:
        raise UnresolvedError("a list that is too long")
    return [*value[: at.index], *added, *value[at.index :]]


def call_mutating_method(value: Any, name: str, arguments: list[Any]) -> Any:
    """Return a string or container after a method that changes it.

    Raises:
        UnresolvedError: the method is not known.
    """
    if isinstance(value, Unordered):
        raise UnresolvedError(f"the method {name} is not known")
    if isinstance(value, list) and name in ("push_back", "emplace_back") and len(arguments) == 1:
        if len(value) >= _MAX_COPIES:
            raise UnresolvedError("a list that is too long")
        return [*value, arguments[0]]
    if isinstance(value, list) and name == "clear" and not arguments:
        return []
    if type(value) is list and name == "reserve" and len(arguments) == 1:
        return value
    if type(value) is list and name == "insert" and len(arguments) == 3:
        return _insert_items(value, *arguments)
    if isinstance(value, list) and name == "pop_back" and not arguments and value:
        return value[:-1]
    if isinstance(value, str) and not isinstance(value, Chars):
        if name == "append" and len(arguments) == 1 and isinstance(arguments[0], str):
            return add_values(value, arguments[0])
        if name == "push_back" and len(arguments) == 1 and kind_of(arguments[0]) == "char":
            return add_values(value, arguments[0])
        if name == "clear" and not arguments:
            return ""
    raise UnresolvedError(f"the method {name} is not known")
