"""The text that the preprocessor leaves of a file, build by build."""

from __future__ import annotations

import re

import pytest

from opspec_lint.cpp.comments import blank_comments, without_comments
from opspec_lint.cpp.preprocessed import CppFile, occurrences


def left(text, **defined):
    """Return the words of a file that a build compiles."""
    return CppFile("f.cc", text).code(defined).text.split()


@pytest.mark.parametrize(
    ("text", "defined", "expected"),
    [
        ("a\n#ifdef X\nb\n#else\nc\n#endif\nd", {}, "a c d"),
        ("a\n#ifdef X\nb\n#else\nc\n#endif\nd", {"X": ""}, "a b d"),
        ("#ifndef X\nb\n#endif\nd", {}, "b d"),
        ("#ifndef X\nb\n#endif\nd", {"X": ""}, "d"),
        ("#if X == 1\na\n#elif X == 2\nb\n#elif X == 2\nc\n#else\nd\n#endif", {"X": "1"}, "a"),
        ("#if X == 1\na\n#elif X == 2\nb\n#elif X == 2\nc\n#else\nd\n#endif", {"X": "2"}, "b"),
        ("#if X == 1\na\n#elif X == 2\nb\n#elif X == 2\nc\n#else\nd\n#endif", {"X": "3"}, "d"),
        ("#ifdef X\n#ifndef Y\na\n#else\nb\n#endif\nc\n#endif\nd", {}, "d"),
        ("#ifdef X\n#ifndef Y\na\n#else\nb\n#endif\nc\n#endif\nd", {"X": ""}, "a c d"),
        ("#ifdef X\n#elif 1\na\n#else\nb\n#endif", {}, "a"),
        ("#define X\n#ifdef X\na\n#endif", {}, "a"),
        ("#define X 2\n#if X == 2\na\n#endif", {}, "a"),
        ("#define X(y) y\n#ifdef X\na\n#endif", {}, "a"),
        ("#define X(y) (y - 1)\n#if X(2)\na\n#endif\n#if X(1)\nb\n#endif", {}, "a"),
        ("#define X(y) y\n#define Z X(0) + X(X(1))\n#if Z\na\n#endif", {}, "a"),
        ("#define X(y) y ## 1\n#if X(0x) == 1 && !defined(Y) && defined X\na\n#endif", {}, "a"),
        ("#define X(y) y\n#if X\na\n#endif\nb", {}, "b"),
        ("#ifdef __cplusplus\na\n#endif\n#if defined(__FILE__) && __cplusplus > 199711L\nb\n#endif", {}, "a b"),
        ("#ifdef Y\n#define X\n#endif\n#ifdef X\na\n#endif\nb", {}, "b"),
        ("#undef X\n#ifdef X\na\n#endif\nb", {"X": ""}, "b"),
        ("#ifdef Y\n#undef X\n#endif\n#ifdef X\na\n#endif\nb", {"X": ""}, "a b"),
        ("#pragma once\na\n#include <x>\nb", {}, "a b"),
        ("#ifdef X\na", {}, ""),
        ("#endif\n#else\n#elif 1\na", {}, "a"),
        ("#ifdef\na\n#endif\nb", {"X": ""}, "b"),
        ("#ifdef X trailing\na\n#endif", {"X": ""}, "a"),
        ("a // #ifdef X\nb /* #else\n*/ c", {}, "a b c"),
        ("#if defined(X) && \\\n  defined(Y)\na\n#endif\nb", {"X": "", "Y": ""}, "a b"),
        ("# define X \\\n  1\n#if X\na\n#endif", {}, "a"),
        ("\f#if 0\na\n\v#endif\nb", {}, "b"),
        ("#\\\n if \\\n0\na\n#endif\nb", {}, "b"),
        ("%:if 0\na\n%:endif\nb %:> c", {}, "b # > c"),
        ("a<:b:> <%c<::d>%>", {}, "a[ b] { c<::d>} "[:-1]),
        ("b # \\\n#define X\n  \t#ifdef X\na\n#endif", {}, "b # a"),
    ],
)
def test_what_a_build_compiles(text, defined, expected):
    assert " ".join(left(text, **defined)) == expected
    code = CppFile("f.cc", text).code(defined)
    assert (len(code.text), code.text.count("\n")) == (len(text), text.count("\n"))


def test_the_directives_that_decide_what_a_macro_is():
    text = "#define A 1\n#define B(x, ...) x \\\n  y\n#define C()\n#include <x.h>\n#define D\n#undef D\n#define \n"
    directives = CppFile("f.h", text).code({}).directives
    assert [(text, name) for _, text, name, _ in directives] == [
        ("define", "A"), ("define", "B"), ("define", "C"), ("include", "<x.h>"), ("define", "D"), ("undef", "D"),
    ]  # fmt: skip
    macros = {name: macro for _, text, name, macro in directives if text == "define"}
    assert {name: (macro.parameters, macro.body.split(), macro.path) for name, macro in macros.items()} == {
        "A": (None, ["1"], "f.h"),
        "B": (("x", "..."), ["x", "y"], "f.h"),
        "C": ((), [], "f.h"),
        "D": (None, [], "f.h"),
    }


def test_parts_whose_condition_another_file_may_decide():
    text = "#define A 1\n#if A && B\nx\n#elif C\ny\n#endif\n#ifdef WITH_X\n#endif\n#ifndef F_H_\n#endif\n"
    [(start, end, names)] = CppFile("f.h", text, ("WITH_",)).code({}).doubtful
    assert (text[start : start + 4], text[end - 6 : end], names) == ("#if ", "#endif", {"B", "C"})


def test_builds_that_leave_out_the_same_share_their_text():
    file = CppFile("f.cc", "a\n#ifdef X\nb\n#endif\n")
    plain, same, another = {}, {"Y": ""}, {"X": ""}
    assert file.code(plain) is file.code(same)
    assert file.code(plain) is not file.code(another)
    assert file.tested_names() == {"X"}


def test_what_two_builds_differ_in():
    file = CppFile("f.cc", "one\n#ifdef X\ntwo\n#endif\n#ifdef Y\nthree\n#endif\n")
    plain, x, y = {}, {"X": ""}, {"Y": ""}
    for item, another, expected in ((plain, x, "two"), (plain, y, "three"), (x, y, "two three")):
        for first, second in ((item, another), (another, item)):
            differing = [w for w in ("one", "two", "three") if file.differs(first, second, re.compile(w))]
            assert differing == expected.split()
    assert not file.differs(plain, {"Z": ""}, re.compile("one|two|three"))


def test_places_are_those_of_the_file():
    code = CppFile("f.cc", "ab\n/* c\n*/ d\n").code({})
    assert [code.place(at) for at in (0, 1, 3, 11)] == [(1, 1), (1, 2), (2, 1), (3, 4)]


def test_comments_and_the_inside_of_strings_are_blank():
    raw = 'a "b // \\" c" \'d\' // e\n/* f\n */ R"x(g\n)" )x" h'
    text, bare = blank_comments(raw)
    assert text.split() == ["a", '"b', "//", '\\"', 'c"', "'d'", 'R"x(g', ')"', ')x"', "h"]
    assert re.findall(r"\w", bare) == ["a", "R", "h"]
    assert [len(item) for item in (text, bare)] == [len(raw)] * 2
    assert [at for at, sign in enumerate(bare) if sign == "\n"] == [at for at, sign in enumerate(raw) if sign == "\n"]
    assert bare[2] == bare[12] == '"'


def test_whole_words_alone_occur():
    text = "ab b _b b_ b1 b"
    assert list(occurrences(text, "b", 0, len(text))) == [3, 14]
    assert list(occurrences(text, "b", 4, len(text) - 1)) == []
    assert list(occurrences("b", "b", 0, 1)) == [0]


@pytest.mark.parametrize(
    "text",
    [
        'a /* "b" */ "/* c */" // d\n\'"\' /* e */ "f"',
        "a / b",
        "a // b 'c'\nd /* e\n */",
        "a '//' /* b */",
        'R"(//)" // x \\\ny\nz',
        "/* a",
    ],
)
def test_a_text_without_comments_is_the_first_of_both_views(text):
    assert without_comments(text) == blank_comments(text)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n#if X\nb\n#elif Y\nc\n#else\nd\n#endif\ne", "a b c d e"),
        ("#define A b \\\n c\n  # include <x>\nd // #e\n/*\n#if 0 */ f", "d f"),
        ('R"(\n#if 0\n)" a', 'R"( #if 0 )" a'),
    ],
)
def test_all_branches_without_directives(text, expected):
    code = CppFile("f.cc", text).all_branches()
    assert " ".join(code.text.split()) == expected
    assert [(len(view), view.count("\n")) for view in (code.text, code.bare)] == [(len(text), text.count("\n"))] * 2
