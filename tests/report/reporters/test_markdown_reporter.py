from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec_lint.kit.text import one_line
from opspec_lint.report import markup
from opspec_lint.report.findings import Approval, Report, RuleFacts, Waived
from opspec_lint.report.reporters.markdown import LIMIT, render, render_within
from opspec_lint.spec.model import Origin
from tests.support.nasty import REPORTS, TEXTS, comparison, every_report, finding, fix, report, side

MARKUP = st.text(
    st.sampled_from("aAZ09 _*`~[]()<>|\\#@:!$&;+-.=/{}'\"\n\tGHwö層") | st.characters(), min_size=1, max_size=40
)
DOCS = "https://example.org/docs"
OWN = {"h2", "h3", "p", "strong", "code", "ul", "li", "details", "summary", "pre"}
OWN |= {"table", "tr", "th", "td", "br", "sub", "a"}
VOID = {"br"}


class Page(HTMLParser):
    """The parts that a reader sees: the elements, the texts of code spans, and all other text."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.codes, self.prose, self.inside = set(), [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.inside += [tag] if tag not in VOID else []
        assert (
            not attributes
            or (tag, attributes) in (("td", [("colspan", "2")]), ("pre", [("lang", "diff")]))
            or (tag == "a" and [name for name, _ in attributes] == ["href"] and attributes[0][1].startswith(DOCS))
        )
        if tag == "code":
            self.codes.append("")

    def handle_endtag(self, tag):
        assert self.inside.pop() == tag

    def handle_comment(self, data):
        pytest.fail(f"a comment: {data}")

    def handle_data(self, data):
        if "pre" in self.inside:
            return  # a patch is shown as it is
        if "code" in self.inside:
            self.codes[-1] += data
        else:
            self.prose.append(data)


def shown(text):
    """A text as GitHub's own implementation of Markdown shows it, before GitHub's filters look at it."""
    cmarkgfm = pytest.importorskip("cmarkgfm", reason="cmarkgfm is GitHub's own implementation of Markdown")
    return Page(cmarkgfm.github_flavored_markdown_to_html(text, cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE))


def fingerprints(text):
    """Return the names in rows and their commands, in their order."""
    commands = re.findall(r"`opspec-lint waive ((?:\w{16} )+)--owner", text)
    return [part for command in commands for part in command.split()]


def rows(text):
    """The two cells of each row of the tables, and what it unfolds to."""
    matches = re.findall(
        r'<tr><td>\n\n(.*?)\n\n</td><td>\n\n(.*?)\n\n</td></tr>\n<tr><td colspan="2"><details><summary>'
        r"What to do</summary>\n\n(.*?)\n\n</details></td></tr>",
        text,
        re.DOTALL,
    )
    return [(*cells, fold.split("\n")) for *cells, fold in matches]


def test_a_report_with_little_to_state():
    messages = {"message": "the type of the attr 'axis' changed", "field": "type", "old": "INT", "new": "LONG"}
    findings = [
        finding("x", op="trace", name="axis", breaks="'axis' of 'trace' is refused", advice="keep 'axis'", **messages),
        finding("x", op="trace", kind="op", rule="op_removed", message="the op was removed", field=None),
        finding("x", op="a", rule="attr_added", level="note", directions=("forward",), message="the attr 'x' is new"),
    ]
    page = f"{DOCS}/reference/rules"
    first, second, _ = (finding_.fingerprint for finding_ in findings)
    text = render(report("p", findings=findings).replace(documentation=DOCS))
    assert "- rule `op_removed`: `opspec-lint explain op_removed`" in rows(render(report("p", findings=findings)))[1][2]
    assert text.startswith("## ❌ 2 changes break saved models\n\n<table>\n")
    assert rows(text) == [
        (
            "`trace`<br>attr `axis`<br>type `INT` → `LONG`",
            "`axis` of `trace` is refused",
            [
                "- keep `axis`",
                f"- rule [`attr_default_changed`]({page}/attr_default_changed.md)",
                f"- to accept it: `opspec-lint waive {first} --owner WHO --reason WHY`",
            ],
        ),
        (
            "`trace`<br>the op was removed",
            "x",
            [
                "- x",
                f"- rule [`op_removed`]({page}/op_removed.md)",
                f"- to accept it: `opspec-lint waive {second} --owner WHO --reason WHY`",
            ],
        ),
    ]
    assert text.split("</table>\n")[1].split("\n") == [
        "",
        "<details>",
        "<summary>1 note</summary>",
        "",
        "- `a`, attr `x`: the attr `x` is new (`attr_added`)",
        "",
        "</details>",
        "",
        "<sub>asks for a major release · `p p` (`p`) → `p p` (`p`), profile `p`</sub>",
        "",
    ]


@pytest.mark.parametrize(
    ("findings", "line"),
    [
        ([finding("x"), finding("x", directions=("forward",))], "❌ 1 change breaks saved models, and 1 other error"),
        ([finding("x", directions=("forward",))], "❌ No saved model breaks, and 1 error"),
        ([finding("x", level="warning"), finding("x", level="note")], "✅ No saved model breaks"),
        ([finding("x", waived=Waived(reason="r", owner="o"))], "✅ No saved model breaks but by 1 accepted change"),
        ([], "✅ No saved model breaks: no findings"),
    ],
)
def test_the_first_line_states_how_many_changes_break_saved_models(findings, line):
    assert render(report("p", findings=findings)).splitlines()[0] == f"## {line}"


def test_what_needs_only_an_approval_is_no_break_until_it_is_given():
    needs = {"review": "inference", "approval": Approval(problem="no member of the team has approved")}
    text = render(report("p", findings=[finding("x", op="f", **needs), finding("y", op="g")]))
    assert text.startswith("## ❌ 1 change breaks saved models, and 1 other error\n")
    assert [cells[0].split("<br>")[0] for cells in rows(text)] == ["`g`"]
    below = text.split("</table>\n")[1]
    assert below.startswith("\n### 1 needs only an approval\n\n- `f`, attr `x`: x; review: needs inference to approve")
    assert "no member of the team has approved" in below


def test_a_line_is_a_link_to_the_head_commit():
    there = finding("x", head_origin=Origin(file="specs/a (1).json", line=12, column=4))
    text = render(report("p", findings=[there]).replace(address="https://code.host/our/ops/blob/1a2b"))
    address = "https://code.host/our/ops/blob/1a2b/specs/a%20%281%29.json#L12"
    assert f"[`specs/a (1).json:12`]({address})" in rows(text)[0][0]


def test_the_edit_that_fixes_a_finding_is_in_its_row():
    text = render(report("p", findings=[finding("x", fixes=(fix("y"),))]))
    assert "y:\n\n````diff\ndiff --git a/y b/y" in text
    assert text.count("diff --git") == 2  # and in the patch of all


def test_what_is_the_same_of_many_is_a_single_row():
    facts = RuleFacts(id="op_removed", title="An op was removed.", flags="F", why="Models *stop*.", instead="Keep it.")
    bare = {"kind": "op", "field": None, "rule": "op_removed", "old": None, "new": None}
    findings = [finding(f"op{n}", **bare) for n in range(30)]
    text = render(report("p", findings=findings).replace(rules=(facts,)))
    assert text.startswith("## ❌ 30 changes break saved models\n")
    ((change, effect, fold),) = rows(text)
    assert change.startswith("30 ops: `op0`, `op1`, ")
    assert change.endswith(" and 10 more<br>An op was removed")
    assert (effect, fold[0]) == ("Models \\*stop\\*.", "- Keep it.")
    assert sorted(fingerprints(text)) == sorted(finding.fingerprint for finding in findings)


def test_nothing_detected_is_a_single_line():
    assert render(REPORTS["empty"]).splitlines()[0] == "## ✅ No saved model breaks: no findings"


def test_more_errors_than_are_read_are_folded():
    text = render(report("p", findings=[finding(f"op{number}") for number in range(21)]))
    opened, folded = text.split("<summary>1 more error</summary>")
    assert (len(rows(opened)), len(rows(folded))) == (20, 1)
    assert "more error" not in render(report("p", findings=[finding(f"op{number}") for number in range(20)]))


def test_what_is_between_backticks_can_be_copied():
    advice = "add to `op_patches`: `- {op_name: pd_op.f, actions: [{type: pir::FloatAttribute}]}`; *VALUE* is b"
    page = shown(render(report("p", findings=[finding("x", advice=advice)])))
    assert {"op_patches", "- {op_name: pd_op.f, actions: [{type: pir::FloatAttribute}]}"} <= set(page.codes)
    odd = shown(render(report("p", findings=[finding("x", advice="one ` alone")])))
    assert "one ` alone" in "".join(odd.prose)


def test_without_an_address_a_line_is_code():
    origin = Origin(file="paddle/ops.yaml", line=12, column=4)
    sides = {name: side("paddle-source:.@1a2b") for name in ("base", "head")}
    text = render(Report(comparisons=(comparison("p", [finding("x", head_origin=origin)], **sides),)))
    assert rows(text)[0][0].endswith("<br>`paddle/ops.yaml:12`")


def test_who_has_to_approve_is_reported():
    text = render(report("p", findings=[finding("x", review="inference")]))
    assert "- review: needs inference to approve" in rows(text)[0][2]


# Several comparisons, what is of none, and waivers.

OLD = Waived(reason="nobody *saved* one", owner="@ann", expires="2030-12-31")
NEW = OLD.replace(expires=None, is_new=True)


def test_several_comparisons_are_listed_with_their_counts():
    text = render(
        Report(
            base="origin/main (1a2b3c4)",
            general=(finding("specs/c.json", kind="source", op=None, field=None, rule="spec_removed", message="gone"),),
            comparisons=(
                comparison("p", [finding("x", op="a"), finding("y", waived=OLD)], head=side("specs/a.json")),
                comparison("p", [finding("x", op="a", also=("specs/1.json",))], head=side("specs/b.json"), ignored=2),
                comparison("p", []),
            ),
            unchanged=("e", "f"),
        )
    )
    ignored = "2 findings in ops that the configuration ignores"
    first, *_, small = text.splitlines()
    assert first == "## ❌ 3 changes break saved models"
    assert small == (
        "<sub>asks for a major release · 3 comparisons · base `origin/main (1a2b3c4)` · "
        "2 spec files have not changed since base</sub>"
    )
    assert [line for line in text.splitlines() if line.startswith("- `p p`")] == [
        "- `p p` (`p`) → `specs/a.json specs/a.json` (`specs/a.json`), profile `p`: 1 error, 1 waived",
        f"- `p p` (`p`) → `specs/b.json specs/b.json` (`specs/b.json`), profile `p`, {ignored}: 1 error",
        "- `p p` (`p`) → `p p` (`p`), profile `p`: no findings",
    ]
    assert [cells[0] for cells in rows(text)] == [
        "source `specs/c.json`<br>gone",
        '`a` in `specs/a.json`<br>attr `x`<br>default `"x"` → `["x"]`',
        '`a` in `specs/b.json`<br>attr `x`<br>default `"x"` → `["x"]`',
    ]
    assert "- also against `specs/1.json`" in rows(text)[2][2]


def test_of_very_many_comparisons_some_are_named():
    lines = render(Report(comparisons=(comparison("p", []),) * 25)).splitlines()
    assert sum(line.startswith("- `p p`") for line in lines) == 20
    assert "- and 5 comparisons more" in lines


@pytest.mark.parametrize(
    ("item", "lines"),
    [
        (Report(comparisons=()), []),
        (Report(comparisons=(), unchanged=("a",)), ["", "<sub>1 spec file has not changed since base</sub>"]),
    ],
)
def test_without_a_comparison(item, lines):
    assert render(item).splitlines() == ["## ✅ No saved model breaks: no findings", *lines]


def test_what_is_waived_is_folded_at_the_end_and_is_in_no_table():
    findings = [finding("x", waived=OLD), finding("z", level="note")]
    text = render(report("p", findings=findings))
    assert rows(text) == []
    assert "<details>\n<summary>1 waived</summary>\n\n- `x`, attr `x`: x; waived by @&#8203;ann until" in text
    assert text.index("<summary>1 note") < text.index("<summary>1 waived")


@pytest.mark.parametrize("count", [1, 20, 21])
def test_what_this_change_waives_is_open_before_the_notes(count):
    findings = [finding(f"op{n}", waived=NEW) for n in range(count)]
    text = render(report("p", findings=[finding("z", level="note"), finding("x", waived=OLD), *findings]))
    opened, folded = text.split("<details>", 1)
    texts = "1 waived by a new waiver" if count == 1 else f"{count} waived by new waivers"
    assert f"### {texts} of this change\n" in opened
    assert opened.count("; waived by @&#8203;ann: nobody \\*saved\\* one (new in this change) (`attr_") == count
    assert folded.index("<summary>1 note</summary>") < folded.index("<summary>1 waived</summary>")
    assert "new in this change" not in folded


# Length.


def many():
    levels = ["note", "error", "warning"]
    waived = [None, None, None, OLD, NEW]
    findings = (
        finding(f"op{n} {text}", level=levels[n % 3], waived=waived[n % 5]) for text in TEXTS for n in range(300)
    )
    return report("p", findings=findings)


def test_no_report_is_longer_than_a_step_summary_may_be():
    item = many()
    text = render(item)
    assert LIMIT == 1024 * 1024 - 1
    assert len(text.encode()) <= LIMIT
    assert "Left out here, to save space: " in text


@pytest.mark.parametrize("limit", [2048, 5000, 65_536, 300_000])
def test_what_is_left_out_is_the_mildest_and_counted(limit):
    finding = many()
    text = render_within(finding, limit)
    assert len(text.encode()) <= limit
    left = re.search(r"\*\*Left out here, to save space: (.*)\. `--format html` and `json` have them all\.\*\*\n", text)
    counts = {level: int(number) for number, level in re.findall(r"(\d+) (error|warning|note|waived)s?\b", left[1])}
    listed = sum(line.startswith("- ") and line.endswith("(`attr_default_changed`)") for line in text.splitlines())
    written = fingerprints(text)
    assert len(written) + listed + sum(counts.values()) == len(finding.findings)
    levels = {finding.fingerprint: finding.level for finding in finding.findings}
    assert [levels[fingerprint] for fingerprint in written] == sorted([levels[fingerprint] for fingerprint in written])
    assert counts.get("error", 0) == 0 or not {"warning", "note"} & {levels[fingerprint] for fingerprint in written}
    assert text.count("<details>") == text.count("</details>")
    assert text.count("<table>") == text.count("</table>")


def test_a_single_finding_of_any_length_fits():
    huge = finding("x" * 10**6, message="y" * 10**7, old=["z" * 10**6])
    text = render(report("p" * 10**6, findings=[huge]))
    assert len(rows(text)) == 1
    assert len(text) < 20_000


# What comes from a spec.


@pytest.mark.parametrize("item", every_report())
def test_a_spec_makes_no_markup(item):
    text = render(item)
    page = shown(text)
    assert page.tags <= OWN
    assert page.inside == []
    assert not re.search(r"@\w|#\w|GH-\d|www\.|:\w+:|://", "\n".join(page.prose))
    for reported in item.findings:
        assert reported.rule in page.codes
        if reported.op is not None:
            assert (one_line(reported.op[:200]) or " ")[:200] in [code[:200] for code in page.codes] or len(
                reported.op
            ) > 100


@given(MARKUP)
def test_a_code_span_shows_any_text(text):
    page = shown(f"- {markup.code(text)}: x")
    assert page.tags == {"ul", "li", "code"}
    assert page.codes == [one_line(text)]
    assert "".join(page.prose).strip() == ": x"


@given(MARKUP)
def test_prose_shows_any_text(text):
    page = shown(f"- x {markup.prose(text)} x")
    assert page.tags == {"ul", "li"}
    prose = "".join(page.prose).strip()
    assert prose.replace("\u200b", "") == f"x {one_line(text)} x"
    assert not re.search(r"@\w|#\w|\bGH-\d|\bwww\.|:\w", prose)


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("the attr 'use_cudnn'", "the attr 'use\\_cudnn'"),
        ("a|b `c` *d* [e](f) ~g~ $h$ \\i", "a\\|b \\`c\\` \\*d\\* \\[e\\](f) \\~g\\~ \\$h\\$ \\\\i"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("@name #12 gh-3 GH-x a@b", "@&#8203;name #&#8203;12 gh-&#8203;3 GH-x a@&#8203;b"),
        ("see: https://x.y www.z.com :tada:", "see: https:&#8203;//x.y www&#8203;.z.com :&#8203;tada:"),
        ("two\nlines", "two\\\\nlines"),
    ],
)
def test_prose_is_escaped(text, prose):
    assert markup.prose(text) == prose


@pytest.mark.parametrize(
    ("text", "code"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a``b`", "``` a``b` ```"), (" a ", "`  a  `"), ("", "` `")],
)
def test_a_code_span_holds_backticks(text, code):
    assert markup.code(text) == code


def test_a_rename_names_the_old_name_once():
    renamed = finding("f", rule="attr_renamed", name="old", new_name="new", old="old", new="new")
    assert "`f`<br>attr `old` → `new`\n" in render(report("p", findings=[renamed]))
