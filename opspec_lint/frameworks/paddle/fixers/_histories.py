"""The text of an op's version history: a `REGISTER_OP_VERSION` statement, or an entry of op_version.yaml."""

from __future__ import annotations

import re

from opspec_lint.cpp.comments import without_comments
from opspec_lint.cpp.statement_calls import statement_from
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from opspec_lint.fixes.text_file import TextFile

    _Span: TypeAlias = tuple[int, int]


class History(Record):
    """The history of an op in a file: the spans of its checkpoints, its start and end, and where a first one goes."""

    file: TextFile
    checkpoints: tuple[_Span, ...]
    start: int
    end: int
    insertion_point: int

    @property
    def texts(self) -> list[str]:
        """The texts of the checkpoints."""
        return [self.file.text[start:end] for start, end in self.checkpoints]


def history_in(file: TextFile, op: str) -> History | None:
    """Return the history of an op in a file; None if it has none or more than one."""
    if file.path.endswith((".yaml", ".yml")):
        return _in_yaml(file, op)
    return _in_cpp(file, op)


def _in_cpp(file: TextFile, op: str) -> History | None:
    """Return the history in a statement `REGISTER_OP_VERSION(op).AddCheckpoint(...)...;`."""
    code = without_comments(file.text)
    statements = list(re.finditer(rf"REGISTER_OP_VERSION\s*\(\s*{re.escape(op)}\s*\)", code))
    if len(statements) != 1:
        return None
    insertion_point = statements[0].end()
    statement = statement_from(code, insertion_point)
    if statement is None or statement.end is None:
        return None
    starts = [call.start for call in statement.calls if call.name == "AddCheckpoint"]
    # A checkpoint begins with the blank space before it, and ends where the next one or the `;` begins.
    *begins, end = (len(file.text[:offset].rstrip()) for offset in (*starts, statement.end))
    spans = tuple(zip(begins, [*begins[1:], end], strict=True))
    return History(
        file=file,
        checkpoints=spans,
        start=statements[0].start(),
        end=statement.end + 1,
        insertion_point=insertion_point,
    )


def _in_yaml(file: TextFile, op: str) -> History | None:
    """Return the history in an entry of op_version.yaml."""
    from opspec_lint.documents.yaml_places import end_of, places_of

    places = places_of(file.text)
    root = None if places is None else places.root
    entries = [node for node in getattr(root, "value", ()) if not isinstance(node, tuple) and _value(node, "op") == op]
    versions = _member(entries[0], "version") if len(entries) == 1 else None
    if versions is None or versions.flow_style or not isinstance(versions.value, list):
        return None
    spans = [(file.line_start(file.text.rfind("-", 0, node.start_mark.index)), node) for node in versions.value]
    checkpoints = tuple((start, file.line_end(end_of(node) - 1)) for start, node in spans)
    start, end = entries[0].start_mark.index, end_of(entries[0])
    return History(file=file, checkpoints=checkpoints, start=start, end=end, insertion_point=file.line_end(end - 1))


def _member(node: Any, name: str) -> Any:
    """Return the value of a key of a YAML node; None if there is none."""
    pairs: Sequence[Any] = node.value if hasattr(node, "value") and not isinstance(node.value, str) else ()
    return next((value for key, value in pairs if key.value == name), None)


def _value(node: Any, name: str) -> str | None:
    """Return the text under a key of a YAML node; None if there is none."""
    member = _member(node, name)
    return None if member is None or not isinstance(member.value, str) else member.value
