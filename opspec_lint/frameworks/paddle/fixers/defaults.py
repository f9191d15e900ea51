"""The fix of a changed default value: base's value is restored in C++ (`SetDefault`) or YAML (`= value`).

It is unsafe: the new default may be intended, and then needs a checkpoint.
"""

from __future__ import annotations

import re

from opspec_lint.cpp.comments import without_comments
from opspec_lint.cpp.statement_calls import statement_from
from opspec_lint.fixes.fix import Fix
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from opspec_lint.fixes.text_file import TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.model import Origin

    _Span: TypeAlias = tuple[int, int]

_VALUE = r"\s*=\s*((?:\"[^\"]*\"|'[^']*'|\{[^{}]*\}|[^,(){}\"']|\([^()]*\))+)"


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that restores a default value."""
    base, head = finding.base_origin, finding.head_origin
    if base is None or head is None or finding.name is None:
        return
    old, new = sides.base.text(base.file), sides.head.text(head.file)
    if old is None or new is None:
        return
    base_span, head_span = (
        _default_span(old, base, finding.name),
        _default_span(new, head, finding.new_name or finding.name),
    )
    if base_span is not None and head_span is not None:
        value = old.text[slice(*base_span)]
        if value != new.text[slice(*head_span)]:
            description = f"restore the default value {value} of '{finding.name}' of '{finding.op}'"
            yield Fix(description=description, safety="unsafe", edits=(new.edit(*head_span, value),))


def _default_span(file: TextFile, place: Origin, name: str) -> _Span | None:
    """Return the span of an attr's default value; None if it is not certain."""
    if place.line is None or place.line > file.whole.count("\n") + 1:
        return None
    start = file.offset(place.line)
    return (_in_yaml if file.path.endswith((".yaml", ".yml")) else _in_cpp)(file.text, start, name)


def _in_yaml(text: str, start: int, name: str) -> _Span | None:
    """Return the span of `= value` behind the name of an attr in a line of YAML."""
    end = text.find("\n", start)
    line = text[start : len(text) if end < 0 else end]
    matches = list(re.finditer(rf"\b{re.escape(name)}{_VALUE}", line))
    if len(matches) != 1:
        return None
    return start + matches[0].start(1), start + matches[0].start(1) + len(matches[0][1].rstrip())


def _in_cpp(text: str, start: int, name: str) -> _Span | None:
    """Return the span of the argument of `SetDefault` in the statement at an offset."""
    code = without_comments(text)
    begin = re.compile(rf'AddAttr\s*<[^;()]*>\s*\(\s*"{re.escape(name)}"').search(code, start)
    if begin is None or text.count("\n", start, begin.start()) > 1:
        return None
    statement = statement_from(code, begin.start())
    calls = () if statement is None else statement.calls
    return next(((call.opening + 1, call.closing) for call in calls if call.name == "SetDefault"), None)


FIXER = Fixer(rules=("attr_default_changed",), fixes=fixes)
