"""How the brackets of C++ pair, against a scan from each of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec_lint.cpp.tokens import split_arguments, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError

CLOSES = {"(": ")", "{": "}", "[": "]"}
ENDS = (";", ")", "}", "]", "&&", "||", "==", "!=", "<=", ">=")
WORDS = st.lists(
    st.sampled_from(["a", "<", "<", ">", ">", "(", ")", "{", "}", "[", "]", ",", ";", "&&", '"("']), max_size=40
)


def outcome(found, *arguments):
    try:
        return found(*arguments)
    except UnresolvedError:
        return None


def scanned(words, opening):
    stack = []
    for index in range(opening, len(words)):
        if words[index] in CLOSES:
            stack.append(CLOSES[words[index]])
        elif words[index] in CLOSES.values():
            if stack.pop() != words[index]:
                return None
            if not stack:
                return index
    return None


def scanned_angle(words, opening):
    depth, index = 0, opening
    while index < len(words):
        if words[index] in CLOSES:
            index = scanned(words, index)
            if index is None:
                return None
        elif words[index] in ENDS:
            return -1
        depth += (words[index] == "<") - (words[index] == ">")
        if not depth:
            return index
        index += 1
    return -1


@given(WORDS)
def test_brackets_pair_as_a_scan_from_each_says(words):
    text = " ".join(words)
    found = tokenize(text, 0, len(text))
    opening = [index for index, word in enumerate(words) if word in CLOSES]
    assert [outcome(found.closing, index) for index in opening] == [scanned(words, index) for index in opening]


@given(WORDS, st.randoms(use_true_random=False))
def test_angles_pair_as_a_scan_from_each_says_in_whatever_order_they_are_asked(words, random):
    text = " ".join(words)
    found = tokenize(text, 0, len(text))
    asked = [index for index, word in enumerate(words) if word == "<"]
    random.shuffle(asked)
    assert [outcome(found.closing_angle, index) for index in asked] == [scanned_angle(words, index) for index in asked]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("a", ["a"]),
        ("a, b", ["a", "b"]),
        ("f(a, b), {c, d}", ["f(a,b)", "{c,d}"]),
        ("m<int, char>(), 1", ["m<int,char>()", "1"]),
        ("a < b, c", ["a<b", "c"]),
        ("a,", ["a", ""]),
    ],
)
def test_arguments_are_parted_at_commas(text, parts):
    found = tokenize(text, 0, len(text))
    ranges = split_arguments(found, 0, len(found))
    assert ["".join(word for _, word, _ in found[slice(*each)]) for each in ranges] == parts
