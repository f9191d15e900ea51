"""The order of findings, which is the same in every report."""

from __future__ import annotations

import json
import re

from opspec_lint.lint.check import check, report
from opspec_lint.report.markup import COMMENT_LIMIT
from opspec_lint.report.reporter import REPORTERS
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
        "text": [op for op in re.findall(r"^(\w+)$", render("text", made), re.M) if op in expected],
    }
    assert orders["text"] == expected
    assert orders["sarif"][:3] == expected[:3]
    assert orders["github"][:3] == expected[:3]
    assert orders["markdown"][:3] == expected[:3]


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
