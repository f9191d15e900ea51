"""Whatever the page says in colour can be read on every background that may be behind it, hovered rows included."""

import re
from importlib.resources import files

import pytest

TEMPLATES = files("opspec_lint.report.templates")
STYLE = "".join(TEMPLATES.joinpath(name).read_text("utf-8") for name in ("base.css", "report.css"))
COLORS = dict(re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}, #[0-9a-f]{6})\)", STYLE))
BACKGROUNDS = ("page", "card", "sunk", "at")
TEXTS = ("text", "quiet", "link", "error", "warning", "note", "waived", "good")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("text", TEXTS)
def test_the_contrast_is_enough(text, background, scheme):
    behind = highlighted(scheme) if background == "at" else color(background, scheme)
    lighter, darker = sorted((luminance(color(text, scheme)), luminance(behind)), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5  # WCAG 2.2, 1.4.3


def highlighted(scheme):
    """The background of the finding that the address names: a share of the link's colour over the card."""
    share = int(re.search(r"\.finding\.at \{ background: color-mix\(in srgb, var\(--link\) (\d+)%", STYLE)[1]) / 100
    pairs = zip(color("link", scheme), color("card", scheme), strict=True)
    return [share * above + (1 - share) * below for above, below in pairs]


def color(name, scheme):
    number = COLORS[name].split(", ")[scheme == "dark"]
    return [int(number[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def luminance(channels):
    """The relative luminance of a colour (WCAG 2.2)."""
    linear = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return sum(weight * item for weight, item in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
