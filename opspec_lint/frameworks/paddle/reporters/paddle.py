"""The block of Paddle's own check_op_desc, as on the wiki, for findings that are errors or need a review.

One block for each comparison. Waived and approved findings are left out: the original prints what blocks a merge.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.kit.text import one_line
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from opspec_lint.report.findings import Finding, Report

    _Line: TypeAlias = tuple[int, int, str, str]
    """The section, the kind and the name that a line is sorted by, and its text."""


_RULE = "-" * 30
_NOUNS = {"input": "Input", "output": "Output", "attr": "attr"}
_SECTIONS = {kind: number for number, kind in enumerate(_NOUNS)}
_REQUIRED, _DELETED, _CHANGED, _QUANT, _DEF, _UNKNOWN_KIND = range(6)
"""The kinds of lines, in the order of the original."""
_MOVED_TO = {"input": "output", "output": "input"}


def render(report: Report) -> str:
    """Return the blocks as text; an empty text without errors, as the original does."""
    return "".join(
        _block(findings) for findings in (report.general, *(comparison.findings for comparison in report.comparisons))
    )


def _block(findings: tuple[Finding, ...]) -> str:
    """Return the block of one comparison."""
    blocks: dict[str, list[_Line]] = {}
    for finding in findings:
        # Only what blocks a merge: waived, approved and disabled findings do not count.
        if finding.counts and (finding.level == "error" or finding.review):
            blocks.setdefault(one_line(finding.op or ""), []).extend(_lines(finding))
    if not blocks:
        return ""
    body = [line for op, lines in blocks.items() for line in (f"For OP '{op}':", *_sort_lines(lines))]
    head = "Op desc error for the changes of Inputs/Outputs/Attrs of OPs:"
    return "\n".join([_RULE, head, "", *body, _RULE, ""])


def _sort_lines(lines: list[_Line]) -> list[str]:
    """Return lines in the order of the original: by section, kind and name; each once."""
    return list(dict.fromkeys(line for *_, line in sorted(lines)))


def _lines(finding: Finding) -> Iterator[_Line]:
    """Yield the lines for a finding: those on an error, and that a review is needed."""
    if finding.level == "error":
        yield from _error_lines(finding)
    if finding.review and not finding.field and finding.kind in _NOUNS:
        part, kind_of_line = ("quant", _QUANT) if finding.new.get("quant") else ("def", _DEF)
        line = f" * The added {_added_argument(finding)} is `{part}`, need {one_line(finding.review)} to review."
        yield _SECTIONS[_kind_of_added(finding)], kind_of_line, one_line(finding.name or ""), line


def _error_lines(finding: Finding) -> Iterator[_Line]:
    """Yield the lines for an error."""
    name = one_line(finding.name or "")
    argument_text = f"{_NOUNS.get(finding.kind, '')} '{name}'"
    section = _SECTIONS.get(finding.kind, len(_SECTIONS))
    if finding.kind not in _NOUNS:
        yield section, _UNKNOWN_KIND, name, one_line(f" * {finding.message[:1].upper()}{finding.message[1:]}.")
    elif finding.field:
        old, new = (_value(finding.field, value) for value in (finding.old, finding.new))
        line = f" * The arg '{one_line(finding.field)}' of {argument_text} is changed: from '{old}' to '{new}'."
        yield section, _CHANGED, name, line
    else:
        if finding.old is not None:
            yield section, _DELETED, name, f" * The {argument_text} is deleted."
        if finding.new is not None:
            yield from _addition_lines(finding)


def _addition_lines(finding: Finding) -> Iterator[_Line]:
    """Yield the line for an added argument."""
    kind, name = _kind_of_added(finding), one_line(finding.new_name or finding.name or "")
    if kind == "attr" and finding.new.get("default_value") is None:
        yield _SECTIONS[kind], _REQUIRED, name, f" * The added {_added_argument(finding)} doesn't set default value."
    elif kind != "attr" and not finding.new.get("dispensable"):
        yield _SECTIONS[kind], _REQUIRED, name, f" * The added {_added_argument(finding)} is not dispensable."
    elif finding.old is None:
        yield _SECTIONS[kind], _UNKNOWN_KIND, name, f" * The {_added_argument(finding)} is added."


def _added_argument(finding: Finding) -> str:
    """Return the noun and name of an added argument."""
    return f"{_NOUNS[_kind_of_added(finding)]} '{one_line(finding.new_name or finding.name or '')}'"


def _kind_of_added(finding: Finding) -> str:
    """Return the kind of an added argument; an argument that moved was added to the other section."""
    return _MOVED_TO[finding.kind] if finding.rule.endswith("_moved") else finding.kind


def _value(field: str, value: Any) -> str:
    """Return a value as the original prints it: types by their codes, other values as Python does."""
    if field == "type" and value in ATTR_TYPES:
        return str(ATTR_TYPES.index(value))
    return one_line(str(_to_python(value)))


def _to_python(value: Any) -> Any:
    """Return a stored value as the Python value that the original has."""
    if isinstance(value, list):
        return [_to_python(item) for item in value]
    if isinstance(value, dict):
        return float(value["float"]) if value.keys() == {"float"} else {key: _to_python(value[key]) for key in value}
    return value


REPORTER = Reporter(summary="the block of Paddle's check_op_desc", render=render)
