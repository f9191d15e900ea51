"""Compares two declarations of a struct, whose bytes stand where they stand: offset by offset."""

from __future__ import annotations

from opspec_lint.diff.slots.facts import declaration_changed, slot_fact
from opspec_lint.spec.slots import FLOATS, SCALARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.diff.slots.types import SchemaPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op


def compare(old: Op, new: Op, pair: SchemaPair) -> Iterator[Fact]:
    """Yield every fact that tells two declarations of a struct apart.

    The layout is the contract: the size, and at each offset a field of one type. A number that grows into padding, or
    shrinks and leaves some, is read alike while it is small, since padding is zero and numbers are little-endian.
    """
    before = {attr.get("slot"): attr for attr in old.attrs}
    after = {attr.get("slot"): attr for attr in new.attrs}
    names = {attr.name for attr in old.attrs}, {attr.name for attr in new.attrs}
    resized = []
    if old.get("size") != new.get("size") or before.keys() != after.keys():
        yield _layout(old, new, pair)
        return
    for offset, attr in before.items():
        other = after[offset]
        if attr.name != other.name and (attr.name in names[1] or other.name in names[0]):
            yield _layout(old, new, pair)
            return
        if pair.read(str(attr.type), str(other.type)) not in ("same", "alias"):
            if not _is_resized(attr, other, pair):
                yield _layout(old, new, pair)
                return
            resized.append((attr, other))
    yield from (_of_field("struct_field_resized", old, each, other, pair) for each, other in resized)
    for offset, attr in before.items():
        if attr.name != after[offset].name:
            yield _of_field("slot_renamed", old, attr, after[offset], pair)
    yield from _alignment(old, new)


def _is_resized(old: Attr, new: Attr, pair: SchemaPair) -> bool:
    """Tell whether two integers of one signedness differ in their width alone; the offsets of all fields are equal."""
    before, after = pair.base.kind(str(old.type)).scalar, pair.head.kind(str(new.type)).scalar
    if not before or not after or {before, after} & FLOATS:
        return False
    return SCALARS[before] != SCALARS[after] and before.startswith("u") is after.startswith("u")


def _alignment(old: Op, new: Op) -> Iterator[Fact]:
    before, after = old.get("alignment"), new.get("alignment")
    if isinstance(before, int) and isinstance(after, int) and before != after:
        event: EventId = "struct_alignment_raised" if after > before else "struct_alignment_lowered"
        yield declaration_changed(event, old, new, "alignment")


def _layout(old: Op, new: Op, pair: SchemaPair) -> Fact:
    """Return that the bytes of a struct stand elsewhere, with the first that do."""
    change = declaration_changed("struct_layout_changed", old, new, difference=_difference(old, new, pair))
    return change.replace(field="size", old=_shown(old), new=_shown(new))


def _shown(op: Op) -> str:
    fields = ", ".join(f"{attr.get('slot')} {attr.name}: {attr.type}" for attr in op.attrs)
    return f"{op.get('size')} bytes: {fields}"


def _difference(old: Op, new: Op, pair: SchemaPair) -> str:
    after = {attr.get("slot"): attr for attr in new.attrs}
    for attr in old.attrs:
        offset, other = attr.get("slot"), after.get(attr.get("slot"))
        if other is None:
            return f"at offset {offset} stood '{attr.name}', but no field of head begins there"
        if attr.name != other.name or pair.read(str(attr.type), str(other.type)) not in ("same", "alias"):
            before, now = pair.base.meaning(str(attr.type)), pair.head.meaning(str(other.type))
            return f"at offset {offset} stood '{attr.name}', {before}, where head reads '{other.name}', {now}"
    return f"it had {old.get('size')} bytes and has {new.get('size')}, so that the next item of a vector is elsewhere"


def _of_field(event: EventId, op: Op, old: Attr, new: Attr, pair: SchemaPair) -> Fact:
    is_renamed = event == "slot_renamed"
    example = pair.example(str(old.type), str(new.type))
    return slot_fact(
        event,
        op,
        old.name,
        (old, new),
        field=None if is_renamed else "type",
        sides=(None, None) if is_renamed else (old.type, new.type),
        new_name=new.name if is_renamed else None,
        facts={"slot": old.get("slot"), "what": "field", "example": f"; {example}" if example else ""},
    )
