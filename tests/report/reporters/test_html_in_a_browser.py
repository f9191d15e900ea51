"""The page in a real Chromium: what it shows, what a key or a link does, and that nothing from a spec runs."""

from __future__ import annotations

import json
import os
import re
import sys
from itertools import pairwise

import pytest

from opspec_lint.fixes.fix import Fix
from opspec_lint.fixes.text_file import TextFile
from opspec_lint.fixes.unified import unified_diff
from opspec_lint.lint.check import check
from opspec_lint.lint.check import report as report_of
from opspec_lint.lint.profile import PROFILES
from opspec_lint.lint.rulebook import RULES
from opspec_lint.report.findings import Approval, Waived
from opspec_lint.report.reporters.html import render
from opspec_lint.sources import recognise
from tests.support.browsing import CHROMIUM, HOSTILE, settled
from tests.support.nasty import TEXTS, comparison, finding, report, several, waived
from tests.support.paths import SPECS

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")]


@pytest.fixture(scope="module")
def releases():
    base, head = (recognise.read(os.path.join(SPECS, f"paddle-{version}.json")).spec for version in ("2.6.2", "3.0.0"))
    return report_of(check(base, head, PROFILES.load("paddle")))


@pytest.fixture(scope="module")
def real(releases):
    return render(releases)


def shown(page):
    """The fingerprints of the findings that can be seen, folded or not."""
    return page.eval_on_selector_all(".finding", "all => all.filter(e => e.checkVisibility()).map(e => e.id)")


def of(releases, **fields):
    return {
        finding.fingerprint for finding in releases.findings if all(getattr(finding, k) == v for k, v in fields.items())
    }


def test_all_findings_are_shown_at_first(open_page, real, releases):
    page = open_page(real)
    notes = of(releases, level="note")
    assert set(shown(page)) == of(releases) - notes
    assert page.inner_text("#shown") == f"{len(releases.findings) - len(notes)} of {len(releases.findings)}"
    assert page.inner_text("#quiet").startswith(f"{len(notes)} notes not shown")
    page.click("#all")
    assert set(shown(settled(page))) == of(releases)
    assert page.inner_text("#shown") == f"{len(releases.findings)} findings"
    assert not page.is_visible("#quiet")


def test_what_to_look_at_first_is_in_the_first_screen(open_page, real, releases):
    page = open_page(real)
    links = page.eval_on_selector_all(".first li", "all => all.map(e => e.getBoundingClientRect().bottom)")
    assert len(links) == 5
    assert max(links) < 1000
    (first,) = page.eval_on_selector_all(".first li:first-child > a", "all => all.map(a => a.hash.slice(1))")
    assert first in of(releases, level="error")
    page.click(".first li:first-child > a")
    assert settled(page).locator(f"[id='{first}']").evaluate("each => each.open")


def test_ops_of_which_one_thing_is_to_be_stated_share_a_frame(open_page, real, releases):
    page = open_page(real, "#rule=op_removed")
    ids = of(releases, rule="op_removed")
    assert set(shown(page)) == ids
    frames = page.eval_on_selector_all(".op", "all => all.filter(e => e.checkVisibility()).map(e => e.offsetHeight)")
    assert len(frames) < 4
    assert sum(frames) < 10 * len(ids)
    page.click(f"[id='{min(ids)}'] summary")
    assert "was removed" in page.inner_text(f"[id='{min(ids)}']")
    page.fill("#op", next(finding.op for finding in releases.findings if finding.rule == "op_removed"))
    assert 0 < len(shown(settled(page))) < len(ids)


def test_the_search_looks_at_names_rules_and_messages(open_page, real, releases):
    page = open_page(real)
    page.keyboard.press("/")
    page.keyboard.type("ATTR_type_changed")
    assert set(shown(settled(page))) == of(releases, rule="attr_type_changed")
    page.keyboard.press("Escape")
    assert set(shown(settled(page))) == of(releases)


def test_filters_narrow_each_other_and_are_kept_in_the_address(open_page, real, releases):
    page = open_page(real)
    page.click("[data-level=error]")
    assert set(shown(settled(page))) == of(releases, level="error")
    page.select_option("#rule", "attr_removed")
    expected = of(releases, level="error", rule="attr_removed")
    assert set(shown(settled(page))) == expected
    op = next(finding.op for finding in releases.findings if finding.fingerprint in expected)
    page.fill("#op", op)
    narrow = set(shown(settled(page)))
    assert narrow == {
        finding.fingerprint for finding in releases.findings if finding.fingerprint in expected and op in finding.op
    }
    again = open_page(real, "#" + page.url.partition("#")[2])
    assert set(shown(again)) == narrow
    again.click("#reset")
    assert set(shown(settled(again))) == of(releases)
    assert "#" not in again.url


def test_a_bar_of_the_picture_shows_its_findings(open_page, real, releases):
    page = open_page(real)
    page.click(".bars a[href='#rule=op_version_lost']")
    assert set(shown(settled(page))) == of(releases, rule="op_version_lost")


def test_names_from_right_to_left_move_nothing_else(open_page):
    """A digit beside such a name is drawn on its other side, unless the name stands for itself."""
    page = open_page(render(several("\u05e9\u05dc\u05d5\u05dd")))
    boxes = """all => all.map(each => [...each.childNodes].filter(node => node.textContent.trim()).map(node => {
        const range = document.createRange(); range.selectNodeContents(node);
        const {left, top} = range.getBoundingClientRect(); return [left, top];
    }))"""
    lines = page.eval_on_selector_all(
        "h1, h2, h3, nav li, .verdict p + p, .verdict h1 + p, .remarks span, .place", boxes
    )
    assert sum(len(line) > 1 for line in lines) > 20
    for line in lines:
        for (left, top), (next_left, next_top) in pairwise(line):
            wraps = next_top > top + 10  # pixels: fonts of one line differ by less, lines by more
            assert wraps or left <= next_left, line
    text = page.inner_text(".verdict h1 + p")
    assert "base: \u05e9\u05dc\u05d5\u05dd \xb7 2 spec files" in text


def test_how_many_are_shown_and_what_the_button_does_is_reported_rightly(open_page):
    page = open_page(render(report("p", findings=[finding("x")])))
    assert (page.inner_text("#shown"), page.inner_text("#unfold")) == ("1 finding", "Close all")
    page.click("#unfold")
    assert settled(page).inner_text("#unfold") == "Open all"
    page.click(".finding > summary")
    assert settled(page).inner_text("#unfold") == "Close all"


def test_the_name_of_every_rule_is_free_of_its_bar(open_page):
    rules = RULES.names()
    page = open_page(render(report("p", findings=[finding("x", rule=rule) for rule in rules])))
    rows = page.eval_on_selector_all(
        ".bars a",
        "all => all.map(a => [a.querySelector('.rule'), a.querySelector('svg')]"
        ".map(each => each.getBoundingClientRect()).map(box => [box.left, box.right]))",
    )
    assert len(rows) == len(rules)
    assert [(label, bar) for label, bar in rows if label[1] >= bar[0]] == []


def test_every_state_has_room_next_to_the_message(open_page):
    page = open_page(render(several("x")))
    badges = page.eval_on_selector_all(".level", "all => all.map(e => [e.textContent, e.clientWidth - e.scrollWidth])")
    assert {text for text, _ in badges} >= {"error", "warning", "note", "waived", "newly waived"}
    assert [badge for badge in badges if badge[1] < 0] == []


def test_the_search_looks_at_who_waives_and_who_approves(open_page):
    result = [
        finding("a", waived=Waived(reason="gone for good", owner="Bea")),
        finding("b", review="slim", approval=Approval(by=("Carl",))),
        finding("c"),
    ]
    page = open_page(render(report("p", findings=result)))
    for text, number in {"bea": 0, "for good": 0, "carl": 1, "slim": 1}.items():
        page.fill("#q", text)
        assert shown(settled(page)) == [result[number].fingerprint]


def test_a_team_has_as_many_findings_behind_its_numbers_as_they_state(open_page):
    slim = {"review": "slim"}
    result = [
        finding("a", **slim),
        finding("b", **slim),
        finding("c", **slim, approval=Approval(by=("ann",))),
        finding("d", **slim, waived=waived("w")),
        finding("e"),
    ]
    page = open_page(render(report("p", findings=result)))
    for text, numbers in {"2 findings": (0, 1), "1": (2,)}.items():
        page.click(f"#asks a:text-is('{text}')")
        assert set(shown(settled(page))) == {result[number].fingerprint for number in numbers}


def test_nothing_detected_is_reported(open_page, real):
    page = open_page(real, "#q=there+is+no+such+op")
    assert shown(page) == []
    assert page.is_visible("#nothing")
    page.click("#again")
    assert not settled(page).is_visible("#nothing")


def test_teams_and_what_counts_are_filters(open_page):
    result = [
        finding("a", review="slim"),
        finding("b", review="inference", waived=waived("w")),
        finding("c", waived=waived("w", new=True)),
        finding("d", level="note"),
        finding("e", review="slim", approval=Approval(by=("ann",))),
    ]
    page = render(report("p", findings=result))

    def numbers(opened):
        seen = shown(settled(opened))
        return {number for number, finding in enumerate(result) if finding.fingerprint in seen}

    opened = open_page(page)
    states = {"waived": {1}, "newly waived": {2}, "approved": {4}, "counts": {0, 3}, "cleared": {1, 2, 4}}
    for choice, key in {**states, "": {0, 1, 2, 3, 4}}.items():
        opened.select_option("#state", choice)
        assert numbers(opened) == key, choice
    opened.select_option("#team", "slim")
    assert numbers(opened) == {0, 4}
    assert numbers(open_page(page, "#level=error")) == {0}
    assert numbers(open_page(page, "#level=error&state=cleared")) == {1, 2, 4}
    opened = open_page(page)
    opened.click("a[href='#state=newly%20waived']")
    assert numbers(opened) == {2}
    opened.click("#asks a[href='#team=slim']")
    assert numbers(opened) == {0, 4}


def test_a_link_opens_its_finding_and_scrolls_to_it(open_page, real, releases):
    last = releases.findings[-1].fingerprint
    page = settled(open_page(real, f"#{last}"))
    result = page.locator(f"[id='{last}']")
    assert result.evaluate("each => each.open")
    assert 0 <= result.bounding_box()["y"] < 900
    assert page.evaluate("document.activeElement.parentElement.id") == last


def test_an_address_that_requests_what_is_no_choice_requests_all(open_page, real, releases):
    page = open_page(real, "#rule=no_such_rule")
    assert set(shown(page)) == of(releases)
    assert page.evaluate("document.getElementById('rule').selectedOptions[0]?.text") == "every rule"


def test_what_the_filters_hide_is_not_shown_for_being_the_one_that_was_looked_at(open_page, real, releases):
    note = min(of(releases, level="note"))
    assert set(shown(open_page(real, f"#level=error&at={note}"))) == of(releases, level="error")
    page = open_page(real, f"#{note}")
    page.click("[data-level=error]")
    assert set(shown(settled(page))) == of(releases, level="error")
    assert page.url.endswith("#level=error")


@pytest.mark.parametrize("width", [1240, 800])
def test_no_finding_is_left_behind_the_filters(open_page, real, width):
    page = open_page(real, width=width)
    page.click("#all")
    ids = shown(settled(page))
    page.evaluate(f"location.hash = '{ids[60]}'")
    bars = settled(page).evaluate("document.getElementById('filters').getBoundingClientRect().bottom")
    assert bars <= page.locator(f"[id='{ids[60]}']").bounding_box()["y"] < bars + 40
    for number in range(59, 40, -1):
        page.keyboard.press("k")
        assert page.locator(f"[id='{ids[number]}']").bounding_box()["y"] >= bars


def test_keys_begin_with_what_is_in_sight(open_page, real):
    page = open_page(real)
    page.click("#all")
    page.evaluate("scrollTo(0, 6000)")
    settled(page).keyboard.press("j")
    assert page.evaluate("scrollY") > 5500
    bars = page.evaluate("document.getElementById('filters').getBoundingClientRect().bottom")
    assert bars <= page.evaluate("document.activeElement.getBoundingClientRect().y") < bars + 100


def test_a_link_leads_again_where_it_led_before(open_page, real, releases):
    page = open_page(real)
    for _ in range(2):
        page.evaluate("scrollTo(0, 0)")
        page.click(".tiles a[href='#level=error']")
        assert settled(page).evaluate("scrollY") > 300
        assert set(shown(page)) == of(releases, level="error")


def test_a_link_to_a_finding_that_is_filtered_away_clears_the_filters(open_page, real, releases):
    hidden = next(iter(of(releases, rule="op_added")))
    page = open_page(real, "#rule=op_removed")
    assert hidden not in shown(page)
    page.evaluate(f"location.hash = '{hidden}'")
    assert hidden in shown(settled(page))


def test_keys_step_through_what_is_shown(open_page, real):
    page = open_page(real, "#rule=attr_type_changed")
    ids = shown(page)
    for key, at in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.parentElement.id") == ids[at]
    page.keyboard.press("Enter")
    assert page.locator(f"[id='{ids[1]}']").evaluate("each => each.open")
    assert page.url.endswith(f"#rule=attr_type_changed&at={ids[1]}")
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Escape")
    assert not page.is_visible("#help")
    assert len(shown(page)) == len(ids)
    page.keyboard.press("Escape")
    assert len(shown(page)) > len(ids)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_can_be_read_and_a_single_key_turns_them(open_page, real, scheme):
    page = open_page(real, "#rule=attr_type_changed", scheme=scheme)
    page.keyboard.press("e")
    for turn in (False, True):
        background = _luminance(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert (background < 0.5) == ((scheme == "dark") != turn)
        for selector in (
            "h1",
            ".message",
            ".finding .level",
            "dd",
            "dt",
            ".by-rule",
            ".remarks",
            ".values code",
            ".foot",
        ):
            color = page.locator(selector).first.evaluate("each => getComputedStyle(each).color")
            lighter, darker = sorted((_luminance(color), background), reverse=True)
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, selector  # WCAG 2.2, 1.4.3
        page.keyboard.press("t")
        settled(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["real", "several"])
def test_everybody_can_read_and_work_it(open_page, real, name, scheme):
    """Return the problems that axe detects by the rules of WCAG 2.2 and of good practice, all folded and all open."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    approved = [finding("a", review="slim", approval=Approval(by=("ann",))), finding("b", review="slim")]
    every = several("x")
    pages = {
        "real": real,
        "several": render(every.replace(comparisons=(*every.comparisons, comparison("b", approved)))),
    }
    page = open_page(pages[name], "#rule=attr_type_changed" if name == "real" else "", scheme=scheme)
    for _ in range(2):
        violations = axe.run(settled(page)).response["violations"]
        assert [(violation["id"], [node["html"] for node in violation["nodes"]][:3]) for violation in violations] == []
        page.keyboard.press("e")


def _luminance(color):
    """The relative luminance of a colour as CSS computes it (WCAG 2.2)."""
    channels = [int(group) / 255 for group in re.fullmatch(r"rgba?\((\d+), (\d+), (\d+).*\)", color).groups()]
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return sum(weight * item for weight, item in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_without_scripts_every_finding_can_be_opened(open_page, releases):
    page = open_page(render(releases.replace(comparisons=_few(releases))), script=False)
    summaries = page.locator(".finding > summary")
    assert summaries.count() == 30
    for number in range(0, 30, 7):
        summaries.nth(number).click()
        assert page.locator(".finding .advice").nth(number).is_visible()
    assert not page.is_visible("#filters")


def _few(releases):
    (only,) = releases.comparisons
    return (only.replace(findings=only.findings[:30]),)


def test_on_paper_every_finding_is_unfolded(open_page, releases):
    page = open_page(render(releases.replace(comparisons=_few(releases))))
    advice = page.locator(".finding .advice").first
    assert not advice.is_visible()
    page.emulate_media(media="print")
    assert advice.is_visible()
    assert not page.is_visible("#filters")


def test_a_narrow_window_does_not_scroll_sideways(open_page):
    page = open_page(render(several("unbroken" * 400)), width=390)
    page.keyboard.press("e")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("text", [*HOSTILE, *TEXTS])
def test_nothing_runs_from_a_name(open_page, text):
    page = open_page(render(several(text)))
    page.keyboard.press("e")
    for selector in ("#rule", "#team", "#state"):
        page.locator(selector).press("ArrowDown")
    page.fill("#q", text.replace("\x00", ""))
    settled(page)
    page.hover(".verdict")
    assert page.evaluate("window.ran") is None
    assert page.evaluate("document.scripts.length") == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_runs_from_an_address(open_page, text):
    page = settled(open_page(render(several("x")), f"#q={text}&at={text}&level={text}&rule={text}"))
    assert page.evaluate("window.ran") is None


def test_a_script_that_got_in_would_not_run(open_page, real):
    """The policy holds even where all escaping had failed; that it did, the console says."""
    got_in = "<main><script>window.ran = 1</script><img src='data:,' onerror='window.ran = 1'>"
    page = settled(open_page(real.replace("<main>", got_in)))
    assert page.evaluate("window.ran") is None
    assert len(open_page.faults) >= 2
    assert all("Content Security Policy" in fault for fault in open_page.faults), open_page.faults
    open_page.faults.clear()


def test_the_page_takes_no_text_for_markup(open_page, real):
    page = open_page(real)
    with pytest.raises(Exception, match="TrustedHTML"):
        page.evaluate("document.body.innerHTML = '<b>in</b>'")
    assert [fault for fault in open_page.faults if "TrustedHTML" not in fault] == []
    open_page.faults.clear()


def test_five_thousand_findings(open_page, capsys):
    result = [
        finding(
            "x",
            op=f"op_{number // 2}",
            name=f"attr_{number}",
            message=f"the default value of the attr 'attr_{number}' changed from {number} to {number + 1}",
            breaks="a model saved without it now computes something else on the new framework",
            advice="keep the old default value, and add an attr that says which one is meant",
            old=number,
            new=number + 1,
            level=("error", "warning", "note")[number % 3],
        )
        for number in range(5000)
    ]
    page = open_page(render(report("p", findings=result)))
    paints = json.loads(page.evaluate("JSON.stringify(performance.getEntriesByType('paint'))"))
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    page.fill("#q", "attr_4999")
    assert shown(settled(page)) == [result[-1].fingerprint]
    middle = result[2501].fingerprint
    page.evaluate(f"location.hash = '{middle}'")
    assert 0 <= settled(page).locator(f"[id='{middle}']").bounding_box()["y"] < 900
    with capsys.disabled():
        text_by_name = {paint["name"]: f"{paint['startTime']:.0f} ms" for paint in paints}
        sys.stdout.write(f"\n5,000 findings: {text_by_name}, filters ready after {ready:.0f} ms\n")


def test_a_button_copies_the_patch_of_a_fix(open_page):
    """The pasted text is a patch that `git apply` takes."""
    file = TextFile("model.fbs", b"table A {\n  a:int;\n}\n")
    edit = file.edit(12, 12, "b:string (deprecated);\n  ")
    fixed = finding("x", fixes=(Fix(description="<b>put back</b>", safety="safe", edits=(edit,)),))
    page = open_page(render(report("p", findings=[fixed])))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click(".copy")
    page.wait_for_selector(".copy:text-is('copied')")
    assert page.evaluate("navigator.clipboard.readText()") == unified_diff(file, (edit,))
