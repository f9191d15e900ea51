from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.kit.text import one_line, shorten
from opspec_lint.report.findings import Approval, Report, RuleFacts, Waived
from opspec_lint.report.ranking import is_internal
from opspec_lint.report.reporters.html import render
from opspec_lint.report.versions import Versions, parse
from opspec_lint.spec.model import Origin
from tests.support.nasty import TEXTS, comparison, every_report, finding, report, several, side

VOID = {"meta", "link", "input"}
OWN = {
    "html",
    "head",
    "meta",
    "link",
    "title",
    "style",
    "script",
    "body",
    "header",
    "main",
    "nav",
    "section",
    "article",
}
OWN |= {
    "div",
    "span",
    "p",
    "h1",
    "h2",
    "h3",
    "ol",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "b",
    "i",
    "small",
    "code",
    "kbd",
    "a",
}
OWN |= {"figure", "figcaption", "svg", "desc", "g", "rect", "text", "table", "thead", "tbody", "tr", "th", "td"}
OWN |= {"bdi", "details", "summary", "dialog", "form", "input", "select", "option", "button", "output", "pre"}
MARKUP = st.text(st.sampled_from("<>&\"'/=!-[]{}%#\\ \nscriptSTYLEonx:;`") | st.characters(), min_size=1, max_size=40)


class Page(HTMLParser):
    """The elements of a page with their attributes, and the text of each that has an id."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.inside, self._parts, self.scripts, self.styles = [], [], {}, [], []
        self.feed(html)
        self.close()
        assert self.inside == []
        self.texts = {identity: "".join(parts) for identity, parts in self._parts.items()}

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        assert len(dict(attributes)) == len(attributes)
        identity = dict(attributes).get("id")
        if identity is not None:
            assert identity not in self._parts, "an id is there twice"
            self._parts[identity] = []
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.inside.append((tag, identity))

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.inside.pop()[0] == tag

    def handle_comment(self, data):
        pytest.fail(f"a comment: {data}")

    def unknown_decl(self, data):
        pytest.fail(f"a declaration: {data}")

    def handle_data(self, data):
        tag = self.inside[-1][0] if self.inside else ""
        if tag == "script":
            self.scripts[-1] += data
        elif tag == "style":
            self.styles.append(data)
        else:
            for _, identity in self.inside:
                if identity is not None:
                    self._parts[identity].append(data)

    @property
    def tags(self):
        return [tag for tag, _ in self.elements]

    @property
    def data(self):
        return json.loads(self.scripts[1])


def shown(text):
    """A text as a browser has it between two tags, without the spaces that it does not show."""
    return " ".join(shorten(one_line(text), 2000).split())


def content(page, identity):
    return " ".join(page.texts[identity].split())


def policy(page):
    (meta,) = (attributes for tag, attributes in page.elements if attributes.get("http-equiv"))
    return dict(part.strip().split(" ", 1) for part in meta["content"].split(";"))


@pytest.mark.parametrize("report_", every_report())
def test_a_page_of_any_report(report_):
    page = Page(render(report_))
    check_elements(page)
    check_policy(page)
    check_findings(page, report_)
    check_links(page)


def check_elements(page):
    """It has our elements alone, and asks for nothing."""
    assert set(page.tags) <= OWN
    assert page.tags.count("script") == 2
    assert page.tags.count("style") == 1
    for tag, attributes in page.elements:
        assert not {
            name for name in attributes if name.startswith("on") or name in ("style", "src", "srcset", "action")
        }
        assert attributes.get("href", "#").startswith("#") or (tag, attributes["href"]) == ("link", "data:,")


def check_policy(page):
    """The policy allows the style and the script of the page, and nothing else."""
    digests = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (page.styles[0], page.scripts[0])
    ]
    assert policy(page) == {
        "default-src": "'none'",
        "style-src": digests[0],
        "script-src": digests[1],
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


def check_findings(page, report_):
    """Every finding is there in full without the script."""
    result = {datum["id"]: content(page, datum["id"]) for datum in page.data}
    assert len(result) == len(report_.findings)
    for finding_ in report_.findings:
        mine = [text for identity, text in result.items() if identity.startswith(finding_.fingerprint)]
        expected = [finding_.rule, finding_.message, finding_.breaks, finding_.advice, finding_.review or ""]
        expected += finding_.also
        if finding_.waived is not None:
            expected += [finding_.waived.reason, finding_.waived.owner, finding_.waived.expires or ""]
        assert any(all(shown(text) in have for text in expected) for have in mine)


def check_links(page):
    """Every link leads to a place of the page, or is a filter."""
    links = {attributes["href"][1:] for tag, attributes in page.elements if tag == "a"}
    assert {
        link
        for link in links - page.texts.keys()
        if not re.fullmatch(r"(rule|level)=\w+|(state|team)=[\w%./~-]+(&state=\w+)?", link)
    } == set()


@pytest.mark.parametrize("text", TEXTS)
def test_the_script_is_given_what_is_shown(text):
    (datum,) = Page(render(report("p", findings=[finding(text, review=text)]))).data
    cut = shorten(one_line(text), 2000)
    assert (datum["op"], datum["name"], datum["review"]) == (cut, cut, cut)
    assert datum["message"] == shorten(one_line(text or "nothing"), 2000)


def test_no_text_ends_the_data():
    text = "</script><script>alert(1)</script><!--<script>"
    rendered = render(report("p", findings=[finding(text)]))
    assert rendered.count("</script>") == rendered.count("<script") == 2
    assert "<!--" not in rendered
    assert Page(rendered).data[0]["op"] == text


@settings(max_examples=40)
@given(MARKUP.filter(lambda text: text != "INTS" and not is_internal(text)))  # no change; ranked behind the others
def test_no_text_changes_the_structure_of_a_page(text):
    plain, hostile = (Page(render(several(text))) for text in ("x", text))
    assert hostile.tags == plain.tags
    assert [set(attributes) for _, attributes in hostile.elements] == [set(item) for _, item in plain.elements]


def values(**fields):
    """The rows of values that a finding shows: field, base, head."""
    page = render(report("p", findings=[finding("x", **fields)]))
    rows = re.findall(
        r'<th scope="row">(.*?)</th>\n<td class="old">(.*?)</td>\n<td class="new">(.*?)</td>', page, re.DOTALL
    )
    return [tuple(re.sub(r"</?code>", "", cell) for cell in row) for row in rows]


def test_old_is_next_to_new():
    assert values(old=-2, new=0) == [("default_value", "-2", "0")]
    assert values(old=False, new={"float": "NaN"}) == [("default_value", "false", "NaN")]
    assert values(old=None, new=[1, [{"float": "-Infinity"}]]) == [("default_value", "<i>none</i>", "[1, [-Infinity]]")]
    assert values(field="type", old="INT", new="LONG") == [("type", "&#34;INT&#34;", "&#34;LONG&#34;")]
    assert values(kind="op", field=None, old=None, new=None) == []


def test_what_came_and_what_went_is_shown_field_by_field():
    added = {"dispensable": True, "quant": False}
    assert values(field=None, old=None, new=added) == [
        ("dispensable", "<i>none</i>", "true"),
        ("quant", "<i>none</i>", "false"),
    ]
    assert values(field=None, old={"quant": True, "type": "x"}, new=added) == [
        ("quant", "true", "false"),
        ("type", "&#34;x&#34;", "<i>none</i>"),
        ("dispensable", "<i>none</i>", "true"),
    ]


def test_the_head_of_a_page():
    mild = {"rule": "attr_added_with_default", "level": "note"}
    result = [finding("x", op="a"), finding("x", op="b"), finding("x", op="b", **mild)]
    page = render(report("p", findings=result))
    assert "<title>✗ p p → p p: 2 errors, 1 note</title>" in page
    assert '<p class="stamp">fails</p>' in page
    assert '<a href="#level=error"><b>2</b> errors in 2 ops</a>' in page
    assert '<a href="#level=note"><b>1</b> note in 1 op</a>' in page
    assert "<b>2</b> ops" in page
    assert "#level=warning" not in page
    assert ">2 ops: 2 error. By rule: attr_default_changed 2, attr_added_with_default 1.</desc>" in page
    assert '<p class="stamp">passes</p>' in render(report("p", findings=[finding("x", **mild)]))


def test_a_page_without_findings():
    page = render(report("p", findings=[]))
    assert "<title>✓ p p → p p: no findings</title>" in page
    assert Page(page).data == []
    assert "<svg" not in page
    assert 'class="tiles"' not in page
    assert 'id="filters"' not in page


def test_the_teams_and_what_does_not_count_are_filters_where_there_are_any():
    plain = render(report("p", findings=[finding("x")]))
    assert 'id="team"' not in plain
    assert 'id="state"' not in plain
    result = [finding("x", review="slim"), finding("y", review="inference", waived=Waived(reason="r", owner="o"))]
    page = render(report("p", findings=result))
    assert re.findall(r'<option value="(inference|slim)">\1</option>', page) == ["inference", "slim"]
    assert 'id="state"' in page
    assert '<option value="waived">' in page
    assert '<option value="approved">' not in page


def header(report):
    page = Page(render(report))
    return content(page, "asks")


def test_the_page_begins_with_the_release_and_the_finding_that_decides():
    result = [finding("x", level="note", directions=()), finding("y", message="it breaks")]
    every = report("p", findings=result)
    reason = "y: it breaks (attr_default_changed, the only error that breaks existing models)"
    assert header(every) == f"Next release major {reason}"
    assert f'<a href="#{result[1].fingerprint}">{reason}</a>' in render(every)
    versions = Versions(released=parse("2.6.2", ""), next=parse("2.7.0", ""))
    assert header(every.replace(versions=versions)) == (
        f"Next release major 3.0.0 at least after 2.6.2 (2.7.0 is too small): {reason}"
    )
    assert header(report("p", findings=[]).replace(versions=versions)) == (
        "Next release patch 2.6.3 at least after 2.6.2 (2.7.0 is enough): no findings"
    )


def test_the_page_begins_with_who_has_approved_and_who_has_to():
    slim = {"review": "slim", "approval": Approval(problem="no member of the team has approved")}
    result = [
        finding("a", **slim),
        finding("b", **slim),
        finding("c", review="slim", approval=Approval(by=("ann",))),
        finding("d", review="inference", approval=Approval(by=("ann", "bob"))),
        finding("e", review="inference", approval=Approval(by=("bob",))),
        finding("f", review="docs"),
        finding("g", review="none", waived=Waived(reason="r", owner="o")),
    ]
    messages = header(report("p", findings=result))
    assert messages.partition("Approvals ")[2] == (
        "open docs must approve 1 finding "
        "approved inference: ann, bob approved 2 "
        "open slim must approve 2 findings: no member of the team has approved; ann approved 1"
    )


def test_what_is_approved_counts_nowhere_but_among_the_approved():
    result = [finding("a", review="slim", approval=Approval(by=("ann",))), finding("b", level="note")]
    page = render(report("p", findings=result))
    assert re.findall(r"<b>(\d+)</b> (\w+)", page) == [("1", "note"), ("1", "approved"), ("2", "ops")]
    assert 'class="finding approved"' in page


def test_waivers_of_before_and_of_this_change_are_distinguished_where_there_are_both():
    result = [finding("a", waived=Waived(reason="r", owner="o")), finding("b")]
    assert "<b>1</b> waived<" in render(report("p", findings=result))
    page = render(report("p", findings=[*result, finding("c", waived=Waived(reason="r", owner="o", is_new=True))]))
    assert "1 error, 2 waived, 1 by a new waiver of this change" in page
    assert re.findall(r"<b>(\d+)</b> ([\w ]*waived[\w ]*)", page) == [("1", "newly waived"), ("1", "waived before")]


def test_every_comparison_has_its_part_and_the_general_findings_come_first():
    first = comparison("a", [finding("x")], base=side("a", ops=2), only=("x", "y"), ignored=2)
    every = Report(
        base="main",
        general=(finding("gone.json", kind="source", op=None),),
        comparisons=(first, comparison("b", [])),
        unchanged=("c.json",),
    )
    page = Page(render(every))
    parts = [identity for identity in page.texts if identity == "general" or identity.startswith("comparison-")]
    assert parts == ["general", "comparison-1", "comparison-2"]
    messages = content(page, "comparison-1")
    for text in ("a a → a a 1 error", "base: a (2 ops, commit a)", "profile: a", "only x, y", "left out: 2 findings"):
        assert text in messages
    assert content(page, "comparison-2").startswith("b b → b b no findings")
    assert "gone.json" in content(page, "general")
    assert "1 spec file has not changed since base" in render(every)
    assert "<code>c.json</code>" in render(every)


def test_the_op_with_the_worst_finding_comes_first():
    result = [finding("x", op="a", level="note"), finding("x", op="b", level="warning"), finding("x", op="c")]
    assert re.findall(r"<h3><code>(\w)</code>", render(report("p", findings=result))) == ["c", "b", "a"]


def test_a_finding_names_the_lines_that_are_known():
    place = {"base_origin": Origin(file="old.json", line=3, column=5), "head_origin": Origin(file="new.json", line=7)}
    page = render(report("p", findings=[finding("x", **place)]))
    assert "base <code>old.json:3:5</code>" in page
    assert "head <code>new.json:7:1</code>" in page
    assert "<dt>Where</dt>" not in render(report("p", findings=[finding("x")]))
    gone = finding("x", kind="op", rule="op_removed", field=None, old=None, new=None, **place)
    assert "near in head <code>new.json:7:1</code>" in render(report("p", findings=[gone]))


def test_few_findings_are_open_and_many_are_folded():
    few, many = (render(report("p", findings=[finding(f"x{n}") for n in range(count)])) for count in (20, 21))
    assert len(re.findall(r'class="finding error" open>', few)) == 20
    assert " open>" not in many


def test_the_rules_are_explained_once():
    facts = RuleFacts(id="attr_default_changed", title="A & B", flags="flags <it>", why="so", instead="not so")
    page = Page(render(report("p", findings=[finding("x"), finding("y")]).replace(rules=(facts,))))
    messages = content(page, "rule-attr_default_changed")
    for text in ("A & B", "2 findings", "flags <it>", "so", "not so"):
        assert text in messages
