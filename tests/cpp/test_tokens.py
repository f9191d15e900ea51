"""Brackets, lists, statements and literals of C++."""

from __future__ import annotations

import pytest

from opspec_lint.cpp.limits import MAX_LIST, MAX_TOKENS
from opspec_lint.cpp.numbers import Float32, kind_of
from opspec_lint.cpp.tokens import (
    CHARACTER,
    NAME,
    NUMBER,
    SIGN,
    STRING,
    character_value,
    closing_brace,
    closing_parenthesis,
    number_value,
    split_arguments,
    statement_end,
    string_value,
    tokenize,
    tokens_between_commas,
)
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.float32 import to_float32


def of(text):
    return tokenize(text, 0, len(text))


def texts(texts):
    return [text for _, text, _ in texts]


def test_tokens_have_their_kind_and_offset():
    assert of('a1 ::b->c <= .5e-3f, u8"x" L\'y\' R"m(a)")m" += #') == [
        (NAME, "a1", 0),
        (SIGN, "::", 3),
        (NAME, "b", 5),
        (SIGN, "->", 6),
        (NAME, "c", 8),
        (SIGN, "<=", 10),
        (NUMBER, ".5e-3f", 13),
        (SIGN, ",", 19),
        (STRING, 'u8"x"', 21),
        (CHARACTER, "L'y'", 27),
        (STRING, 'R"m(a)")m"', 32),
        (SIGN, "+=", 43),
        (SIGN, "#", 46),
    ]
    assert texts(tokenize("a b c", 2, 3)) == ["b"]
    # A name before a quote is a prefix of the literal only if it is one of C++.
    assert of('x"y"L"u8R\'z\'') == [
        (NAME, "x", 0),
        (STRING, '"y"', 1),
        (NAME, "L", 4),
        (SIGN, '"', 5),
        (NAME, "u8R", 6),
        (CHARACTER, "'z'", 9),
    ]


def test_there_is_a_limit_to_tokens():
    assert len(of(";" * MAX_TOKENS)) == MAX_TOKENS
    with pytest.raises(UnresolvedError, match=f"more than {MAX_TOKENS} tokens"):
        of(";" * (MAX_TOKENS + 1))


def test_brackets_pair_by_their_kind():
    texts = of("f ( [ ] { ( ) } ) '(' )")
    assert {at: texts.closing(at) for at in (1, 2, 4, 5)} == {1: 8, 2: 3, 4: 7, 5: 6}
    broken = of("( [ ) ] ( )")
    assert broken.closing(4) == 5
    for opening in (0, 1):
        with pytest.raises(UnresolvedError, match="no bracket closes"):
            broken.closing(opening)


def test_angles_pair_where_they_are_those_of_a_template():
    texts = of("a<b<c>, (d > e)> f<g; h>")
    assert {at: texts.closing_angle(at) for at in (1, 3)} == {1: 12, 3: 5}
    assert texts.closing_angle(14) == -1
    for text in ("a < b && c > d", "a < b == c > d", "a < b) > c", "a < b"):
        assert of(text).closing_angle(1) == -1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ a { } } }", 8),
        ("{ { }", 5),
        ("{}", 1),
        ("{" + "{}" * 1_000 + "} }", 2_001),
        ("{" + " " * 100_000 + "} }", 100_001),
    ],
)
def test_the_brace_that_closes(text, expected):
    assert closing_brace(text, 0) == expected
    assert closing_brace(f"{{{text}", 1) == expected + 1


def test_the_parenthesis_that_closes():
    assert closing_parenthesis("(a (b) c) d)", 0) == 8
    assert closing_parenthesis("((b) c)", 1) == 3
    assert closing_parenthesis("(" + " " * (MAX_LIST - 2) + ")", 0) == MAX_LIST - 1
    for text in ("(()", "(" + " " * (MAX_LIST - 1) + ")"):
        with pytest.raises(UnresolvedError, match="no parenthesis closes a list"):
            closing_parenthesis(text, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("a, b", ["a", "b"]),
        ("a,", ["a", ""]),
        ("f(a, b), {c, d}, e[1, 2]", ["f(a,b)", "{c,d}", "e[1,2]"]),
        ("m<a, b>(c), d", ["m<a,b>(c)", "d"]),
        ("a < b, c", ["a<b", "c"]),
        ("1 < b, c > d", ["1<b", "c>d"]),
        ("<a, b>", ["<a", "b>"]),
    ],
)
def test_commas_part_arguments(text, expected):
    parts = of(text)
    assert ["".join(texts(parts[slice(*item)])) for item in split_arguments(parts, 0, len(parts))] == expected


def test_arguments_end_where_their_list_does():
    texts = of("f(a<b, c); d > e")
    assert split_arguments(texts, 2, 7) == [(2, 5), (6, 7)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a; b;", 1), ("f(;) { ; } [;]; b", 10), ("a }", 1), ("a b", 2), ("';' ;", 1), (";", 0)],
)
def test_where_a_statement_ends(text, expected):
    assert statement_end(of(text), 0) == expected


def test_parts_of_an_enum():
    parts = tokens_between_commas(of("A, B = f(1, {2}[0]), C = ',',"))
    assert ["".join(texts(part)) for part in parts] == ["A", "B=f(1,{2}[0])", "C=','", ""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a"', "a"),
        ('u8"a"', "a"),
        (r'"\n\t\r\a\b\f\v\e"', "\n\t\r\a\b\f\v\x1b"),
        (r'"\\\"\'\?"', "\\\"'?"),
        (r'"\101\x41\u0041\U00000041"', "AAAA"),
        (r'"\0018"', "\0018"),
        (r'"\303\251\xc3\xa9"', "\u00e9\u00e9"),
        ('"a\\\nb"', "ab"),
        (r'R"(a\n")"', r'a\n"'),
        ('R"xy(a)")xy"', 'a)"'),
        ('LR"(a)"', "a"),
    ],
)
def test_strings(text, expected):
    assert string_value(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("'a'", 97), (r"'\n'", 10), (r"'\''", 39), (r"'\x41'", 65)])
def test_characters(text, expected):
    assert character_value(text) == expected


def test_a_character_of_several_is_none():
    with pytest.raises(UnresolvedError, match="unknown character 'ab'"):
        character_value("'ab'")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("10", 10),
        ("010", 8),
        ("0x1F", 31),
        ("0b101", 5),
        ("1'000", 1000),
        ("1.5", 1.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("2.0L", 2.0),
        ("0x1.8p3", 12.0),
        ("1'000'000", 1000000),
        ("0.1f", Float32(0.1)),
        ("1e1F", Float32(10)),
    ],
)
def test_numbers(text, expected):
    result = number_value(text)
    assert (type(result), result) == (type(expected), expected)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1", "int"),
        ("2147483648", "long"),
        ("0x7fffffff", "int"),
        ("0x80000000", "unsigned int"),
        ("1u", "unsigned int"),
        ("4294967296u", "unsigned long"),
        ("1l", "long"),
        ("1LL", "long"),
        ("7ull", "unsigned long"),
        ("7LLU", "unsigned long"),
        ("0xFFFFFFFFFFFFFFFF", "unsigned long"),
        ("040000000000", "long"),
        ("037777777777", "unsigned int"),
        ("1.5", "double"),
        ("1.5f", "float"),
    ],
)
def test_the_type_of_a_number(text, kind):
    assert kind_of(number_value(text)) == kind


@pytest.mark.parametrize(
    ("text", "reason"),
    [(r'"\xFFFFFFFFF"', "an escape of more than a byte"), (r'"\xff"', "not UTF-8"), (r'"\ud800"', "not a character")],
)
def test_what_is_no_string(text, reason):
    with pytest.raises(UnresolvedError, match=reason):
        string_value(text)


@pytest.mark.parametrize("text", ["L'a'", "'ab'", "u8'a'"])
def test_what_is_no_character_of_a_byte(text):
    with pytest.raises(UnresolvedError, match="unknown character"):
        character_value(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1x", "unknown number 1x"),
        ("089", "unknown number 089"),
        ("1.5e-1L", "1.5e-1L is a long double"),
        ("1" * 60, "is too large for a number"),
        ("1" * 61, "a number that is too long"),
    ],
)
def test_what_is_no_number(text, reason):
    with pytest.raises(UnresolvedError, match=reason):
        number_value(text)


def test_single_precision_has_its_infinities():
    assert (to_float32(1e39), to_float32(-1e39), to_float32(0.1)) == (float("inf"), float("-inf"), 0.10000000149011612)
