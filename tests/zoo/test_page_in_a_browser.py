"""The page of a summary in a real Chromium: it fits, its table filters, and nothing from a model runs."""

from __future__ import annotations

import pytest

from tests.support import zoo
from tests.support.browsing import CHROMIUM
from tests.support.programs import run

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")]


@pytest.fixture
def html(tmp_path):
    folder = tmp_path / "zoo"
    for name in ("onnx", "paddle_program", "saved_model"):
        zoo.WRITERS[name](folder / name)
    zoo.program(folder / "<img src=x onerror=alert(1)>.pdmodel", "no_such_op")
    (folder / f"{'long' * 30}.pdmodel").write_bytes(b"\x0a\xff\xff\xff\xff\x7f")
    file = tmp_path / "zoo.sqlite"
    texts = ["--against", "paddle@2.6.2", "--against", "onnx@1.23.2", "--against", "tensorflow@2.18.1"]
    assert run("audit", folder, *texts, "--results", file, "--jobs", "1").code == 3
    return run("audit", "--results", file, "--summary", "--format", "html").out


def shown(page):
    return page.eval_on_selector_all("#models tbody tr", "all => all.filter(e => e.checkVisibility()).length")


@pytest.mark.parametrize("width", [1400, 400])
def test_the_page_fits_and_its_labels_are_lines(open_page, html, width):
    page = open_page(html)
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert min(page.eval_on_selector_all(".bars dt", "all => all.map(e => e.clientWidth)")) > 200
    page.fill("#word", "net.pdmodel")
    assert shown(page) == 1


def test_the_table_filters(open_page, html):
    page = open_page(html)
    every = shown(page)
    page.select_option("#format", "paddle_program")
    assert shown(page) == 2
    page.select_option("#verdict", "loads")
    assert (shown(page), page.text_content("#shown")) == (1, f"1 of {every} models")
    page.select_option("#format", "")
    page.select_option("#verdict", "unreadable")
    assert shown(page) == 1
    page.fill("#word", "nothing is called so")
    assert shown(page) == 0


def test_nothing_of_a_model_runs(open_page, html):
    page = open_page(html)
    assert page.query_selector_all("img") == []
    assert "<img src=x onerror=alert(1)>" in page.text_content("#models")
