"""The printed report of results, and the results that fail a build."""

import json

import pytest

from benchmarks import report
from benchmarks.runs import Figures, Result


def compared(name="job", *, factor=1.0, old=(1000, ["a"]), new=(1000, ["a"])):
    """Return the result of a job, with instructions and modules of both revisions."""
    figures = {
        label: Figures(seconds=[0.1 * times] * 21, memory=20480, instructions=counts[0], modules=counts[1])
        for label, times, counts in (("old", 1.0, old), ("new", factor, new), ("baseline", 0.5, (None, None)))
    }
    return Result(name, "a job", "an empty Python", figures)


def test_a_result_is_a_table_with_ratios_and_a_verdict():
    result = compared(factor=1.1, old=(2_000_000, ["a"]), new=(2_100_000, ["a", "b"]))
    assert report.render(result, 1).splitlines() == [
        "job: a job",
        "                 minimum        median   to baseline  instructions       modules        memory",
        "  old           100.0 ms      100.0 ms          2.00        2.00 M             1       20.0 MB",
        "  new           110.0 ms      110.0 ms          2.20        2.10 M             2       20.0 MB",
        "  baseline       50.0 ms       50.0 ms                                                 20.0 MB",
        "  new/old          1.100         1.100         1.100        1.0500            +1         1.000",
        "  time: slower, 1.100 (1.089 to 1.111 with 97.3%)",
        "  imports now: b",
        "  baseline: an empty Python",
    ]


def test_a_skipped_result_states_why():
    assert report.render(Result("job", "a job", "", skipped="no tree"), 1) == "job: a job\n  skipped: no tree"


def test_the_summary_names_slower_and_faster_jobs_and_the_method():
    results = [compared("a", factor=1.2), compared("b", factor=0.8), compared("c"), Result("d", "", "", skipped="x")]
    lines = report.summary(results, 4).splitlines()
    assert lines[0].startswith("slower: a 1.200 (")
    assert lines[1].startswith("faster: b 0.800 (")
    assert lines[2] == "noise: c"
    assert "sign test" in report.summary(results, 4)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ((1000, ["a"]), (1100, ["a"]), []),
        ((1000, ["a"]), (1101, ["a"]), ["job: instructions grew by 10.1%, from 1,000 to 1,101"]),
        ((1000, ["a"] * 10), (1000, ["a"] * 12), ["job: imported modules grew by 20.0%, from 10 to 12"]),
        ((1101, ["a"] * 12), (1000, ["a"]), []),
        ((None, None), (1000, ["a"]), []),
    ],
)
def test_growth_is_that_of_instructions_and_modules(old, new, expected):
    assert report.growths([compared(old=old, new=new)], 10) == expected


def test_growth_of_time_is_none():
    assert report.growths([compared(factor=3)], 10) == []


def test_comparisons_are_read_back_and_disagree_where_intervals_do_not_meet():
    first = [compared("a"), compared("b", factor=1.1), Result("c", "", "", skipped="x")]
    second = [compared("a", factor=1.01), compared("b"), Result("c", "", "", skipped="x")]
    document = json.loads(json.dumps(report.to_json({"python": "3"}, first)))
    assert report.from_json(document) == first
    assert [line.partition(":")[0] for line in report.disagreements(report.from_json(document), second)] == ["b"]
