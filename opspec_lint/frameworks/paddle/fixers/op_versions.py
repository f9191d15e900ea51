"""Restores the checkpoints of op version histories: those of `REGISTER_OP_VERSION`, and those of op_version.yaml.

What base has comes first, in its own text, and what head has besides stays behind it.
"""

from __future__ import annotations

import re

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.paddle.fixers._histories import history_in
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.frameworks.paddle.fixers._histories import History
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that restores the history of an op."""
    place, op = finding.base_origin, finding.op or ""
    base = None if place is None else sides.base.text(place.file)
    history = None if base is None else history_in(base, op)
    if place is None or base is None or history is None:
        return
    files = dict.fromkeys((place.file, *([finding.head_origin.file] if finding.head_origin else [])))
    there = [file for each in files if (file := sides.head.text(each)) is not None]
    head = next((found for each in there if (found := history_in(each, op)) is not None), None)
    edit = _restored(history, head) if head is not None else _inserted(history, sides.head.text(place.file))
    if edit is not None:
        yield Fix(description=f"restore the version history of '{op}'", safety="safe", edits=(edit,))


def _restored(base: History, head: History) -> Edit | None:
    """Return the edit that puts base's checkpoints before those that head has besides."""
    old, new = base.texts, head.texts
    plain = [_plain(each) for each in old]
    others = [each for each in new if _plain(each) not in plain]
    lost = sum(_plain(each) not in [_plain(one) for one in new] for each in old)
    more = others[lost:] if len(others) > lost else []  # the others are base's, edited
    wanted = [next((each for each in new if _plain(each) == _plain(one)), one) for one in old] + more
    if wanted == new:
        wanted = [*old, *more]  # the texts differ in nothing but white space
    start, end = (head.checkpoints[0][0], head.checkpoints[-1][1]) if new else (head.room, head.room)
    return None if wanted == new else head.file.edit(start, end, "".join(wanted))


def _plain(text: str) -> str:
    return "".join(text.split())


def _inserted(base: History, head: TextFile | None) -> Edit | None:
    """Return the edit that puts a whole history back: behind the line before it in base, or before the one after it."""
    if head is None:
        return None
    text = base.file.text
    start, end = base.file.line_start(base.start), base.file.line_end(base.end - 1)
    whole = text[start:end] if text[:end].endswith("\n") else f"{text[start:end]}\n"
    above = [line for line in text[:start].splitlines() if line.strip()][-1:]
    below = [line for line in text[end:].splitlines() if line.strip()][:1]
    for lines, is_above in ((above, True), (below, False)):
        places = [found.start() for line in lines for found in re.finditer(rf"^{re.escape(line)}\r?$", head.text, re.M)]
        if len(places) == 1:
            at = head.line_end(places[0]) if is_above else places[0]
            gap = "\n" if is_above and not base.file.path.endswith(".yaml") else ""
            return head.edit(at, at, f"{gap}{whole}")
    return None


FIXER = Fixer(rules=("op_version_lost", "op_version_rewritten", "op_version_reworded"), fixes=fixes)
