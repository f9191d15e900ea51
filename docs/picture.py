"""Takes the picture of the html report that the home page shows: `python docs/picture.py`, with the extra `browser`.

It is the page of Paddle 2.6.2 against 3.0.0, of the specs in specs/, in a headless Chromium. Take it anew when the page
has changed; that the words beside the picture have the figures of that run, a test sees to.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).parent.parent
PICTURE = TOP / "docs" / "images" / "review.png"
SPECS = ("specs/paddle-2.6.2.json", "specs/paddle-3.0.0.json")
WIDTH, HEIGHT = 1160, 1180
SHOWN = "#rule=attr_type_changed"


def take(file: Path) -> None:
    """Write the picture: the top of the page, and a few findings, open."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = Path(folder, "review.html")
        check = [sys.executable, "-m", "opspec_lint", "check", *SPECS, "--format", f"html={page}"]
        if subprocess.run(check, cwd=TOP, check=False).returncode > 1:  # noqa: S603 - it is ourselves
            raise SystemExit("the check could not be made")
        # The sandbox of Chromium does not start as root; the page is our own.
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        tab.goto(page.as_uri() + SHOWN)
        tab.keyboard.press("e")
        tab.evaluate("scrollTo(0, 0)")
        tab.wait_for_timeout(500)
        file.parent.mkdir(exist_ok=True)
        tab.screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    take(PICTURE)
