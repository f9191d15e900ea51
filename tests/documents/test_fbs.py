from __future__ import annotations

import limited
import pytest

from opspec_lint.documents.fbs.resolve import read_schema
from opspec_lint.kit.errors import InputError

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


def read(text, files=None, path="schema.fbs"):
    files = {"part.fbs": PART} if files is None else files
    known = {name: each.encode() for name, each in files.items()}
    return read_schema(text.encode(), path, known.get)


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
    ]
    root = {each.name: each for each in schema.declarations["a.b.Root"].fields}
    assert {name: each.slot for name, each in root.items()} == {
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
    assert {name: each.default for name, each in root.items() if each.default is not None} == {
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
    numbers = {each.name: each.number for each in schema.declarations["a.b.Flag"].values}
    assert numbers == {"A": 1, "B": 16, "C": 32}
    assert schema.declarations["a.b.Flag"].is_bit_flags
    assert [each.number for each in schema.declarations["part.Level"].values] == [-1, 0, 9]


def test_members_of_a_union_have_numbers_and_types():
    union = read(SCHEMA).declarations["a.b.Any"]
    assert [(each.name, each.number, each.type) for each in union.members] == [
        ("Leaf", 1, "a.b.Leaf"),
        ("Other", 7, "part.Piece"),
        ("Text", 8, "string"),
        ("Point", 9, "a.b.Point"),
    ]


def test_structs_are_laid_out():
    declarations = read(SCHEMA).declarations
    point, wide = declarations["a.b.Point"], declarations["a.b.Wide"]
    assert [(each.type, each.offset) for each in point.fields] == [("short", 0), ("double", 8), ("[ubyte:3]", 16)]
    assert (point.size, point.alignment) == (24, 8)
    assert [each.offset for each in wide.fields] == [0, 24]
    assert (wide.size, wide.alignment) == (32, 16)


def test_everything_has_its_line():
    schema = read(SCHEMA)
    root = schema.declarations["a.b.Root"]
    assert (root.origin.file, root.origin.line) == ("schema.fbs", 13)
    assert {each.name: each.origin.line for each in root.fields if each.name in ("old", "level", "w")} == {
        "old": 14,
        "level": 15,
        "w": 23,
    }
    assert schema.declarations["part.Piece"].origin.file == "part.fbs"
    assert schema.root_origin.line == 26
    assert schema.file_identifier_origin.line == 27


def test_ids_say_the_slots():
    schema = read("table T { a:int (id: 1); b:U (id: 3); c:int (id: 0); } union U { T }")
    assert [each.slot for each in schema.declarations["T"].fields] == [1, 3, 0]


def test_equal_texts_are_read_once_and_have_their_own_lines():
    one = read("table T { a:int; }").declarations["T"].fields[0]
    other = read("\n\ntable T { a:int; }").declarations["T"].fields[0]
    assert (one.origin.line, other.origin.line) == (1, 3)


def test_an_equal_text_means_what_its_own_schema_says():
    text = "namespace {0}; enum E : byte {{ A = {1} }} table T {{ e:E = A; }}"
    found = [
        read(text.format(name, number)).declarations[f"{name}.T"].fields[0] for name, number in (("x", 3), ("y", 4))
    ]
    assert [(each.type, each.default) for each in found] == [("x.E", 3), ("y.E", 4)]


@pytest.mark.parametrize(
    ("path", "name", "there"),
    [
        ("x/y/s.fbs", "part.fbs", "x/y/part.fbs"),
        ("x/y/s.fbs", "../part.fbs", "x/part.fbs"),
        ("x/y/s.fbs", "x/part.fbs", "x/part.fbs"),
        ("/x/y/s.fbs", "part.fbs", "/x/part.fbs"),
    ],
)
def test_an_include_is_found_beside_the_file_and_above_it(path, name, there):
    schema = read(f'include "{name}"; table T {{ p:part.Piece; }}', {there: PART}, path)
    assert schema.files == (there, path)


def test_a_file_that_two_include_is_read_once():
    files = {"a.fbs": 'include "part.fbs";', "b.fbs": 'include "part.fbs";', "part.fbs": PART}
    assert read('include "a.fbs"; include "b.fbs"; table T {}', files).files == (
        "part.fbs",
        "a.fbs",
        "b.fbs",
        "schema.fbs",
    )


WRONG = {
    "not a schema": ("hello world", "line 1: expected a declaration such as table, enum or namespace, found 'hello"),
    "cut in a table": ("table T {\n  a:int;\n", "line 2: expected } at the end of the table 'T'"),
    "cut in a comment": ("table T {}\n/* and", "line 2: a comment begins with /* and is not closed"),
    "cut in a name": ("table T {}\n\ntab", "line 3: expected a declaration such as table"),
    "cut in a string": ('table T {}\nfile_identifier "AB', "line 2: expected a string in quotes and ; after file_id"),
    "no semicolon": ("table T {\n  a:int\n  b:int;\n}", "line 2: expected a field such as `name:type = value"),
    "no type": ("table T {\n  a;\n}", "line 2: expected a field such as"),
    "braces in braces": ("table T {\n table U { } }", "line 2: expected } at the end of the table 'T'"),
    "vector of vectors": ("table T { a:[[int]]; }", "line 1: expected a field such as"),
    "deep vectors": ("table T { a:" + "[" * 100_000 + "int" + "]" * 100_000 + "; }", "line 1: expected a field such"),
    "unknown type": ("table Leaf {}\ntable T {\n  a:Laef;\n}", "line 3: the type 'Laef' is not declared"),
    "declared twice": ("table T {}\nenum T : int { A }", "line 2: 'T' is declared twice, first in schema.fbs, line 1"),
    "field twice": ("table T { a:int;\n a:int; }", "line 2: 'T' has two items named 'a'"),
    "value twice": ("enum E : int { A,\n A }", "line 2: 'E' has two items named 'A'"),
    "value beyond its type": ("enum E : byte { A = 127,\n B }", "line 2: B = 128 is not a value of byte"),
    "bit beyond its type": ("enum E : ubyte (bit_flags) { A = 8 }", "line 1: A = 8 is not a bit of ubyte"),
    "value of many digits": (
        "enum E : int { A = " + "9" * 100_000 + " }",
        "line 1: 'A': expected an integer, found 9",
    ),
    "id of many digits": ("table T { a:int (id: " + "9" * 100_000 + "); }", "line 1: 'a': expected an integer, found"),
    "id left out": ("table T { a:int (id: 0); b:int (id: 2); }", "line 1: the id 2 of 'b' is already used, or leaves"),
    "id twice": ("table T { a:int (id: 0); b:int (id: 0); }", "line 1: the id 0 of 'b' is already used"),
    "id for some": ("table T { a:int (id: 0);\n b:int; }", "line 2: 'b' has no id, but other fields of 'T' have one"),
    "default beyond its type": ("table T { a:byte = 300; }", "line 1: 'a' has the default value 300: expected a value"),
    "default of many digits": ("table T { a:int = " + "9" * 5000 + "; }", "line 1: 'a' has the default value 99999"),
    "default of no value": ("enum E : byte { A } table T { a:E = B; }", "'a' has the default value B: the enum has no"),
    "default of a table": (
        "table T { a:T = 1; }",
        "'a' has the default value 1, which a field of its type cannot",
    ),
    "required scalar": ("table T { a:int (required); }", "line 1: 'a' is a scalar, which cannot be required"),
    "array in a table": ("table T { a:[int:4]; }", "line 1: 'a' is an array, which only a struct may have"),
    "string in a struct": ("struct S { a:string; }", "the field 'a' of the struct 'S' must be a scalar, an enum or a"),
    "struct in itself": ("struct S { t:T; }\nstruct T { s:S; }", "line 1: the struct 'S' contains itself"),
    "endless array": ("struct S { a:[int:99999999]; }", "line 1: the array 'a' must have 1 to 65535 items"),
    "odd alignment": ("table T { a:[int] (force_align: 3); }", "line 1: force_align must be a power of two up to 256"),
    "root that is none": (
        "table Moddel {}\nroot_type Model;",
        "line 2: the root type 'Model' is not a table of the schema",
    ),
    "nested in nothing": (
        'table T { a:[ubyte] (nested_flatbuffer: "X"); }',
        "nested_flatbuffer names 'X', which is no",
    ),
    "long identifier": ('table T {}\nfile_identifier "ABCDE";', "line 2: file_identifier must have 4 characters"),
    "union of scalars": ("union U { int }", "line 1: the member 'int' must be a table, a struct or string"),
    "member twice": ("table T {} union U { T, T }", "line 1: the number 2 or the name 'T' is already used"),
    "enum of floats": ("enum E : float { A }", "line 1: the underlying type of the enum 'E' must be an integer type"),
    "include that is not there": ('include "x.fbs";', "line 1: includes 'x.fbs', which is not in the tree"),
    "include of the root": (
        'table T {}\ninclude "/etc/passwd";',
        "line 2: includes '/etc/passwd', which is outside",
    ),
    "include above the tree": (
        'include "../../x.fbs";',
        "line 1: includes '../../x.fbs', which is outside the tree",
    ),
    "include of what git keeps": ('include ".git/config";', "line 1: includes '.git/config', which is outside the"),
    "include of itself": ('include "schema.fbs";', "line 1: includes itself: schema.fbs -> schema.fbs"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_schema_is_refused_with_its_line(name):
    text, message = WRONG[name]
    with pytest.raises(InputError) as error:
        read(text)
    assert error.value.message.startswith("schema.fbs: line ")
    assert message in error.value.message
    assert len(error.value.message) < 250


def test_a_circle_of_includes_names_its_way():
    files = {"a.fbs": 'include "b.fbs";', "b.fbs": '\n\ninclude "a.fbs";'}
    with pytest.raises(InputError, match=r"^b.fbs: line 3: includes itself: a.fbs -> b.fbs -> a.fbs$"):
        read('include "a.fbs";', files)


def test_an_include_is_not_deeper_than_any_is():
    with pytest.raises(InputError, match=r"^f\d+.fbs: line 1: with 'f\d+.fbs', the includes exceed 64 levels$"):
        read_schema(b'include "f1.fbs";', "f0.fbs", lambda path: f'include "f{int(path[1:-4]) + 1}.fbs";'.encode())


def _refusal(data):
    try:
        read_schema(data, "schema.fbs")
    except InputError as error:
        return error.message
    return ""


DEEP = "".join(f"struct S{n} {{ a:S{n + 1}; b:S{n + 1}; }}\n" for n in range(60)) + "struct S60 { a:byte; }\n"
LARGE = {
    "10 MB of one letter": b"x" * 10_000_000,
    "10 MB of spaces": b" " * 10_000_000 + b"?",
    "10 MB of schema": b"table T { a:int; }\n" * 550_000,
    "4 MB of quotes": b'"' * 4_000_000,
    "4 MB of names": b"a " * 2_000_000,
    "4 MB of braces": b"{" * 4_000_000,
    "4 MB of tables": b"table T {" * 400_000,
    "4 MB of comments": b"/*" * 2_000_000,
    "4 MB of slashes and stars": b"table T { a:int; /*" + b"* /" * 1_300_000,
    "4 MB of attributes": b"table T { a:int (" + b"a," * 2_000_000,
    "4 MB of dots": b"table T { a:" + b"a." * 2_000_000,
    "4 MB of digits": b"table T { a:int = " + b"1" * 4_000_000 + b"; }",
    "4 MB of values": b"enum E : int {" + b"A " * 2_000_000 + b"}",
    "4 MB of spaces in a call": b"table T { a:float = rad(" + b" " * 4_000_000 + b"); }",
    "4 MB of words": b"table T { a:int = " + b"A " * 1_900_000 + b"}",
    "4 MB of spaces in a field": b"table T { a" + b" " * 4_000_000 + b"}",
    "4 MB of fields": b"table T { " + b"".join(b"f%d:U;" % n for n in range(330_000)) + b"} union U { T } x",
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_is_refused_in_time(name):
    outcome = limited.call(_refusal, LARGE[name])
    assert not outcome.failure
    assert outcome.value.startswith("schema.fbs: line ")


def test_structs_in_structs_take_no_time():
    outcome = limited.call(_refusal, DEEP.encode(), seconds=2)
    assert (outcome.failure, outcome.value) == ("", "")


@pytest.mark.parametrize("data", [b"", b" \n", b"\xff\xfet\0", b"table \xff {}", b"table T {\0}"])
def test_what_is_no_text_is_refused(data):
    with pytest.raises(InputError, match=r"schema\.fbs"):
        read_schema(data, "schema.fbs")
