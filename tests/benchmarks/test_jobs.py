"""The table of jobs."""

import re

import pytest

from benchmarks import noise, runs
from benchmarks.data import KINDS
from benchmarks.jobs import JOBS, LONG, choose, reason_to_skip
from opspec_lint.cli.command import COMMANDS

BY_NAME = {job.name: job for job in JOBS}


def test_names_are_unique_and_titles_too():
    assert len(BY_NAME) == len(JOBS)
    assert len({job.title for job in JOBS}) == len(JOBS)


@pytest.mark.parametrize("job", JOBS, ids=list(BY_NAME))
def test_a_job_names_what_there_is(job):
    assert job.data == () or job.data[0] in KINDS
    lines = (job.command, job.baseline, job.warm_up, (job.folder,))
    texts = [text for line in lines for text in line if "\n" not in text]  # a word of several lines is a script
    places = set(re.findall(r"\{(\w+)\}", " ".join(texts)))
    assert places <= {"root", "specs", "data", "cache", *(["tree"] if job.tree else [])}
    assert "opspec-lint" not in job.baseline
    for texts in filter(None, (job.command, job.warm_up)):
        if texts[0] == "opspec-lint":
            assert texts[1] in COMMANDS.names()


@pytest.mark.parametrize("job", [job for job in JOBS if not job.tree], ids=lambda job: job.name)
def test_files_of_the_checkout_exist(job):
    texts = [text.replace("{specs}/", "{root}/specs/") for text in (*job.command, *job.baseline)]
    named = [text.removeprefix("{root}/") for text in texts if text.startswith("{root}/")]
    assert [name for name in named if not (runs.ROOT / name).is_file()] == []


def test_quick_jobs_are_counted_and_need_no_source_tree():
    quick = choose(JOBS, quick=True)
    assert {"version", "check-canonical", "hook-staged"} <= {job.name for job in quick}
    assert not [job.name for job in quick if job.tree or job.is_long or not job.is_counted]


def test_a_long_job_is_repeated_as_often_as_a_change_of_time_needs():
    assert noise.repetitions_for(len(JOBS)) <= LONG


def test_patterns_choose_jobs_in_the_order_of_the_table():
    assert [job.name for job in choose(JOBS, ["check-c*", "version"])] == ["version", "check-canonical", "check-copy"]
    assert choose(JOBS) == list(JOBS)
    with pytest.raises(ValueError, match="no job matches 'chekc'; the jobs are version, "):
        choose(JOBS, ["version", "chekc"])


def test_a_job_without_its_source_tree_is_skipped_with_a_reason():
    job = BY_NAME["tree-history"]
    assert reason_to_skip(job, {}) == "OPSPEC_LINT_PADDLE_TREE does not name a source tree"
    assert reason_to_skip(job, {"OPSPEC_LINT_PADDLE_TREE": ""})
    assert not reason_to_skip(job, {"OPSPEC_LINT_PADDLE_TREE": "/paddle"})
    assert not reason_to_skip(BY_NAME["version"], {})
