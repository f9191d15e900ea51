"""The pairs of the brackets of C++, compared with a scan from each bracket."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec_lint.cpp.tokens import split_arguments, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError

CLOSES = {"(": ")", "{": "}", "[": "]"}
ENDS = (";", ")", "}", "]", "&&", "||", "==", "!=", "<=", ">=")
TEXTS = st.lists(
    st.sampled_from(["a", "<", "<", ">", ">", "(", ")", "{", "}", "[", "]", ",", ";", "&&", '"("']), max_size=40
)


def outcome(result, *arguments):
    try:
        return result(*arguments)
    except UnresolvedError:
        return None


def scanned(texts, opening):
    stack = []
    for index in range(opening, len(texts)):
        if texts[index] in CLOSES:
            stack.append(CLOSES[texts[index]])
        elif texts[index] in CLOSES.values():
            if stack.pop() != texts[index]:
                return None
            if not stack:
                return index
    return None


def scanned_angle(texts, opening):
    depth, index = 0, opening
    while index < len(texts):
        if texts[index] in CLOSES:
            index = scanned(texts, index)
            if index is None:
                return None
        elif texts[index] in ENDS:
            return -1
        depth += (texts[index] == "<") - (texts[index] == ">")
        if not depth:
            return index
        index += 1
    return -1


@given(TEXTS)
def test_brackets_pair_as_a_scan_from_each_states(texts):
    text = " ".join(texts)
    tokens = tokenize(text, 0, len(text))
    opening = [index for index, text in enumerate(texts) if text in CLOSES]
    assert [outcome(tokens.closing, index) for index in opening] == [scanned(texts, index) for index in opening]


@given(TEXTS, st.randoms(use_true_random=False))
def test_angles_pair_as_a_scan_from_each_states_in_whatever_order_they_are_queried(texts, random):
    text = " ".join(texts)
    tokens = tokenize(text, 0, len(text))
    indexes = [index for index, text in enumerate(texts) if text == "<"]
    random.shuffle(indexes)
    assert [outcome(tokens.closing_angle, index) for index in indexes] == [
        scanned_angle(texts, index) for index in indexes
    ]


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
    tokens = tokenize(text, 0, len(text))
    ranges = split_arguments(tokens, 0, len(tokens))
    assert ["".join(text for _, text, _ in tokens[slice(*span)]) for span in ranges] == parts
