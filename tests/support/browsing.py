"""A page in a real Chromium: fixtures, and hostile texts that try to become more than text."""

from __future__ import annotations

import os
import shutil

import pytest

CHROMIUM = os.environ.get("OPSPEC_LINT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
HOSTILE = (
    "<script>window.ran = 1</script>",
    "</script><script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    '"><svg onload="window.ran = 1">',
    "' onmouseover='window.ran = 1' autofocus onfocus='window.ran = 1",
    "javascript:window.ran = 1",
    "</style><style>@import 'https://example.com/x.css'</style>",
    "<link rel=stylesheet href=https://example.com/x.css><base href=https://example.com/>",
    "<!--<script>",
    "__proto__",
    "{{ 7 * 7 }}${window.ran = 1}",
)


@pytest.fixture(scope="module")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")
    with playwright.sync_playwright() as driver:
        # The sandbox of Chromium does not start as root, as which containers of a CI run.
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium, tmp_path):
    """Open a report as a page.

    The test fails if the console logs anything, or if the page requests anything but itself.
    """
    faults, contexts = [], []

    def visit(text, fragment="", *, scheme="light", script=True, width=1240):
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        context = chromium.new_context(
            color_scheme=scheme,
            java_script_enabled=script,
            reduced_motion="reduce",
            viewport={"width": width, "height": 1000},
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: faults.append(request.url) if not _is_page(request.url, file) else None)
        page.goto(file.as_uri() + fragment)
        return page

    visit.faults = faults
    yield visit
    for context in contexts:
        context.close()
    assert faults == []


# Timers of the pages wait at most 150 ms: one that begins later ends later, however busy the machine is. After that,
# eight frames in a row have to look the same.
_SETTLE = """async () => {
    await new Promise(done => setTimeout(done, 200));
    for (let before, same = 0, frames = 0; same < 8 && frames < 600; frames++) {
        await new Promise(requestAnimationFrame);
        const root = document.documentElement;
        const now = [scrollX, scrollY, root.scrollHeight, location.hash, document.querySelectorAll('[hidden]').length];
        same = now.join() === before ? same + 1 : 0;
        before = now.join();
    }
}"""


def settled(page):
    """Return a page once its timers are over and it has stopped to scroll and to change."""
    page.evaluate(_SETTLE)
    return page


def _is_page(url, file):
    return url.partition("#")[0] == file.as_uri() or url == "data:,"
