from __future__ import annotations

from functools import cache

import pytest

from opspec_lint.documents.decode import decode, read_document
from opspec_lint.frameworks.paddle.companions import op_versions
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources import recognise
from opspec_lint.spec.canonical import dumps
from tests.support.paths import SPECS, TESTS

RELEASED = sorted((SPECS).glob("paddle-[0-9]*.json"))
VERSIONS = sorted((TESTS / "data" / "paddle").glob("paddle-*.opversions.json"))
RAW = [path.with_name(path.name.replace(".opversions", "")) for path in VERSIONS]

every_profile = pytest.mark.parametrize("policy", ["paddle", "strict"])
"""One that judges most differences, and one that judges all: no other finds something where these find nothing."""
every_file = pytest.mark.parametrize("path", [*RELEASED, *RAW], ids=lambda path: f"{path.parent.name}/{path.stem}")


@cache
def read(path, copy=0):  # noqa: ARG001 - each copy is read again
    spec = recognise.read(str(path)).spec
    versions = path.with_suffix(".opversions.json")
    registry = op_versions.load(read_document(str(versions))) if versions.exists() else {}
    return spec.replace(op_versions=registry) if registry else spec  # 1.8.5 has no op versions, and so none are written


def test_there_are_released_and_raw_specs():
    assert len(RELEASED) >= 4
    assert len(RAW) >= 3
    assert all(read(path).ops for path in (*RELEASED, *RAW))


@every_profile
@every_file
def test_a_spec_against_itself_is_silent(path, policy):
    assert check(read(path), read(path, copy=1), PROFILES.load(policy)).findings == ()


@cache
def canonical(path):
    return recognise.spec_of(decode(dumps(read(path)).encode(), "canonical.json"))


@every_profile
@every_file
def test_a_spec_against_its_canonical_form_is_silent(path, policy):
    assert check(read(path), canonical(path), PROFILES.load(policy)).findings == ()
    assert check(canonical(path), read(path), PROFILES.load(policy)).findings == ()


@every_profile
@pytest.mark.parametrize("raw", RAW, ids=lambda path: path.stem)
def test_a_raw_file_against_its_released_spec_is_silent(raw, policy):
    released = SPECS / raw.name
    for base, head in ((raw, released), (released, raw)):
        findings = check(read(base), read(head), PROFILES.load(policy)).findings
        assert [(finding.rule, finding.level) for finding in findings] == [("source_kind_changed", "note")]
