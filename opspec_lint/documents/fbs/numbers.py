"""The numbers of a schema that are counted: values of enums, and members of unions."""

from __future__ import annotations

from opspec_lint.documents.fbs import constants
from opspec_lint.kit.record import Record
from opspec_lint.spec.slots import range_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.documents.fbs.names import SchemaNames
    from opspec_lint.documents.fbs.syntax import RawDeclaration, RawItem

NONE = "NONE"
"""The number 0 of every union, and the value of an enum that declares none."""
_LONGEST = 40
"""Characters of a number or name in a message."""


class NumberedMember(Record):
    """A member of a union with the name and number that `flatc` gives it."""

    name: str
    number: int
    item: RawItem


class ItemNumbers:
    """The numbers of all enums and unions of a schema, each counted once."""

    def __init__(self, names: SchemaNames) -> None:
        self._names = names
        self._of_enums: dict[str, Mapping[str, int]] = {}

    def enum_numbers(self, name: str) -> Mapping[str, int]:
        """Return the numbers of an enum's values by their names; of bit flags, with the bit set.

        Raises:
            InputError: two values have the same name, the least number occurs twice (`flatc` compares no others), or a
                number is not of the enum's type.
        """
        if name not in self._of_enums:
            self._of_enums[name] = self._enum(self._names.raws[name])
        return self._of_enums[name]

    def member_numbers(self, raw: RawDeclaration) -> Iterator[NumberedMember]:
        """Yield the members of a union with their numbers.

        Raises:
            InputError: two members have one name or number, or one is not of the type.
        """
        underlying = self._names.underlying(raw)
        least, greatest = range_of(underlying)
        # `flatc` gives every union a member NONE with the number 0.
        number, names, numbers = 0, {NONE}, {0}
        for item in raw.items:
            # `flatc` names a member without an alias by its type, with `_` for each dot (ParseEnum,
            # src/idl_parser.cpp).
            name = item.label.replace(".", "_")
            number = number + 1 if item.value is None else integer(raw, item, item.value)
            if name in names or number in numbers:
                problem = f"the number {str(number)[:_LONGEST]} or the name {name!r} is already used in {raw.name!r}"
                raw.text.refuse(raw.place(item), problem)
            if not least <= number <= greatest:
                problem = f"{name} = {str(number)[:_LONGEST]} is not a member of a union of {underlying}"
                raw.text.refuse(raw.place(item), problem, f"number the members from 1 to {greatest}")
            names.add(name)
            numbers.add(number)
            yield NumberedMember(name=name, number=number, item=item)

    def _enum(self, raw: RawDeclaration) -> dict[str, int]:
        """Return the numbers of an enum's values by their names, NONE for an enum without values."""
        numbers = dict(self._values(raw)) if raw.items else {NONE: 0}
        if len(numbers) < len(raw.items):
            refuse_repeated(raw)
        _check_least(raw, numbers)
        return numbers

    def _values(self, raw: RawDeclaration) -> Iterator[tuple[str, int]]:
        """Yield the values of an enum with their numbers; with bit_flags, a file states the position of the bit."""
        underlying = self._names.underlying(raw)
        is_flags = "bit_flags" in raw.attributes
        least, greatest = range_of(underlying)
        if is_flags:
            least, greatest = 0, greatest.bit_length() - 1
        written = -1
        for item in raw.items:
            written = written + 1 if item.value is None else integer(raw, item, item.value)
            if not least <= written <= greatest:
                what = "bit" if is_flags else "value"
                raw.text.refuse(
                    raw.place(item), f"{item.name} = {str(written)[:_LONGEST]} is not a {what} of {underlying}"
                )
            yield item.name, 1 << written if is_flags else written


def _check_least(raw: RawDeclaration, numbers: Mapping[str, int]) -> None:
    """Raise an error if two values of an enum have its least number; `flatc` compares no others."""
    least = min(numbers.values())
    first, *others = [name for name, number in numbers.items() if number == least]
    if others:
        item = next(repeated for repeated in raw.items if repeated.name == others[0])
        problem = f"{first!r} and {others[0]!r} of {raw.name!r} have the number {least}"
        raw.text.refuse(raw.place(item), problem, "give every value a number of its own")


def integer(raw: RawDeclaration, item: RawItem, text: str) -> int:
    """Return an integer in an item.

    Raises:
        InputError: the text is no integer.
    """
    try:
        return constants.integer(text)
    except ValueError as error:
        raw.text.refuse(raw.place(item), f"{item.label!r}: {error}, found {text[:_LONGEST]}")


def refuse_repeated(raw: RawDeclaration) -> None:
    """Raise an error if two items of a declaration have the same name.

    Raises:
        InputError: two items have it.
    """
    seen = set()
    for item in raw.items:
        if item.name in seen:
            raw.text.refuse(raw.place(item), f"{raw.name!r} has two items named {item.name!r}")
        seen.add(item.name)
