"""The site in a real Chromium: who can read it, on which screens, what the search finds, and that nothing else runs."""

from __future__ import annotations

import pytest

from opspec_lint.sources import released
from tests.site.test_site import hostile
from tests.support.browsing import CHROMIUM, HOSTILE, settled
from tests.support.sites import serve, site, spec, written

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")]

KINDS = {
    "start": "index.html",
    "framework": "tensorflow/index.html",
    "ops": "paddle/ops-1.html",
    "op": "tensorflow/op/Conv2D.html",
    "op of many": "onnx/op/Resize.html",
    "op that crosses": "paddle/op/conv2d.html",
    "pair": "paddle/paddle-2.6.2-in-paddle-3.0.0.html",
    "rule": "rules/attr_removed.html",
    "rules": "rules/index.html",
}
WIDTHS = (1400, 900, 400)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("kind", KINDS)
def test_everybody_can_read_and_work_it(visit, served, kind, width, scheme):
    assert violations(visit(served + KINDS[kind], width=width, scheme=scheme)) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_and_work_what_is_detected(visit, served, scheme):
    page = visit(served, scheme=scheme)
    assert len(reported(page, "conv")) > 5
    assert violations(page) == []


def violations(page):
    """Return the problems that axe detects by the rules of WCAG 2.2 and of good practice."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    return [
        (violation["id"], [node["html"] for node in violation["nodes"]][:3])
        for violation in axe.run(page).response["violations"]
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_page_is_wider_than_the_screen(visit, served, kind, width):
    page = visit(served + KINDS[kind], width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def reported(page, texts):
    page.fill("#q", texts)
    page.wait_for_selector("#found a")
    settled(page)
    return page.eval_on_selector_all("#found a", "all => all.map(each => each.textContent)")


def test_the_search_finds_ops_and_their_arguments_over_all_frameworks(visit, served):
    page = visit(served)
    names = reported(page, "conv2d dilations")
    oldest = {family: released.names({family})[0].partition("@")[2] for family in ("paddle", "tensorflow")}
    paddle = f"conv2d Paddle, dilations since ≤{oldest['paddle']}"
    tensorflow = f"Conv2D TensorFlow, dilations since ≤{oldest['tensorflow']}"
    assert {paddle, tensorflow} <= set(names[:3])
    assert all("dilation" in name for name in names)


def test_an_exact_name_comes_first_and_enter_opens_it(visit, served):
    page = visit(served + KINDS["op"])
    page.keyboard.press("/")
    page.keyboard.type("resize onnx runtime")
    page.wait_for_selector("#found a")
    settled(page)
    page.keyboard.press("Enter")
    page.wait_for_url("**/onnxruntime/op/Resize.html")
    assert "Resize" in page.inner_text("h1")


@pytest.mark.parametrize(
    ("op", "page"),
    [
        ("onnx/Resize", "onnx/op/Resize.html"),
        ("onnx/Resize%4011", "onnx/op/Resize.html"),
        ("tensorflow/Conv2D", "tensorflow/op/Conv2D.html"),
    ],
)
def test_an_address_names_an_op(visit, served, op, page):
    opened = visit(f"{served}index.html#op={op}")
    opened.wait_for_url(f"**/{page}")
    assert opened.inner_text("h1")


@pytest.mark.parametrize("op", ["onnx/no_such_op", "no_such_framework/no_such_op"])
def test_an_address_with_an_unknown_op_searches_for_it(visit, served, op):
    page = visit(f"{served}index.html#op={op}")
    page.wait_for_selector("#found:text-is('Nothing found')")
    assert page.input_value("#q") == "no_such_op"


def test_what_is_not_there_is_reported(visit, served):
    page = visit(served)
    page.fill("#q", "no_such_op_anywhere")
    page.wait_for_selector("#found:text-is('Nothing found')")
    page.keyboard.press("Escape")
    assert not page.is_visible("#found")


def test_everything_but_the_search_is_there_without_scripts(visit, served):
    page = visit(served, script=False)
    assert not page.is_visible("#q")
    page.click("h2 a:has-text('TensorFlow')")
    page.click("ul.lists a >> nth=0")
    page.click("table.list a >> nth=0")
    assert page.is_visible("table.releases")


def test_a_number_of_the_matrix_leads_to_the_ops(visit, served):
    page = visit(served + "paddle/index.html")
    base, head = (released.names({"paddle"}).index(text) + 1 for text in ("paddle@1.8.5", "paddle@2.6.2"))
    cell = f"table.matrix tbody tr:nth-child({base}) td:nth-of-type({head}) a"
    count = int(page.inner_text(cell).split()[0])
    page.click(cell)
    assert page.inner_text("h1") == "Do models of Paddle 1.8.5 load in Paddle 2.6.2?"
    assert f"one of {count} ops" in page.inner_text(".lead")


def test_nothing_of_a_spec_runs(visit, tmp_path):
    pages = site(*hostile(HOSTILE))
    with serve(written(pages, tmp_path)) as address:
        for path in pages:
            if path.endswith(".html"):
                assert visit(address + path).evaluate("window.ran") is None, path
        page = visit(address)
        assert len(reported(page, "a")) > 3
        assert page.evaluate("window.ran") is None


def test_names_from_right_to_left_move_nothing_else(visit, tmp_path):
    name = "\u05e9\u05dc\u05d5\u05dd"
    base = spec("f(X) -> (Out) [a: INT = 1]")
    f = base.ops["f"]
    pages = site(base.replace(ops={"f": f.replace(attrs=(f.attrs[0].replace(name=name),))}), "f(X) -> (Out)")
    with serve(written(pages, tmp_path)) as address:
        page = visit(f"{address}paddle/op/f.html")
        texts = page.eval_on_selector_all("tr.was > *", "all => all.map(each => each.textContent)")
        cells = [" ".join(text.split()) for text in texts]
        assert cells == [name, "≤1.0", "2.0", "INT = 1", "–"]  # noqa: RUF001
        lefts = page.eval_on_selector_all("tr.was > *", "all => all.map(each => each.getBoundingClientRect().left)")
        assert lefts == sorted(lefts)


def test_the_files_need_no_server(visit, tmp_path):
    folder = written(site("f(X) -> (Out)"), tmp_path)
    page = visit((folder / "index.html").as_uri(), top=folder.as_uri())
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px"
    assert reported(page, "f")[0].startswith("f Paddle")
