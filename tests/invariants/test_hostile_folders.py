"""Commands in folders that others have prepared; OPSPEC_LINT_FOLDERS is how many."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests.support.hostile import folders as hostile_folders
from tests.support.samples import sampled

EVERY = 20
COUNT = int(os.environ.get("OPSPEC_LINT_FOLDERS", "200"))


@pytest.mark.parametrize("start", sampled(range(0, COUNT, EVERY), range(COUNT // 2)))
def test_nothing_outside_is_written_and_nothing_is_lost(tmp_path, monkeypatch, start):
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for seed in range(start, start + EVERY):
        actual = hostile_folders.problem_of(seed, tmp_path / str(seed))
        assert actual is None, f"seed {seed}: {actual}"


@pytest.mark.skipif(os.getuid() != 0, reason="only root may run as another user")
@pytest.mark.parametrize("start", range(0, COUNT // 4, EVERY))
def test_nor_by_a_user_who_is_not_root(monkeypatch, start):
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    with tempfile.TemporaryDirectory() as top:
        monkeypatch.setenv("XDG_CACHE_HOME", f"{top}/cache")
        os.chmod(top, 0o755)  # noqa: S103 - the user comes by
        for seed in range(start, start + EVERY):
            actual = hostile_folders.problem_of(seed, Path(top) / f"ours{seed}")
            actual = actual or hostile_folders.problem_of(seed, Path(top) / f"theirs{seed}", user=65534)
            assert actual is None, f"seed {seed}: {actual}"
