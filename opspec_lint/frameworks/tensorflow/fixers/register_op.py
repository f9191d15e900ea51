"""The fixer that restores an op, an attr or the string of an attr in C++, or gives a new attr a default value.

All fixes are unsafe: the change may be intended, and only a person knows which default value keeps the old behavior. No
fix adds an input, as existing graphs have no tensor for it.
"""

from __future__ import annotations

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.tensorflow.fixers._registrations import (
    find_attr_call,
    find_statement,
    indent_of,
    literal_of,
    op_statements,
    path_of,
)
from opspec_lint.kit.pattern import pattern
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding

_CPP = (".cc", ".cpp", ".cxx", ".cu")
_PLAIN_TYPE = pattern(r"\w+\s*:\s*(int|float|bool|string|list\s*\(.*\))\s*(?:>=\s*(-?\d+)\s*)?", "s")
"""An attr with its type and its minimum."""
_CHOICE = pattern(r"\w+\s*:\s*\{\s*('(?:[^'\\]|\\.)*')[^{}]*\}\s*", "s")
_DEFAULTS = {"float": "0.0", "bool": "false", "string": "''"}
_LAST_BRACE = pattern(r"\n\}[^\n{}]*\s*\Z")


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix of a finding about a registration in C++."""
    path = path_of(finding.base_origin, finding.head_origin)
    if path is None or not path.endswith(_CPP) or finding.op is None:
        return
    head = sides.head.text(path)
    base = None if finding.base_origin is None else sides.base.text(finding.base_origin.file)
    if head is None:
        return
    description, edit = _edit(finding, finding.op, base, head)
    if edit is not None:
        yield Fix(description=description, safety="unsafe", edits=(edit,))


def _edit(finding: Finding, op: str, base: TextFile | None, head: TextFile) -> tuple[str, Edit | None]:
    """Return the description of the fix for a finding, and the edit, None if it is not possible."""
    name = finding.name or ""
    if finding.rule == "op_removed":
        return f"restore the op '{op}'", None if base is None else _restore_op(op, base, head)
    if finding.rule == "attr_removed":
        return f"restore the attr '{name}' of '{op}'", None if base is None else _restore_attr(op, name, base, head)
    if finding.rule == "attr_added_without_default":
        return f"give '{name}' of '{op}' a default value", _add_default(op, name, head)
    return f"restore the attr '{name}' of '{op}'", None if base is None else _restore_string(op, name, base, head)


def _restore_op(op: str, base: TextFile, head: TextFile) -> Edit | None:
    """Return the edit that inserts the statement of base after the op that precedes it there and still exists."""
    # `kept` is the statement in head of the last op above.
    statement, kept = None, None
    for before in op_statements(base):
        if before.name == op:
            statement = before
            break
        kept = find_statement(head, before.name) or kept
    if statement is None or find_statement(head, op) is not None:
        return None
    text = base.text[statement.start : statement.end]
    if kept is not None:
        return head.edit(kept.end, kept.end, f"\n\n{text}")
    first = next(op_statements(head), None)
    if first is not None:
        return head.edit(first.start, first.start, f"{text}\n\n")
    closing = _LAST_BRACE.search(head.text)
    at = closing.start() + 1 if closing else len(head.text)
    return head.edit(at, at, f"{text}\n\n")


def _restore_attr(op: str, name: str, base: TextFile, head: TextFile) -> Edit | None:
    """Return the edit that inserts the `.Attr` call of base after the last declaration of the op."""
    call, statement = find_attr_call(base, op, name), find_statement(head, op)
    if call is None or statement is None:
        return None
    text = base.text[call.start : call.closing + 1]
    last = max(
        (call for call in statement.calls if call.closing < statement.declarations_end), key=lambda call: call.closing
    )
    indent = indent_of(head, last.closing) if last is not statement.calls[0] else indent_of(base, call.start)
    return head.edit(statement.declarations_end, statement.declarations_end, f"\n{indent}{text}")


def _restore_string(op: str, name: str, base: TextFile, head: TextFile) -> Edit | None:
    """Return the edit that puts back the string of an `.Attr` call."""
    before, after = find_attr_call(base, op, name), find_attr_call(head, op, name)
    if before is None or after is None:
        return None
    text = base.text[slice(*literal_of(base, before))]
    start, end = literal_of(head, after)
    return None if head.text[start:end] == text else head.edit(start, end, text)


def _add_default(op: str, name: str, head: TextFile) -> Edit | None:
    """Return the edit that adds a default value; None for attrs that are data types."""
    call = find_attr_call(head, op, name)
    if call is None:
        return None
    start, end = literal_of(head, call)
    text = head.text[start + 1 : end - 1]
    value = _simple_value(text)
    return None if value is None else head.edit(end - 1, end - 1, f" = {value}")


def _simple_value(declared: str) -> str | None:
    """Return a default value for an attr as `.Attr` declares it, None if there is no simple one."""
    choice = _CHOICE.fullmatch(declared)
    if choice is not None:
        return choice[1]
    plain = _PLAIN_TYPE.fullmatch(declared)
    if plain is None:
        return None
    kind, minimum = plain[1], int(plain[2] or 0)
    if kind == "int":
        return str(max(0, minimum))
    # The minimum of a list is that of its length.
    if kind.startswith("list") and minimum > 0:
        return None
    return _DEFAULTS.get(kind, "[]")


FIXER = Fixer(
    rules=(
        "op_removed",
        "attr_removed",
        "attr_added_without_default",
        "attr_default_changed",
        "attr_default_removed",
        "allowed_values_narrowed",
        "minimum_raised",
    ),
    fixes=fixes,
)
