"""The types of arguments and returns, and which is a subtype of which.

The rules are those of `isSubtypeOfExt` in PyTorch's jit_type.h, on the types that a schema is compared with: an enum
such as ScalarType, and a symbolic integer, count as `int` there.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LIST, OPTIONAL, TUPLE = "[]", "?", "()"
"""The heads of types that are written with signs."""
GENERICS = {"Dict": 2, "Future": 1, "RRef": 1, "Await": 1, "Union": None}
"""The types that are written with arguments in brackets, and how many; None for any number."""
SYNONYMS = {
    "None": "NoneType",
    "number": "Scalar",
    "Dimname": "str",
    **dict.fromkeys(("DeviceIndex", "ConstQuantizerPtr"), "int"),
}
"""Names of types that PyTorch reads as another one."""
_COMPARED_AS = dict.fromkeys(("SymInt", "ScalarType", "Layout", "MemoryFormat"), "int")
_NUMBERS = ("int", "float", "complex")
_COVARIANT = ("Future", "RRef", "Await", TUPLE)


class Type(Record):
    """A type: its name, or what it is a list, optional, tuple or generic of. `size` is the number in `int[2]`."""

    head: str
    items: tuple[Type, ...] = ()
    size: int | None = None

    def __str__(self) -> str:
        inner = list(map(str, self.items))
        if self.head == LIST:
            return f"{inner[0]}[{'' if self.size is None else self.size}]"
        if self.head == OPTIONAL:
            return f"{inner[0]}?"
        if self.items or self.head == TUPLE:
            return f"{'' if self.head == TUPLE else self.head}({', '.join(inner)})"
        return self.head


def compared(kind: Type) -> Type:
    """Return the type that takes the place of a type in comparisons."""
    if not kind.items:
        return Type(head=_COMPARED_AS[kind.head]) if kind.head in _COMPARED_AS else kind
    return Type(head=kind.head, items=tuple(map(compared, kind.items)))


def size_of(kind: Type) -> int | None:
    """Return the number of items that an argument of the type may be given as one value, None for none."""
    return size_of(kind.items[0]) if kind.head == OPTIONAL else kind.size


def is_subtype(one: Type, other: Type) -> bool:
    """Tell whether every value of a type is one of another; both are as `compared` returns them."""
    if one == other or other.head == "Any" or (_is_variable(one) and _is_variable(other)):
        return True
    members = _members(other)
    if len(members) > 1:
        return all(any(is_subtype(each, member) for member in members) for each in _members(one))
    if other.head == "Scalar":
        return one.head in _NUMBERS
    if one.head == other.head and one.head in _COVARIANT and len(one.items) == len(other.items):
        return all(map(is_subtype, one.items, other.items))
    return one.head == LIST == other.head and _is_same(one.items[0], other.items[0])


def _is_same(one: Type, other: Type) -> bool:
    return is_subtype(one, other) and is_subtype(other, one)


def _members(kind: Type) -> list[Type]:
    """Return the types of a union; an optional is one of its type and None."""
    return list(_flat(kind)) if kind.head in (OPTIONAL, "Union") else [kind]


def _flat(kind: Type) -> Iterator[Type]:
    if kind.head == OPTIONAL:
        yield Type(head="NoneType")
    for each in kind.items:
        yield from _flat(each) if each.head in (OPTIONAL, "Union") else (each,)


def _is_variable(kind: Type) -> bool:
    """Tell whether a type is a type variable, such as `t` and `tVal`: any two are the same."""
    return kind.head[:1] == "t" and (len(kind.head) == 1 or kind.head[1].isupper()) and not kind.items
