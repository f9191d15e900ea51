from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec_lint.kit.text import one_line
from opspec_lint.report.findings import Report, RuleFacts, Waived
from opspec_lint.report.reporters import markdown
from opspec_lint.report.reporters.markdown import LIMIT, render, render_within
from opspec_lint.spec.model import Origin
from tests.support.nasty import REPORTS, TEXTS, comparison, finding, report, side

MARKUP = st.text(
    st.sampled_from("aAZ09 _*`~[]()<>|\\#@:!$&;+-.=/{}'\"\n\tGHwö層") | st.characters(), min_size=1, max_size=40
)
OURS = {"h2", "h3", "p", "strong", "code", "ul", "li", "details", "summary", "pre"}
OURS |= {"table", "thead", "tbody", "tr", "th", "td"}


class Page(HTMLParser):
    """What a reader sees: the elements, the texts of code spans, and all other text."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.codes, self.prose, self.inside = set(), [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.inside.append(tag)
        assert not attributes or tag in ("td", "th") or (tag, attributes) == ("pre", [("lang", "diff")])
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


def items(text):
    return [line for line in text.splitlines() if line.startswith("  - ") and line.endswith("`)")]


def test_a_report_with_little_to_say():
    findings = [
        finding("x", op="trace", name="axis", message="the attr 'axis' changed", breaks="old models", advice="keep it"),
        finding("x", op="trace", kind="op", rule="op_removed", message="the op was removed"),
        finding("x", op="a", rule="attr_added", level="note", directions=("forward",), message="the attr 'x' is new"),
    ]
    first, second, third = (each.fingerprint for each in findings)
    assert render(report("p", findings=findings)).split("\n") == [
        "## ❌ opspec-lint: 2 errors, 1 note",
        "",
        "`p p` (`p`) → `p p` (`p`), profile `p`",
        "",
        "| Level | Findings | Ops | Break saved models |",
        "| --- | ---: | ---: | ---: |",
        "| error | 2 | 1 | 2 |",
        "| note | 1 | 1 | 0 |",
        "",
        "Release: **major**: trace: the attr 'axis' changed (attr\\_default\\_changed, the first of 2 breaks)",
        "",
        "Next: fix the errors; `opspec-lint explain RULE` explains a rule.",
        "",
        "### 2 errors",
        "",
        "- `trace`",
        f"  - `attr_default_changed`, attr `axis`: the attr 'axis' changed (break, backward; `{first}`)",
        "    - breaks: old models",
        "    - instead: keep it",
        f"  - `op_removed`: the op was removed (break, backward; `{second}`)",
        "    - breaks: x",
        "    - instead: x",
        "",
        "<details>",
        "<summary>1 note</summary>",
        "",
        "- `a`",
        f"  - `attr_added`, attr `x`: the attr 'x' is new (relaxation, forward; `{third}`)",
        "",
        "</details>",
        "",
    ]


def test_nothing_found_is_one_line():
    assert render(REPORTS["empty"]).splitlines()[0] == "## ✅ opspec-lint: no findings"


def test_what_breaks_no_rule_passes():
    text = render(report("p", findings=[finding("x", level="warning")]))
    assert text.startswith("## ✅ opspec-lint: 1 warning\n")
    assert "Next:" not in text


def test_a_long_level_is_folded_and_its_rules_are_told_once():
    facts = RuleFacts(id="attr_default_changed", title="T", flags="F", why="Models *compute*.", instead="Keep it.")
    findings = [finding(f"op{number}") for number in range(21)]
    text = render(report("p", findings=findings).but(rules=(facts,)))
    assert "<summary>21 errors</summary>" in text
    assert "    - breaks" not in text
    assert text.endswith(
        "<summary>What the rules say</summary>\n\n- `attr_default_changed`: 21 findings\n"
        "  - why it breaks: Models \\*compute\\*.\n  - instead: Keep it.\n\n</details>\n"
    )
    few = render(report("p", findings=findings[:20]).but(rules=(facts,)))
    assert "<details>" not in few
    assert few.count("    - breaks") == 20


def test_a_rule_without_facts_is_told_by_its_first_finding():
    text = render(report("p", findings=[finding(f"op{number}") for number in range(21)]))
    assert "  - breaks: op0\n  - instead: op0\n" in text


def test_findings_stand_under_their_op():
    findings = [finding("x", op=op, name=name) for op in (None, "a", "b") for name in "cd"]
    lines = [line for line in render(report("p", findings=findings)).splitlines() if line.startswith("- ")]
    assert lines == ["- not about a single op", "- `a`", "- `b`"]


def test_what_stands_between_backticks_can_be_copied():
    advice = "add to `op_patches`: `- {op_name: pd_op.f, actions: [{type: pir::FloatAttribute}]}`; *VALUE* is b"
    page = shown(render(report("p", findings=[finding("x", advice=advice)])))
    assert {"op_patches", "- {op_name: pd_op.f, actions: [{type: pir::FloatAttribute}]}"} <= set(page.codes)
    odd = shown(render(report("p", findings=[finding("x", advice="one ` alone")])))
    assert "instead: one ` alone" in "".join(odd.prose)


def test_a_finding_in_a_source_tree_says_where():
    origin = Origin(file="paddle/ops.yaml", line=12, column=4)
    sides = {name: side("paddle-source:.@1a2b") for name in ("base", "head")}
    text = render(Report(comparisons=(comparison("p", [finding("x", head_origin=origin)], **sides),)))
    assert "; `paddle/ops.yaml:12`)\n" in text


def test_who_has_to_approve_is_said():
    assert "    - review: needs inference to approve\n" in render(
        report("p", findings=[finding("x", review="inference")])
    )


# Several comparisons, what is of none, and waivers.

OLD = Waived(reason="nobody *saved* one", owner="@ann", expires="2030-12-31")
NEW = OLD.but(expires=None, is_new=True)


def test_several_comparisons_are_listed_with_their_counts():
    text = render(
        Report(
            base="origin/main (1a2b3c4)",
            general=(finding("specs/c.json", kind="source", op=None, rule="spec_removed", message="it is gone"),),
            comparisons=(
                comparison("p", [finding("x", op="a"), finding("y", waived=OLD)], head=side("specs/a.json")),
                comparison("p", [finding("x", op="a", also=("specs/1.json",))], head=side("specs/b.json"), ignored=2),
                comparison("p", []),
            ),
            unchanged=("e", "f"),
        )
    )
    bases = "x (against p, also against specs/1.json)"
    held = "1 break not counted, being waived or approved"
    ignored = "2 findings in ops that the configuration ignores"
    lines = [line.replace(ignored, "IGNORED") for line in text.splitlines()]
    assert lines[:17] == [
        "## ❌ opspec-lint: 3 errors, 1 waived",
        "",
        "Base: `origin/main (1a2b3c4)`",
        "",
        "- `p p` (`p`) → `specs/a.json specs/a.json` (`specs/a.json`), profile `p`: 1 error, 1 waived",
        "- `p p` (`p`) → `specs/b.json specs/b.json` (`specs/b.json`), profile `p`, IGNORED: 1 error",
        "- `p p` (`p`) → `p p` (`p`), profile `p`: no findings",
        "",
        "2 spec files are identical to base.",
        "",
        "| Level | Findings | Ops | Break saved models |",
        "| --- | ---: | ---: | ---: |",
        "| error | 3 | 1 | 3 |",
        "",
        f"Release: **major**: it is gone (spec\\_removed, the first of 3 breaks); {held}",
        "",
        "Next: fix the errors; `opspec-lint explain RULE` explains a rule.",
    ]
    assert [line for line in lines[17:] if line.startswith(("- ", "  - "))] == [
        "- not about a single op",
        f"  - `spec_removed`, source `specs/c.json`: it is gone (break, backward; `{fingerprint(text, 0)}`)",
        "- `a` in `specs/a.json`",
        f"  - `attr_default_changed`, attr `x`: x (against p) (break, backward; `{fingerprint(text, 1)}`)",
        "- `a` in `specs/b.json`",
        f"  - `attr_default_changed`, attr `x`: {bases} (break, backward; `{fingerprint(text, 2)}`)",
        "- `y` in `specs/a.json`",
        f"  - `attr_default_changed`, attr `y`: y (against p) (break, backward; `{fingerprint(text, 3)}`)",
    ]


def fingerprint(text, number):
    return re.findall(r"; `(\w{16})`\)$", text, re.MULTILINE)[number]


def test_of_very_many_comparisons_some_are_named():
    lines = render(Report(comparisons=(comparison("p", []),) * 25)).splitlines()
    assert sum(line.startswith("- `p p`") for line in lines) == 20
    assert lines[-1] == "- and 5 comparisons more"


@pytest.mark.parametrize(
    ("each", "lines"),
    [
        (Report(comparisons=()), []),
        (Report(comparisons=(), unchanged=("a",)), ["", "1 spec file is identical to base."]),
    ],
)
def test_without_a_comparison(each, lines):
    assert render(each).splitlines() == ["## ✅ opspec-lint: no findings", *lines]


def test_what_is_waived_is_folded_at_the_end_and_stands_in_no_table():
    findings = [finding("x", waived=OLD), finding("y", level="warning"), finding("z", level="note")]
    text = render(report("p", findings=findings))
    assert text.startswith("## ✅ opspec-lint: 1 warning, 1 note, 1 waived\n")
    assert "| error" not in text
    assert "### 1 error" not in text
    assert text.endswith(
        "<details>\n<summary>1 waived</summary>\n\n- `x`\n"
        f"  - `attr_default_changed`, attr `x`: x (break, backward; `{findings[0].fingerprint}`)\n"
        "    - waived by @&#8203;ann until 2030-12-31: nobody \\*saved\\* one\n\n</details>\n"
    )
    assert "\n| " not in render(report("p", findings=findings[:1]))


@pytest.mark.parametrize("count", [1, 20, 21])
def test_what_this_change_waives_stands_open_before_the_notes(count):
    findings = [finding(f"op{n}", waived=NEW) for n in range(count)]
    text = render(report("p", findings=[finding("z", level="note"), finding("x", waived=OLD), *findings]))
    opened, folded = text.split("<details>", 1)
    words = "1 waived by a new waiver" if count == 1 else f"{count} waived by new waivers"
    assert f"### {words} of this change\n" in opened
    assert opened.count("    - waived by @&#8203;ann: nobody \\*saved\\* one (new in this change)\n") == count
    assert opened.count("    - breaks: ") == (count if count <= 20 else 0)
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
    each = many()
    text = render(each)
    assert LIMIT == 1024 * 1024 - 1
    assert len(text.encode()) <= LIMIT
    assert "Left out here, to save space: " in text


@pytest.mark.parametrize("limit", [2048, 5000, 65_536, 300_000])
def test_what_is_left_out_is_the_mildest_and_counted(limit):
    each = many()
    text = render_within(each, limit)
    assert len(text.encode()) <= limit
    left = re.search(r"\*\*Left out here, to save space: (.*)\. `--format json` has them all\.\*\*\n$", text)
    counts = {level: int(number) for number, level in re.findall(r"(\d+) (error|warning|note|waived)s?\b", left[1])}
    written = [re.search(r"`(\w{16})`\)$", line)[1] for line in items(text)]
    assert len(written) + sum(counts.values()) == len(each.findings)
    groups = ["error", "warning", NEW, "note", OLD]
    worst_first = sorted(each.findings, key=lambda one: groups.index(one.waived or one.level))
    assert written == [one.fingerprint for one in worst_first[: len(written)]]
    assert text.count("<details>") == text.count("</details>")


def test_one_finding_of_any_length_fits():
    huge = finding("x" * 10**6, message="y" * 10**7, old=["z" * 10**6])
    text = render(report("p" * 10**6, findings=[huge]))
    assert len(items(text)) == 1
    assert len(text) < 20_000


# What comes from a spec.


@pytest.mark.parametrize("each", REPORTS.values(), ids=REPORTS)
def test_a_spec_makes_no_markup(each):
    text = render(each)
    page = shown(text)
    assert page.tags <= OURS
    assert page.inside == []
    assert not re.search(r"@\w|#\w|GH-\d|www\.|:\w+:|://", "\n".join(page.prose))
    for one in each.findings:
        assert one.rule in page.codes
        assert one.fingerprint in page.codes
        if one.op is not None:
            assert (one_line(one.op[:200]) or " ")[:200] in [code[:200] for code in page.codes] or len(one.op) > 100


@given(MARKUP)
def test_a_code_span_shows_any_text(text):
    page = shown(f"- {markdown._code(text)}: x")
    assert page.tags == {"ul", "li", "code"}
    assert page.codes == [one_line(text)]
    assert "".join(page.prose).strip() == ": x"


@given(MARKUP)
def test_prose_shows_any_text(text):
    page = shown(f"- x {markdown._prose(text)} x")
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
    assert markdown._prose(text) == prose


@pytest.mark.parametrize(
    ("text", "code"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a``b`", "``` a``b` ```"), (" a ", "`  a  `"), ("", "` `")],
)
def test_a_code_span_holds_backticks(text, code):
    assert markdown._code(text) == code
