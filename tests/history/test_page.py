"""The page of a history: its charts and timelines, in a real Chromium, and that nothing from a commit or spec runs."""

from __future__ import annotations

import html
import os

import pytest

from tests.support.browsing import CHROMIUM, HOSTILE
from tests.support.histories import build
from tests.support.programs import run
from tests.support.projects import FILE, text
from tests.support.repositories import Repository

VERSIONS = (
    ("2019-01-05", ["f(X) -> (Out) [axis: INT = 1]", "g(X) -> ()"], "First (#1)"),
    ("2019-03-05", ["f(X) -> (Out) [axis: INT = 2]", "g(X) -> ()"], "Second (#2)"),
    ("2019-06-05", ["f(X, Y) -> (Out) [axis: INT = 2]", "h(X) -> ()"], "Third"),
)


@pytest.fixture
def page(tmp_path, monkeypatch):
    """The page of a history of three commits, the second of which is released."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    repository = Repository.make(tmp_path / "top")
    for date, lines, subject in VERSIONS:
        repository.environment |= {"GIT_COMMITTER_DATE": f"{date}T12:00:00Z"}
        repository.commit({FILE: text(*lines)}, subject)
    repository.git("tag", "v1.0.0", "HEAD^")
    monkeypatch.chdir(repository.top)
    build(FILE, tmp_path / "h")
    ran = run("log", tmp_path / "h", "--format", "html")
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def test_the_page_counts_breaks_by_month_and_release(page):
    assert "<title>2019-03: 1</title>" in page
    assert "<title>2019-06: 2</title>" in page
    assert "<title>v1.0.0: 1</title>" in page
    assert "<title>in no release: 2</title>" in page
    assert "<title>2019: 2</title>" in page
    assert page.count("<script") == 0


needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize("script", [True, False])
def test_the_page_is_read_without_javascript(page, open_page, script):
    opened = open_page(page, script=script)
    assert opened.locator("h1").is_visible()
    assert opened.locator("svg.months rect").count() == 2
    assert all(box["height"] > 10 for box in (item.bounding_box() for item in opened.locator("svg.months rect").all()))
    opened.click("table a:has-text('f')")
    assert opened.evaluate("location.hash").startswith("#op-")
    timeline = opened.locator("details.op", has_text="axis")
    timeline.locator("summary").click()
    assert timeline.locator("td", has_text="Second (#2)").is_visible()
    assert "error" in timeline.inner_text()


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize("width", [320, 1240])
def test_the_page_is_as_wide_as_its_window(page, open_page, width):
    opened = open_page(page, width=width)
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.browser
@needs_chromium
def test_nothing_of_a_commit_or_spec_runs(tmp_path, monkeypatch, open_page):
    repository = Repository.make(tmp_path / "top")
    for number, nasty in enumerate(HOSTILE):
        name = nasty.replace('"', "'")
        repository.commit({FILE: text(f'f() -> () [a: STRING = "{name}"]')}, f"{nasty} {number}")
    monkeypatch.chdir(repository.top)
    build(FILE, tmp_path / "h")
    ran = run("log", tmp_path / "h", "--format", "html")
    opened = open_page(ran.out)
    opened.locator("details.op summary").first.click()
    assert opened.evaluate("window.ran") is None
    assert html.escape(HOSTILE[1], quote=False) in ran.out or HOSTILE[1] in opened.inner_text("body")
