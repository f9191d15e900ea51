"""The block of Paddle's own check_op_desc, as the wiki prints it, for what is at error level or wants a review."""

from __future__ import annotations

from opspec_lint.paddle import ATTR_TYPES
from opspec_lint.plain import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.findings import Finding, Report

SUMMARY = "the block of Paddle's check_op_desc"

_RULE = "-" * 30
_WORDS = {"input": "Input", "output": "Output", "attr": "attr"}
_MOVED_TO = {"input": "output", "output": "input"}


def render(report: Report, *, color: bool = False) -> str:  # noqa: ARG001 - the original has no colours
    """Return the block as text; nothing at all where there is nothing to say, as the original does."""
    blocks: dict[str, list[str]] = {}
    for finding in report.findings:
        if finding.level == "error" or finding.review:
            blocks.setdefault(one_line(finding.op or ""), []).extend(_lines(finding))
    if not blocks:
        return ""
    body = [line for op, lines in blocks.items() for line in (f"For OP '{op}':", *dict.fromkeys(lines))]
    head = "Op desc error for the changes of Inputs/Outputs/Attrs of OPs:"
    return "\n".join([_RULE, head, "", *body, _RULE, ""])


def _lines(finding: Finding) -> Iterator[str]:
    name = one_line(finding.name or "")
    thing = f"{_WORDS.get(finding.kind, '')} '{name}'"
    if finding.level != "error":
        pass
    elif finding.kind not in _WORDS:
        yield one_line(f" * {finding.message[:1].upper()}{finding.message[1:]}.")
    elif finding.field:
        old, new = (_value(finding.field, value) for value in (finding.old, finding.new))
        yield f" * The arg '{one_line(finding.field)}' of {thing} is changed: from '{old}' to '{new}'."
    else:
        if finding.old is not None:
            yield f" * The {thing} is deleted."
        if finding.new is not None:
            yield from _addition(finding)
    if finding.review and not finding.field:
        part = "quant" if finding.new.get("quant") else "def"
        yield f" * The added {_added(finding)} is `{part}`, need {one_line(finding.review)} to review."


def _addition(finding: Finding) -> Iterator[str]:
    if finding.kind == "attr":
        if finding.new.get("default_value") is None:
            yield f" * The added {_added(finding)} doesn't set default value."
    elif not finding.new.get("dispensable"):
        yield f" * The added {_added(finding)} is not dispensable."


def _added(finding: Finding) -> str:
    kind = _MOVED_TO[finding.kind] if finding.rule.endswith("_moved") else finding.kind
    return f"{_WORDS[kind]} '{one_line(finding.new_name or finding.name or '')}'"


def _value(field: str, value: Any) -> str:
    """Return a value as the original prints it: types by their codes, anything else as Python does."""
    if field == "type" and value in ATTR_TYPES:
        return str(ATTR_TYPES.index(value))
    if isinstance(value, dict) and value.keys() == {"float"}:
        return str(float(value["float"]))
    return one_line(str(value))
