"""The profile `paddle-2021` against every cell of the table of Paddle's pull request 37600.

| added | without default / not dispensable | with default / dispensable |
| --- | --- | --- |
| extra | set a default, make it dispensable | passes |
| quant | that, register the op version, slim approves | register, slim approves |
| def | that, register the op version, inference approves | register, inference approves |

To modify an attr is to change its default: def and quant ones need a registration and an approval, extra ones do not.
"""

from __future__ import annotations

from itertools import product

import pytest

from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.spec.notation import parse_spec

PARTS = {"extra": (" {extra}", None), "quant": (" {quant}", "slim"), "def": ("", "inference")}
"""The mark of each part of an op's definition, and the team that approves of a change in it."""
THINGS = {
    # what is added, with and without what makes it optional, and how it is registered
    "attr": ("f(X) -> (Out) [new: INT = 0{}]", "f(X) -> (Out) [new: INT{}]", "+attr new", "attr_added_without_default"),
    "input": ("f(X, new?{}) -> (Out)", "f(X, new{}) -> (Out)", "+input new", "input_added_not_dispensable"),
    "output": ("f(X) -> (Out, new?{})", "f(X) -> (Out, new{})", "+output new", "output_added_not_dispensable"),
}
OPTIONAL = {"attr": "attr_added_with_default", "input": "input_added_dispensable", "output": "output_added_dispensable"}
CELLS = list(product(PARTS, THINGS, [True, False], [True, False]))


def reported(base, head):
    return check(parse_spec(base), parse_spec(head), PROFILES.load("paddle-2021")).findings


def test_every_cell_is_here():
    assert len(CELLS) == 3 * 3 * 2 * 2


@pytest.mark.parametrize(("part", "thing", "optional", "registered"), CELLS)
def test_a_cell_of_the_table(part, thing, optional, registered):
    mark, team = PARTS[part]
    with_it, without_it, update, refused = THINGS[thing]
    line = (with_it if optional else without_it).replace("{}", mark)
    findings = reported("f(X) -> (Out) @", line + (f" @ {update}" if registered else " @"))
    expected = {refused} if not optional else set()
    if part != "extra" and not registered:
        expected.add("op_version_unregistered")
    assert {finding.rule for finding in findings if finding.level == "error"} == expected
    (addition,) = [finding for finding in findings if finding.kind == thing]
    assert addition.review == team
    assert addition.rule == (OPTIONAL[thing] if optional else refused)
    if optional:
        assert addition.level == ("note" if part == "extra" else "warning")


@pytest.mark.parametrize(("part", "registered"), list(product(PARTS, [True, False])))
def test_a_default_value_that_is_modified(part, registered):
    mark, team = PARTS[part]
    base, head = (f"f(X) -> (Out) [a: INT = {value}{mark}] @" for value in (0, 1))
    findings = reported(base, head + " ~attr a" * registered)
    (change,) = [finding for finding in findings if finding.kind == "attr"]
    assert (change.rule, change.review) == ("attr_default_changed", team)
    assert change.level == ("note" if part == "extra" else "error")
    unregistered = [finding.level for finding in findings if finding.rule == "op_version_unregistered"]
    assert unregistered == ([] if part == "extra" or registered else ["error"])


@pytest.mark.parametrize(
    "line", ["f(X, new {extra}) -> (Out)", "f(X) -> (Out, new {extra})", "f(X) -> (Out) [new: INT {extra}]"]
)
def test_what_is_extra_is_exempt_under_the_older_table(line):
    findings = check(parse_spec("f(X) -> (Out)"), parse_spec(line), PROFILES.load("paddle")).findings
    assert [finding.level for finding in findings] == ["note"]


def test_an_extra_argument_that_is_renamed_is_one_that_is_added():
    (renamed,) = reported("f() -> () [dims: INTS {extra}] @", "f() -> () [axis: INTS {extra}] @")
    assert (renamed.rule, renamed.level) == ("attr_renamed", "error")
    (renamed,) = reported("f() -> () [dims: INTS = [] {extra}] @", "f() -> () [axis: INTS = [] {extra}] @")
    assert (renamed.rule, renamed.level) == ("attr_renamed", "note")
