"""Which schemas are valid: `flatc` and we say the same, of every type with every default value and every attribute."""

from __future__ import annotations

import shutil

import pytest

from opspec_lint.documents.fbs.resolve import read_schema
from opspec_lint.kit.errors import InputError
from tests.frameworks.flatbuffers.oracle import Flatc
from tests.support.schema_texts import REFUSED, TAKEN

pytestmark = pytest.mark.flatc

REST = (
    'attribute "mine"; enum En:byte { A, B, C } enum One:ushort { X = 1 } enum Fl:ubyte (bit_flags) { P, Q }'
    " struct St { v:int; } table Ta { k:string; } table Tb { k:int; } union Un { Ta, Tb } "
)
TYPES = (
    *(
        "bool",
        "byte",
        "uint8",
        "short",
        "int",
        "ulong",
        "float",
        "double",
        "string",
        "Ta",
        "St",
        "En",
        "One",
        "Fl",
        "Un",
    ),
    *("[int]", "[ubyte]", "[string]", "[Ta]", "[St]", "[En]", "[Un]"),
    *("[int:3]", "[En:2]", "[One:2]", "[St:2]", "[string:2]", "[Ta:2]"),
)
VALUES = (
    *(
        "0",
        "1",
        "42",
        "300",
        "-1",
        "+3",
        "007",
        "0x10",
        "1.5",
        "0.0",
        "1.",
        ".5",
        "1e3",
        "0x1p3",
        "nan",
        "-inf",
        "rad(180)",
    ),
    *("null", "true", "[]", "[1]", "{}", "A", "P", "X", "En.B"),
    *('"x"', '"P Q"', '"1"', "'5'", '"null"', '"En.B"', '"En.B "', '"A" "B"'),
)
ATTRIBUTES = (
    *("deprecated", "required", "key", "shared", "id:0", "id:1", 'id:"0"', "force_align:8", "bit_flags", "private"),
    *("hash", 'hash:"fnv1_16"', 'hash:"fnv1a_32"', 'hash:"fnv1_64"', 'cpp_type:"x"', 'cpp_type:"x",hash:"fnv1_32"'),
    *("nested_flatbuffer", 'nested_flatbuffer:"Ta"', 'nested_flatbuffer:"St"', "flexbuffer", "native_inline"),
    *("native_custom_alloc", "offset64", "vector64", "vector64,offset64", "vector64,flexbuffer", "key,required"),
    *("mine", "mine:3", 'mine:"s"', "mine:x", "mine:1.5", "mine:true", "mine:-4", "nope", "optional", "", "key,"),
)
BOTH = tuple(f"= {value} ({attribute})" for value in ("0", "null", '"x"', "[]") for attribute in ("required", "key"))
OWN_ALONE = ("of many digits", "include", "deep vectors", "not a schema", "nested in nothing")
"""What is refused for our own reasons, or in other words, or with files that are not here."""


@pytest.fixture
def flatc(tmp_path):
    return Flatc(tmp_path, shutil.which("flatc") or "flatc")


def is_taken(text):
    try:
        read_schema(text.encode(), "schema.fbs")
    except InputError:
        return False
    return True


@pytest.mark.parametrize("form", ["table", "struct"])
@pytest.mark.parametrize("kind", TYPES)
def test_a_field_is_valid_as_flatc_states(flatc, form, kind):
    tails = ("", *(f"= {value}" for value in VALUES), *(f"({attribute})" for attribute in ATTRIBUTES), *BOTH)
    texts = [f"{REST} {form} T {{ f:{kind} {tail}; }}" for tail in tails]
    assert [text for text in texts if flatc.is_valid(text) is not is_taken(text)] == []


@pytest.mark.parametrize("name", [item for item in REFUSED if not any(text in item for text in OWN_ALONE)])
def test_flatc_refuses_what_we_refuse(flatc, name):
    assert not flatc.is_valid(REFUSED[name][0])


@pytest.mark.parametrize("name", TAKEN)
def test_flatc_takes_what_we_take(flatc, name):
    assert flatc.is_valid(TAKEN[name][0])
