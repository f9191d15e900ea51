"""The fix that makes an input or output dispensable: `.AsDispensable()` in C++, the list `optional` in YAML.

It is unsafe: the kernel may need the argument.
"""

from __future__ import annotations

import re

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.paddle.fixers._makers import declaration_at
from opspec_lint.frameworks.paddle.fixers._places import YAML, place_of
from opspec_lint.frameworks.paddle.fixers._yaml_entries import entry_at, name_in_yaml
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.ids import RuleId

_ARGUMENTS = re.compile(r"^  (?:args|output)\s*:.*", re.MULTILINE)
_OPTIONAL = re.compile(r"^  optional\s*:[ \t]*(.*?)[ \t]*(?=#|\r?$)", re.MULTILINE)


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that makes an input or output dispensable."""
    place = place_of(finding.head_origin, sides.head)
    if place is None or finding.name is None:
        return
    file, start = place
    name = finding.new_name or finding.name
    if file.path.endswith(YAML):
        edit = _in_yaml(file, start, name, sides)
    else:
        declared = declaration_at(file.text, start, name)
        edit = None if declared is None else declared.insert_call(file, ".AsDispensable()")
    if edit is not None:
        what = f"{finding.kind} '{name}' of '{finding.op}'"
        yield Fix(description=f"make the {what} dispensable", safety="unsafe", edits=(edit,))


def _in_yaml(file: TextFile, start: int, name: str, sides: Sides) -> Edit | None:
    """Return the edit that adds an argument to the list `optional` of its entry, or such a list behind its outputs."""
    entry = entry_at(file.text, file.line_end(start) - 1)
    if entry is None:
        return None
    declared = list(_ARGUMENTS.finditer(file.text, entry.start, entry.end))
    yaml_name = name_in_yaml(file.path, entry.op, name, sides.head)
    if not any(re.search(rf"\b{yaml_name}\b", declaration[0]) for declaration in declared):
        return None
    optional = _OPTIONAL.search(file.text, entry.start, entry.end)
    # What is there is written again, so that a second argument of the entry comes into the list of the first.
    if optional is None:
        start, end = declared[-1].start(), file.line_end(declared[-1].start())
        return file.edit(start, end, f"{file.text[start:end].rstrip()}\n  optional : {yaml_name}\n")
    listed = re.findall(r"\w+", optional[1])
    return None if yaml_name in listed else file.edit(*optional.span(1), ", ".join((*listed, yaml_name)))


RULES: tuple[RuleId, ...] = ("dispensable_cleared", "input_added_not_dispensable", "output_added_not_dispensable")

FIXER = Fixer(rules=RULES, fixes=fixes)
