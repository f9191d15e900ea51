"""The fixes that SARIF and rdjson hold: an editor that applies them gets the file that `--fix` writes."""

from __future__ import annotations

import json
from functools import reduce

import pytest

from opspec_lint.fixes.fix import Fix
from opspec_lint.fixes.text_file import TextFile
from opspec_lint.report.entries import entries
from opspec_lint.report.reporters import rdjson, sarif
from tests.support.nasty import finding, report

TEXT = "a\n\U0001f600é = 1; // é\U0001f600\nlast"
SPANS = {
    "a place": (4, 4, "über\U0001f600"),
    "beside a character of two units": (2, 3, "x"),
    "a line and its break": (2, 18, ""),
    "the end": (len(TEXT), len(TEXT), "\nmore\n"),
}


@pytest.fixture(params=SPANS)
def file_and_finding(request):
    where = next(iter(entries(report("p", findings=[finding("p")])))).place.path
    file = TextFile(where, TEXT.encode())
    edits = (file.edit(*SPANS[request.param]), file.edit(0, 1, "b"))
    return file, finding("p", fixes=(Fix(description="it", safety="safe", edits=edits),)), edits


def applied(lines, edits):
    """The lines after edits of ((line, column), (line, column), text), counted from 0, the last place first."""

    def apply(now, edit):
        (line, column), (end_line, end_column), new = edit
        return [*now[:line], now[line][:column] + new + now[end_line][end_column:], *now[end_line + 1 :]]

    return reduce(apply, sorted(edits, reverse=True), lines)


def test_sarif_counts_characters(file_and_finding):
    file, result, edits = file_and_finding
    (run,) = json.loads(sarif.render(report("p", findings=[result])))["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    (change,) = run["results"][0]["fixes"][0]["artifactChanges"]
    output = []
    for replacement in change["replacements"]:
        at = replacement["deletedRegion"]
        start, end = ((at[f"{text}Line"] - 1, at[f"{text}Column"] - 1) for text in ("start", "end"))
        output.append((start, end, replacement["insertedContent"]["text"]))
    assert "".join(applied(TEXT.splitlines(keepends=True), output)).encode() == file.with_edits(edits)


def test_rdjson_counts_bytes(file_and_finding):
    file, result, edits = file_and_finding
    (diagnostic,) = json.loads(rdjson.render(report("p", findings=[result])))["diagnostics"]
    output = []
    for suggestion in diagnostic["suggestions"]:
        start, end = (
            (at["line"] - 1, at["column"] - 1) for at in (suggestion["range"]["start"], suggestion["range"]["end"])
        )
        output.append((start, end, suggestion["text"].encode()))
    assert b"".join(applied(TEXT.encode().splitlines(keepends=True), output)) == file.with_edits(edits)
