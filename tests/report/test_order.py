"""The order of findings, which is the same in every report."""

from __future__ import annotations

import json
import re

from opspec_lint.kit.terminal import Terminal
from opspec_lint.lint.check import check, report
from opspec_lint.report.findings import Report, Usage
from opspec_lint.report.markup import COMMENT_LIMIT
from opspec_lint.report.ranking import first_breaks, report_order
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.report.reporters.text import render_on
from opspec_lint.spec.notation import parse_spec

OPS = "abcdefgh"


def render(name, made):
    return REPORTERS.load(name).render(made)


def test_comment_page_text_and_annotations_begin_with_the_same_findings():
    lines = [
        "z(X) -> (Out) [a: INT = 0]",
        "y_grad(X) -> (Out) [a: INT = 0]",
        *(f"{name}(X) -> (Out)" for name in OPS),
        "m(X) -> (Out) [a: INT = 0]",
    ]
    head = ["z(X) -> (Out) [a: INT = 1]", "y_grad(X) -> (Out) [a: INT = 1]", "m(X) -> (Out) [a: INT = 1]"]
    second = ["k(X) -> (Out) [a: INT = 0]"], ["k(X) -> (Out) [a: INT = 1]", "n(X) -> (Out)"]
    pairs = [second, (lines, head)]
    made = report(*(check(*(parse_spec("\n".join(side)) for side in pair)) for pair in pairs))
    expected = ["k", "m", "z", "y_grad"]
    orders = {
        "github": re.findall(r"title=attr_default_changed%3A (\w+)", render("github", made)),
        "markdown": re.findall(r"^(?:<tr><td>\n\n)?`(\w+)`", render("markdown", made), re.M),
        "sarif": [
            result["properties"]["op"] for run in json.loads(render("sarif", made))["runs"] for result in run["results"]
        ],
        "page": re.findall(r'^<li><a href="#\w+"><code>(\w+)</code>', render("html", made), re.M),
        "opening": re.findall(r"^  error +(\w+)(?: and [0-9]+ more ops?)?: ", _on_terminal(made), re.M),
        "text": [op for op in re.findall(r"^(\w+)$", render("text", made), re.M) if op in expected],
    }
    assert orders["text"] == expected
    assert orders["sarif"][:3] == expected[:3]
    assert orders["github"][:3] == expected[:3]
    assert orders["markdown"][:3] == expected[:3]
    # One line for each rule, which names the first op.
    assert orders["page"] == orders["opening"] == expected[:1]


def _on_terminal(made):
    return render_on(made, Terminal(width=80))


def test_the_first_lines_name_the_widest_impact_as_the_lists_do():
    lines = [f"{name}(X) -> (Out) [a: INT = 0, b: INT = 0]" for name in "abcz"]
    changed = ["a(X) -> (Out) [a: INT = 1, b: INT = 0]", *lines[1:3], "z(X) -> (Out) [a: INT = 0, b: FLOAT = 0.0]"]
    (comparison,) = report(check(*(parse_spec("\n".join(side)) for side in (lines, changed)))).comparisons
    used = {"a": 3, "z": 40}
    findings = tuple(finding.replace(usage=Usage(models=used[finding.op], of=50)) for finding in comparison.findings)
    made = Report(comparisons=(comparison.replace(findings=findings),))
    assert next(first.finding.op for first in first_breaks(made.findings, 3)) == "z"
    assert next(finding.op for finding in sorted(made.findings, key=report_order)) == "z"
    assert re.search(r"^`(\w+)`", render("markdown", made), re.M)[1] == "z"
    assert json.loads(render("sarif", made))["runs"][0]["results"][0]["properties"]["op"] == "z"


def test_many_removed_ops_are_a_single_row():
    head = ["keep(X) -> (Out)"]
    names = [f"op_{number}" for number in range(127)]
    made = report(
        check(*(parse_spec("\n".join(side)) for side in ([*head, *(f"{n}(X) -> (Out)" for n in names)], head)))
    )
    comment, page = render("comment", made), render("html", made)
    assert comment.count("<tr><td>") == 1
    assert "127 ops" in comment
    (family,) = re.findall(r'<article class="op family">.*?</article>', page, re.S)
    assert all(f'<code class="message">{name}</code>' in family for name in names)
    assert len(re.findall(r"^<li><a href", page.partition('class="first"')[2].partition("</section>")[0], re.M)) == 1


def test_no_annotation_names_a_file_that_is_none():
    base, head = (parse_spec(f"f(X) -> (Out) [a: INT = {value}]").replace(file="paddle@3.0.0") for value in (0, 1))
    log = render("github", report(check(base, head)))
    assert log.startswith("::error title=attr_default_changed")
    assert "file=" not in log


def test_a_comment_is_as_short_as_github_wants_it():
    ops = [f"op_with_a_long_name_{number}(X) -> (Out) [a: INT = {{}}]" for number in range(3000)]
    base, head = (parse_spec("\n".join(op.format(value) for op in ops)) for value in (0, 1))
    made = report(check(base, head))
    comment = render("comment", made)
    assert len(render("markdown", made)) > COMMENT_LIMIT
    assert len(comment) < COMMENT_LIMIT
    assert "Left out here, to save space: " in comment
    assert comment.index("op_with_a_long_name_0`") < comment.index("op_with_a_long_name_1`")
