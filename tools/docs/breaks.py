"""Drawing of the breaks from release to release of Paddle and of TensorFlow, from the specs in specs/.

`python -m tools.docs` writes the drawing to docs/images/breaks.svg. An op counts once for each pair of releases: as
removed, as changed with an error, or as changed without one.
"""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from opspec_lint.lint.check import check
from opspec_lint.sources import recognise, released

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.spec.model import Spec

SPECS = Path(__file__).parents[2] / "specs"
TITLES = {"paddle": "PaddlePaddle, profile paddle", "tensorflow": "TensorFlow, profile tensorflow"}
WIDTH, LEFT, RIGHT, ROW, BAR, HEAD = 960, 150, 300, 30, 18, 38
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1b222b}.title{font-weight:700;font-size:15px}"
    ".removed{fill:#c62f35}.broken{fill:#e8888c}"
    "@media(prefers-color-scheme:dark){text{fill:#e3e8ee}.removed{fill:#f4777b}.broken{fill:#96383c}}"
)


class Step(NamedTuple):
    """Two releases of a framework that follow each other, and how many ops changed in which way."""

    base: str
    head: str
    removed: int
    broken: int
    compatible: int


def steps(framework: str) -> list[Step]:
    """Return the steps from each released spec of a framework to the next."""
    names = released.names({framework})
    return [_step(base, head) for base, head in pairwise(names)]


@cache
def _step(base: str, head: str) -> Step:
    findings = check(_spec(base), _spec(head)).findings
    changed = {finding.op for finding in findings if finding.op is not None}
    errors = [finding for finding in findings if finding.op is not None and finding.level == "error"]
    removed = {finding.op for finding in errors if finding.rule == "op_removed"}
    broken = {finding.op for finding in errors} - removed
    return Step(base, head, len(removed), len(broken), len(changed - removed - broken))


@lru_cache(maxsize=2)
def _spec(name: str) -> Spec:
    """Return a released spec; the head of a step is the base of the next."""
    return recognise.read(str(SPECS / f"{name.replace('@', '-')}.json")).spec


def svg() -> str:
    """Return the drawing."""
    parts = {title: steps(framework) for framework, title in TITLES.items()}
    height = sum(HEAD + ROW * len(framework_steps) for framework_steps in parts.values()) + HEAD
    longest = max(step.removed + step.broken for framework_steps in parts.values() for step in framework_steps)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>Ops with errors from release to release: removed ops, and others</title>",
        f"<style>{STYLE}</style>",
        *_draw(parts, longest),
        f'<rect class="removed" x="{LEFT}" y="{height - 24}" width="14" height="14"/>',
        f'<text x="{LEFT + 22}" y="{height - 12}">removed ops</text>',
        f'<rect class="broken" x="{LEFT + 150}" y="{height - 24}" width="14" height="14"/>',
        f'<text x="{LEFT + 172}" y="{height - 12}">other ops with errors</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _draw(parts: dict[str, list[Step]], longest: int) -> Iterator[str]:
    y = 0
    for title, framework_steps in parts.items():
        yield f'<text class="title" x="12" y="{y + 24}">{escape(title)}</text>'
        y += HEAD
        for step in framework_steps:
            yield from _row(step, y, (WIDTH - LEFT - RIGHT) / longest)
            y += ROW


def _row(step: Step, y: int, scale: float) -> Iterator[str]:
    removed, broken = step.removed * scale, step.broken * scale
    label = f"{step.removed} removed, {step.broken} others; {step.compatible} without errors"
    versions = " to ".join(name.partition("@")[2] for name in (step.base, step.head))
    yield f'<text x="{LEFT - 12}" y="{y + 14}" text-anchor="end">{escape(versions)}</text>'
    yield f'<rect class="removed" x="{LEFT}" y="{y}" width="{removed:.1f}" height="{BAR}"/>'
    yield f'<rect class="broken" x="{LEFT + removed:.1f}" y="{y}" width="{broken:.1f}" height="{BAR}"/>'
    yield f'<text x="{LEFT + removed + broken + 10:.1f}" y="{y + 14}">{escape(label)}</text>'
