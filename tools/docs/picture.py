"""Screenshots for the docs of opspec-lint at work: `python -m tools.docs.picture`.

It needs the extra `browser`: the html report, a run in a terminal, the comment on a pull request, the site and the page
of a model are shown in a headless Chromium, with the specs in specs/. Take the pictures anew when one of these has
changed. A test compares the figures in the text beside them with the runs.
"""

from __future__ import annotations

import fcntl
import html
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from typing import TYPE_CHECKING

import cmarkgfm

from opspec_lint.frameworks.tflite.saved.codes import BUILTINS
from opspec_lint.github.comment import footer
from opspec_lint.sources import released
from tests.support.models import tflite_models as tflite

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TOP = Path(__file__).parents[2]
IMAGES = TOP / "docs" / "images"
SPECS = ("paddle@2.6.2", "paddle@3.0.0")
WIDTH, HEIGHT = 1160, 1180
SHOWN = "#rule=attr_type_changed"
COLUMNS = 108
OPS = ("histogram", "tdm_sampler")
"""The ops that the pictures of the terminal and of the comment show."""
COMMAND = ("check", *SPECS, *(argument for op in OPS for argument in ("--op", op)))
COLORS = {"1": "bold", "38;5;243": "dim", "1;38;5;161": "red", "1;38;5;130": "yellow", "38;5;30": "cyan"}
TERMINAL = (
    "body{margin:0;background:#1b222b}pre{margin:0;padding:18px 22px;font:14px/1.4 monospace;color:#e3e8ee;"
    "white-space:pre}.bold{font-weight:700}.dim{color:#98a4b1}.red{color:#f4777b;font-weight:700}"
    ".yellow{color:#e3b341}.cyan{color:#76c7d6}"
)
COMMENT = (
    "body{margin:0;padding:18px;background:#fff;font:14px/1.5 system-ui,sans-serif;color:#1f2328}"
    "main{border:1px solid #d1d9e0;border-radius:8px;overflow:hidden}header{padding:8px 16px;background:#f6f8fa;"
    "border-bottom:1px solid #d1d9e0;color:#59636e}header b{color:#1f2328}article{padding:16px}"
    "h2{border-bottom:1px solid #d1d9e0;padding-bottom:.3em;font-size:21px;margin:0 0 16px}h2 svg{vertical-align:-2px}"
    "code{background:#eff1f3;border-radius:6px;padding:.2em .4em;font:85% monospace}"
    "a{color:#0969da;text-decoration:none}table{border-collapse:collapse}"
    "td,th{border:1px solid #d1d9e0;padding:6px 13px}tr:nth-child(2n){background:#f6f8fa}"
    "table,p,details{margin:0 0 16px}td>:last-child{margin-bottom:0}td ul{margin:4px 0 8px}li{margin:4px 0}"
    "sub{color:#59636e}article>:last-child{margin:0}"
)
CROSS = (
    '<svg width="20" height="20" viewBox="0 0 20 20"><path d="M4 4 16 16M16 4 4 16" stroke="#d1242f" stroke-width="4"'
    ' stroke-linecap="round"/></svg>'
)
"""In place of the emoji, which needs a font of its own."""


SITE = [argument for name in released.names() if name.startswith("tensorflow@") for argument in ("--spec", name)]
"""The releases of the site whose page is shown."""


def model() -> bytes:
    """Return a model of TFLite: blocks of a depthwise convolution between two of one pixel, and a classifier."""
    made = _Model((1, 96, 96, 3))
    made.node("CONV_2D", (1, 48, 48, 16), (16, 3, 3, 3))
    for size, channels in ((24, 24), (12, 40)):
        made.node("CONV_2D", (1, 2 * size, 2 * size, 96), (96, 1, 1, made.channels))
        made.node("DEPTHWISE_CONV_2D", (1, size, size, 96), (1, 3, 3, 96))
        before = made.node("CONV_2D", (1, size, size, channels), (channels, 1, 1, 96))
        made.node("CONV_2D", (1, size, size, 96), (96, 1, 1, channels))
        made.node("DEPTHWISE_CONV_2D", (1, size, size, 96), (1, 3, 3, 96))
        made.node("CONV_2D", (1, size, size, channels), (channels, 1, 1, 96))
        made.node("ADD", (1, size, size, channels), also=before)
    made.node("MEAN", (1, made.channels))
    made.node("FULLY_CONNECTED", (1, 10), (10, made.channels))
    made.node("SOFTMAX", (1, 10))
    return made.written()


class _Model:
    """Puts nodes of a model behind each other, each with what it gives and with its weights."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._tensors = [tflite.tensor("image", shape)]
        self._nodes: list[tuple[str, list[int], int]] = []
        self.channels = shape[-1]

    def node(self, op: str, shape: tuple[int, ...], weights: tuple[int, ...] = (), also: int | None = None) -> int:
        """Add a node, and return the tensor that it gives; `also` is one that it takes beside the last one."""
        taken = [self._nodes[-1][2] if self._nodes else 0] + ([] if also is None else [also])
        if weights:
            taken.append(len(self._tensors))
            self._tensors.append(tflite.tensor(f"weights_{len(self._nodes)}", weights, buffer=1))
        self._nodes.append((op, taken, len(self._tensors)))
        self._tensors.append(tflite.tensor("scores" if op == "SOFTMAX" else f"t{len(self._nodes)}", shape))
        self.channels = shape[-1]
        return len(self._tensors) - 1

    def written(self) -> bytes:
        """Return the bytes of the model."""
        ops = list(dict.fromkeys(op for op, _, _ in self._nodes))
        nodes = [tflite.operator(ops.index(op), taken, [given]) for op, taken, given in self._nodes]
        graph = tflite.subgraph(self._tensors, [0], [self._nodes[-1][2]], nodes)
        codes = [tflite.code(BUILTINS.index(op)) for op in ops]
        written: bytes = tflite.model(codes, [graph], buffers=(b"", bytes(4)))
        return written


RUN = {
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_REPOSITORY": "PaddlePaddle/Paddle",
    "GITHUB_RUN_ID": "1",
}
"""The run that the comment says it is from."""


def run(*arguments: str, folder: Path | str = TOP) -> str:
    """Return the output of a command of opspec-lint in a folder; its exit code may be 1."""
    command = [sys.executable, "-m", "opspec_lint", *arguments]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, encoding="utf-8")
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return done.stdout


def terminal() -> str:
    """Return a page with a run of the command line, as a terminal of `COLUMNS` shows it."""
    shown = html.escape(_at_terminal())
    shown = re.sub(r"\x1b\[([\d;]+)m", lambda code: _mark(code[1]), shown)
    typed = f"$ opspec-lint {' '.join(COMMAND)}\n"
    return f"<style>{TERMINAL}</style><pre>{typed}{shown}</pre>"


def _at_terminal() -> str:
    controller, terminal_end = pty.openpty()
    fcntl.ioctl(terminal_end, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    command = [sys.executable, "-m", "opspec_lint", *COMMAND, "--no-legend"]
    subprocess.run(command, cwd=TOP, check=False, stdout=terminal_end, env=os.environ | {"TERM": "xterm"})
    os.close(terminal_end)
    return os.read(controller, 1 << 16).decode().replace("\r\n", "\n")


def _mark(code: str) -> str:
    return "</span>" if code == "0" else f'<span class="{COLORS[code]}">'


def comment() -> str:
    """Return a page with the comment of the action, as a code host renders its Markdown."""
    text = run(*COMMAND, "--format", "markdown") + footer(RUN, "8d5b671c0ffee")
    body = cmarkgfm.github_flavored_markdown_to_html(text, cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE)
    body = body.replace("❌", CROSS).replace("<details>", "<details open>", 1)
    header = "<header><b>github-actions</b> <small>bot</small> commented</header>"
    return f"<!doctype html><meta charset=utf-8><style>{COMMENT}</style><main>{header}<article>{body}</article></main>"


def take(browser: Browser) -> None:
    """Write the pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "review.html")
        run("check", *SPECS, "--format", f"html={page}")
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        tab.goto(page.as_uri() + SHOWN)
        tab.keyboard.press("e")
        tab.evaluate("scrollTo(0, 0)")
        tab.wait_for_timeout(500)
        tab.screenshot(path=IMAGES / "review.png")
        run("site", f"{folder}/ops", *SITE)
        _take_page(browser, "site", Path(folder, "ops", "tensorflow", "op", "Conv2D.html"), 0)
        Path(folder, "classifier.tflite").write_bytes(model())
        run("show", "classifier.tflite", "--format", "html", "--output", "model.html", folder=folder)
        _take_page(browser, "model", Path(folder, "model.html"), 762)
    for name, text, width in (("terminal", terminal(), 1000), ("comment", comment(), 900)):
        tab = browser.new_page(viewport={"width": width, "height": 100}, color_scheme="light")
        tab.set_content(text)
        tab.screenshot(path=IMAGES / f"{name}.png", full_page=True)


def _take_page(browser: Browser, name: str, page: Path, height: int) -> None:
    """Write the picture of a page, so high or, with 0, whole."""
    tab = browser.new_page(viewport={"width": 1000, "height": height or 100}, color_scheme="light")
    tab.goto(page.as_uri())
    tab.wait_for_timeout(300)
    tab.screenshot(path=IMAGES / f"{name}.png", full_page=not height)


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # The sandbox of Chromium does not start as root; the pages are our own.
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        take(driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"]))
