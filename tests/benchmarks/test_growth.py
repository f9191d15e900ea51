from __future__ import annotations

import subprocess

import pytest

from benchmarks import data, growth


@pytest.mark.parametrize("dimension", growth.DIMENSIONS, ids=lambda dimension: dimension.name)
def test_dimensions_have_data_of_two_sizes(dimension):
    assert dimension.kind[0] in data.KINDS
    assert not dimension.repeated or len(dimension.repeated) == growth.TENFOLD * dimension.small


def test_a_growth_above_the_limit_fails(monkeypatch, capsys):
    costs = {("--version",): 1.0}
    monkeypatch.setattr(growth, "_cost", lambda arguments, *_: costs[arguments])
    monkeypatch.setattr(growth, "_measure", lambda dimension, size: 1.0 + (size / dimension.small) ** 1.2)
    monkeypatch.setattr("sys.argv", ["growth", "ops"])
    assert growth.main() == 1
    assert capsys.readouterr().out.splitlines()[1].split() == ["ops", "2000", "20000", "1.00", "15.85", "15.8"]


def test_all_spec_files_are_staged_with_a_change(tmp_path):
    data.spec_files(tmp_path, "3")
    diff = ["git", "-C", str(tmp_path / "top"), "diff", "--cached", "--name-only"]
    assert subprocess.run(diff, capture_output=True, check=True, text=True).stdout.split() == [
        f"specs/{at}.json" for at in range(3)
    ]
