"""The fix that makes an input or output dispensable: `.AsDispensable()` in C++, the list `optional` in YAML.

It is unsafe: the kernel may need the argument.
"""

from __future__ import annotations

import re

from opspec_lint.cpp.comments import without_comments
from opspec_lint.cpp.statement_calls import statement_from
from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.paddle.fixers._yaml_entries import entry_at, name_in_yaml
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.ids import RuleId

_YAML = (".yaml", ".yml")
_ARGUMENTS = re.compile(r"^  (?:args|output)\s*:.*", re.MULTILINE)
_OPTIONAL = re.compile(r"^  optional\s*:[ \t]*(.*?)[ \t]*(?=#|\r?$)", re.MULTILINE)


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that makes an input or output dispensable."""
    place = finding.head_origin
    file = None if place is None else sides.head.text(place.file)
    if place is None or file is None or finding.name is None or not place.line:
        return
    if place.line > file.whole.count("\n") + 1:
        return
    start, name = file.offset(place.line), finding.new_name or finding.name
    edit = _in_yaml(file, start, name, sides) if place.file.endswith(_YAML) else _in_cpp(file, start, name)
    if edit is not None:
        argument_text = f"{finding.kind} '{name}' of '{finding.op}'"
        yield Fix(description=f"make the {argument_text} dispensable", safety="unsafe", edits=(edit,))


def _in_cpp(file: TextFile, start: int, name: str) -> Edit | None:
    """Return the edit that adds `.AsDispensable()` behind the call that declares the argument."""
    code = without_comments(file.text)
    begin = re.compile(rf'Add(?:Input|Output)\s*\(\s*"{re.escape(name)}"').search(code, start)
    if begin is None or file.text.count("\n", start, begin.start()) > 1:
        return None
    statement = statement_from(code, begin.start())
    if statement is None:
        return None
    at = statement.calls[0].closing + 1
    return file.edit(at, at, ".AsDispensable()")


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
