"""Screenshot for the docs of findings in an editor: `python -m tools.docs.editor [HELIX]`.

It needs Helix 25.01 or later (`hx`), tmux, and the extra `lsp`. Helix runs in a terminal of tmux, with the settings
that the how-to shows; the content of the terminal becomes docs/images/editor.svg.
"""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import tempfile
import time
from itertools import groupby
from pathlib import Path

TOP = Path(__file__).parents[2]
PICTURE = TOP / "docs" / "images" / "editor.svg"
PAGE = TOP / "docs" / "how-to" / "see-findings-in-an-editor.md"
COLUMNS, LINES = 104, 24
ACROSS, DOWN = 8.4, 18
SPEC = """\
opspec: 1
provenance: {framework: paddle}
knows: {inputs: [], outputs: [], attrs: [type, default_value]}
ops:
  softmax:
    inputs:
    - name: X
    outputs:
    - name: Out
    attrs:
    - {name: axis, type: INT, default_value: -1}
    - {name: use_cudnn, type: BOOLEAN, default_value: false}
"""
GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org")
SGR = re.compile(r"\x1b\[([\d;:]*)m")
INK, PAPER = "#a4a0e8", "#3b224c"


def main() -> None:
    """Take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.write_text(svg(screen(Path(folder), sys.argv[1] if len(sys.argv) > 1 else "hx")), encoding="utf-8")


def screen(folder: Path, helix: str) -> str:
    """Return the content of a terminal in which Helix shows a changed spec file, with its escape sequences."""
    settings = dict(re.findall(r"```text file=helix/(\S+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    for name, text in settings.items():
        (folder / "helix").mkdir(exist_ok=True)
        (folder / "helix" / name).write_text(text, encoding="utf-8")
    top = folder / "top"
    (top / "specs").mkdir(parents=True)
    (top / "specs" / "ops.yaml").write_text(SPEC, encoding="utf-8")
    for arguments in (["init", "-qb", "main"], ["add", "."], ["commit", "-qm", "The spec"]):
        subprocess.run([*GIT, *arguments], cwd=top, check=True)
    (top / "specs" / "ops.yaml").write_text(SPEC.replace("-1}", "1}"), encoding="utf-8")
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "COLORTERM": "truecolor", "TERM": "xterm-256color"}
    tmux = ["tmux", "-S", str(folder / "socket"), "-f", "/dev/null"]
    size = ["-x", str(COLUMNS), "-y", str(LINES)]
    command = [*tmux, "new-session", "-d", *size, f"{helix} specs/ops.yaml"]
    subprocess.run(command, cwd=top, env=environment, check=True)
    try:
        time.sleep(8)
        subprocess.run([*tmux, "send-keys", ":11", "Enter"], check=True)
        time.sleep(3)
        shown = [*tmux, "capture-pane", "-e", "-p"]
        return subprocess.run(shown, check=True, capture_output=True, text=True).stdout
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)


def svg(shown: str) -> str:
    """Return a picture of the content of a terminal."""
    width, height = COLUMNS * ACROSS + 24, LINES * DOWN + 24
    size = f'viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="ui-monospace,Menlo,monospace" font-size="14">',
        "<title>A spec file in Helix; below a changed default value stands which models it breaks</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
    ]
    for row, line in enumerate(shown.split("\n")[:LINES]):
        parts += runs(line, 12 + row * DOWN)
    return "\n".join([*parts, "</svg>", ""])


def runs(line: str, top: float) -> list[str]:
    """Return the SVG elements of a line: its coloured grounds, then its texts."""
    cells = list(styled(line))
    grounds, texts = [], []
    at = 0
    for (ink, paper, line_below), same in groupby(cells, key=lambda cell: cell[0]):
        text = "".join(char for _, char in same)
        left, width = 12 + at * ACROSS, len(text) * ACROSS
        at += len(text)
        if paper not in (None, PAPER):
            grounds.append(f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{DOWN}" fill="{paper}"/>')
        if text.strip():
            below = ' text-decoration="underline"' if line_below else ""
            texts.append(
                f'<text x="{left:.1f}" y="{top + 13}" textLength="{width:.1f}" fill="{ink or INK}" '
                f'xml:space="preserve"{below}>{html.escape(text)}</text>'
            )
    return grounds + texts


def styled(line: str):  # type: ignore[no-untyped-def]
    """Yield each character of a line with its style: color, color of its ground, and whether it is underlined."""
    ink = paper = None
    is_underlined = is_reversed = False
    for number, part in enumerate(SGR.split(line)):
        if number % 2 == 0:
            pair = (paper or PAPER, ink or INK) if is_reversed else (ink, paper)
            yield from (((*pair, is_underlined), char) for char in part)
            continue
        codes = part.replace(":", ";").split(";") if part else ["0"]
        while codes:
            code = codes.pop(0)
            if code in ("38", "48", "58") and codes[:1] == ["2"]:
                color = "#" + "".join(f"{int(channel):02x}" for channel in [part for part in codes[1:] if part][:3])
                codes = []
                ink, paper = (color, paper) if code == "38" else (ink, color) if code == "48" else (ink, paper)
            elif code == "0":
                ink = paper = None
                is_underlined = is_reversed = False
            elif code in ("39", "49"):
                ink, paper = (None, paper) if code == "39" else (ink, None)
            elif code in ("4", "24", "7", "27"):
                is_underlined = code == "4" if code in ("4", "24") else is_underlined
                is_reversed = code == "7" if code in ("7", "27") else is_reversed
                codes = [] if ":" in part else codes


if __name__ == "__main__":
    main()
