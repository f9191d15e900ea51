"""The tests that no lane of CI ran: what lanes note, and what of it fails the last one."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.support.paths import TOP
from tools.lanes import skips
from tools.lanes.skips import DESELECTED, Skip

TESTS = """
import pytest

@pytest.mark.parametrize("number", range(4))
def test_mixed(number):
    if number == 3:
        pytest.skip("three")

@pytest.mark.skip("never")
def test_never():
    pass

@pytest.mark.xfail
def test_known():
    assert False

@pytest.mark.slow
def test_slow():
    pass
"""
EXPECTED = """
[[skip]]
reason = "three"
why = "It is odd."
tests = ["test_it.py::test_mixed"]

[[skip]]
reason = "no such package"
why = "It does not exist."
tests = ["test_other.py"]
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder of tests with expected skips of its own."""
    (tmp_path / "lanes").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\naddopts = -m 'not slow'\n")
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "test_other.py").write_text("import pytest\npytest.importorskip('nowhere', reason='no such package')\n")
    (tmp_path / "expected.toml").write_text(EXPECTED)
    (tmp_path / "conftest.py").write_text(
        "from pathlib import Path\nfrom tools.lanes import skips\n"
        f"skips.EXPECTED = Path({str(tmp_path / 'expected.toml')!r})\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(TOP))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return tmp_path


def lane(project, name, *options):
    command = [sys.executable, "-m", "pytest", "-p", "tools.lanes.plugin", "--lane", name, "--lanes", "lanes", *options]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_the_last_lane_prints_what_no_lane_ran(project, workers):
    ended = lane(project, "last", "--last-lane", *workers)
    assert ended.returncode == 1
    printed = ended.stdout.partition("tests that no lane ran: 4")[2].splitlines()[1:]
    assert printed[:6] == [
        "test_it.py::test_mixed (1): three",
        "test_it.py::test_never (1): never",
        f"test_it.py::test_slow (1): {DESELECTED}",
        "test_other.py (1): no such package",
        "unexpected skip: test_it.py::test_never: never",
        f"unexpected skip: test_it.py::test_slow: {DESELECTED}",
    ]
    assert re.search(r"3 passed, \d+ skipped, .*1 xfailed.* in [\d.]+s", printed[-1])


def test_a_test_that_another_lane_ran_is_no_skip(project):
    (project / "expected.toml").write_text(EXPECTED.replace("three", "never").replace("test_mixed", "test_never"))
    assert lane(project, "slow", "-m", "slow").returncode == 0
    skips.write(project / "lanes", "three", {"test_it.py::test_mixed[3]"}, {})
    ended = lane(project, "last", "--last-lane")
    assert ended.returncode == 0, ended.stdout
    assert "tests that no lane ran: 2" in ended.stdout


def test_a_failure_stays_one(project):
    (project / "test_wrong.py").write_text("def test_wrong():\n    assert False\n")
    lane(project, "first")
    assert "test_wrong.py::test_wrong" in skips.read(project / "lanes").ran
    assert lane(project, "last", "--last-lane").returncode == 1


def judged(ran=(), skipped=(), allowed=()):
    return skips.judge(skips.Lanes(frozenset(ran), dict(skipped)), frozenset(allowed))


def test_a_file_that_some_lane_could_collect_is_no_skip():
    verdict = judged(["a.py::test_a"], {"a.py": "no such package"})
    assert (verdict.skips, verdict.problems) == ({}, [])


def test_a_skip_for_another_reason_is_unexpected():
    allowed = [Skip("a.py", "no Chromium"), Skip("b.py::test_b", "no shell")]
    skipped = {"a.py::test_a[1]": "no Chromium", "a.py::test_a[2]": "no time", "b.py::test_b": "no shell"}
    assert judged(skipped=skipped, allowed=allowed).problems == ["unexpected skip: a.py::test_a: no time"]


def test_an_expected_skip_of_no_test_is_a_problem():
    verdict = judged(["a.py::test_a[1]"], allowed=[Skip("a.py::test_a", "x"), Skip("a.py::test_b", "x")])
    assert verdict.problems == ["expected_skips.toml: there is no test a.py::test_b"]


def test_a_lane_that_is_skipped_is_a_skip(tmp_path):
    (tmp_path / "old.skipped").write_text("no Python 3.1\n")
    verdict = skips.judge(skips.read(tmp_path), frozenset())
    assert verdict.problems == ["unexpected skip: .ci/lanes/old: no Python 3.1"]


def test_a_lane_that_failed_is_a_problem(project):
    (project / "expected.toml").write_text("skip = []")
    (project / "test_it.py").write_text("def test_it():\n    pass\n")
    (project / "test_other.py").unlink()
    assert lane(project, "last", "--last-lane").returncode == 0
    (project / "lanes" / "other.failed").touch()
    ended = lane(project, "last", "--last-lane")
    assert ended.returncode == 1
    assert "\nlane other failed\n" in ended.stdout


def test_what_is_expected_exists():
    named = {skip.test.partition("::") for skip in skips.expected()}
    missing = [file for file, _, test in named if test not in (TOP / file).read_text(encoding="utf-8")]
    assert not missing
