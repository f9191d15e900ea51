"""Declarations that bytes bind by number: what is one thing under two names, and what another under one number."""

from __future__ import annotations

import pytest

from opspec_lint.diff import binding
from opspec_lint.diff.slots import rereading
from opspec_lint.diff.specs import diff
from opspec_lint.lint.examples import parse
from opspec_lint.spec import fields
from opspec_lint.spec.model import Attr, Op
from opspec_lint.spec.slots import FLOATS, SCALARS


def events(base, head):
    """Return (event, op, name) of all facts between two schemas."""
    found = [(change.event, change.op, change.name) for change in diff(parse(base), parse(head))]
    return [each for each in found if each[0] != "op_version_unknown"]


NEST = 'table R { a:[ubyte] (nested_flatbuffer: "T"); } table T { n:int; } root_type R;'
PAIRED = {
    "by the root": ("table T { a:int; } root_type T;", "table U { a:int; } root_type U;"),
    "by a field": ("table R { t:T; } table T { a:int; }", "table R { t:U; } table U { a:int; }"),
    "by a vector": ("table R { t:[T]; } table T { a:int; }", "table R { t:[U]; } table U { a:int; }"),
    "by a union": ("union X { T } table T { a:int; }", "union X { T:U } table U { a:int; }"),
    "by a nested root": (NEST, NEST.replace("T", "U").replace("UU", "T")),
    "by its last name": ("namespace a; table T { a:int; }", "namespace b; table T { a:int; }"),
    "by a field of what was renamed": (
        "table R { t:T; } table T { s:S; } struct S { a:int; } root_type R;",
        "table Q { t:U; } table U { s:V; } struct V { a:int; } root_type Q;",
    ),
}


@pytest.mark.parametrize("name", PAIRED)
def test_a_declaration_is_found_under_its_new_name(name):
    found = {event for event, *_ in events(*PAIRED[name])}
    assert "declaration_renamed" in found
    assert found <= {"declaration_renamed", "union_member_renamed"}


def test_what_was_renamed_is_compared_as_well():
    found = events("table R { t:T; } table T { a:int; }", "table R { t:U; } table U { a:string; }")
    assert found == [("declaration_renamed", "T", "T"), ("slot_type_changed", "T", "a")]


def test_a_table_that_both_have_is_no_other_one_under_a_new_name():
    base = "table R { t:T; } table T { a:int; } table U { a:int; }"
    assert events(base, base.replace("t:T", "t:U")) == [("slot_type_changed", "R", "t")]


def test_two_that_share_their_last_name_are_not_guessed():
    base = "namespace a; table T { x:int; } namespace b; table T { y:string; }"
    found = events(base, "namespace c; table T { x:int; }")
    assert {event for event, *_ in found} == {"declaration_added", "possible_root_removed"}


_MOVED = ("slot_renamed", "deprecated_slot_changed")


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ("a:int; b:int;", "b:int; a:int;", ["slot_reassigned", "slot_reassigned"]),
        ("a:int; b:int;", "c:int; b:int;", ["slot_renamed"]),
        ("a:int; b:U;", "b:U;", ["slot_reassigned", "slot_reassigned"]),
        ("a:int; b:int;", "a:U; b:int;", ["slot_reassigned", "slot_reassigned"]),
        ("a:U;", "a:int;", ["slot_reassigned"]),
        ("a:U; b:int;", "a:U; b:int; c:U;", ["slot_added"]),
        ("a:int (deprecated); b:int;", "b:int;", ["slot_reassigned", "slot_reassigned"]),
        ("a:int (deprecated); b:S (deprecated);", "b:S (deprecated); a:int (deprecated);", [*_MOVED, *_MOVED]),
        ("a:int (deprecated);", "a:string (deprecated);", ["deprecated_slot_changed"]),
        ("a:int = 1 (deprecated);", "a:int = 2 (deprecated);", ["deprecated_slot_changed"]),
        ("a:string (required);", "a:string (required, deprecated);", ["slot_required_cleared", "slot_deprecated"]),
        ("a:int; s:string (required);", "a:int;", ["slot_removed", "slot_required_cleared"]),
        ("a:int = 1;", "a:int32 = 0x1;", []),
        ("a:bool = true;", "a:ubyte = 1;", ["slot_type_respelt"]),
        ("a:ubyte;", "a:bool;", ["slot_byte_to_bool"]),
        ("a:E;", "a:F;", ["slot_type_changed"]),
        ("a:[E];", "a:[byte];", ["slot_type_respelt"]),
        ("a:[S];", "a:[int];", ["slot_type_changed"]),
    ],
)
def test_slots_of_a_table(base, head, expected):
    rest = "union U { T } struct S { x:int; } enum E:byte { A } enum F:byte { B }"
    schemas = [f"table T {{ {each} }} {rest}" for each in (base, head)]
    assert [event for event, *_ in events(*schemas)] == expected


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ("a:int; b:int;", "b:int; a:int;", ["struct_layout_changed"]),
        ("a:int; b:int;", "a:int; c:int;", ["slot_renamed"]),
        ("a:byte; b:int;", "a:short; b:int;", ["struct_field_resized"]),
        ("a:byte; b:int;", "a:ubyte; b:int;", ["struct_layout_changed"]),
        ("a:byte; b:int;", "a:byte; b:float;", ["struct_layout_changed"]),
        ("a:[int:2];", "a:[int:3];", ["struct_layout_changed"]),
        ("a:[int:2];", "a:[uint:2];", ["struct_layout_changed"]),
        ("a:byte;", "a:bool;", ["struct_layout_changed"]),
    ],
)
def test_layouts_of_a_struct(base, head, expected):
    assert [event for event, *_ in events(f"struct S {{ {base} }}", f"struct S {{ {head} }}")] == expected


def test_an_op_of_a_framework_has_slots_and_fields_of_its_own():
    attrs = [
        Attr(name=kind[-1], type=kind, default_value=0, own={"slot": slot}) for slot, kind in ((0, "a"), (1, "m.b"))
    ]
    base = Op(name="CONV", attrs=tuple(attrs), own={"underlying": "x"})
    head = base.but(attrs=(attrs[0].but(default_value=1), attrs[1].but(type="m.c")), own={"underlying": "y"})
    found = list(binding.load("slot").compare(base, head, (), fields.table("flatbuffers")))
    assert [(change.event, change.name) for change in found] == [
        ("underlying_type_changed", "CONV"),
        ("slot_default_changed", "a"),
        ("slot_type_changed", "b"),
    ]


@pytest.mark.parametrize("old", SCALARS)
@pytest.mark.parametrize("new", SCALARS)
def test_bytes_that_two_types_read_differently(old, new):
    shown = rereading.example(old, new)
    is_zero_extended = old not in (*FLOATS, "byte", "short", "int", "long") and SCALARS[new] > SCALARS[old]
    is_alike = old == new or (is_zero_extended and new not in FLOATS) or (old == "bool" and SCALARS[new] == 1)
    assert bool(shown) is not is_alike
    assert shown.isprintable()
