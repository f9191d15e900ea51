"""Comparison of two declarations of a struct, offset by offset."""

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
    """Yield every difference between two declarations of a struct.

    The layout is the contract: the size, and at each offset a field of one type. A number that grows into padding, or
    shrinks and leaves padding, is read alike while it is small, since padding is zero and numbers are little-endian.
    """
    before = {attr.get("slot"): attr for attr in old.attrs}
    after = {attr.get("slot"): attr for attr in new.attrs}
    old_names, new_names = {attr.name for attr in old.attrs}, {attr.name for attr in new.attrs}
    resized = []
    if old.get("size") != new.get("size") or before.keys() != after.keys():
        yield _layout_fact(old, new, pair)
        return
    for offset, attr in before.items():
        new_attr = after[offset]
        # A name that the other side has at another offset: two fields changed places, which is no rename.
        if attr.name != new_attr.name and (attr.name in new_names or new_attr.name in old_names):
            yield _layout_fact(old, new, pair)
            return
        if pair.read(str(attr.type), str(new_attr.type)) not in ("same", "alias"):
            if not _is_resized(attr, new_attr, pair):
                yield _layout_fact(old, new, pair)
                return
            resized.append((attr, new_attr))
    yield from (_field_fact("struct_field_resized", old, old_attr, new_attr, pair) for old_attr, new_attr in resized)
    for offset, attr in before.items():
        if attr.name != after[offset].name:
            yield _field_fact("slot_renamed", old, attr, after[offset], pair)
    yield from _compare_alignment(old, new)


def _is_resized(old: Attr, new: Attr, pair: SchemaPair) -> bool:
    """Return whether two integers have the same sign and another width; the offsets of all fields are equal."""
    before, after = pair.base.shape_of(str(old.type)).scalar, pair.head.shape_of(str(new.type)).scalar
    if not before or not after or {before, after} & FLOATS:
        return False
    return SCALARS[before] != SCALARS[after] and before.startswith("u") is after.startswith("u")


def _compare_alignment(old: Op, new: Op) -> Iterator[Fact]:
    before, after = old.get("alignment"), new.get("alignment")
    if isinstance(before, int) and isinstance(after, int) and before != after:
        event: EventId = "struct_alignment_raised" if after > before else "struct_alignment_lowered"
        yield declaration_changed(event, old, new, "alignment")


def _layout_fact(old: Op, new: Op, pair: SchemaPair) -> Fact:
    """Return the fact that the layout of a struct differs, with the first difference."""
    change = declaration_changed("struct_layout_changed", old, new, difference=_describe_difference(old, new, pair))
    return change.replace(field="size", old=_layout_text(old), new=_layout_text(new))


def _layout_text(op: Op) -> str:
    """Return the layout of a struct as text: `8 bytes: 0 x: float, 4 y: float`."""
    fields = ", ".join(f"{attr.get('slot')} {attr.name}: {attr.type}" for attr in op.attrs)
    return f"{op.get('size')} bytes: {fields}"


def _describe_difference(old: Op, new: Op, pair: SchemaPair) -> str:
    """Return the first difference between two layouts as a clause."""
    after = {attr.get("slot"): attr for attr in new.attrs}
    for attr in old.attrs:
        offset, new_attr = attr.get("slot"), after.get(attr.get("slot"))
        if new_attr is None:
            return f"at offset {offset} stood '{attr.name}', but no field of head begins there"
        if attr.name != new_attr.name or pair.read(str(attr.type), str(new_attr.type)) not in ("same", "alias"):
            before, now = pair.base.meaning(str(attr.type)), pair.head.meaning(str(new_attr.type))
            return f"at offset {offset} stood '{attr.name}', {before}, where head reads '{new_attr.name}', {now}"
    return f"it had {old.get('size')} bytes and has {new.get('size')}, so that the next item of a vector is elsewhere"


def _field_fact(event: EventId, op: Op, old: Attr, new: Attr, pair: SchemaPair) -> Fact:
    """Return the fact about a renamed or resized field of a struct."""
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
