"""Regular expressions of CMake."""

from __future__ import annotations

import pytest

from opspec_lint.builds.cmake_regex import Regex, is_valid_regex

REGEXES = {
    ".*ops.*": "ops",
    "^ops": "ops",
    "s.cpp$": "ops",
    "(b|o)+ps": "ops",
    "[^a-n]ps": "ops",
    "x?y*ops": "ops",
    "[]o]ps\\\\.c": "ops",
    "ops$": "",
    "^ps": "",
    "[^o]ps": "",
    "(a|b)ps": "",
    "opss+": "",
    "^(o+)+$": "",
}


@pytest.mark.parametrize(("regex", "matches"), REGEXES.items(), ids=REGEXES)
def test_a_regex_is_matched_as_cmake_does(regex, matches):
    text = regex.replace("\\\\", "\\")
    assert is_valid_regex(text)
    assert Regex(text).search("ops.cpp") is bool(matches)


@pytest.mark.parametrize("regex", ["(a", "a)", "[a", "*", "a**", "((a*)*)*", "(" * 30 + ")" * 30, "a" * 1001, "\\"])
def test_a_regex_that_is_not_followed_is_recognised(regex):
    assert not is_valid_regex(regex)
