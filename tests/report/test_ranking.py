"""The order of breaks that a reviewer sees."""

from __future__ import annotations

import pytest

from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import Proven, Usage
from opspec_lint.report.ranking import first_breaks
from opspec_lint.sources import recognise
from tests.support.findings import finding
from tests.support.paths import SPECS

BOTH, FIRST = ("backward", "forward"), ("backward",)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("relu", FIRST, "attr"), ("relu_grad", BOTH, "attr")),
        (("Acos", FIRST, "attr"), ("_FusedConv2D", BOTH, "attr")),
        (("zeros", BOTH, "attr"), ("abs", FIRST, "attr")),
        (("zeros", FIRST, "attr"), ("abs", FIRST, "op")),
        (("abs", FIRST, "attr"), ("zeros", FIRST, "attr")),
    ],
)
def test_what_comes_first(first, second):
    result = [
        finding(rule=rule, op=op, directions=directions, kind=kind, level="error", field=None)
        for rule, (op, directions, kind) in (("b", second), ("a", first))
    ]
    assert [(item.finding.op, item.more) for item in first_breaks(result, 5)] == [(first[0], 0), (second[0], 0)]


CONFIRMED = (Proven(verdict="confirmed", direction="backward", loaded_by="3.0.0", reason="refused"),)
REFUTED = (CONFIRMED[0].replace(verdict="refuted"),)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"proofs": CONFIRMED, "directions": FIRST}, {"usage": Usage(models=9, of=9)}),
        ({"usage": Usage(models=9, of=9), "directions": FIRST}, {"usage": Usage(models=3, of=9)}),
        ({"usage": Usage(models=9, of=9), "directions": FIRST}, {"proofs": REFUTED}),
        ({"directions": FIRST}, {"is_ignored": True, "directions": BOTH}),
        ({"kind": "op", "directions": FIRST}, {"is_ignored": True, "directions": BOTH}),
    ],
)
def test_what_breaks_models_that_exist_comes_first(first, second):
    shared = {"level": "error", "field": None}
    result = [finding(rule=rule, op=rule, **shared, **fields) for rule, fields in (("a", second), ("b", first))]
    assert [item.finding.rule for item in first_breaks(result, 5)] == ["b", "a"]


def test_removed_ops_are_a_single_line():
    gone = [finding(rule="op_removed", kind="op", op=f"op{n}", level="error", field=None) for n in range(5)]
    (line,) = first_breaks(gone, 5)
    assert (line.ops, line.more) == (("op0", "op1", "op2"), 4)
    (line,) = first_breaks(gone[:1], 5)
    assert (line.ops, line.more) == ((), 0)


def test_removed_ops_are_never_left_out():
    gone = [finding(rule="op_removed", kind="op", op=f"op{n}", level="error", field=None) for n in range(5)]
    changed = [finding(rule=f"rule{n}", level="error") for n in range(7)]
    assert [item.finding.rule for item in first_breaks([*gone, *changed], 3)] == ["rule0", "rule1", "op_removed"]


def test_paddle_does_not_begin_with_an_attr_that_its_loaders_ignore():
    base, head = (recognise.read(f"{SPECS}/paddle-{version}.json").spec for version in ("2.6.2", "3.0.0"))
    result = first_breaks(check(base, head, PROFILES.load("paddle")).findings, 5)
    assert not result[0].finding.is_ignored
    assert any(item.ops for item in result)
