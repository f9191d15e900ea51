"""The page of a model in a real Chromium: what opens, what is found, and that nothing from a model runs."""

from __future__ import annotations

import pytest

from tests.support.browsing import CHROMIUM, HOSTILE, settled
from tests.support.models.tensorflow_models import calls, function, graph, node, placeholder, write
from tests.support.programs import run

X = placeholder()

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")]


def page_of(tmp_path, *nodes, functions=(), against=()):
    path = write(tmp_path / "model.pb", graph(*nodes, functions=functions))
    texts = [text for item in against for text in ("--against", item)]
    ran = run("show", path, "--format", "html", *texts)
    assert ran.code == 0, ran.err
    return ran.out


def encoder(blocks=20, length=3):
    nodes, before = [X], "x"
    for block in range(blocks):
        for step in range(length):
            name = f"encoder/block_{block}/mm{step}"
            nodes += [node(f"{name}/w", "Const"), node(name, "MatMul", before, f"{name}/w", T=1)]
            before = name
    return [*nodes, node("head", "Softmax", before)]


def seen(page, selector):
    # What is not drawn yet has no inner text.
    script = r"all => all.filter(e => e.checkVisibility()).map(e => e.textContent.trim().replace(/\s+/g, ' '))"
    return page.eval_on_selector_all(selector, script)


def test_the_main_graph_is_open_and_the_rest_unfolds(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder()))
    copies = "block_0 … block_19 20 copies, 120 nodes"
    assert seen(page, ".box > summary")[:3] == ["main graph 122 nodes", "encoder 120 nodes", copies]
    page.click("summary:has-text('encoder')")
    assert seen(page, ".box > summary") == ["main graph 122 nodes", "encoder 120 nodes"]
    assert len(page.query_selector_all("svg.drawing a >> visible=true")) == 3
    page.click("summary:has-text('encoder')")
    page.click("#fold")
    assert seen(page, ".box > summary") == ["main graph 122 nodes"]


def test_a_box_of_the_drawing_opens_what_it_represents(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder()))
    page.click("svg.drawing a[aria-label^='encoder']")
    settled(page)
    assert page.evaluate("document.activeElement.textContent").startswith("encoder")
    assert page.evaluate("document.activeElement.parentElement.open")
    again = open_page(page_of(tmp_path, *encoder()), "#" + page.url.partition("#")[2])
    assert again.text_content(".at[open] > summary").startswith("encoder")


def test_the_search_knows_every_node_and_leads_to_its_box(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder()))
    page.keyboard.press("/")
    page.keyboard.type("block_17/MM2")
    settled(page)
    assert page.inner_text("#shown") == "2 boxes"
    assert seen(page, "#found a") == ["encoder/block_17/mm2/w", "encoder/block_17/mm2"]
    page.click("#found a >> nth=1")
    settled(page)
    assert page.text_content(".at").strip().startswith("MatMul")
    assert page.is_visible(".at")
    page.keyboard.press("Escape")
    assert seen(page, "#found a") == []


def test_functions_are_led_to_by_their_calls(open_page, tmp_path):
    body = function("body", node("a", "NoOp"), node("b", "NoOp", "^a"))
    page = open_page(page_of(tmp_path, X, node("c", "PartitionedCall", f=calls("body")), functions=[body]))
    assert seen(page, ".box > summary") == ["main graph 2 nodes", "body 2 nodes"]
    page.click(".links a:text-is('body')")
    settled(page)
    assert page.text_content(".at > summary").startswith("body")


def test_what_an_audit_detected_is_marked_and_leads_to_its_nodes(open_page, tmp_path):
    nodes = [*encoder(), node("deep/in/it", "DecodeWebP"), node("deep/in/other", "NoOp"), node("top", "DecodeWebP")]
    page = open_page(page_of(tmp_path, *nodes, against=["tensorflow@2.18.1"]))
    heading = f"{tmp_path / 'model.pb'} is refused by tensorflow 2.18.1 (import_graph_def): "
    assert page.inner_text(".audit h2").startswith(heading)
    marked = page.eval_on_selector_all("svg.drawing a.marked", "all => all.map(e => e.getAttribute('aria-label'))")
    assert {"deep/in, 2 nodes, 1 finding", "DecodeWebP, top, 1 finding"} <= set(marked)
    page.click(".audit li:has-text('DecodeWebP') .links a:text-is('it')")
    settled(page)
    assert "deep/in/it" in page.text_content(".at")
    page.click(".at .found a")
    settled(page)
    assert "the release has no op 'DecodeWebP'" in page.text_content(".at")


def test_texts_fit_into_their_boxes(open_page, tmp_path):
    long = [node(f"a_{'very_' * n}long_name_{n}", "StatefulPartitionedCall", "x") for n in range(12)]
    wide = [node("\u5c64" * n, "Op", "x") for n in range(10, 30)]
    page = open_page(page_of(tmp_path, *encoder(), *long, *wide))
    script = """all => all.map(a => {
        const box = a.querySelector('rect').getBBox();
        return [...a.querySelectorAll('text')].filter(t => t.getBBox().x + t.getBBox().width > box.x + box.width)
            .map(t => t.textContent);
    }).flat()"""
    assert page.eval_on_selector_all("svg.drawing a", script) == []


def test_a_node_unfolds_to_its_tensors_and_attrs(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(2)))
    page.click("svg.drawing a[aria-label^='Softmax']")
    settled(page)
    assert page.is_visible(".at .facts table")
    assert "input encoder/block_1/mm2" in " ".join(page.inner_text(".at .facts table").split())


def test_without_its_script_the_page_holds_everything(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder()), script=False)
    assert not page.is_visible("#q")
    assert page.is_visible("summary:has-text('block_0')")
    page.click("summary:has-text('Signatures, ops')")
    assert "MatMul 60" in page.text_content(".told")


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_from_a_model_runs(open_page, tmp_path, text):
    body = function(text, node(text, "NoOp"), node("b", text))
    nodes = [X, node(f"{text}/{text}", text), node(f"{text}/b", "NoOp"), node("c", "PartitionedCall", f=calls(text))]
    page = open_page(page_of(tmp_path, *nodes, functions=[body], against=["tensorflow@2.18.1"]))
    page.fill("#q", text)
    settled(page)
    assert page.evaluate("window.ran") is None
    assert page.query_selector_all("img, base, link:not([rel=icon])") == []
    assert len(page.query_selector_all("#found a")) >= 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
def test_everybody_can_read_and_work_it(open_page, tmp_path, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    nodes = [*encoder(), node("deep/in/it", "DecodeWebP"), node("deep/in/other", "NoOp"), node("n" * 200, "O" * 200)]
    page = open_page(page_of(tmp_path, *nodes, against=["tensorflow@2.18.1"]), scheme=scheme, width=width)
    for step in ("document.querySelectorAll('details').forEach(e => { e.open = true; })", "null"):
        settled(page)
        violations = axe.run(page).response["violations"]
        assert [(violation["id"], [node["html"] for node in violation["nodes"]][:3]) for violation in violations] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate(step)
        page.fill("#q", "mm")
