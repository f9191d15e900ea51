from __future__ import annotations

import copy
import pickle

import pytest

from opspec_lint.kit.record import Compact, Record, Sparse
from opspec_lint.spec.model import UNKNOWN, Argument, Attr, Input, Op, Output, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class Point(Record):
    x: int
    y: int = 0
    origin: ClassVar[str] = "here"


class Spot(Point):
    label: str = ""


class Dot(Sparse):
    x: int
    y: int = 0
    label: str = ""


class Twin(Record):
    x: int
    y: int = 0


def test_fields_are_set_by_keyword_or_by_default():
    assert (Point(x=1).x, Point(x=1).y, Point(x=1, y=2).y) == (1, 0, 2)
    assert (Spot(x=1, label="a").x, Spot(x=1, label="a").y, Spot(x=1, label="a").label) == (1, 0, "a")


def test_a_class_variable_is_no_field():
    assert Point.origin == Point(x=1).origin == "here"
    with pytest.raises(TypeError, match="origin"):
        Point(x=1, origin="there")


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (Point, "x"),
        (lambda: Point(y=1), "x"),
        (lambda: Point(x=1, z=2), "z"),
        (lambda: Spot(x=1, color="red"), "color"),
        (lambda: Point(x=1).replace(z=2), "z"),
    ],
)
def test_missing_and_unknown_fields_are_named(make, named):
    with pytest.raises(TypeError, match=f"'{named}'"):
        make()


def test_fields_are_given_by_keyword_alone():
    with pytest.raises(TypeError):
        Point(1)


def test_records_are_frozen():
    point = Point(x=1)
    with pytest.raises(AttributeError, match="frozen"):
        point.x = 2
    with pytest.raises(AttributeError, match="frozen"):
        del point.x
    with pytest.raises(AttributeError):
        point.z = 2
    assert point == Point(x=1)


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (Point(x=1), Point(x=1, y=0), True),
        (Point(x=1), Point(x=2), False),
        (Point(x=1), Spot(x=1), False),
        (Point(x=1), Twin(x=1), False),
        (Input(name="X"), Output(name="X"), False),
        (Input(name="X"), Argument(name="X"), False),
        (Input(name="X"), Input(name="X", dispensable=False), False),
        (Point(x=1), 1, False),
    ],
)
def test_equality_is_by_class_and_fields(a, b, equal):
    assert (a == b) is equal
    assert (b == a) is equal
    assert (a != b) is not equal
    assert len({a, b}) == (1 if equal else 2)


def test_but_replaces_some_fields_of_a_copy():
    spot = Spot(x=1, y=2, label="a")
    assert spot.replace(y=3) == Spot(x=1, y=3, label="a")
    assert type(spot.replace(y=3)) is Spot
    assert spot == Spot(x=1, y=2, label="a")


def test_a_field_takes_the_place_of_a_property_of_a_base():
    class Base(Record):
        @property
        def event(self):
            raise NotImplementedError

    class Named(Base):
        event: str
        op: str = "relu"

    assert (Named(event="a").event, Named(event="a").op) == ("a", "relu")


def test_repr_names_class_and_fields():
    assert repr(Spot(x=1, label="a")) == "Spot(x=1, y=0, label='a')"


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda record: pickle.loads(pickle.dumps(record))])  # noqa: S301
def test_records_survive_being_copied_and_pickled(clone):
    op = Op(name="f", inputs=(Input(name="X", extra=True),), attrs=(Attr(name="a", default_value=(1, 2.0)),))
    assert clone(op) == op
    assert clone(op).inputs[0].get("quant") is UNKNOWN


def test_unknown_is_one_of_its_kind_and_no_yes():
    assert not UNKNOWN
    assert repr(UNKNOWN) == "UNKNOWN"
    assert UNKNOWN != False  # noqa: E712 - unknown is not false
    assert Unknown("unknown") is UNKNOWN


class Place(Compact):
    file: str
    line: int = 0

    @property
    def shown(self):
        return f"{self.file}:{self.line}"


class FarPlace(Place):
    why: str = ""


def test_a_compact_record_is_a_record_without_a_dict():
    place = Place(file="a", line=2)
    assert (place.file, place.line, place.shown, place) == ("a", 2, "a:2", Place(file="a", line=2))
    assert (place != Place(file="a"), place != Twin(x=1), len({place, Place(file="a", line=2)})) == (True, True, 1)
    assert (place.replace(line=3).line, repr(place)) == (3, "Place(file='a', line=2)")
    assert (FarPlace(file="a", why="b").why, FarPlace(file="a").shown) == ("b", "a:0")
    assert all(again == place for again in (copy.copy(place), copy.deepcopy(place)))
    assert pickle.loads(pickle.dumps(place)) == place  # noqa: S301 - our own
    assert not hasattr(place, "__weakref__")


@pytest.mark.parametrize("values", [{}, {"file": "a", "name": "b"}])
def test_a_compact_record_has_its_fields_and_no_other(values):
    with pytest.raises(TypeError, match=r"Place (needs|has no field)"):
        Place(**values)
    with pytest.raises(AttributeError, match="Place is frozen"):
        Place(file="a").line = 3


def test_a_record_is_restored_from_its_fields_and_from_nothing_else():
    place = Place(file="a", line=2)
    assert Place.restored(place.__dict__) == place
    for fields in (None, 1, "x", [], {}, {"file": "a"}, {**place.__dict__, "name": "b"}):
        assert Place.restored(fields) is None


def test_a_sparse_record_keeps_what_has_no_default():
    dot = Dot(x=1)
    assert (dot.x, dot.y, dot.label) == (1, 0, "")
    assert (dot.replace(y=2).y, dot.replace(y=0) is dot) == (2, True)
    assert repr(dot.replace(label="a")) == "Dot(x=1, label='a')"
    assert pickle.loads(pickle.dumps(dot)) == dot  # noqa: S301 - our own
    with pytest.raises(AttributeError, match="frozen"):
        dot.y = 2


def test_sparse_records_are_equal_whether_a_default_was_given_or_not():
    assert Dot(x=1) == Dot(x=1, y=0)
    assert hash(Dot(x=1)) == hash(Dot(label="", y=0, x=1))
    assert Dot(x=1) != Dot(x=1, y=1)
    assert Dot(x=1) != Point(x=1)


@pytest.mark.parametrize(("values", "named"), [({}, "x"), ({"x": 1, "z": 2}, "z"), ({"y": 1}, "x")])
def test_missing_and_unknown_fields_of_a_sparse_record_are_named(values, named):
    with pytest.raises(TypeError, match=f"'{named}'"):
        Dot(**values)
