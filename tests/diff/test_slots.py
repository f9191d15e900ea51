"""Declarations that bytes bind by number: what is one thing under two names, and what another under one number."""

from __future__ import annotations

import pytest

from opspec_lint.diff.binding import BINDINGS
from opspec_lint.diff.slots import rereading
from opspec_lint.diff.specs import diff
from opspec_lint.lint.check import check
from opspec_lint.lint.examples import parse
from opspec_lint.spec import fields
from opspec_lint.spec.model import Attr, Op
from opspec_lint.spec.slots import FLOATS, SCALARS


def events(base, head):
    """Return (event, op, name) of all facts between two schemas."""
    rows = [(change.event, change.op, change.name) for change in diff(parse(base), parse(head))]
    return [item for item in rows if item[0] != "op_version_unknown"]


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
def test_a_declaration_is_detected_under_its_new_name(name):
    result = {event for event, *_ in events(*PAIRED[name])}
    assert "declaration_renamed" in result
    assert result <= {"declaration_renamed", "union_member_renamed"}


def test_what_was_renamed_is_compared_as_well():
    result = events("table R { t:T; } table T { a:int; }", "table R { t:U; } table U { a:string; }")
    assert result == [("declaration_renamed", "T", "T"), ("slot_type_changed", "T", "a")]


def test_a_table_that_both_have_is_no_other_one_under_a_new_name():
    base = "table R { t:T; } table T { a:int; } table U { a:int; }"
    assert events(base, base.replace("t:T", "t:U")) == [("slot_type_changed", "R", "t")]


def test_two_that_share_their_last_name_are_not_guessed():
    base = "namespace a; table T { x:int; } namespace b; table T { y:string; }"
    result = events(base, "namespace c; table T { x:int; }")
    assert {event for event, *_ in result} == {"declaration_added", "possible_root_removed"}


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
    schemas = [f"{rest} table T {{ {side} }}" for side in (base, head)]
    assert [event for event, *_ in events(*schemas)] == expected


CONFORM = {
    "a narrower number": ("table N { n:int; }", "table N { n:byte; }", {"slot_type_changed"}),
    "a field before another": ("table N { n:int; }", "table N { m:int; n:int; }", {"slot_reassigned"}),
    "another default value": ("table N { n:int; }", "table N { n:int = 1; }", {"slot_default_changed"}),
    "another name and type": ("table N { n:int; }", "table N { m:float; }", {"slot_type_changed"}),
    "a value before another": ("enum C:byte { R }", "enum C:byte { G, R }", {"enum_value_renumbered"}),
    "a field less": ("table N { n:int; }", "table N { }", {"slot_removed"}),
    "another name": ("table N { n:int; }", "table N { m:int; }", set()),
    "a number in the place of an enum": (
        "enum C:byte { R } table N { c:C; }",
        "enum C:int32 { R } table N { dc:byte; c:C; }",
        {"slot_reassigned"},  # no slot is of the enum on both sides
    ),
    "an enum of a narrower type": ("enum C:int32 { R }", "enum C:byte { R }", {"underlying_type_changed"}),
    "a union of a wider type": (
        "table M {} table N {} union U { M, N }",
        "table M {} table N {} union U:int32 { M, N }",
        {"underlying_type_changed"},
    ),
    "a vector64": (
        "table N { v:[uint8]; s:string; }",
        "table N { v:[uint8] (vector64); s:string; }",
        {"slot_width_changed"},
    ),
    "an offset64 of a vector": (
        "table N { v:[uint8]; s:string; }",
        "table N { v:[uint8] (offset64); s:string; }",
        {"slot_width_changed"},
    ),
    "an offset64 of a string": (
        "table N { v:[uint8]; s:string; }",
        "table N { v:[uint8]; s:string (offset64); }",
        {"slot_width_changed"},
    ),
}
"""What `flatc --conform` refuses, and the events of error level that say so."""


@pytest.mark.parametrize("name", [*CONFORM, *(f"{key}, taken back" for key in CONFORM if "64" in key)])
def test_what_flatc_conform_refuses_is_an_error_in_both_directions(name):
    item = name.removesuffix(", taken back")
    base, head, expected = CONFORM[item]
    pair = [parse(text, framework="flatbuffers") for text in ((base, head) if name == item else (head, base))]
    findings = check(*pair).findings
    errors = [finding for finding in findings if finding.level == "error"]
    assert {finding.rule for finding in errors} == expected
    assert {direction for finding in errors for direction in finding.directions} >= (
        {"backward"} if expected else set()
    )


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ("a:[ubyte] (vector64);", "a:[ubyte] (offset64);", ["slot_width_changed"]),
        ("a:[ubyte] (vector64);", "a:[ubyte] (vector64, offset64);", []),
        ("a:[ubyte];", "a:[ubyte] (flexbuffer);", ["slot_nested_added"]),
        ("a:[ubyte] (flexbuffer);", "a:[ubyte];", ["slot_nested_dropped"]),
        ('a:[ubyte] (nested_flatbuffer: "N");', "a:[ubyte] (flexbuffer);", ["slot_nested_changed"]),
        ('a:int (hash: "fnv1_32");', 'a:int (hash: "fnv1a_32");', ["slot_hash_changed"]),
        ('a:int (hash: "fnv1_32");', "a:int;", ["slot_hash_changed"]),
        ("a:string;", "a:string (key);", ["slot_required_set", "slot_key_set"]),
    ],
)
def test_attributes_of_a_field(base, head, expected):
    assert [event for event, *_ in events(*(f"table N {{}} table T {{ {side} }}" for side in (base, head)))] == expected


def test_services_and_extensions_are_reported_of():
    base = 'table N {} table M {} rpc_service S { Get(N):M; Put(N):N; } root_type N; file_extension "one";'
    head = base.replace("Get(N):M", "Get(M):M; Ask(N):N").replace("one", "two")
    assert events(base, head) == [
        ("rpc_call_changed", "S", "Ask"),
        ("rpc_call_changed", "S", "Get"),
        ("file_extension_changed", "N", "N"),
    ]
    assert events(base, base.replace("S {", "R {")) == [
        ("declaration_added", "R", "R"),
        ("declaration_removed", "S", "S"),
    ]
    renamed = base.replace("table N", "table O").replace("(N)", "(O)").replace(":N", ":O").replace("type N", "type O")
    assert events(base, renamed) == [("declaration_renamed", "N", "N")]


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
    head = base.replace(
        attrs=(attrs[0].replace(default_value=1), attrs[1].replace(type="m.c")), own={"underlying": "y"}
    )
    result = list(BINDINGS.load("slot").compare(base, head, (), fields.field_table("flatbuffers")))
    assert [(change.event, change.name) for change in result] == [
        ("underlying_type_changed", "CONV"),
        ("slot_default_changed", "a"),
        ("slot_type_changed", "b"),
    ]


@pytest.mark.parametrize("old", SCALARS)
@pytest.mark.parametrize("new", SCALARS)
def test_bytes_that_two_types_read_differently(old, new):
    shown = rereading.find_example(old, new)
    is_zero_extended = old not in (*FLOATS, "byte", "short", "int", "long") and SCALARS[new] > SCALARS[old]
    is_alike = old == new or (is_zero_extended and new not in FLOATS) or (old == "bool" and SCALARS[new] == 1)
    assert bool(shown) is not is_alike
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("before", "after", "is_reported"),
    [
        ("e:E;", "e:E;", True),
        ("e:[E];", "e:[E];", True),
        ("e:E;", "e:E (deprecated); e2:E;", False),  # head reads only the new slot, which base never wrote
        ("e:E (deprecated);", "e:E (deprecated); e2:E;", False),
        ("n:int;", "n:int; e:E;", False),
        ("e:E; f:E;", "e:E (deprecated); f:E; e2:E;", True),
    ],
)
def test_an_enum_counts_where_a_slot_of_both_sides_is_of_it(before, after, is_reported):
    users = "" if "E;" in before + after.partition(";")[0] else "table User { v:E (deprecated); }"
    base, head = (
        f"enum E : {kind} {{ A = 0, B = {number} }} table T {{ {slots} }} {users} root_type T;"
        for kind, number, slots in (("byte", -56, before), ("ubyte", 200, after))
    )
    reported = {event for event, *_ in events(base, head)}
    assert ("underlying_type_changed" in reported) is is_reported
