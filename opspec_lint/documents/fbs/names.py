"""What the names of a schema mean: types by the namespaces that they are used in, and the numbers of enum values."""

from __future__ import annotations

from opspec_lint.documents.fbs import constants
from opspec_lint.documents.fbs.schema import SYNONYMS
from opspec_lint.documents.fbs.syntax import unquoted
from opspec_lint.kit.errors import nearest_advice
from opspec_lint.spec.slots import FLOATS, SCALARS, range_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from opspec_lint.documents.fbs.syntax import Attributes, RawDeclaration, RawItem

_INTEGERS = frozenset(SCALARS) - FLOATS
_ALIGNMENTS = frozenset(1 << bit for bit in range(9))
_LONGEST = 40
"""Characters of a number or name in a message."""
_NONE: Mapping[str, Any] = {}


class Names:
    """The declared names of all files of a schema.

    Args:
        raws: the declarations, in the order of the text.

    Raises:
        InputError: a name is declared twice.
    """

    def __init__(self, raws: Iterable[RawDeclaration]) -> None:
        self.raws: dict[str, RawDeclaration] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        self._numbers: dict[str, Mapping[str, int]] = {}
        for raw in raws:
            name = f"{raw.namespace}.{raw.name}" if raw.namespace else raw.name
            if name in self.raws:
                first = self.raws[name]
                place = f"{first.text.path}, line {first.text.line(first.at)}"
                raw.text.refuse(raw.at, f"{name!r} is declared twice, first in {place}")
            self.raws[name] = raw

    def full(self, name: str, namespace: str) -> str | None:
        """Return the full name of a type, as a namespace sees it; None where it is not declared."""
        key = namespace, name
        if key not in self._found:
            around = namespace
            while around and f"{around}.{name}" not in self.raws:
                around = around.rpartition(".")[0]
            full = f"{around}.{name}" if around else name
            self._found[key] = full if full in self.raws else None
        return self._found[key]

    def form(self, kind: str) -> str | None:
        """Return what a type is declared as, None for a scalar and for `string`."""
        raw = self.raws.get(kind)
        return None if raw is None else raw.form

    def type_of(self, raw: RawDeclaration, item: RawItem) -> str:
        """Return the name of what an item consists of: a scalar, `string`, or the full name of a declaration."""
        name = item[2]
        kind = scalar(name) or ("string" if name == "string" else self.full(name, raw.namespace))
        if kind is None:
            advice = nearest_advice(name, [*self.raws, *SCALARS])
            raw.text.refuse(raw.place(item), f"the type {name!r} is not declared", advice)
        return kind

    def scalar_of(self, kind: str) -> str | None:
        """Return the scalar type that the bytes of a scalar or enum are of, None for any other type."""
        if kind in SCALARS:
            return kind
        raw = self.raws.get(kind)
        return self.underlying(raw) if raw is not None and raw.form == "enum" else None

    def underlying(self, raw: RawDeclaration) -> str:
        """Return the underlying type of an enum; `short`, as it once was, where it names none."""
        found = scalar(raw.underlying or "short")
        if found not in _INTEGERS:
            raw.text.refuse(raw.at, f"the underlying type of the enum {raw.name!r} must be an integer type")
        return found

    def numbers(self, name: str) -> Mapping[str, int]:
        """Return the numbers of an enum's values by their names; of bit flags, with the bit set."""
        if name not in self._numbers:
            self._numbers[name] = self._numbers_of(self.raws[name])
        return self._numbers[name]

    def _numbers_of(self, raw: RawDeclaration) -> dict[str, int]:
        refuse_repeated(raw)
        underlying = self.underlying(raw)
        least, greatest = range_of(underlying)
        bits = greatest.bit_length() + (least < 0) if "bit_flags" in raw.attributes else 0
        numbers: dict[str, int] = {}
        last = -1
        for item in raw.items:
            last = last + 1 if item[4] is None else integer(raw, item, item[4])
            if not (0 <= last < bits if bits else least <= last <= greatest):
                what = "bit" if bits else "value"
                raw.text.refuse(raw.place(item), f"{item[0]} = {str(last)[:_LONGEST]} is not a {what} of {underlying}")
            numbers[item[0]] = 1 << last if bits else last
        return numbers


def scalar(name: str) -> str | None:
    """Return the one name of a scalar type, None for what is none."""
    return name if name in SCALARS else SYNONYMS.get(name)


def attributes(written: Attributes, raw: RawDeclaration, at: int) -> Mapping[str, Any]:
    """Return attributes with their values: `force_align` as a number, texts without quotes, flags as True."""
    if not written:
        return _NONE
    found: dict[str, Any] = {key: unquoted(each) if isinstance(each, str) else each for key, each in written.items()}
    if "force_align" in found:
        text = str(found["force_align"])
        try:
            found["force_align"] = constants.integer(text)
        except ValueError:
            found["force_align"] = 0
        if found["force_align"] not in _ALIGNMENTS:
            raw.text.refuse(at, f"force_align must be a power of two up to 256, found {text[:_LONGEST]}")
    return found


def integer(raw: RawDeclaration, item: RawItem, text: str) -> int:
    """Return the integer that stands in an item.

    Raises:
        InputError: it is none.
    """
    try:
        return constants.integer(unquoted(text))
    except ValueError as error:
        raw.text.refuse(raw.place(item), f"{item[0] or item[2]!r}: {error}, found {text[:_LONGEST]}")


def refuse_repeated(raw: RawDeclaration) -> None:
    """Make sure that no two items of a declaration have one name.

    Raises:
        InputError: two have.
    """
    seen = set()
    for item in raw.items:
        if item[0] in seen:
            raw.text.refuse(raw.place(item), f"{raw.name!r} has two items named {item[0]!r}")
        seen.add(item[0])
