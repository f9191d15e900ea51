"""Questions of issues and forums, each answered by the site of all released specs: by one search, or by three clicks.

The answers are facts of the frameworks: of their release notes, or what their wheels do.
"""

from __future__ import annotations

import time

import pytest

from tests.support.browsing import CHROMIUM

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")]

_LEAD, _OTHERS, _WHERE, _ARGUMENTS, _CHANGES = ".lead", ".others", "table.where", "table.releases", ".changes"
SEARCHES = {
    "Which runtime has CONV_2D version 5?": ("CONV_2D", _ARGUMENTS, ["2.4.4 – 2.8.4", "max version 5"]),  # noqa: RUF001
    "Which opset changed Resize?": ("resize onnx", _LEAD, ["Resize@19 since 1.14.1", "Resize@18 since 1.13.1"]),
    "What loads a model with flatten2?": ("flatten2", _WHERE, ["2.2.2 – 2.6.2", "has no 'XShape'"]),  # noqa: RUF001
    "What replaced expand?": ("expand paddle", _OTHERS, ["expand_v2 since 2.0.2"]),
    "Is GELU in ONNX Runtime 1.16 for float16?": (
        "com.microsoft::Gelu",
        _ARGUMENTS,
        ["1.16.3 –", "CPUExecutionProvider: T=tensor(float)"],  # noqa: RUF001
    ),
    "Since when does TensorFlow Lite have GELU?": ("gelu tflite", _LEAD, ["from 2.8.4"]),
    "Which TensorFlow added BatchMatMulV3?": ("BatchMatMulV3", _LEAD, ["from 2.6.5"]),
    "Which ONNX added LayerNormalization?": ("LayerNormalization onnx", _LEAD, ["from 1.12.0"]),
    "Does ONNX Runtime 1.17 have GridSample of opset 20?": (
        "GridSample runtime",
        _LEAD,
        ["GridSample@20 since 1.17.3"],
    ),
    "Why is GroupNormalization of opset 18 refused?": ("GroupNormalization onnx", _CHANGES, ["1.18.0", "deprecated"]),
    "Which Paddle removed bicubic_interp, and what is there now?": (
        "bicubic_interp",
        "header",
        ["removed in 3.0.0", "bicubic_interp_v2 since 2.0.2"],
    ),
    "What is the default of axis1 of trace in Paddle?": ("trace axis1", _ARGUMENTS, ["axis1", "INT = 0"]),
}
"""The text to search, the part of the first page that is found, and texts of the answer."""

CLICKS = {
    "Does a model of Paddle 1.8 load in 2.6?": (
        ["h2 a:text-is('Paddle')", "a[href='paddle-1.8.5-in-paddle-2.6.2.html']"],
        _LEAD,
        ["unless they use"],
    ),
    "Which TensorFlow can read a model of 2.21?": (
        ["h2 a:text-is('TensorFlow')"],
        "table.matrix",
        ["ops of 2.21.0 stop models in 2.20.0"],
    ),
    "What does the rule attr_removed mean, and what do I do?": (
        ["a:text-is('All rules')", "a:text-is('attr_removed')"],
        "main",
        ["What to do instead"],
    ),
}
"""The links to follow from the start page, the part of the last page, and texts of the answer."""


@pytest.mark.parametrize("question", SEARCHES)
def test_a_question_is_answered_by_its_search(visit, served, question, record_property):
    text, part, answers = SEARCHES[question]
    page = visit(served)
    begin = time.monotonic()
    page.fill("#q", text)
    page.press("#q", "Enter")
    page.wait_for_url("**/op/*.html")
    require(page, part, answers)
    note(record_property, question, 0, begin)


@pytest.mark.parametrize("question", CLICKS)
def test_a_question_is_answered_within_three_clicks(visit, served, question, record_property):
    links, part, answers = CLICKS[question]
    assert len(links) <= 3
    page = visit(served)
    begin = time.monotonic()
    for link in links:
        page.click(link)
    require(page, part, answers)
    note(record_property, question, len(links), begin)


def require(page, part, answers):
    """Require that a part of a page has all texts, whatever spaces are between their words."""
    text = " ".join(" ".join(page.locator(part).all_text_contents()).split())
    assert [answer for answer in answers if answer not in text] == []


def note(record_property, question, clicks, begin):
    """Write the row of a question to the report of the tests (`--junit-xml`)."""
    record_property("question", question)
    record_property("clicks", clicks)
    record_property("seconds", f"{time.monotonic() - begin:.2f}")
