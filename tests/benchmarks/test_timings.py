"""The recorded figures of the documentation, and the tables that are made of them."""

import re

import pytest

from benchmarks import timings
from benchmarks.jobs import JOBS
from benchmarks.runs import Figures, Result
from tests.support import paths
from tools.docs import timings as tables

NAMES = [job.name for job in JOBS]
RECORDED = timings.load(paths.TOP / timings.PATH)


def result(name, seconds=0.2):
    figures = {
        "new": Figures(seconds=[seconds, seconds * 3, seconds * 2], memory=10240),
        "baseline": Figures(seconds=[0.1, 0.1, 0.1], memory=1024),
    }
    return Result(name, "", "", figures)


def test_recorded_figures_are_medians_and_those_of_different_jobs_stay(tmp_path):
    path = tmp_path / "timings.json"
    timings.record(path, [result("version"), result("explain")], "2024-12-30")
    failed = Result("explain", "", "", result("explain", 9).figures, failed="it failed")
    timings.record(path, [result("version", 0.1), failed, Result("commit", "", "", skipped="no git")], "2024-12-31")
    loaded = timings.load(path)
    assert list(loaded) == ["version", "explain"]
    assert (loaded["version"].milliseconds, loaded["version"].date) == (200, "2024-12-31")
    assert (loaded["explain"].milliseconds, loaded["explain"].date) == (400, "2024-12-30")
    assert (loaded["explain"].ratio, loaded["explain"].baseline, loaded["explain"].memory) == (4, 100, 10)
    assert loaded["explain"].repetitions == 3


def test_figures_are_in_the_order_of_the_table_and_those_of_jobs_that_went_go(tmp_path):
    path = tmp_path / "timings.json"
    path.write_text("{}")
    timings.record(path, [result("no-such-job"), result("explain"), result("version")], "2024-12-31")
    assert list(timings.load(path)) == ["version", "explain"]


def test_the_recorded_figures_are_those_of_jobs_that_exist():
    assert set(RECORDED) <= set(NAMES)


def timing():
    given = {"milliseconds": 104.4, "baseline": 50.0, "ratio": 2.09, "memory": 21.9, "repetitions": 21}
    return timings.Timing(**given, date="2024-12-31", python="3.11.7", processor="a processor")


PAGE = "# Page\n\n<!-- timings: version explain -->\nold\n<!-- end of timings -->\n\nAfter.\n"


def test_a_block_of_a_page_is_filled_and_stays_so_when_it_is_filled_again():
    figures = {"version": timing(), "explain": timing()}
    filled = tables.fill(PAGE, figures)
    (version,) = (job for job in JOBS if job.name == "version")
    row = f"| {version.title} | 104 ms | 2.1 | {version.baseline_title}, 50 ms | 22 MB |"
    assert row in filled.splitlines()
    assert "Measured with the state of 2024-12-31, Python 3.11.7, on a processor." in filled.splitlines()
    assert filled.startswith("# Page\n\n<!-- timings: version explain -->\n")
    assert filled.endswith("<!-- end of timings -->\n\nAfter.\n")
    assert "old" not in filled.splitlines()
    assert tables.fill(filled, figures) == filled


def test_empty_blocks_are_filled_in_turn():
    empty = "<!-- timings: {} -->\n<!-- end of timings -->\n"
    page = empty.format("version") + "\nbetween\n\n" + empty.format("explain")
    filled = tables.fill(page, {"version": timing(), "explain": timing()})
    assert "\nbetween\n" in filled
    assert filled.count("| 104 ms |") == 2


def test_a_block_without_recorded_figures_is_refused():
    with pytest.raises(ValueError, match="has no figures of 'explain'"):
        tables.fill(PAGE, {"version": timing()})


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [(1.84, "1.8 ms"), (14.4, "14 ms"), (104.4, "104 ms"), (1467.2, "1.5 s"), (12345.6, "12 s")],
)
def test_a_duration_is_in_the_unit_that_fits(milliseconds, shown):
    assert tables.duration(milliseconds) == shown


def test_every_recorded_figure_is_in_a_table():
    pages = "\n".join(tables.pages().values())
    missing = [job.title for job in JOBS if job.name in RECORDED and f"| {job.title} |" not in pages]
    models = [job.title for job in JOBS if job.name.startswith("models-")]  # the page of ten million names them its way
    assert [title for title in missing if title not in models] == []


def test_no_page_states_milliseconds_that_nothing_measures():
    block = re.compile(r"<!-- timings: .*?<!-- end of timings -->", re.DOTALL)
    for page in (*(paths.TOP / "docs").rglob("*.md"), paths.TOP / "README.md"):
        prose = block.sub("", page.read_text(encoding="utf-8"))
        assert re.findall(r"\d[\d.,]* ?(?:ms|milliseconds?)\b", prose) == [], page
