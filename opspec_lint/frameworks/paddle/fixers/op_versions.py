"""Restores the checkpoints of op version histories: those of `REGISTER_OP_VERSION`, and those of op_version.yaml.

What base has comes first, in its own text, and what head has besides stays behind it.
"""

from __future__ import annotations

import re

from opspec_lint.fixes.fix import Fix
from opspec_lint.kit.record import Record
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding

    _Span: TypeAlias = tuple[int, int]

_WORD = re.compile(
    r'R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|[();]|\.\s*AddCheckpoint\b', re.DOTALL
)


class _History(Record):
    """The history of an op in a file: its checkpoints, and where it begins, ends, and has room for the first one."""

    file: TextFile
    checkpoints: tuple[_Span, ...]
    start: int
    end: int
    room: int

    @property
    def texts(self) -> list[str]:
        return [self.file.text[start:end] for start, end in self.checkpoints]


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that restores the history of an op."""
    place, op = finding.base_origin, finding.op or ""
    base = None if place is None else sides.base.text(place.file)
    history = None if base is None else _history(base, op)
    if place is None or base is None or history is None:
        return
    files = dict.fromkeys((place.file, *([finding.head_origin.file] if finding.head_origin else [])))
    there = [file for each in files if (file := sides.head.text(each)) is not None]
    head = next((found for each in there if (found := _history(each, op)) is not None), None)
    edit = _restored(history, head) if head is not None else _inserted(history, sides.head.text(place.file))
    if edit is not None:
        yield Fix(description=f"restore the version history of '{op}'", safety="safe", edits=(edit,))


def _restored(base: _History, head: _History) -> Edit | None:
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


def _inserted(base: _History, head: TextFile | None) -> Edit | None:
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


def _history(file: TextFile, op: str) -> _History | None:
    return (_in_yaml if file.path.endswith((".yaml", ".yml")) else _in_cpp)(file, op)


def _in_cpp(file: TextFile, op: str) -> _History | None:
    """Return the history of a statement `REGISTER_OP_VERSION(op).AddCheckpoint(...)...;`."""
    found = list(re.finditer(rf"REGISTER_OP_VERSION\s*\(\s*{re.escape(op)}\s*\)", file.text))
    if len(found) != 1:
        return None
    begins: list[int] = []
    depth, room = 0, found[0].end()
    for word in _WORD.finditer(file.text, room):
        if word[0] == "(":
            depth += 1
        elif word[0] == ")":
            depth -= 1
        elif depth <= 0 and word[0] == ";":
            end = len(file.text[: word.start()].rstrip())
            begins = [len(file.text[:at].rstrip()) for at in begins]
            spans = tuple(zip(begins, [*begins[1:], end], strict=True))
            return _History(file=file, checkpoints=spans, start=found[0].start(), end=word.end(), room=room)
        elif depth <= 0 and word[0].startswith("."):
            begins.append(word.start())
    return None


def _in_yaml(file: TextFile, op: str) -> _History | None:
    """Return the history of an entry of op_version.yaml."""
    from opspec_lint.documents.yaml_places import YamlPlaces, end_of

    root = YamlPlaces(file.text).root
    entries = [each for each in getattr(root, "value", ()) if not isinstance(each, tuple) and _value(each, "op") == op]
    versions = _member(entries[0], "version") if len(entries) == 1 else None
    if versions is None or versions.flow_style or not isinstance(versions.value, list):
        return None
    spans = [(file.line_start(file.text.rfind("-", 0, each.start_mark.index)), each) for each in versions.value]
    checkpoints = tuple((start, file.line_end(end_of(each) - 1)) for start, each in spans)
    start, end = entries[0].start_mark.index, end_of(entries[0])
    return _History(file=file, checkpoints=checkpoints, start=start, end=end, room=file.line_end(end - 1))


def _member(node: Any, name: str) -> Any:
    pairs: Sequence[Any] = node.value if hasattr(node, "value") and not isinstance(node.value, str) else ()
    return next((value for key, value in pairs if key.value == name), None)


def _value(node: Any, name: str) -> str | None:
    found = _member(node, name)
    return None if found is None or not isinstance(found.value, str) else found.value


FIXER = Fixer(rules=("op_version_lost", "op_version_rewritten", "op_version_reworded"), fixes=fixes)
