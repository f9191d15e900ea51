"""The block of Paddle's own check_op_desc, as the wiki prints it, for what is at error level or wants a review.

One block for each comparison. What is waived or approved is left out: the original prints what holds up a merge.
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


_RULE = "-" * 30
_WORDS = {"input": "Input", "output": "Output", "attr": "attr"}
_SECTIONS = {kind: number for number, kind in enumerate(_WORDS)}
_REQUIRED, _DELETED, _CHANGED, _QUANT, _DEF, _OTHER = range(6)
"""What a line can say, in the order of the original."""
_MOVED_TO = {"input": "output", "output": "input"}


def render(report: Report) -> str:
    """Return the blocks as text; nothing at all where there is nothing to say, as the original does."""
    return "".join(_block(findings) for findings in (report.general, *(each.findings for each in report.comparisons)))


def _block(findings: tuple[Finding, ...]) -> str:
    blocks: dict[str, list[_Line]] = {}
    for finding in findings:
        if finding.counts and (finding.level == "error" or finding.review):
            blocks.setdefault(one_line(finding.op or ""), []).extend(_lines(finding))
    if not blocks:
        return ""
    body = [line for op, lines in blocks.items() for line in (f"For OP '{op}':", *_in_order(lines))]
    head = "Op desc error for the changes of Inputs/Outputs/Attrs of OPs:"
    return "\n".join([_RULE, head, "", *body, _RULE, ""])


def _in_order(lines: list[_Line]) -> list[str]:
    """Return lines as the original orders them: by section, what is wrong, and name; each once."""
    return list(dict.fromkeys(line for *_, line in sorted(lines)))


def _lines(finding: Finding) -> Iterator[_Line]:
    """Yield the lines for a finding, each behind the section, the class and the name that it is sorted by."""
    name = one_line(finding.name or "")
    thing = f"{_WORDS.get(finding.kind, '')} '{name}'"
    section = _SECTIONS.get(finding.kind, len(_SECTIONS))
    if finding.level != "error":
        pass
    elif finding.kind not in _WORDS:
        yield section, _OTHER, name, one_line(f" * {finding.message[:1].upper()}{finding.message[1:]}.")
    elif finding.field:
        old, new = (_value(finding.field, value) for value in (finding.old, finding.new))
        line = f" * The arg '{one_line(finding.field)}' of {thing} is changed: from '{old}' to '{new}'."
        yield section, _CHANGED, name, line
    else:
        if finding.old is not None:
            yield section, _DELETED, name, f" * The {thing} is deleted."
        if finding.new is not None:
            yield from _addition(finding)
    if finding.review and not finding.field and finding.kind in _WORDS:
        part = "quant" if finding.new.get("quant") else "def"
        line = f" * The added {_added(finding)} is `{part}`, need {one_line(finding.review)} to review."
        yield _SECTIONS[_kind_of_added(finding)], _QUANT if part == "quant" else _DEF, name, line


def _addition(finding: Finding) -> Iterator[_Line]:
    kind, name = _kind_of_added(finding), one_line(finding.new_name or finding.name or "")
    if kind == "attr" and finding.new.get("default_value") is None:
        yield _SECTIONS[kind], _REQUIRED, name, f" * The added {_added(finding)} doesn't set default value."
    elif kind != "attr" and not finding.new.get("dispensable"):
        yield _SECTIONS[kind], _REQUIRED, name, f" * The added {_added(finding)} is not dispensable."
    elif finding.old is None:
        yield _SECTIONS[kind], _OTHER, name, f" * The {_added(finding)} is added."


def _added(finding: Finding) -> str:
    return f"{_WORDS[_kind_of_added(finding)]} '{one_line(finding.new_name or finding.name or '')}'"


def _kind_of_added(finding: Finding) -> str:
    return _MOVED_TO[finding.kind] if finding.rule.endswith("_moved") else finding.kind


def _value(field: str, value: Any) -> str:
    """Return a value as the original prints it: types by their codes, anything else as Python does."""
    if field == "type" and value in ATTR_TYPES:
        return str(ATTR_TYPES.index(value))
    return one_line(str(_thawed(value)))


def _thawed(value: Any) -> Any:
    if isinstance(value, list):
        return [_thawed(item) for item in value]
    if isinstance(value, dict):
        return float(value["float"]) if value.keys() == {"float"} else {key: _thawed(value[key]) for key in value}
    return value


REPORTER = Reporter(summary="the block of Paddle's check_op_desc", render=render)
