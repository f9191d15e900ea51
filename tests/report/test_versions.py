from __future__ import annotations

from itertools import combinations

import pytest

from opspec_lint.kit.errors import UsageError
from opspec_lint.report.versions import PARTS, Versions, is_enough, least_after, parse
from tests.support.programs import run


@pytest.mark.parametrize(
    ("released", "major", "minor", "patch"),
    [
        ("1.2.3", "2.0.0", "1.3.0", "1.2.4"),
        ("1.2.3+build.7", "2.0.0", "1.3.0", "1.2.4"),
        ("0.2.3", "0.3.0", "0.2.4", "0.2.4"),
        ("0.0.3", "0.1.0", "0.0.4", "0.0.4"),
        ("2.0.0-rc.1", "2.0.0", "2.0.0", "2.0.0"),
        ("2.1.0-rc.1", "3.0.0", "2.1.0", "2.1.0"),
        ("2.1.1-rc.1", "3.0.0", "2.2.0", "2.1.1"),
        ("0.3.0-a", "0.3.0", "0.3.0", "0.3.0"),
    ],
)
def test_the_least_version_that_is_large_enough(released, major, minor, patch):
    base = parse(released, "x")
    for part, expected in zip(PARTS, (major, minor, patch), strict=True):
        assert least_after(part, base).text == expected
        following = parse(expected, "x")
        assert is_enough(part, Versions(released=base, next=following))
        assert is_enough(part, Versions(released=base))


@pytest.mark.parametrize(
    ("part", "released", "following", "enough"),
    [
        ("patch", "1.2.3", "1.2.3", False),
        ("patch", "1.2.3", "1.2.2", False),
        ("patch", "1.2.3", "1.2.3+b", False),
        ("patch", "1.2.3", "1.2.4-rc.1", True),
        ("patch", "1.2.3", "1.2.3-rc.1", False),
        ("minor", "1.2.3", "1.2.9", False),
        ("minor", "1.2.3", "2.0.0", True),
        ("major", "1.2.3", "1.99.0", False),
        ("major", "1.2.3", "2.0.0-alpha", True),
        ("major", "1.9.0", "10.0.0", True),
        ("major", "2.0.0-rc.2", "2.0.0-rc.10", True),
        ("major", "2.0.0-rc.10", "2.0.0-rc.2", False),
        ("major", "2.0.0-rc.1", "2.0.0-1", False),
        ("major", "2.0.0-rc", "2.0.0-rc.1", True),
        ("major", "0.2.3", "0.2.4", False),
        ("major", "0.2.3", "1.0.0", True),
    ],
)
def test_whether_the_next_version_is_large_enough(part, released, following, enough):
    assert is_enough(part, Versions(released=parse(released, "x"), next=parse(following, "x"))) is enough


@pytest.mark.parametrize(
    "text",
    ["", "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.2.03", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3+", " 1.2.3",
     "1.2.3\n", "1.2.x", "-1.2.3", "\u0661.2.3", "1.2.3-1.\u0661", "1.2.3-a_b", "1.2.3+a+b", "1.2.3-+b",
     "1.2.3 ", "+1.2.3", "1e1.0.0", "1." + "9" * 400 + ".0", "1.2.3-" + "a" * 400, "3.0.0rc1"],
)  # fmt: skip
def test_a_version_that_is_none_is_a_single_message(text):
    with pytest.raises(UsageError, match="not a semantic version"):
        parse(text, "--next")
    ran = run("check", f"--released={text}", "--next=1.0.0")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 2)


ASCENDING = [
    "0.0.0-0", "0.0.0", "0.0.1", "0.1.0-9", "0.1.0-10", "0.1.0-10.0", "0.1.0--", "0.1.0-0A", "0.1.0-A", "0.1.0-a",
    "0.1.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.1.0", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
    "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.9.0", "1.10.0", "2.0.0", "20260101235959.0.0",
    "99999999999999999999999.0.0",
]  # fmt: skip
"""Versions in the order of item 11."""


def test_versions_are_ordered_as_item_11_states_whatever_their_build_is():
    for low, high in combinations(ASCENDING, 2):
        lower, higher = parse(f"{low}+z.9", "x"), parse(f"{high}+a-1.001", "x")
        assert lower.precedence < higher.precedence, (low, high)
        assert not is_enough("patch", Versions(released=higher, next=lower)), (low, high)
        assert not is_enough("patch", Versions(released=lower, next=parse(low, "x"))), low


@pytest.mark.parametrize("released", ASCENDING)
@pytest.mark.parametrize("part", PARTS)
def test_the_least_version_is_enough_and_no_lower_release_is(released, part):
    base = parse(released, "x")
    lowest = least_after(part, base)
    assert is_enough(part, Versions(released=base, next=lowest))
    assert not any(
        is_enough(part, Versions(released=base, next=version))
        for version in (parse(text, "x") for text in ASCENDING)
        if not version.prerelease and version.precedence < lowest.precedence
    )
