"""A waiver names a finding by its fingerprint: the fingerprints of findings never change."""

from __future__ import annotations

import hashlib
import json
import re
from itertools import groupby, pairwise

import pytest

from opspec_lint.lint import examples
from opspec_lint.lint.check import check
from opspec_lint.lint.rulebook import RULES
from opspec_lint.lint.rulebook import load as load_rule
from tests.support.paths import SPECS, TESTS
from tests.support.released_specs import released

PINNED = json.loads((TESTS / "data" / "fingerprints.json").read_text())
"""The number of findings, and a digest of their fingerprints: between two releases, and of the examples of a rule.

A rule is in the file from its first release on; where its examples change, its digest is the one that the test prints.
"""


def family(name):
    return name.rpartition("-")[0]


def version(name):
    return [int(part) for part in name.rpartition("-")[2].split(".")]


def neighbours():
    """Yield the names of each two included releases of which one follows the other."""
    names = sorted((path.stem for path in SPECS.glob("*.json") if re.search(r"-\d", path.stem)), key=family)
    for _, own in groupby(names, family):
        yield from pairwise(sorted(own, key=version))


def digest(findings):
    """Return how many findings there are and a digest of their fingerprints, whatever the order."""
    fingerprints = sorted(finding.fingerprint for finding in findings)
    return f"{len(fingerprints)} {hashlib.sha256(' '.join(fingerprints).encode()).hexdigest()[:16]}"


def between(base, head):
    return digest(check(released(base), released(head)).findings)


def of_rule(name):
    rule = load_rule(name)
    return digest(finding for example in rule.flagged for finding in examples.findings(example, rule))


@pytest.mark.parametrize("name", sorted({family(base) for base, _ in neighbours()}))
def test_findings_between_releases_keep_their_fingerprints(name):
    result = {f"{base} {head}": between(base, head) for base, head in neighbours() if family(base) == name}
    assert result.items() <= PINNED["releases"].items()


def test_findings_of_examples_keep_their_fingerprints():
    assert PINNED["rules"].keys() <= set(RULES.names())
    assert {name: of_rule(name) for name in PINNED["rules"]} == PINNED["rules"]
