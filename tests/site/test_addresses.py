"""Files of the site: no two names share one, whatever they contain, and links lead to them."""

from __future__ import annotations

import posixpath
import re

import pytest

from opspec_lint.site.addresses import file_names, relative_link
from tests.support.nasty import TEXTS

NAMES = [
    *TEXTS,
    "..",
    ".",
    "",
    "/",
    "a/b",
    "a:b",
    "a..b",
    "A",
    "a",
    "conv2d",
    "Conv2D",
    "CON",
    "con",
    "nul.x",
    "x" * 500,
    "x" * 501,
    "\ud800",
]


def test_every_name_has_a_file_of_its_own():
    result = file_names(dict.fromkeys(NAMES))
    assert len({file_name.casefold() for file_name in result.values()}) == len(set(NAMES))
    for file_name in result.values():
        assert re.fullmatch(r"[A-Za-z0-9_~-][A-Za-z0-9_.~-]*", file_name), file_name
        assert len(file_name) < 120
        assert file_name.partition(".")[0].casefold() not in ("con", "nul")


def test_plain_names_stay_as_they_are():
    assert file_names(["conv2d", "aten::add"]) == {"conv2d": "conv2d", "aten::add": "aten-add"}


def test_a_name_has_the_same_file_whatever_else_there_is_in_different_letters():
    assert file_names(["a", "A"])["a"] == file_names(["A", "a", "b"])["a"]


@pytest.mark.parametrize("page", ["index.html", "a/index.html", "a/op/x.html", "b/y.html"])
@pytest.mark.parametrize("target", ["index.html", "site.css", "a/index.html", "a/op/z.html", "b/y.html"])
def test_a_link_leads_to_its_target(page, target):
    assert posixpath.normpath(posixpath.join(posixpath.dirname(page), relative_link(page, target))) == target
