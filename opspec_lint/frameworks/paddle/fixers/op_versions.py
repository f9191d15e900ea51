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
    paths = [place.file]
    if finding.head_origin and finding.head_origin.file != place.file:
        paths.append(finding.head_origin.file)
    head_files = (sides.head.text(path) for path in paths)
    head_histories = (history_in(file, op) for file in head_files if file is not None)
    head = next((head_history for head_history in head_histories if head_history is not None), None)
    edit = _restore_edit(history, head) if head is not None else _insert_edit(history, sides.head.text(place.file))
    if edit is not None:
        yield Fix(description=f"restore the version history of '{op}'", safety="safe", edits=(edit,))


def _restore_edit(base: History, head: History) -> Edit | None:
    """Return the edit that puts base's checkpoints before further ones of head, None if they are there already."""
    old_texts, new_texts = base.texts, head.texts
    old_plain = {_plain(text) for text in old_texts}
    new_by_plain: dict[str, str] = {}
    for text in new_texts:
        new_by_plain.setdefault(_plain(text), text)
    only_in_head = [text for text in new_texts if _plain(text) not in old_plain]
    lost_count = sum(_plain(text) not in new_by_plain for text in old_texts)
    # As many texts as base lost are taken for edited checkpoints of base, and dropped.
    additions = only_in_head[lost_count:]
    # A checkpoint that only differs in white space keeps the text of head.
    restored = [new_by_plain.get(_plain(text), text) for text in old_texts] + additions
    if restored == new_texts:
        # The texts only differ in white space, which is restored too.
        restored = [*old_texts, *additions]
    if restored == new_texts:
        return None
    start = end = head.insertion_point
    if new_texts:
        (start, _), (_, end) = head.checkpoints[0], head.checkpoints[-1]
    return head.file.edit(start, end, "".join(restored))


def _plain(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def _insert_edit(base: History, head: TextFile | None) -> Edit | None:
    """Return the edit that inserts a whole history: behind the line before it in base, or before the line after it."""
    if head is None:
        return None
    text = base.file.text
    start, end = base.file.line_start(base.start), base.file.line_end(base.end - 1)
    history = text[start:end] if text[:end].endswith("\n") else f"{text[start:end]}\n"
    lines_above = [line for line in text[:start].splitlines() if line.strip()]
    above = _only_place(lines_above[-1], head) if lines_above else None
    if above is not None:
        behind = head.line_end(above)
        gap = "" if base.file.path.endswith(".yaml") else "\n"
        return head.edit(behind, behind, f"{gap}{history}")
    lines_below = [line for line in text[end:].splitlines() if line.strip()]
    below = _only_place(lines_below[0], head) if lines_below else None
    return None if below is None else head.edit(below, below, history)


def _only_place(line: str, file: TextFile) -> int | None:
    """Return the offset of the only line of a file with this text, None if there is none, or are several."""
    offsets = [match.start() for match in re.finditer(rf"^{re.escape(line)}\r?$", file.text, re.MULTILINE)]
    return offsets[0] if len(offsets) == 1 else None


FIXER = Fixer(rules=("op_version_lost", "op_version_rewritten", "op_version_reworded"), fixes=fixes)
