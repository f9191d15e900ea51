"""The types of arguments and returns, and their subtype relation.

The rules follow `isSubtypeOfExt` in PyTorch's jit_type.h. As in PyTorch's comparison of schemas, an enum such as
ScalarType, and a symbolic integer, count as `int`.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LIST, OPTIONAL, TUPLE = "[]", "?", "()"
"""The heads of types that have a sign in place of a name."""
GENERICS = {"Dict": 2, "Future": 1, "RRef": 1, "Await": 1, "Union": None}
"""The types with arguments in brackets, and their number; None for any number."""
SYNONYMS = {
    "None": "NoneType",
    "number": "Scalar",
    "Dimname": "str",
    **dict.fromkeys(("DeviceIndex", "ConstQuantizerPtr"), "int"),
}
"""Names of types that PyTorch reads as another type."""
_COMPARISON_NAMES = dict.fromkeys(("SymInt", "ScalarType", "Layout", "MemoryFormat"), "int")
_NUMBERS = ("int", "float", "complex")
_COVARIANT = ("Future", "RRef", "Await", TUPLE)


class Type(Record):
    """A type: its name or sign, the types in it, and the number in `int[2]`."""

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
    """Return the type that replaces a type in comparisons."""
    if not kind.items:
        return Type(head=_COMPARISON_NAMES[kind.head]) if kind.head in _COMPARISON_NAMES else kind
    return Type(head=kind.head, items=tuple(map(compared, kind.items)))


def size_of(kind: Type) -> int | None:
    """Return the size of a sized list such as `int[2]`, for which a call may give one value; None for other types."""
    return size_of(kind.items[0]) if kind.head == OPTIONAL else kind.size


def is_subtype(narrow: Type, wide: Type) -> bool:
    """Return whether every value of `narrow` is one of `wide`; both are results of `compared`."""
    if narrow == wide or wide.head == "Any" or (_is_variable(narrow) and _is_variable(wide)):
        return True
    members = _members(wide)
    if len(members) > 1:
        return all(any(is_subtype(kind, member) for member in members) for kind in _members(narrow))
    if wide.head == "Scalar":
        return narrow.head in _NUMBERS
    if narrow.head == wide.head and narrow.head in _COVARIANT and len(narrow.items) == len(wide.items):
        return all(map(is_subtype, narrow.items, wide.items))
    # A list can be written to, so its items have to be of the same type, unlike those of `_COVARIANT`.
    return narrow.head == LIST == wide.head and _is_same(narrow.items[0], wide.items[0])


def _is_same(first: Type, second: Type) -> bool:
    """Return whether two types are subtypes of each other."""
    return is_subtype(first, second) and is_subtype(second, first)


def _members(kind: Type) -> list[Type]:
    """Return the members of a union; an optional is the union of its type and None."""
    return list(_flat_members(kind)) if kind.head in (OPTIONAL, "Union") else [kind]


def _flat_members(kind: Type) -> Iterator[Type]:
    """Yield the members of a union or optional, without nested unions."""
    if kind.head == OPTIONAL:
        yield Type(head="NoneType")
    for item in kind.items:
        yield from _flat_members(item) if item.head in (OPTIONAL, "Union") else (item,)


def _is_variable(kind: Type) -> bool:
    """Return whether a type is a type variable, such as `t` and `tVal`: any two count as equal."""
    return kind.head[:1] == "t" and (len(kind.head) == 1 or kind.head[1].isupper()) and not kind.items
