"""Records as plain data: they come back as they were, and marshal takes them."""

from __future__ import annotations

import marshal
import math

from opspec_lint.kit.record import Record
from opspec_lint.sources.packing import Packing, getter, position
from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.values import NAN


class Inner(Record):
    name: str
    value: object = None


class Outer(Record):
    items: tuple[Inner, ...]
    by_name: dict[str, Inner]


class Late(Record):
    inner: Inner


PACKING = Packing(Inner, Outer, Late, late=(Late,))


class Word(str):
    """A text that marshal does not take."""

    __slots__ = ()


def through(value):
    return PACKING.unpacked(kept(value))


def kept(value):
    return marshal.loads(marshal.dumps(PACKING.packed(value)))  # noqa: S302 - what was written in the same line


def test_records_come_back_with_the_records_in_them():
    one, other = Inner(name="a", value=(1, 2.5, None, True)), Inner(name="b", value=UNKNOWN)
    outer = Outer(items=(one, other), by_name={"x": one})
    assert through(outer) == outer
    assert through({"o": [outer]}) == {"o": (outer,)}


def test_texts_lists_and_numbers_come_back_as_specs_hold_them():
    assert type(kept({Word("k"): Word("v")})["k"]) is str
    assert through([1, [2]]) == (1, (2,))
    assert through(math.nan) is NAN
    assert through(Inner(name="a", value=[math.nan])).value[0] is NAN


def test_late_records_stay_packed_until_they_are_opened():
    late = Late(inner=Inner(name="a"))
    packed = through({"f": late})["f"]
    assert isinstance(packed, tuple)
    assert PACKING.packed(packed) is packed
    assert PACKING.opened(packed) == late
    assert packed[position(Late, "inner")] == PACKING.packed(late.inner)
    assert getter(Inner, "value", "name")(PACKING.packed(Inner(name="a", value=1))) == (1, "a")
    assert PACKING.plain(packed) == Late(inner=PACKING.packed(late.inner))
