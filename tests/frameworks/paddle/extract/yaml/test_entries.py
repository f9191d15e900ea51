"""The reading of the YAML of Paddle's generator."""

from __future__ import annotations

import pytest

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.yaml.entries import (
    Scalar,
    YamlEntry,
    parse_document,
    parse_entries,
    resolve_scalar,
)


def test_entries_have_their_place_and_scalars_theirs():
    text = "- op : f\n  args : (a, b)\n\n- op : 'g h'\n"
    first, two = parse_entries(text, "f.yaml")
    assert (first, two) == ({"op": "f", "args": "(a, b)"}, {"op": "g h"})
    assert [(item.line, text[item.start]) for item in (first, two)] == [(1, "o"), (4, "o")]
    assert [text[item.start : item.end] for item in (first["op"], first["args"], two["op"])] == ["f", "(a, b)", "'g h'"]
    assert [op.plain for op in (first["op"], two["op"])] == [True, False]


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "~"])
def test_a_file_without_entries_has_none(text):
    assert parse_entries(text, "f.yaml") == []


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("a: 1", "it is not a list of entries", 1),
        ("word", "it is not a list of entries", 1),
        ("- a", "it is not a list of entries", 1),
        ("\n- a: &x 1", "it has an anchor", 2),
        ("- a: !!str 1", "it has a tag", 1),
        ("- &x [1]", "it has an anchor", 1),
        ("- a: 1\n- *a", "it has an alias", 2),
        ("- a: 1\n- [b]: 1", "it has a key that is not a scalar", 2),
        ("- a: 1\n- b: ]", "it is not valid YAML: did not find expected node content", 2),
        ("\0", "it is not valid YAML", 1),
        ("- a: 1\n<<<<<<< HEAD\n- b: 1\n=======\n- b: 2\n>>>>>>> it\n", "it has a merge conflict", 2),
    ],
)
def test_what_cannot_be_read_is_reported_with_its_line(text, reason, line):
    with pytest.raises(UnresolvedError) as caught:
        parse_entries(text, "f.yaml")
    assert caught.value.reason.startswith(reason)
    assert (caught.value.file, caught.value.line) == ("f.yaml", line)


def test_there_is_a_limit_to_nesting():
    assert parse_document("[" * 23 + "]" * 23, "f.yaml")
    with pytest.raises(UnresolvedError, match="it is nested more than 24 deep"):
        parse_document("[" * 24 + "]" * 24, "f.yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("~", None),
        ("null", None),
        ("''", ""),
        ("yes", True),
        ("On", True),
        ("off", False),
        ("'yes'", "yes"),
        ("12", 12),
        ("-12", -12),
        ("+1_000", 1000),
        ("010", 8),
        ("-010", -8),
        ("0", 0),
        ("0x1F", 31),
        ("0b101", 5),
        ("09", "09"),
        ("1.5", 1.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("-1_0.5e+1", -105.0),
        ("1e5", "1e5"),
        ("1.0e5", "1.0e5"),
        ("word", "word"),
        ("[1, [no, a]]", [1, [False, "a"]]),
        ("1" * 100, 0),
        ("1" * 99, int("1" * 99)),
    ],
)
def test_what_a_plain_scalar_is_to_the_generator(text, expected):
    actual = resolve_scalar(parse_document(text, "f.yaml"))
    assert actual == expected
    assert type(actual) in (type(expected), Scalar)


def test_a_mapping_stays_one():
    assert type(resolve_scalar(parse_document("{a: 1}", "f.yaml"))) is YamlEntry
