"""The fix of lost or rewritten op versions: base's checkpoints are restored in C++ or op_version.yaml.

Base's checkpoints come first, in their text, and further checkpoints of head follow.
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
    head_files = [file for path in files if (file := sides.head.text(path)) is not None]
    head = next((head_history for file in head_files if (head_history := history_in(file, op)) is not None), None)
    edit = _restore_edit(history, head) if head is not None else _insert_edit(history, sides.head.text(place.file))
    if edit is not None:
        yield Fix(description=f"restore the version history of '{op}'", safety="safe", edits=(edit,))


def _restore_edit(base: History, head: History) -> Edit | None:
    """Return the edit that puts base's checkpoints before further ones of head."""
    old, new = base.texts, head.texts
    base_plain = [_plain(checkpoint) for checkpoint in old]
    not_in_base = [checkpoint for checkpoint in new if _plain(checkpoint) not in base_plain]
    lost_count = sum(
        _plain(checkpoint) not in [_plain(base_checkpoint) for base_checkpoint in new] for checkpoint in old
    )
    # As many texts as base lost are taken for edited checkpoints of base, and dropped.
    additions = not_in_base[lost_count:] if len(not_in_base) > lost_count else []
    restored = [
        next((checkpoint for checkpoint in new if _plain(checkpoint) == _plain(base_checkpoint)), base_checkpoint)
        for base_checkpoint in old
    ] + additions
    if restored == new:
        # The texts only differ in white space, which is restored too.
        restored = [*old, *additions]
    start, end = (
        (head.checkpoints[0][0], head.checkpoints[-1][1]) if new else (head.insertion_point, head.insertion_point)
    )
    return None if restored == new else head.file.edit(start, end, "".join(restored))


def _plain(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def _insert_edit(base: History, head: TextFile | None) -> Edit | None:
    """Return the edit that inserts a whole history: behind the line before it in base, or before the line after it."""
    if head is None:
        return None
    text = base.file.text
    start, end = base.file.line_start(base.start), base.file.line_end(base.end - 1)
    whole = text[start:end] if text[:end].endswith("\n") else f"{text[start:end]}\n"
    above = [line for line in text[:start].splitlines() if line.strip()][-1:]
    below = [line for line in text[end:].splitlines() if line.strip()][:1]
    for lines, is_above in ((above, True), (below, False)):
        places = [match.start() for line in lines for match in re.finditer(rf"^{re.escape(line)}\r?$", head.text, re.M)]
        if len(places) == 1:
            at = head.line_end(places[0]) if is_above else places[0]
            gap = "\n" if is_above and not base.file.path.endswith(".yaml") else ""
            return head.edit(at, at, f"{gap}{whole}")
    return None


FIXER = Fixer(rules=("op_version_lost", "op_version_rewritten", "op_version_reworded"), fixes=fixes)
