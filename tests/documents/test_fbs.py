from __future__ import annotations

import tracemalloc

import pytest

from opspec_lint.documents.fbs.resolve import read_schema
from opspec_lint.documents.file_context import FileContext
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.declared import spec_of
from tests.support import limited
from tests.support.schema_texts import REFUSED, TAKEN

SCHEMA = """\
// a comment with "quotes, and { braces
include "part.fbs";
namespace a.b; /* enum Hidden : byte { X }
*/
attribute "priority";
attribute other;
enum Flag : ubyte (bit_flags) { A, B = 4, C }
struct Point { x:int16; y:double; tags:[ubyte:3]; }
struct Wide (force_align: 16) { p:Point; n:bool; }
/// documentation
table Leaf { name:string (key, required); }
union Any { Leaf, Other:part.Piece = 7, Text:string, Point }
table Root {
  old:int32 (deprecated);
  flags:Flag = "A C"; level : part.Level = HIGH; ratio:float = 1e-1;
  any:Any;
  many:[ Any ];
  opt:long = null;
  angle:float = rad(180); on:bool = true; hex:uint = 0xFF;
  raw:[ubyte] (nested_flatbuffer: "Leaf", force_align: 8);
  note:string = "a \\"b\\"";
  none:[int] = [];
  w:Wide;
}
rpc_service Store { Get(Leaf):Root; }
root_type Root;
file_identifier "ABCD";
file_extension "abc";
"""
PART = "namespace part; enum Level : short { LOW = -1, MID, HIGH = 9 } table Piece { n:int; }"


def read(text, files=None, path="schema.fbs", folders=()):
    files = {"part.fbs": PART} if files is None else files
    known = {name: file.encode() for name, file in files.items()}
    return read_schema(text.encode(), path, FileContext(read=known.get, folders=folders))


def test_a_schema_is_resolved():
    schema = read(SCHEMA)
    assert (schema.root, schema.file_identifier, schema.file_extension) == ("a.b.Root", "ABCD", "abc")
    assert schema.files == ("part.fbs", "schema.fbs")
    assert list(schema.declarations) == [
        "part.Level",
        "part.Piece",
        "a.b.Flag",
        "a.b.Point",
        "a.b.Wide",
        "a.b.Leaf",
        "a.b.Any",
        "a.b.Root",
        "a.b.Store",
    ]
    root = {field.name: field for field in schema.declarations["a.b.Root"].fields}
    assert {name: field.slot for name, field in root.items()} == {
        "old": 0,
        "flags": 1,
        "level": 2,
        "ratio": 3,
        "any": 5,  # and its type 4
        "many": 7,
        "opt": 8,
        "angle": 9,
        "on": 10,
        "hex": 11,
        "raw": 12,
        "note": 13,
        "none": 14,
        "w": 15,
    }
    assert {name: item.default for name, item in root.items() if item.default is not None} == {
        "old": 0,
        "flags": 33,
        "level": 9,
        "ratio": 0.1,
        "angle": 3.1415927,
        "on": True,
        "hex": 255,
        "note": 'a "b"',
        "none": (),
    }
    assert (root["old"].type, root["level"].type, root["level"].scalar) == ("int", "part.Level", "short")
    assert (root["any"].type, root["many"].type, root["any"].scalar) == ("a.b.Any", "[a.b.Any]", None)
    assert root["raw"].attributes == {"nested_flatbuffer": "a.b.Leaf", "force_align": 8}
    assert [root["old"].is_deprecated, root["on"].is_deprecated] == [True, False]
    leaf = schema.declarations["a.b.Leaf"].fields[0]
    assert leaf.is_key
    assert leaf.is_required


def test_enums_count_on_and_flags_are_bits():
    schema = read(SCHEMA)
    numbers = {value.name: value.number for value in schema.declarations["a.b.Flag"].values}
    assert numbers == {"A": 1, "B": 16, "C": 32}
    assert schema.declarations["a.b.Flag"].is_bit_flags
    assert [value.number for value in schema.declarations["part.Level"].values] == [-1, 0, 9]


def test_members_of_a_union_have_numbers_and_types():
    union = read(SCHEMA).declarations["a.b.Any"]
    assert [(member.name, member.number, member.type) for member in union.members] == [
        ("Leaf", 1, "a.b.Leaf"),
        ("Other", 7, "part.Piece"),
        ("Text", 8, "string"),
        ("Point", 9, "a.b.Point"),
    ]


def test_structs_are_laid_out():
    declarations = read(SCHEMA).declarations
    point, wide = declarations["a.b.Point"], declarations["a.b.Wide"]
    assert [(field.type, field.offset) for field in point.fields] == [("short", 0), ("double", 8), ("[ubyte:3]", 16)]
    assert (point.size, point.alignment) == (24, 8)
    assert [field.offset for field in wide.fields] == [0, 24]
    assert (wide.size, wide.alignment) == (32, 16)


def test_everything_has_its_line():
    schema = read(SCHEMA)
    root = schema.declarations["a.b.Root"]
    assert (root.origin.file, root.origin.line) == ("schema.fbs", 13)
    assert {field.name: field.origin.line for field in root.fields if field.name in ("old", "level", "w")} == {
        "old": 14,
        "level": 15,
        "w": 23,
    }
    assert schema.declarations["part.Piece"].origin.file == "part.fbs"
    assert schema.root_origin.line == 26
    assert schema.file_identifier_origin.line == 27


def test_ids_state_the_slots():
    schema = read("table V {} union U { V } table T { a:int (id: 1); b:U (id: 3); c:int (id: 0); }")
    assert [field.slot for field in schema.declarations["T"].fields] == [1, 3, 0]


def test_equal_texts_are_read_once_and_have_their_own_lines():
    first = read("table T { a:int; }").declarations["T"].fields[0]
    second = read("\n\ntable T { a:int; }").declarations["T"].fields[0]
    assert (first.origin.line, second.origin.line) == (1, 3)


def test_an_equal_text_means_what_its_own_schema_states():
    text = "namespace {0}; enum E : byte {{ A = {1} }} table T {{ e:E = A; }}"
    fields = [
        read(text.format(name, number)).declarations[f"{name}.T"].fields[0] for name, number in (("x", 3), ("y", 4))
    ]
    assert [(field.type, field.default) for field in fields] == [("x.E", 3), ("y.E", 4)]


@pytest.mark.parametrize(
    ("path", "name", "there"),
    [
        ("x/y/s.fbs", "part.fbs", "x/y/part.fbs"),
        ("x/y/s.fbs", "../part.fbs", "x/part.fbs"),
        ("x/y/s.fbs", "x/part.fbs", "x/part.fbs"),
        ("x/y/s.fbs", "z\\\\part.fbs", "x/y/z/part.fbs"),
        ("/x/y/s.fbs", "part.fbs", "/x/part.fbs"),
    ],
)
def test_an_include_is_detected_next_to_the_file_and_above_it(path, name, there):
    schema = read(f'include "{name}"; table T {{ p:part.Piece; }}', {there: PART}, path)
    assert schema.files == (there, path)


def test_how_files_begin_is_not_included():
    files = {"a.fbs": 'table A {} root_type A; file_identifier "ABCD"; file_extension "abc";'}
    schema = read('include "a.fbs"; table T { a:A; }', files)
    assert (schema.root, schema.file_identifier, schema.file_extension) == (None, None, None)
    assert read('include "a.fbs"; root_type A;', files).root == "A"


def test_a_file_that_two_include_is_read_once():
    files = {"a.fbs": 'include "part.fbs";', "b.fbs": 'include "part.fbs";', "part.fbs": PART}
    assert read('include "a.fbs"; include "b.fbs"; table T {}', files).files == (
        "part.fbs",
        "a.fbs",
        "b.fbs",
        "schema.fbs",
    )


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_schema_is_refused_with_its_line(name):
    text, message = REFUSED[name]
    with pytest.raises(InputError) as error:
        read(text)
    assert error.value.message.startswith("schema.fbs: line ")
    assert message in error.value.message
    assert len(error.value.message) < 250


def test_an_attribute_that_is_refused_has_its_own_line():
    with pytest.raises(InputError, match="line 3"):
        read('table T {\n  a:int (id: 0,\n    "x\\q": 2);\n}')


def test_includes_may_be_circular():
    files = {"a.fbs": 'include "b.fbs"; table A { b:B; }', "b.fbs": 'include "a.fbs"; table B { a:A; }'}
    schema = read('include "a.fbs"; include "schema.fbs"; table T { a:A; }', files)
    assert (schema.files, list(schema.declarations)) == (("b.fbs", "a.fbs", "schema.fbs"), ["B", "A", "T"])


def test_an_include_is_looked_for_next_to_the_file_then_in_the_named_folders_then_above():
    files = {"x/part.fbs": "table Beside {}", "inc/part.fbs": "table Named {}", "part.fbs": "table Above {}"}
    result = [
        list(
            read(
                'include "part.fbs"; table T {}', {item: files[item] for item in known}, "x/s.fbs", ("inc",)
            ).declarations
        )
        for known in (("x/part.fbs", "inc/part.fbs", "part.fbs"), ("inc/part.fbs", "part.fbs"), ("part.fbs",))
    ]
    assert result == [["Beside", "T"], ["Named", "T"], ["Above", "T"]]


def test_a_folder_outside_of_the_tree_is_searched_if_it_is_named():
    files = {"../inc/a.fbs": 'include "b.fbs"; table A {}', "../inc/b.fbs": "table B {}"}
    assert read('include "a.fbs"; table T {}', files, folders=("../inc",)).files == (
        "../inc/b.fbs",
        "../inc/a.fbs",
        "schema.fbs",
    )
    with pytest.raises(InputError, match="which is outside the tree"):
        read('include "../inc/a.fbs"; table T {}', files, folders=("../other",))


@pytest.mark.parametrize("name", [item for item in TAKEN if item != "an enum of an enum"])
def test_what_flatc_takes_is_read(name):
    text, value = TAKEN[name]
    assert read(text).declarations["T"].fields[0].default == value


def test_an_enum_may_have_the_type_of_another():
    schema = read(TAKEN["an enum of an enum"][0])
    assert schema.declarations["B"].scalar == "ushort"
    assert schema.declarations["T"].fields[0].default == 65535


def test_members_of_the_same_name_differ_in_their_namespaces():
    schema = read("namespace a; table X {} namespace b; table X {} union U { a.X, b.X, c.Y : X }")
    assert [(member.name, member.type) for member in schema.declarations["b.U"].members] == [
        ("a_X", "a.X"),
        ("b_X", "b.X"),
        ("c_Y", "b.X"),
    ]


def test_a_string_that_is_a_key_is_required():
    fields = read("table T { a:string (key); } table U { a:int (key); }").declarations
    assert [fields[name].fields[0].is_required for name in "TU"] == [True, False]


def test_a_service_has_calls():
    schema = read(SCHEMA)
    (call,) = schema.declarations["a.b.Store"].calls
    assert (call.name, call.request, call.response, call.origin.line) == ("Get", "a.b.Leaf", "a.b.Root", 25)


def test_an_include_is_not_deeper_than_any_is():
    with pytest.raises(InputError, match=r"^f\d+.fbs: line 1: with 'f\d+.fbs', the includes exceed 64 levels$"):
        read_schema(
            b'include "f1.fbs";',
            "f0.fbs",
            FileContext(read=lambda path: f'include "f{int(path[1:-4]) + 1}.fbs";'.encode()),
        )


def _refusal(data):
    try:
        read_schema(data, "schema.fbs")
    except InputError as error:
        return error.message
    return ""


DEEP = "struct S0 { a:byte; }\n" + "".join(f"struct S{n + 1} {{ a:S{n}; b:S{n}; }}\n" for n in range(60))
LARGE = {
    "10 MB of one letter": lambda: b"x" * 10_000_000,
    "10 MB of spaces": lambda: b" " * 10_000_000 + b"?",
    "10 MB of schema": lambda: b"table T { a:int; }\n" * 550_000,
    "4 MB of quotes": lambda: b'"' * 4_000_000,
    "4 MB of names": lambda: b"a " * 2_000_000,
    "4 MB of braces": lambda: b"{" * 4_000_000,
    "4 MB of tables": lambda: b"table T {" * 400_000,
    "4 MB of comments": lambda: b"/*" * 2_000_000,
    "4 MB of slashes and stars": lambda: b"table T { a:int; /*" + b"* /" * 1_300_000,
    "4 MB of attributes": lambda: b"table T { a:int (" + b"a," * 2_000_000,
    "4 MB of dots": lambda: b"table T { a:" + b"a." * 2_000_000,
    "4 MB of digits": lambda: b"table T { a:int = " + b"1" * 4_000_000 + b"; }",
    "4 MB of values": lambda: b"enum E : int {" + b"A " * 2_000_000 + b"}",
    "4 MB of spaces in a call": lambda: b"table T { a:float = rad(" + b" " * 4_000_000 + b"); }",
    "4 MB of words": lambda: b"table T { a:int = " + b"A " * 1_900_000 + b"}",
    "4 MB of spaces in a field": lambda: b"table T { a" + b" " * 4_000_000 + b"}",
    "4 MB of fields": lambda: b"table T { " + b"".join(b"f%d:U;" % n for n in range(330_000)) + b"} union U { T } x",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_is_refused_in_time(name):
    outcome = limited.call(_refusal, LARGE[name]())
    assert not outcome.failure
    assert outcome.value.startswith("schema.fbs: line ")


def _compared(base, head):
    import gc

    from opspec_lint.lint.check import check
    from opspec_lint.sources.declared import spec_of

    gc.disable()  # as the program does
    specs = [spec_of(read_schema(text.encode(), "schema.fbs"), "schema.fbs", "flatbuffers") for text in (base, head)]
    return [(finding.rule, finding.name) for finding in check(*specs).findings]


@pytest.mark.parametrize("count", [60_000, pytest.param(300_000, marks=pytest.mark.exhaustive)])
def test_an_enum_of_very_many_values_is_compared_in_time(count):
    values = ", ".join(f"V{number}" for number in range(count))
    outcome = limited.call(
        _compared, f"enum E:int {{ {values} }}", f"enum E:int {{ {values}, MORE }}", seconds=count // 15_000
    )
    assert (outcome.failure, outcome.value) == ("", [("enum_value_added", "MORE")])


def test_a_field_takes_less_than_a_kilobyte_as_an_attr():
    count = 20_000
    text = "".join(f"f{number}:int = {number};\n" for number in range(count))
    tracemalloc.start()
    spec = spec_of(read_schema(f"table T {{ {text} }}".encode(), "schema.fbs"), "schema.fbs", "flatbuffers")
    assert len(spec.ops["T"].attrs) == count
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most / count < 1000


def test_structs_in_structs_take_no_time():
    outcome = limited.call(_refusal, DEEP.encode(), seconds=2)
    assert (outcome.failure, outcome.value) == ("", "")


@pytest.mark.parametrize("data", [b"", b" \n", b"\xff\xfet\0", b"table \xff {}", b"table T {\0}"])
def test_what_is_no_text_is_refused(data):
    with pytest.raises(InputError, match=r"schema\.fbs"):
        read_schema(data, "schema.fbs")
