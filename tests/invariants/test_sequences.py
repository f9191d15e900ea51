"""No sequence of pull requests breaks anything together without one of them being at error level."""

from __future__ import annotations

import json
import os
import random
from itertools import pairwise

import pytest

from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.lint import profile
from tests.invariants.sequences import every, fails, policy
from tests.support.fact_changes import mutated, spec_of
from tests.support.projects import FILE
from tests.support.projects import check as check_repository
from tests.support.repositories import Repository

WALKS = int(os.environ.get("OPSPEC_LINT_WALKS", "60"))
"""How many random sequences are tried; `OPSPEC_LINT_WALKS=3000` runs them for long."""
_TRIES = 40
"""Changes that are tried for one walk."""


@pytest.fixture(scope="module")
def sequences():
    return list(every())


def steps(documents):
    return pairwise(documents)


def test_there_are_many_of_two_and_of_three(sequences):
    lengths = [len(documents) - 1 for *_, documents in sequences]
    assert lengths.count(2) >= 100
    assert lengths.count(3) >= 100


def test_a_sequence_that_breaks_something_is_stopped(sequences):
    """If the last document breaks the first one, one step is at error level; many fail already where they forget."""
    policies = {name: policy(documents[0], documents[-1], framework) for name, framework, documents in sequences}
    assert [name for name, policy in policies.items() if policy is None] == []
    assert [
        name for name, _, documents in sequences if not any(fails(*step, policies[name]) for step in steps(documents))
    ] == []


def test_what_is_forgotten_is_an_error_under_the_profile_of_the_framework(sequences):
    forgets = [item for item in sequences if "forgets" in item[0].split(",")[0] or "drops the" in item[0]]
    assert len(forgets) > 200
    assert [
        name for name, framework, documents in forgets if not fails(*documents[:2], profile.default_for(framework).name)
    ] == []


def test_sequences_by_chance(sequences):
    """Whatever two or three changes of one fact do together, if that is an error, one of them is."""
    rng = random.Random(os.environ.get("OPSPEC_LINT_SEED", "0"))  # noqa: S311
    starts = [documents[0] for *_, documents in sequences]
    broken = 0
    for _ in range(WALKS):
        walk = [rng.choice(starts)]
        length = rng.choice((3, 4))
        for _ in range(_TRIES):  # what a change made of a document may be such that no other can be compared with it
            if len(walk) == length:
                break
            data, _ = mutated(rng, "canonical JSON", walk[-1])
            try:
                spec_of(data)
                fails(walk[-1], json.loads(data), "strict")
            except (InputError, UsageError, ValueError):
                continue
            walk.append(json.loads(data))
        name = profile.default_for(walk[0]["provenance"]["framework"]).name
        if fails(walk[0], walk[-1], name):
            broken += 1
            assert any(fails(*step, name) for step in steps(walk)), walk
    assert broken > WALKS / 4


def test_sequences_of_commits(tmp_path, sequences):
    """One of each sort in a repository, where each pull request is merged before the next one begins."""
    sample = {name.partition(":")[2] or name.partition(" ")[2]: rest for name, *rest in sequences}
    assert len(sample) > 10
    for number, (title, (framework, documents)) in enumerate(sample.items()):
        broken_under = policy(documents[0], documents[-1], framework)
        repository = Repository.make(tmp_path / f"{number}", {FILE: json.dumps(documents[0], indent=1)})
        failed = []
        for document in documents[1:]:
            base = repository.head
            repository.commit({FILE: json.dumps(document, indent=1)})
            report = check_repository(repository, head="HEAD", base=base, is_exact=True, profile=broken_under)
            failed.append(report.failed)
        assert any(failed), title
