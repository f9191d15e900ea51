"""The page of a model in a real Chromium: what opens, what is found, and that nothing from a model runs."""

from __future__ import annotations

import json
import random

import pytest

from tests.support.browsing import CHROMIUM, HOSTILE, settled
from tests.support.models.tensorflow_models import calls, function, graph, node, placeholder, write
from tests.support.programs import run

X = placeholder()

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")]


def page_of(tmp_path, *nodes, functions=(), against=(), site=None):
    path = write(tmp_path / "model.pb", graph(*nodes, functions=functions))
    texts = [text for item in against for text in ("--against", item)]
    texts += [] if site is None else ["--site", site]
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


CARD = ".scene .card"
AT = ".scene .at"
IF = ".scene [aria-label^='If, ']"


def named(page, selector=".scene [role=button]"):
    return page.eval_on_selector_all(selector, "all => all.map(e => e.getAttribute('aria-label'))")


def place(page, selector):
    """The position of an element on the screen, in pixels."""
    box = page.query_selector(selector).bounding_box()
    return round(box["x"]), round(box["y"])


def zoom(page):
    return float(page.get_attribute(".canvas", "data-zoom"))


def branches():
    """A node that runs two functions."""
    bodies = [function(f"{name}_body", node("a", "NoOp"), node("b", "NoOp", "^a")) for name in ("then", "else")]
    call = node("c", "If", "x", then_branch=calls("then_body"), else_branch=calls("else_body"))
    return [X, call, node("last", "Relu", "c")], bodies


def test_a_small_graph_is_drawn_as_a_whole_and_a_large_graph_is_folded(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(20, 3)))
    assert len(named(page, CARD)) == 122
    assert page.query_selector_all(".scene .sign") == []
    page = open_page(page_of(tmp_path, *encoder(60, 3)))
    assert any(label.startswith("60 \u00d7 block_0") for label in named(page))
    assert len(named(page, CARD)) < 20


def test_scopes_of_a_small_graph_are_grouped_on_request(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(3)))
    page.click("#group")
    assert named(page, CARD) == ["Placeholder, x", "encoder, 18 nodes, MatMul", "Softmax, head"]
    page.click(f"{CARD}.scope .sign")
    assert "block_1, 6 nodes, MatMul" in named(page, CARD)


def test_an_open_part_is_where_it_was_and_closes_again(open_page, tmp_path):
    nodes, bodies = branches()
    page = open_page(page_of(tmp_path, *nodes, functions=bodies))
    page.click(".scene .frame.node .sign")
    before = place(page, IF)
    assert named(page, ".scene .frame") == []
    page.click(f"{IF} .sign")
    assert place(page, IF)[1] == pytest.approx(before[1], abs=2)
    assert named(page, ".scene .frame") == ["If, c", "else_body", "then_body"]
    assert page.get_attribute(AT, "aria-expanded") == "true"
    page.keyboard.press("Enter")
    assert named(page, ".scene .frame") == []


def test_no_node_is_above_what_it_takes(open_page, tmp_path):
    choice = random.Random(7)  # noqa: S311 - no secret
    nodes = [X]
    for at in range(120):
        takes = [choice.choice(nodes[-12:]).name for _ in range(2)]
        nodes.append(node(f"{choice.choice(('', 'a/', 'a/b/', 'c/'))}n{at}", "Op", *takes))
    page = open_page(page_of(tmp_path, *nodes))
    for _ in range(2):
        assert page.query_selector_all(".arrows .back") == []
        script = """paths => paths.map(path => path.getAttribute('d').match(/-?[\\d.]+/g).map(Number))
            .filter(numbers => numbers[1] >= numbers[numbers.length - 1]).length"""
        assert page.eval_on_selector_all(".arrows path", script) == 0
        page.click("#group")


def test_no_box_is_drawn_over_another(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(4), *[node(f"n{at}", "Op", "x", f"n{at - 1}") for at in range(1, 9)]))
    script = """all => all.map(e => e.getBBox()).filter((a, at, boxes) => boxes.some((b, other) => other > at
        && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)).length"""
    assert page.eval_on_selector_all(f"{CARD} > .body", script) == 0


def test_a_click_keeps_the_picture_in_place_and_opens_the_details_next_to_it(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(2)))
    before = place(page, f"{CARD}[aria-label^=Softmax]")
    page.click(f"{CARD}[aria-label^=MatMul] >> nth=1")
    settled(page)
    assert place(page, f"{CARD}[aria-label^=Softmax]") == before
    assert page.evaluate("scrollY") == 0
    details = " ".join(page.inner_text("#details").split())
    assert details.startswith("MatMul encoder/block_0/mm1 Inputs encoder/block_0/mm0 encoder/block_0/mm1/w")
    page.click("#details .ends a >> nth=0")
    settled(page)
    assert page.get_attribute(AT, "aria-label").startswith("MatMul")
    assert "encoder/block_0/mm0" in page.inner_text("#details .node-name")


def test_zoom_by_wheel_keys_and_buttons_and_pan_by_dragging(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(20)))
    first_card = f"{CARD}[aria-label^=Placeholder]"
    page.hover(first_card)
    centre, first = place(page, first_card), zoom(page)
    page.mouse.wheel(0, -300)
    settled(page)
    assert zoom(page) > first
    # What is under the pointer stays under it.
    assert place(page, first_card) == pytest.approx(centre, abs=60)
    for act in (lambda: page.keyboard.press("+"), lambda: page.click("#zoom-in")):
        before = zoom(page)
        act()
        assert zoom(page) == pytest.approx(before * 1.25, rel=0.01)
    for act in (lambda: page.keyboard.press("-"), lambda: page.click("#zoom-out")):
        before = zoom(page)
        act()
        assert zoom(page) == pytest.approx(before / 1.25, rel=0.01)
    page.keyboard.press("1")
    assert zoom(page) == 1
    page.click("#fit")
    bottom = page.query_selector(f"{CARD}[aria-label^=Softmax]").bounding_box()
    assert bottom["y"] + bottom["height"] < 1000
    before = place(page, f"{CARD} >> nth=0")
    page.mouse.move(30, 500)
    page.mouse.down()
    page.mouse.move(80, 530, steps=5)
    page.mouse.up()
    after = place(page, f"{CARD} >> nth=0")
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((50, 30), abs=2)
    assert page.query_selector_all(AT) == []


def test_two_fingers_zoom(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(20)))
    before = zoom(page)
    script = """canvas => {
        const send = (type, pointerId, x) => canvas.dispatchEvent(
            new PointerEvent(type, { pointerId, clientX: x, clientY: 400, bubbles: true }));
        canvas.setPointerCapture = () => {};
        send('pointerdown', 1, 300); send('pointerdown', 2, 400); send('pointermove', 2, 500);
        send('pointerup', 1, 300); send('pointerup', 2, 500);
    }"""
    page.eval_on_selector(".canvas", script)
    assert zoom(page) == pytest.approx(before * 2, rel=0.01)


def test_the_map_shows_and_moves_the_view(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(20)))
    before = place(page, f"{CARD} >> nth=0")
    box = page.query_selector(".map").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 8)
    assert place(page, f"{CARD} >> nth=0")[1] < before[1] - 500
    page.click("#fit")
    settled(page)
    assert not page.is_visible(".map")


def test_the_search_knows_every_node_and_enter_opens_the_first_and_arrows_the_next(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(60)))
    page.keyboard.press("/")
    page.keyboard.type("block_17/MM2")
    page.keyboard.press("Enter")
    settled(page)
    assert page.inner_text("#shown") == "2 nodes, 0 groups"
    assert "encoder/block_17/mm2/w" in page.inner_text("#details")
    assert page.evaluate("document.activeElement.classList.contains('at')")
    page.fill("#q", "block")
    settled(page)
    assert page.inner_text(".found-title >> nth=0").startswith("Nodes (6)")
    assert page.inner_text(".found-title >> nth=1").startswith("Groups (1)")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#q", "aria-activedescendant") == "found-1"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.inner_text("#found [aria-selected=true]").startswith("60 \u00d7 block_0 … block_59")
    page.click("#found [role=option] >> nth=1")
    settled(page)
    assert page.is_visible(AT)
    page.fill("#q", "nothing of this name")
    settled(page)
    assert page.inner_text("#shown") == "0 nodes, 0 groups"


def test_the_keyboard_goes_along_the_arrows(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(2)))
    page.focus(".scene [tabindex='0']")
    for key, label in (
        ("ArrowDown", "MatMul"),
        ("ArrowDown", "MatMul"),
        ("ArrowUp", "MatMul"),
        ("ArrowUp", "Placeholder"),
    ):
        page.keyboard.press(key)
        assert page.get_attribute(".scene .at", "aria-label").startswith(label)
        assert page.evaluate("document.activeElement.classList.contains('at')")
    page.keyboard.press("Escape")
    assert not page.is_visible("#details")


def test_the_keyboard_goes_to_neighbours_opens_and_fits(open_page, tmp_path):
    nodes, bodies = branches()
    page = open_page(page_of(tmp_path, *nodes, node("beside", "Abs", "x"), functions=bodies))
    page.focus(f"{CARD}[aria-label^=Abs]")
    opposite = {"ArrowLeft": "ArrowRight", "ArrowRight": "ArrowLeft"}
    key = next(key for key in opposite if [page.keyboard.press(key), page.query_selector(AT)][1])
    assert page.get_attribute(AT, "aria-label") == "If, c"
    page.keyboard.press(opposite[key])
    assert page.get_attribute(AT, "aria-label") == "Abs, beside"
    page.keyboard.press(" ")
    assert "Abs" in page.inner_text("#details h2")
    page.focus(IF)
    assert page.get_attribute(IF, "aria-expanded") == "true"
    for is_open in ("false", "true"):
        page.keyboard.press("Enter")
        assert page.get_attribute(IF, "aria-expanded") == is_open
    page.keyboard.press("0")
    fitted = zoom(page)
    page.keyboard.press("+")
    page.keyboard.press("f")
    assert zoom(page) == fitted


def test_everything_is_reached_by_tab(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(3), against=["tensorflow@2.18.1"]))
    reached = []
    page.focus("#q")
    for _ in range(12):
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.getAttribute('role')"))
        page.keyboard.press("Tab")
    assert reached[:8] == ["q", "group", "as-table", "zoom-out", "zoom-in", "fit", "button", "panel"]


def test_a_wheel_with_shift_moves_the_picture_sideways(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(20)))
    before, first = zoom(page), place(page, f"{CARD} >> nth=0")
    page.hover(f"{CARD} >> nth=0")
    page.keyboard.down("Shift")
    page.mouse.wheel(0, 120)
    page.keyboard.up("Shift")
    after = place(page, f"{CARD} >> nth=0")
    assert (abs(after[0] - first[0]), after[1] - first[1], zoom(page)) == (120, 0, before)


def test_an_address_names_a_node_and_going_back_leads_to_the_node_before(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(60)), "#encoder/block_40/mm1")
    settled(page)
    assert "MatMul" in page.inner_text("#details h2")
    page.click(f"{CARD}[aria-label^=Softmax]")
    assert page.url.endswith("#head")
    page.go_back()
    settled(page)
    assert "block_40/mm1" in page.inner_text("#details")


def test_what_an_audit_detected_is_red_and_states_why(open_page, tmp_path):
    nodes = [*encoder(60), node("deep/in/it", "DecodeWebP"), node("deep/in/other", "NoOp"), node("top", "DecodeWebP")]
    page = open_page(page_of(tmp_path, *nodes, against=["tensorflow@2.18.1"]))
    assert page.inner_text(".audit h3").endswith("is refused by tensorflow 2.18.1 (import_graph_def): 4 findings")
    assert {"DecodeWebP, it, 1 finding", "DecodeWebP, top, 1 finding"} <= set(named(page, f"{CARD}.failing"))
    page.dispatch_event(f"{CARD}[aria-label^='DecodeWebP, top']", "click")
    assert "the release has no op 'DecodeWebP'" in page.inner_text("#details .reasons")
    page.click(".audit .links a:text-is('it')")
    settled(page)
    assert "deep/in/it" in page.inner_text("#details")
    page.click("#details .reasons a")
    settled(page)
    assert "the release has no op 'DecodeWebP'" in page.inner_text("li.at")
    page.dispatch_event(f"{CARD}[aria-label^=NoOp]", "click")
    assert "No finding on this op under tensorflow 2.18.1." in page.inner_text("#details")


@pytest.mark.parametrize("address", ["https://example.com/ops/", "https://example.com/ops/index.html"])
def test_the_details_of_a_node_link_to_the_page_of_its_op(open_page, tmp_path, address):
    page = open_page(page_of(tmp_path, *encoder(2), site=address))
    page.click(f"{CARD}[aria-label^=MatMul] >> nth=1")
    links = page.eval_on_selector_all("#details .site a", "all => all.map(e => [e.textContent, e.href])")
    assert links == [["MatMul", "https://example.com/ops/index.html#op=tensorflow/MatMul"]]


def test_without_a_site_the_details_of_a_node_name_the_command_for_a_site(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(2)))
    page.click(f"{CARD}[aria-label^=MatMul] >> nth=1")
    assert f"opspec-lint site ops --ops {tmp_path}/model.pb" in page.inner_text("#details .site")


def test_the_page_of_an_audit_marks_the_nodes_that_stop_the_model(open_page, tmp_path):
    path = write(tmp_path / "model.pb", graph(*encoder(2), node("top", "DecodeWebP")))
    ran = run("audit", path, "--against", "tensorflow@2.18.1", "--format", "html")
    page = open_page(ran.out)
    page.dispatch_event(f"{CARD}.failing[aria-label^=DecodeWebP]", "click")
    assert "the release has no op 'DecodeWebP'" in page.inner_text("#details .reasons")


def test_the_findings_of_an_audit_are_filtered(open_page, tmp_path):
    nodes = [*encoder(2), node("top", "DecodeWebP"), node("other", "NoSuchOp")]
    page = open_page(page_of(tmp_path, *nodes, against=["tensorflow@2.18.1", "tensorflow@2.8.4"]))
    shown = ".audit li:not([hidden])"
    every = len(page.query_selector_all(shown))
    page.fill("#only", "nosuchop 2.8.4")
    assert 0 < len(page.query_selector_all(shown)) < every
    assert all("NoSuchOp" in text for text in page.eval_on_selector_all(shown, "all => all.map(e => e.textContent)"))
    assert page.inner_text("#left").endswith(f" of {every} findings")
    assert len(page.query_selector_all("details.audit:not([hidden])")) == 1
    page.select_option("#level", "note")
    assert page.query_selector_all(shown) == []
    page.fill("#only", "")
    page.select_option("#level", "")
    assert len(page.query_selector_all(shown)) == every
    assert page.inner_text("#left") == ""


def test_a_fingerprint_is_the_address_of_a_finding(open_page, tmp_path):
    path = write(tmp_path / "model.pb", graph(*encoder(2), node("top", "DecodeWebP")))
    command = ("audit", path, "--against", "tensorflow@2.18.1", "--format")
    findings = [finding for audit in json.loads(run(*command, "json").out)["audits"] for finding in audit["findings"]]
    fingerprint = next(finding["fingerprint"] for finding in findings if finding["op"] == "DecodeWebP")
    page = open_page(run(*command, "html").out, f"#{fingerprint}")
    settled(page)
    assert "the release has no op 'DecodeWebP'" in page.inner_text("li.at")


def test_two_models_are_side_by_side_with_their_differences(open_page, tmp_path):
    page = open_page(two_models(tmp_path))
    assert named(page, f"{CARD}.removed") == ["Tanh, gone, removed"]
    assert named(page, f"{CARD}.added") == ["Abs, new, added"]
    assert [label.split(",")[0] for label in named(page, f"{CARD}.changed")] == ["Softmax", "Softmax"]
    page.click(f".pane >> nth=0 >> {CARD}.changed")
    settled(page)
    # The node of the other model is selected with it, and the values that differ are next to each other.
    assert len(page.query_selector_all(AT)) == 2
    assert "k 1 2" in " ".join(page.inner_text("#details tr.changed:has-text('k')").split())
    page.click(".difference-list a >> nth=0")
    settled(page)
    assert "gone" in page.inner_text("#details .node-name")


def test_a_control_input_is_drawn_apart_from_a_tensor(open_page, tmp_path):
    page = open_page(page_of(tmp_path, X, node("a", "Relu", "x"), node("b", "NoOp", "^a")))
    assert page.eval_on_selector_all(".arrows path", "all => all.map(e => e.getAttribute('class'))") == [
        None,
        "control",
    ]


def test_no_arrow_is_drawn_over_the_title_of_an_open_part(open_page, tmp_path):
    nodes, bodies = branches()
    page = open_page(page_of(tmp_path, *nodes, functions=bodies))
    script = """titles => titles.map(title => [title.textContent, [...document.querySelectorAll('.arrows path')]
        .every(path => path.compareDocumentPosition(title) & Node.DOCUMENT_POSITION_FOLLOWING)])"""
    assert page.eval_on_selector_all(".frame-title", script) == [["If", True], ["else_body", True], ["then_body", True]]


def test_the_first_view_has_the_input_and_most_of_its_neighbours(open_page, tmp_path):
    # A wide row to the left of the input, and a column below it.
    nodes = [
        X,
        *[node(f"c{at}", "Const") for at in range(40)],
        node("all", "AddN", *[f"c{at}" for at in range(40)], "x"),
    ]
    page = open_page(page_of(tmp_path, *nodes), width=400)
    left, _ = place(page, f"{CARD}[aria-label^=Placeholder]")
    assert 0 <= left < 400
    script = """all => all.map(e => e.getBoundingClientRect()).filter(box => box.right > 0 && box.left < 400).length"""
    seen = page.eval_on_selector_all(CARD, script)
    assert seen >= 4


def test_names_of_arguments_are_not_broken_in_the_details(open_page, tmp_path):
    page = open_page(page_of(tmp_path, X, node("y", "Op", "x", a_name=1, b=2, c=3)))
    page.click(f"{CARD}[aria-label^=Op]")
    heights = page.eval_on_selector_all("#details th.short", "all => all.map(e => e.getClientRects()[0].height)")
    assert len(heights) == 3
    assert max(heights) < 30


def test_texts_fit_into_their_boxes(open_page, tmp_path):
    long = [node(f"a_{'very_' * n}long_name_{n}", "StatefulPartitionedCall", "x") for n in range(12)]
    wide = [node("\u5c64" * n, "Op", "x") for n in range(10, 30)]
    page = open_page(page_of(tmp_path, *encoder(), *long, *wide))
    script = """all => all.map(a => {
        const box = a.querySelector('.body').getBBox();
        return [...a.querySelectorAll('text')].filter(t => t.getBBox().x + t.getBBox().width > box.x + box.width)
            .map(t => t.textContent);
    }).flat()"""
    assert page.eval_on_selector_all(CARD, script) == []


def test_without_its_script_the_page_is_a_table(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder(), against=["tensorflow@2.18.1"]), script=False)
    assert not page.is_visible("#q")
    assert not page.is_visible(".canvas")
    row = page.inner_text(".as-table tr:has-text('encoder/block_3/mm1') >> nth=1")
    assert "encoder/block_3/mm0" in row
    page.click("summary:has-text('Signatures, ops')")
    assert "MatMul 60" in page.text_content(".told")


def test_the_table_is_a_view_of_its_own(open_page, tmp_path):
    page = open_page(page_of(tmp_path, *encoder()))
    assert not page.is_visible(".as-table td")
    page.click("#as-table")
    assert page.is_visible(".as-table td >> nth=0")
    assert not page.is_visible(".canvas")


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_from_a_model_runs(open_page, tmp_path, text):
    body = function(text, node(text, "NoOp"), node("b", text))
    nodes = [X, node(f"{text}/{text}", text), node(f"{text}/b", "NoOp"), node("c", "PartitionedCall", f=calls(text))]
    page = open_page(page_of(tmp_path, *nodes, functions=[body], against=["tensorflow@2.18.1"]))
    page.fill("#q", text)
    settled(page)
    assert page.evaluate("window.ran") is None
    assert page.query_selector_all("img, base, link:not([rel=icon])") == []
    assert len(page.query_selector_all("#found [role=option]")) >= 2
    for card in page.query_selector_all(CARD)[:4]:
        card.click()
    assert page.evaluate("window.ran") is None


def two_models(tmp_path):
    first = [X, node("a", "Relu", "x"), node("gone", "Tanh", "a"), node("c", "Softmax", "gone", k=1)]
    second = [X, node("a", "Relu", "x"), node("new", "Abs", "a"), node("c", "Softmax", "new", k=2)]
    paths = [write(tmp_path / f"{name}.pb", graph(*nodes)) for name, nodes in (("old", first), ("new", second))]
    return run("show", *paths, "--format", "html").out


def audited(tmp_path, *options):
    nodes = [*encoder(2), node("top", "DecodeWebP"), node("end", "NoSuchOp", "head", "^top")]
    return run("audit", write(tmp_path / "model.pb", graph(*nodes)), *options, "--format", "html").out


def failing(tmp_path):
    nodes = [*encoder(), node("deep/in/it", "DecodeWebP"), node("deep/in/other", "NoOp"), node("n" * 200, "O" * 200)]
    return page_of(tmp_path, *nodes, against=["tensorflow@2.18.1"])


PAGES = {
    "failing": (failing, ".card.failing"),
    "two models": (two_models, ".card.changed"),
    "audit": (lambda folder: audited(folder, "--against", "tensorflow@2.18.1", "--site", "ops"), ".card.failing"),
    "audit of all releases": (audited, ".card.failing"),
}
"""Pages, and the selector of a node whose details are opened."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("kind", PAGES)
def test_everybody_can_read_and_work_it(open_page, tmp_path, kind, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    make, selector = PAGES[kind]
    page = open_page(make(tmp_path), scheme=scheme, width=width)
    steps = (
        "document.querySelectorAll('details').forEach(e => { e.open = true; })",
        f"document.querySelector('{selector}').dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))",
        "document.getElementById('as-table').click()",
    )
    for step in steps:
        settled(page)
        violations = axe.run(page).response["violations"]
        assert [(violation["id"], [node["html"] for node in violation["nodes"]][:3]) for violation in violations] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate(step)
        page.fill("#q", "mm")
