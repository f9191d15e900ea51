"""DeepDiff as an oracle for every kind of spec: `diff` sees two declarations of an op differ where DeepDiff does.

Base is the first specimen of a kind, head the second. Both sides are compared op by op, as their canonical documents.
"""

from __future__ import annotations

import json
import random

import pytest
from deepdiff import DeepDiff

from opspec_lint.diff.specs import diff
from opspec_lint.documents.decode import decode
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES, default_for
from opspec_lint.sources import recognise
from opspec_lint.spec import canonical
from tests.support.specimens import KINDS, of_kind

SAMPLE = 40
UNKNOWN_FIELDS = {"description", "summary"}
"""What people read of an op, and nobody compares."""

every_kind = pytest.mark.parametrize("kind", KINDS)


def read(document):
    return recognise.spec_of(decode(json.dumps(document).encode(), "spec.json"))


def documents(kind):
    return [json.loads(canonical.dumps(item)) for item in of_kind(kind)]


def compared(value):
    """Return a value without what nobody compares."""
    if isinstance(value, dict):
        return {key: compared(item) for key, item in value.items() if key not in UNKNOWN_FIELDS}
    return [compared(item) for item in value] if isinstance(value, list) else value


def differ(first, two):
    return bool(DeepDiff(compared(first), compared(two), ignore_nan_inequality=True, zip_ordered_iterables=True))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if len(of_kind(kind)) > 1])
def test_deepdiff_sees_the_ops_that_changed(kind):
    base, head, *_ = documents(kind)
    both = sorted(base["ops"].keys() & head["ops"].keys())
    assert both
    same = [op for op in both if base["ops"][op] == head["ops"][op]]
    others = [op for op in both if base["ops"][op] != head["ops"][op]]
    chosen = random.Random(0)  # noqa: S311
    for op in [*chosen.sample(same, min(SAMPLE, len(same))), *chosen.sample(others, min(SAMPLE, len(others)))]:
        before, after = ({**base, "ops": {op: side["ops"][op]}} for side in (base, head))
        events = [change.event for change in diff(read(before), read(after))]
        assert bool(events) is differ(before["ops"], after["ops"]), (op, events)


@every_kind
@pytest.mark.parametrize("profile", ["", "strict"])
def test_a_spec_against_itself_and_its_canonical_form_is_silent(kind, profile):
    specs = of_kind(kind)
    assert specs
    for spec in specs:
        again = recognise.spec_of(decode(canonical.dumps(spec).encode(), "spec.json"))
        policy = PROFILES.load(profile) if profile else default_for(spec.provenance.framework)
        for base, head in ((spec, spec), (spec, again), (again, spec)):
            assert check(base, head, policy).findings == ()
