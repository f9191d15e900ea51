"""The cache of results that are made of the texts of files."""

from __future__ import annotations

import pytest

from opspec_lint.kit.text_cache import TextCache

BEFORE = {"a": "b", "b": "1", "c": "2"}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (BEFORE, ["1"]),
        ({**BEFORE, "c": "3"}, ["1"]),  # a file that was not read
        ({**BEFORE, "b": "4"}, ["1", "4"]),
        ({**BEFORE, "a": "c"}, ["1", "2"]),
        ({"a": "b"}, ["1", None]),
    ],
)
def test_a_result_is_made_again_when_a_text_that_was_read_differs(after, expected):
    made = []

    def make(read):
        made.append(read(read("a")))
        return made[-1]

    cache = TextCache(10)
    assert [cache.get("key", files.get, make) for files in (BEFORE, after)] == [expected[0], expected[-1]]
    assert made == expected


def test_a_file_that_is_missing_counts_as_long_as_it_is_missing():
    cache = TextCache(10)
    assert [cache.get("key", files.get, lambda read: read("a")) for files in ({}, {"a": "1"}, {})] == [None, "1", None]
