"""No sequence of pull requests hides a break behind the origin, the knowledge, the name or the format of a spec file.

OPSPEC_LINT_SEQUENCES=500 python -m pytest tests/invariants/test_disguises.py runs it for long,
OPSPEC_LINT_SEED with other draws.
"""

from __future__ import annotations

import os
import random
from itertools import pairwise

from opspec_lint.kit.errors import InputError, UsageError
from tests.invariants.disguises import PATHS, sequence
from tests.support.projects import check as check_repository
from tests.support.repositories import Repository

COUNT = int(os.environ.get("OPSPEC_LINT_SEQUENCES", "30"))
NEIGHBOR = {"specs/beside.json": '{"opspec": 1, "provenance": {"framework": "paddle"}, "knows": {}, "ops": {"f": {}}}'}


def is_stopped(repository, base):
    """Tell whether the last commit has a finding at error level, or is refused."""
    try:
        return check_repository(repository, head="HEAD", base=base, is_exact=True).failed
    except (InputError, UsageError):
        return True


def passes(folder, states):
    """Tell whether no step of a sequence is stopped, each merged before the next one begins."""
    repository = Repository.make(folder, {states[0].path: states[0].file(), **NEIGHBOR})
    for before, state in pairwise(states):
        base = repository.head
        gone = {before.path: None} if before.path != state.path else {}
        if before.path == state.path and before.file() == state.file():
            continue
        repository.commit({**gone, state.path: state.file()})
        if is_stopped(repository, base):
            return False
    return True


def test_a_break_is_stopped_whatever_is_next_to_it(tmp_path, record_testsuite_property):
    rng = random.Random(os.environ.get("OPSPEC_LINT_SEED", "0"))  # noqa: S311
    made, passed, moved = 0, [], 0
    while made < COUNT:
        states = sequence(rng)
        if states is None:
            continue
        made += 1
        moved += len({state.path for state in states}) > 1
        if passes(tmp_path / f"{made}", states):
            passed.append([(state.path, state.kind, state.value["provenance"]) for state in states])
    record_testsuite_property("sequences", f"{made}, {moved} of them with another name of the file, of {PATHS}")
    assert passed == []
