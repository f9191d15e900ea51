"""Default values of attrs: restores one that was changed or removed, and gives a new attr the zero of its type.

They are `= value` in the arguments of an entry in YAML, and `SetDefault(value)` in C++. All fixes are guesses: a new
default may be meant, and need a checkpoint, and a new attr needs the value with which the op does what it did before.
"""

from __future__ import annotations

import re

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.paddle.fixers import _makers, _yaml_entries
from opspec_lint.frameworks.paddle.fixers._places import YAML, place_of
from opspec_lint.kit.pattern import pattern
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding

    _Span: TypeAlias = tuple[int, int]
    _Place: TypeAlias = tuple[TextFile, int]
    """The file of a declaration, and the offset of its line."""

_VALUE = r"\s*=\s*((?:\"[^\"]*\"|'[^']*'|\{[^{}]*\}|[^,(){}\"']|\([^()]*\))+)"
_ASSIGNED = pattern(r"\s*=.*", "s")
_VECTOR = pattern(r"(?:std\s*::\s*)?vector\s*<.*>", "s")
_ZERO_IN_BOTH = {"bool": "false", "double": "0.0", "float": "0.0f", "int": "0", "int64_t": "0"}
_ZERO_IN_CPP = {**_ZERO_IN_BOTH, "std::string": '""', "string": '""'}
_ZERO_IN_YAML = {**_ZERO_IN_BOTH, "str": '""', "IntArray": "{}", "Scalar": "0"}


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix of a finding about a default value."""
    head = place_of(finding.head_origin, sides.head)
    if head is None or finding.name is None:
        return
    attr = f"'{finding.name}' of '{finding.op}'"
    if finding.rule == "attr_added_without_default":
        description, edit = f"give {attr} a default value", _zero_edit(head, finding.name, sides)
    else:
        base = place_of(finding.base_origin, sides.base)
        if base is None:
            return
        names = finding.name, finding.new_name or finding.name
        if finding.rule == "attr_default_removed":
            description, edit = f"restore the default value of {attr}", _restoring_edit(base, head, names, sides)
        else:
            edit = _replacing_edit(base, head, names)
            description = "" if edit is None else f"restore the default value {edit.text} of {attr}"
    if edit is not None:
        yield Fix(description=description, safety="unsafe", edits=(edit,))


def _replacing_edit(base: _Place, head: _Place, names: tuple[str, str]) -> Edit | None:
    """Return the edit that replaces the default value of head by the one of base.

    `names` are the names of the attr in base and in head. None if the values are equal, or a place is unknown.
    """
    (old_file, old_start), (new_file, new_start) = base, head
    old_name, new_name = names
    old_span = _value_span(old_file, old_start, old_name)
    new_span = _value_span(new_file, new_start, new_name)
    if old_span is None or new_span is None:
        return None
    value = old_file.text[slice(*old_span)]
    return None if value == new_file.text[slice(*new_span)] else new_file.edit(*new_span, value)


def _value_span(file: TextFile, start: int, name: str) -> _Span | None:
    """Return the span of the default value of an attr, None where the span is unknown."""
    if file.path.endswith(YAML):
        return _span_in_yaml(file.text, start, name)
    return _span_in_cpp(file.text, start, name)


def _span_in_yaml(text: str, start: int, name: str) -> _Span | None:
    """Return the span of the value behind the only `name =` in the line at an offset."""
    end = text.find("\n", start)
    line = text[start : len(text) if end < 0 else end]
    matches = list(re.finditer(rf"\b{re.escape(name)}{_VALUE}", line))
    if len(matches) != 1:
        return None
    value_start = start + matches[0].start(1)
    return value_start, value_start + len(matches[0][1].rstrip())


def _span_in_cpp(text: str, start: int, name: str) -> _Span | None:
    """Return the span of the argument of `SetDefault` in the statement that declares an attr."""
    declared = _makers.declaration_at(text, start, name)
    call = None if declared is None else declared.call("SetDefault")
    return None if call is None else (call.opening + 1, call.closing)


def _restoring_edit(base: _Place, head: _Place, names: tuple[str, str], sides: Sides) -> Edit | None:
    """Return the edit that gives an attr that lost its default value the value of base again.

    `names` are its names in base and in head. None if one side is YAML and the other C++, which spell values otherwise.
    """
    (old_file, old_start), (new_file, new_start) = base, head
    old_name, new_name = names
    if old_file.path.endswith(YAML) is not new_file.path.endswith(YAML):
        return None
    if new_file.path.endswith(YAML):
        old_item = _yaml_entries.argument_at(old_file, old_start, old_name, sides.base)
        value = None if old_item is None else _ASSIGNED.search(old_item.text)
        if value is None:
            return None
        new_item = _yaml_entries.argument_at(new_file, new_start, new_name, sides.head)
        return None if new_item is None else new_file.edit(new_item.end, new_item.end, value[0])
    span = _span_in_cpp(old_file.text, old_start, old_name)
    return None if span is None else _default_edit(new_file, new_start, new_name, old_file.text[slice(*span)])


def _zero_edit(head: _Place, name: str, sides: Sides) -> Edit | None:
    """Return the edit that gives a new attr the zero of its type."""
    file, start = head
    if file.path.endswith(YAML):
        item = _yaml_entries.argument_at(file, start, name, sides.head)
        if item is None:
            return None
        kind, *_ = item.text.split(maxsplit=1)
        zero = "{}" if kind.endswith("[]") else _ZERO_IN_YAML.get(kind.partition("(")[0])
        return None if zero is None else file.edit(item.end, item.end, f" = {zero}")
    declared = _makers.declaration_at(file.text, start, name)
    kind = "" if declared is None else declared.type
    zero = "{}" if _VECTOR.fullmatch(kind) else _ZERO_IN_CPP.get(kind)
    return None if zero is None else _default_edit(file, start, name, zero)


def _default_edit(file: TextFile, start: int, name: str, value: str) -> Edit | None:
    """Return the edit that adds `.SetDefault(value)` to the statement that declares an attr."""
    declared = _makers.declaration_at(file.text, start, name)
    if declared is None or declared.call("SetDefault") is not None:
        return None
    return declared.insert_call(file, f".SetDefault({value})")


FIXER = Fixer(rules=("attr_added_without_default", "attr_default_changed", "attr_default_removed"), fixes=fixes)
