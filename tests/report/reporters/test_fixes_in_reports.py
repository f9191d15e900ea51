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
    file, found, edits = file_and_finding
    (run,) = json.loads(sarif.render(report("p", findings=[found])))["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    (change,) = run["results"][0]["fixes"][0]["artifactChanges"]
    said = []
    for each in change["replacements"]:
        at = each["deletedRegion"]
        start, end = ((at[f"{one}Line"] - 1, at[f"{one}Column"] - 1) for one in ("start", "end"))
        said.append((start, end, each["insertedContent"]["text"]))
    assert "".join(applied(TEXT.splitlines(keepends=True), said)).encode() == file.with_edits(edits)


def test_rdjson_counts_bytes(file_and_finding):
    file, found, edits = file_and_finding
    (diagnostic,) = json.loads(rdjson.render(report("p", findings=[found])))["diagnostics"]
    said = []
    for each in diagnostic["suggestions"]:
        start, end = ((at["line"] - 1, at["column"] - 1) for at in (each["range"]["start"], each["range"]["end"]))
        said.append((start, end, each["text"].encode()))
    assert b"".join(applied(TEXT.encode().splitlines(keepends=True), said)) == file.with_edits(edits)
