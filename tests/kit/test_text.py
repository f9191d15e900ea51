from __future__ import annotations

import pytest

from opspec_lint.kit.text import columns, distinct, fit_width, one_line, plural, shorten


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("a bb ccc", ["a bb ccc"]),
        ("  one two three", ["  one two", "    three"]),
        ("\x1b[1mone two\x1b[0m", ["\x1b[1mone two\x1b[0m"]),
        ("\x1b[1mone two three\x1b[0m", ["\x1b[1mone two", "  three\x1b[0m"]),
        ("    one elevenlong", ["    one", "elevenlong"]),
        ("     elevenlong x", ["elevenlong", "       x"]),
        ("longer than ten-letters", ["longer", "  than", "ten-letters"]),
    ],
)
def test_a_line_is_broken_where_the_terminal_ends(line, lines):
    assert fit_width(line, 10) == lines


def test_columns_are_as_wide_as_their_longest_cells():
    rows = [("rule", "count", ""), ("attr_removed", "7", "of two"), ("a", "12", "of one")]
    assert columns(rows) == ["rule          count", "attr_removed  7      of two", "a             12     of one"]
    assert columns(rows, right=(1,)) == [
        "rule          count",
        "attr_removed      7  of two",
        "a                12  of one",
    ]
    assert columns(rows, most=4) == ["rule  count", "attr_removed  7     of two", "a     12    of one"]
    assert columns([]) == []


@pytest.mark.parametrize(("text", "short"), [("", ""), ("abc", "abc"), ("abcd", "abcd"), ("abcde", "abc…")])
def test_a_long_text_ends_in_an_ellipsis(text, short):
    assert shorten(text, 4) == short


@pytest.mark.parametrize(
    ("texts", "result"),
    [
        ([], []),
        (["a", "b"], ["a", "b"]),
        (["a", "b", "a", "a"], ["a", "b", "a-2", "a-3"]),
        (["a", "a", "a-2", "a"], ["a", "a-2", "a-2-2", "a-3"]),
        (["a-2", "a", "a"], ["a-2", "a", "a-3"]),
    ],
)
def test_texts_are_made_distinct(texts, result):
    assert distinct(texts) == result


def test_making_distinct_takes_no_longer_for_texts_that_are_all_equal():
    assert len(set(distinct(["a"] * 100_000))) == 100_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("::error::x", r"\x3a:error::x"),
        ("  ::warning file=a::x", r"  \x3a:warning file=a::x"),
        ("a::b", "a::b"),
        ("a ##[group]b", r"a ##\x5bgroup]b"),
        ("##[error]##[error]", r"##\x5berror]##\x5berror]"),
        ("# [a]", "# [a]"),
    ],
)
def test_no_line_is_a_command_to_a_runner(text, expected):
    assert one_line(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain ä €", "plain ä €"),
        ("a\nb\tc", r"a\nb\tc"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\x7f\x9b\u2028\u202e", r"\x7f\x9b\u2028\u202e"),
        ("\ud800\U000e0001", r"\ud800\U000e0001"),
        ("\n::a", r"\n::a"),
    ],
)
def test_what_is_not_printable_is_written_out(text, expected):
    assert one_line(text) == expected


@pytest.mark.parametrize(("count", "expected"), [(0, "0 errors"), (1, "1 error"), (2, "2 errors")])
def test_a_count_with_its_noun(count, expected):
    assert plural(count, "error") == expected
