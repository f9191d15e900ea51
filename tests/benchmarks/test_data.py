"""The data of the jobs, made in small."""

import re
import subprocess

import pytest

from benchmarks import data, graphs, places
from benchmarks.jobs import JOBS

SMALL = "3"
DATA = sorted({job.data for job in JOBS if job.data and not job.tree})


@pytest.fixture(autouse=True)
def _git(monkeypatch):
    for name, value in places.GIT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("texts", DATA, ids=" ".join)
def test_data_has_the_files_that_its_jobs_name(texts, tmp_path):
    kind, *given = texts
    data.KINDS[kind](tmp_path, *(SMALL if text.isdecimal() else text for text in given))
    jobs = (" ".join((*job.command, *job.baseline, *job.warm_up, job.folder)) for job in JOBS if job.data == texts)
    names = re.findall(r"\{data\}/([\w./*-]+)", " ".join(jobs))
    assert [name for name in names if not list(tmp_path.glob(name))] == []


def test_a_repeated_spec_has_as_many_ops_as_requested(tmp_path):
    data.repeated(tmp_path, "2000")
    for name in ("base.json", "head.json"):
        assert len(data.json.loads((tmp_path / name).read_text())) == 2000


def test_every_commit_changes_the_spec_file(tmp_path):
    data.versions(tmp_path, "5")
    names = (tmp_path / "versions").read_text().split()
    assert len(names) == 5
    command = ["git", "-C", str(tmp_path / "top"), "rev-parse", *names]
    assert len(set(subprocess.run(command, capture_output=True, check=True, text=True).stdout.split())) == 5


def test_graphs_differ_by_their_size():
    assert len(graphs.many_nodes(20)) > len(graphs.many_nodes(10)) > 10


def test_a_graph_is_the_same_every_time():
    assert len({graphs.many_nodes(10) for _ in range(3)}) == 1
