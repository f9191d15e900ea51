from __future__ import annotations

import json

import pytest

from opspec_lint.documents.decode import read_document
from opspec_lint.frameworks.paddle.companions import op_versions
from opspec_lint.lint.check import check
from opspec_lint.lint.check import report as report_of
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources import recognise
from tests.support import paths
from tests.support.written_notation import parse_op

FOLDER = paths.CASES
CASES = sorted(path for path in FOLDER.iterdir() if path.is_dir())
NEIGHBOUR = parse_op("a_neighbour(X) -> (Out) [axis: INT = 0]")
KEYS = {"subject", "origin", "change", "published", "verdict"}
TEXTS = ("PASS", "FAIL")

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def facts(case):
    return json.loads((case / "case.json").read_text(encoding="utf-8"))


def spec(case, side):
    """Return a side of a case. Cases are cut from specs of hundreds of ops; a neighbour stands for the others."""
    spec = recognise.read(str(case / f"{side}.json")).spec
    spec = spec.replace(ops={**spec.ops, NEIGHBOUR.name: NEIGHBOUR})
    versions = case / f"{side}.opversions.json"
    return spec.replace(op_versions=op_versions.load(read_document(str(versions)))) if versions.exists() else spec


def line(finding):
    update = f" {finding.field}" if finding.kind == "registration" and finding.field else ""
    renamed = f" -> {finding.new_name}" if finding.new_name is not None else ""
    return f"{finding.level} {finding.rule} {finding.kind}{update} {finding.name}{renamed}"


def report(case):
    return report_of(check(spec(case, "base"), spec(case, "head"), PROFILES.load("paddle")))


def test_there_are_cases():
    assert len(CASES) >= 23


@every_case
def test_a_case_finds_what_it_expects(case):
    assert sorted(map(line, report(case).findings)) == (case / "expected.txt").read_text(encoding="utf-8").splitlines()


@every_case
def test_a_case_has_the_verdict_it_is_held_to(case):
    known = facts(case)
    assert report(case).failed is (known["verdict"] == "FAIL")
    assert known["verdict"] in TEXTS


@every_case
def test_a_case_states_where_it_differs_from_the_published_verdict(case):
    known = facts(case)
    assert set(known) in (KEYS, KEYS | {"reason"})
    agrees = known["published"].startswith(known["verdict"])
    assert agrees is ("reason" not in known)
    assert all(text.strip() for text in known.values())


@every_case
def test_a_case_concerns_a_single_op(case):
    ops = {*spec(case, "base").ops, *spec(case, "head").ops} - {NEIGHBOUR.name}
    assert len(ops) == 1
    assert all(finding.op in ops for finding in report(case).findings)


@pytest.mark.parametrize("side", ["base", "head"])
@every_case
def test_a_side_of_a_case_against_itself_is_silent(case, side):
    assert check(spec(case, side), spec(case, side), PROFILES.load("strict")).findings == ()
