"""Damaged files of every kind; OPSPEC_LINT_EXAMPLES is how many of each, and tests.support.hostile.files has no end."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import limited
from tests.support.hostile import files as hostile_files

EXAMPLES = int(os.environ.get("OPSPEC_LINT_EXAMPLES", "5"))
CHANCE = st.integers(0, 2**63)


@pytest.mark.parametrize("kind", sorted(hostile_files.seeds()))
def test_what_the_damage_starts_from_is_in_order(kind):
    hostile_files.read(kind, hostile_files.seeds()[kind])


@pytest.mark.parametrize("count", [EXAMPLES, pytest.param(10 * EXAMPLES, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("kind", sorted(hostile_files.seeds()))
def test_a_damaged_file_is_read_or_refused(kind, count):
    hostile_files.read(kind, hostile_files.seeds()[kind])  # what reads it is loaded before it is forked

    @settings(max_examples=count, database=None)
    @given(CHANCE)
    def item(seed):
        outcome = limited.call(hostile_files.reading_of, seed, kind)
        assert not outcome.failure, f"seed {seed}: {outcome.failure}"

    item()


def test_a_seed_is_a_file():
    assert hostile_files.damaged(7) == hostile_files.damaged(7)
    assert len({hostile_files.damaged(seed) for seed in range(50)}) > 40
