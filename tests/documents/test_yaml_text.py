from __future__ import annotations

import json
import os

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.cli import main
from opspec_lint.documents import yaml_text
from opspec_lint.documents.decode import Document
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import recognise
from opspec_lint.spec import canonical, values
from tests.support import paths
from tests.support.released_specs import some

FILE = "ops.yaml"
RAW = paths.DATA / "paddle"
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

LAUGHS = "a: &a [lol, lol]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdef", "bcdefg", strict=True)
)
REFUSED = {
    "billion laughs": (LAUGHS, "line 1, column 4: uses an anchor or alias"),
    "anchor": ("a: &x 1\n", "line 1, column 4: uses an anchor or alias"),
    "anchor on a mapping": ("a: &x {b: 1}\n", "line 1, column 4: uses an anchor or alias"),
    "anchor on a key": ("&x a: 1\n", "line 1, column 1: uses an anchor or alias"),
    "alias": ("a: *x\n", "line 1, column 4: uses an anchor or alias"),
    "alias as a key": ("*x : 1\n", "line 1, column 1: uses an anchor or alias"),
    "merge key": ("a: {x: 1}\nb:\n  <<: *a\n", "line 3, column 7: uses an anchor or alias"),
    "recursion": ("&a [*a]\n", "line 1, column 1: uses an anchor or alias"),
    "python object": ("a: !!python/object/apply:os.system ['true']\n", "line 1, column 4: uses the tag 'tag:yaml.org"),
    "python name": ("!!python/name:os.system\n", "line 1, column 1: uses the tag"),
    "python tuple": ("a: !!python/tuple [1]\n", "line 1, column 4: uses the tag"),
    "own tag": ("a: !mine 1\n", "line 1, column 4: uses the tag '!mine'"),
    "core tag": ("a: !!str 1\n", "line 1, column 4: uses the tag"),
    "tag on a key": ("!!str a: 1\n", "line 1, column 1: uses the tag"),
    "tag on a mapping": ("a: !!map {}\n", "line 1, column 4: uses the tag"),
    "binary": ("a: !!binary aGVsbG8=\n", "line 1, column 4: uses the tag"),
    "duplicate key": ("a: 1\nb: 2\na: 3\n", "line 3, column 1: the key 'a' occurs twice in one mapping"),
    "duplicate key within": ("a: {b: 1, b: 1}\n", "line 1, column 11: the key 'b' occurs twice"),
    "duplicate key, quoted": ("1: a\n'1': b\n", "line 2, column 1: the key '1' occurs twice"),
    "two documents": ("a: 1\n---\nb: 2\n", "line 2, column 1: holds a second document"),
    "two documents, the first empty": ("---\n---\na: 1\n", "line 2, column 1: holds a second document"),
    "list as a key": ("[a]: 1\n", "line 1, column 1: a key must be a scalar"),
    "mapping as a key": ("? {a: 1}\n: 2\n", "line 1, column 3: a key must be a scalar"),
    "nesting": ("a: " + "[" * 70, "line 1, column 67: is nested more than 64 levels deep"),
    "block nesting": ("- " * 70, "line 1, column 129: is nested more than 64 levels deep"),
    "digits": ("a: " + "9" * 6000, "line 1, column 4: is an integer of hundreds of digits"),
    "negative digits": ("a: -" + "9" * 6000, "line 1, column 4: is an integer of hundreds of digits"),
    "600 digits": ("a: " + "9" * 600, "line 1, column 4: is an integer of hundreds of digits"),
    "tab": ("a:\n\t- b\n", "line 2, column 1: is not valid YAML: found character that cannot start any token"),
    "unclosed": ("a: [1, 2\n", "line 2, column 1: is not valid YAML"),
    "unclosed string": ('a: "b\n', "line 2, column 1: is not valid YAML: found unexpected end of stream"),
    "control character": ("a: \x01\n", "is not valid YAML: control characters are not allowed"),
    "wrong indent": ("a:\n    b: 1\n  c: 2\n", "line 3, column 3: is not valid YAML"),
    "unknown directive": ("%YAML 9.9\n---\na: 1\n", "line 1, column 1: is not valid YAML: found incompatible YAML"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_what_a_spec_has_no_use_for_is_refused_with_its_place(text, message):
    with pytest.raises(InputError) as caught:
        yaml_text.loads(text, FILE)
    assert caught.value.message.startswith(f"{FILE}: {message}")
    assert caught.value.advice


@pytest.mark.parametrize("text", [text for text, _ in REFUSED.values()], ids=REFUSED)
def test_refused_yaml_ends_the_program_with_3(text, tmp_path, capsys):
    file = tmp_path / FILE
    file.write_text(text)
    assert main.main(["check", str(file), str(file)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"opspec-lint: error: {file}: ")
    assert err.count("\n") == 2


def test_a_merge_key_without_alias_is_an_op_like_any_other_and_no_op():
    with pytest.raises(InputError, match="the key 'Inputs' is missing"):
        recognise.spec_of(Document(file=FILE, value=yaml_text.loads("<<: {a: {}}\n", FILE)))


def test_64_levels_are_read():
    value = yaml_text.loads("[" * 64 + "]" * 64, FILE)
    for _ in range(63):
        (value,) = value
    assert value == []


@pytest.mark.parametrize(
    "name", ["on", "off", "yes", "no", "null", "true", "~", "1e5", "1", "1.5", ".nan", "0x1F", "=", ""]
)
def test_a_key_is_a_string_whatever_it_looks_like(name):
    for key in (f"'{name}'", name or '""'):
        assert yaml_text.loads(f"{key}: 1\n", FILE) == {name: 1}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(text, None) for text in ("~", "null", "Null", "NULL")],
        *[(text, True) for text in ("true", "True", "TRUE")],
        *[(text, False) for text in ("false", "False", "FALSE")],
        *[(text, text) for text in ("on", "yes", "no", "y", "n", "On", "nULL", "2001-01-01", "1_000", "1:30", "0b1")],
        *[(text, text) for text in ("=", "1.2.3", "+", ".", "e5", "0x", "0xg", "+0x1", "nan", "inf", ".Nan", "+.nan")],
        ("0", 0),
        ("-0", 0),
        ("+12", 12),
        ("-12", -12),
        ("0x1F", 31),
        ("9223372036854775807", (1 << 63) - 1),
        ("1.", 1.0),
        (".5", 0.5),
        ("-0.0", -0.0),
        ("1.0e-05", 1e-05),
        ("6.02E+23", 6.02e23),
        (".inf", float("inf")),
        ("+.INF", float("inf")),
        ("-.Inf", float("-inf")),
        (".NaN", values.NAN),
        ("'1'", "1"),
        ('"true"', "true"),
    ],
)
def test_scalars_are_those_of_the_core_schema(text, value):
    assert values.same(yaml_text.loads(f"a: {text}\n", FILE)["a"], value)
    assert values.same(yaml_text.loads(f"[{text}]", FILE)[0], value)


def test_nothing_and_a_block_of_text():
    assert yaml_text.loads("a:\nb: |\n  12\nc: >-\n  true\n", FILE) == {"a": None, "b": "12\n", "c": "true"}
    assert yaml_text.loads("# nothing but a comment\n", FILE) is None


NUMBERS_TO_YAML_1_2_ALONE = {
    "1e5": 1e5,
    "1e-05": 1e-05,
    "-1E+3": -1e3,
    "1.5e3": 1500.0,
    ".5e3": 500.0,
    "+.5": 0.5,
    "-.5": -0.5,
    "007": 7,
    "-010": -10,
    "0o17": 15,
}


VALUES = frozenset({"default_value", "allowed_values"})


def settled(text):
    """A document whose values are numbers where the type says so."""
    document = yaml_text.loads(text, FILE)
    yaml_text.convert_number_texts(document, VALUES, lambda record: record.get("type") == "NUMBER")
    return document


@pytest.mark.parametrize(("term", "number"), NUMBERS_TO_YAML_1_2_ALONE.items())
def test_a_number_to_yaml_1_2_alone_is_a_word_until_somebody_knows_better(term, number):
    for text in (f"type: NUMBER\ndefault_value: [{term}]\n", f"default_value: [{term}]\ntype: NUMBER\n"):
        assert yaml_text.loads(text, FILE)["default_value"] == [term]
        assert values.same(settled(text)["default_value"][0], number)
        assert values.same(settled(text.replace("default_value", "allowed_values"))["allowed_values"][0], number)
    for text in (f"type: WORD\ndefault_value: [{term}]\n", f"type: NUMBER\nremark: [{term}]\n", f"- [{term}]\n"):
        assert settled(text) == yaml_text.loads(text, FILE)
    deep = settled(f"a: [[{{type: NUMBER, default_value: {term}}}]]\n")
    assert values.same(deep["a"][0][0]["default_value"], number)


def test_a_word_too_long_for_a_number_stays_a_word():
    for text in ("0." + "1" * 600, "1e" + "1" * 600, "0x" + "f" * 600):
        assert settled(f"type: NUMBER\ndefault_value: {text}\n")["default_value"] == text


LOOKS = st.text("0179.eE+-oxnfaiul~_: ", min_size=1, max_size=7)
TEXTS = LOOKS | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8) | st.sampled_from(["on", "no", "~"])
FLOATS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([1e-05, 1e16, 1e22, -0.0, 1e300])


def dumped(value):
    """PyYAML's own words for a value, read back."""
    return yaml_text.loads(yaml.dump(value, Dumper=DUMPER, allow_unicode=True), FILE)


@settings(max_examples=1000)
@given(TEXTS)
def test_a_string_that_pyyaml_writes_is_read_as_that_string(text):
    assert dumped({"type": "STRING", "default_value": text})["default_value"] == text
    assert dumped({"name": text}) == {"name": text}
    assert dumped({text: 1}) == {text: 1}


@settings(max_examples=500)
@given(FLOATS | st.integers(-(1 << 63), 1 << 64) | st.booleans() | st.none())
def test_a_number_that_pyyaml_writes_is_read_as_that_number(number):
    assert values.same(dumped([number])[0], number)
    assert values.same(dumped({"type": "FLOAT", "default_value": number})["default_value"], number)


@pytest.mark.parametrize(
    "path",
    [
        *some("paddle", "paddle-pir"),
        *(pytest.param(os.path.join(RAW, f"paddle-{v}.json"), id=f"raw {v}") for v in ("1.8.5", "2.6.2")),
    ],
)
def test_a_real_spec_dumped_as_yaml_reads_equal_to_its_json_form(path):
    with open(path, encoding="utf-8") as stream:
        value = json.load(stream)
    ops = value.get("ops", value)
    for name in [name for at, name in enumerate(ops) if at % 4]:
        del ops[name]  # a quarter has all that there is
    again = dumped(value)
    spec = recognise.spec_of(Document(file=str(path), value=value))
    assert canonical.dumps(recognise.spec_of(Document(file=str(path), value=again))) == canonical.dumps(spec)
    assert len(spec.ops) > 90
