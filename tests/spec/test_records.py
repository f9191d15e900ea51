"""Ops are made of records, in one way for spec files and for source trees."""

from __future__ import annotations

import pytest

from opspec_lint.spec import op_table
from opspec_lint.spec.canonical import RecordWriter
from opspec_lint.spec.model import UNKNOWN, Origin, Provenance, Spec, Update
from opspec_lint.spec.records import OpReader, checkpoints_from_records, remark_from_record, same_record

KNOWN = {
    "inputs": ["duplicable", "dispensable", "intermediate"],
    "attrs": ["type", "default_value", "minimum", "quant"],
}
RECORD = {
    "inputs": [{"name": "X", "duplicable": True}, {"name": "Y", "intermediate": True}],
    "attrs": [{"name": "a", "type": "INTS", "default_value": [1, 2], "quant": True, "unknown": ["minimum"]}],
    "builds": ["gpu"],
}
PLACES = {"op": ("f.cc", 9, 1), "inputs": [("f.cc", 2, 5), ("f.cc", 3, 5)], "attrs": [("f.h", 4, 7)]}
LAST = ({"name": "last", "type": "INT"}, ("base.cc", 1, 1))


def reader(*attrs_of_all, known=KNOWN):
    return OpReader("paddle", known, attrs_of_all)


def test_what_a_record_leaves_out_has_its_default_where_the_spec_knows_it():
    (x, y), (a,) = (op := reader().op("f", RECORD)).inputs, op.attrs
    assert (op.name, op.builds, op.outputs, op.origin) == ("f", ("gpu",), (), None)
    assert (x.duplicable, x.dispensable, x.get("intermediate"), x.get("quant")) == (True, False, False, UNKNOWN)
    assert (y.duplicable, y.get("intermediate")) == (False, True)
    assert (a.default_value, a.get("quant"), a.get("generated")) == ((1, 2), True, UNKNOWN)
    assert (a.minimum, a.maximum) == (UNKNOWN, UNKNOWN)


def test_the_places_of_a_record_become_those_of_the_op_and_its_arguments():
    op = reader(LAST).op("f", RECORD, PLACES)
    assert op.origin == Origin(file="f.cc", line=9, column=1)
    assert [argument.origin.place for argument in (*op.inputs, *op.attrs)] == ["f.cc:2", "f.cc:3", "f.h:4", "base.cc:1"]


def test_a_record_is_what_a_spec_file_has_of_the_op():
    op = reader().op("f", RECORD)
    spec = Spec(file="f", provenance=Provenance(framework="paddle"), ops={"f": op})
    assert RecordWriter(spec).op(op, KNOWN) == RECORD


def tables(first, second, *, places=PLACES, known=KNOWN):
    return (
        reader().located_table({"f": (first, PLACES)}),
        reader(known=known).located_table({"f": (second, places)}),
    )


def test_an_op_at_another_place_is_surely_the_same():
    moved = {**PLACES, "op": ("g.cc", 1, 1)}
    assert op_table.certainly_equal(*tables(RECORD, {**RECORD}, places=moved), "f")


@pytest.mark.parametrize("value", [1.0, True, None, 2, -0.0])
def test_numbers_that_are_equal_and_not_the_same_make_different_ops(value):
    first, second = ({"attrs": [{"name": "a", "type": "INT", "default_value": item}]} for item in (1, value))
    places = {"op": PLACES["op"], "attrs": PLACES["attrs"]}
    base, head = (reader().located_table({"f": (item, places)}) for item in (first, second))
    assert not op_table.certainly_equal(base, head, "f")
    assert not same_record(first, second)
    assert same_record(first, {**first})


def test_the_order_of_fields_makes_no_other_record():
    attr = {"name": "a", "default_value": float("nan"), "extra": True}
    assert same_record({"attrs": [attr]}, {"attrs": [dict(reversed(attr.items())) | {"default_value": float("nan")}]})


def test_specs_that_know_different_fields_are_never_surely_the_same():
    assert not op_table.certainly_equal(*tables(RECORD, RECORD, known={"inputs": ["duplicable"]}), "f")


def test_different_attrs_of_all_ops_make_different_ops():
    base, head = (item.located_table({"f": (RECORD, PLACES)}) for item in (reader(), reader(LAST)))
    assert not op_table.certainly_equal(base, head, "f")


def test_a_field_of_an_op_is_read_without_building_the_op():
    broken = {"legacy_names": ["a"], "inputs": [{}], "unknown": ["kernel_of"]}
    ops = OpReader("paddle-pir", {"ops": ["legacy_names", "kernel_of", "variadic"]}).table({"f": broken})
    actual = [
        op_table.field_value(ops, "f", field)
        for field in ("legacy_names", "kernel_of", "variadic", "patches", "builds")
    ]
    assert actual == [("a",), UNKNOWN, False, UNKNOWN, ()]


def test_the_names_of_inputs_are_read_without_building_the_op():
    broken = {**RECORD, "attrs": [{}]}
    plain, located = reader().table({"f": broken}), reader().located_table({"f": (broken, PLACES)})
    made = {"f": reader().op("f", RECORD)}
    assert [op_table.input_names(ops, "f") for ops in (plain, located, made)] == [("X", "Y")] * 3


def test_histories_and_remarks_are_made_of_their_records():
    (checkpoint,) = checkpoints_from_records([{"note": "why", "updates": [{"action": "bugfix", "remark": "it"}]}])
    assert (checkpoint.note, checkpoint.updates) == ("why", (Update(action="bugfix", remark="it"),))
    result = remark_from_record(
        {"event": "e", "name": "n", "op": None, "digest": "d", "facts": {"a": "b"}, "place": ("f", 1, None)}
    )
    assert (result.event, result.name, result.op, result.digest, result.facts) == ("e", "n", None, "d", {"a": "b"})
    assert result.origin == Origin(file="f", line=1)
