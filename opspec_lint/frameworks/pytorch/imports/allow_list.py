"""The allow list of PyTorch's check_forward_backward_compatibility.py, parsed and never run.

An entry is a tuple of a regular expression that is searched in the text of a schema, the day until which the entry
holds, and optionally a second expression that has to match as well.
"""

from __future__ import annotations

import ast
import re

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import parse_module
from opspec_lint.lint.waiver_imports import AcceptedChange, WaiverImport

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.model import Spec

_LIST = "ALLOW_LIST"
_NAME = pattern(r"[\w:.]+")
_LONGEST = 1000
"""Characters of an expression."""


def read(text: str, file: str) -> list[AcceptedChange] | None:
    """Return the entries of the lists of a Python file whose names end with ALLOW_LIST, None where it has none.

    Raises:
        UsageError: an entry is no tuple of an expression, a date, and perhaps another expression.
    """
    try:
        module = parse_module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lists = [node for node in ast.walk(module) if isinstance(node, ast.Assign | ast.AnnAssign) and _is_list(node)]
    if not lists:
        return None
    entries = (entry for node in lists for entry in node.value.elts)  # type: ignore[union-attr]
    return [_parse_entry(entry, file) for entry in entries]


def _is_list(node: ast.Assign | ast.AnnAssign) -> bool:
    """Return whether an assignment gives a list to a name that ends with ALLOW_LIST."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    named = any(isinstance(target, ast.Name) and target.id.endswith(_LIST) for target in targets)
    return named and isinstance(node.value, ast.List | ast.Tuple)


def _parse_entry(entry: ast.expr, file: str) -> AcceptedChange:
    """Return the entry that a tuple `(EXPRESSION, DATE)` or `(EXPRESSION, DATE, EXPRESSION or None)` states."""
    parts = entry.elts if isinstance(entry, ast.Tuple) else []
    day = _parse_date(parts[1]) if len(parts) in (2, 3) else None
    constants = [part.value for part in (*parts[:1], *parts[2:]) if isinstance(part, ast.Constant)]
    if day is None or len(constants) != len(parts) - 1:
        raise _entry_error(
            file, entry.lineno, "expected a tuple of an expression, a date, and perhaps another expression"
        )
    first, *second = constants
    stated = [first, *(constant for constant in second if constant is not None)]
    texts = [constant for constant in stated if isinstance(constant, str)]
    if len(texts) < len(stated):
        raise _entry_error(file, entry.lineno, "the expression is no string")
    try:
        expressions = [re.compile(text[:_LONGEST]) for text in texts]
    except re.error as error:
        raise _entry_error(file, entry.lineno, f"the expression is wrong: {error}") from None
    return AcceptedChange(
        text=texts[0],
        line=entry.lineno,
        expires=day,
        # Searched without an anchor, as PyTorch's script does, so that an entry may cover more ops than it names.
        matches=lambda schema: all(expression.search(schema) for expression in expressions),
        is_name=_NAME.fullmatch(texts[0]) is not None,
    )


def _parse_date(node: ast.expr) -> str | None:
    """Return the ISO date of `datetime.date(2026, 1, 31)`, None for any other expression."""
    if not isinstance(node, ast.Call) or node.keywords or not ast.unparse(node.func).endswith("date"):
        return None
    numbers = [
        argument.value for argument in node.args if isinstance(argument, ast.Constant) and type(argument.value) is int
    ]
    if len(numbers) != 3 or len(node.args) != 3:
        return None
    from datetime import date

    try:
        return date(*numbers).isoformat()
    except (ValueError, OverflowError):
        return None


def _entry_error(file: str, line: int, problem: str) -> UsageError:
    """Return the error for an entry that is no tuple of expressions and a date."""
    return UsageError(f"{file}:{line}: {problem}", advice="an entry is `(EXPRESSION, datetime.date(YEAR, MONTH, DAY))`")


def declarations(spec: Spec) -> Iterator[tuple[str, str]]:
    """Yield the ops of a spec with their schemas."""
    from opspec_lint.frameworks.pytorch.schemas.text import show

    return ((name, show(op)) for name, op in spec.ops.items())


def declaration(finding: Finding) -> str | None:
    """Return the schema that the op of a finding has in base: PyTorch's check searches that one."""
    return finding.declared[0]


IMPORT = WaiverImport(
    summary="the allow list of PyTorch's check of two releases",
    read=read,
    declarations=declarations,
    declaration=declaration,
)
