"""The allow list of PyTorch's check_forward_backward_compatibility.py: read as text, never run.

An entry is a regular expression that is searched in the text of a schema, the day until which it holds, and perhaps a
second expression that has to be found as well.
"""

from __future__ import annotations

import ast
import re

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.lint.waiver_imports import Listed, WaiverImport

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.model import Spec

_LIST = "ALLOW_LIST"
_NAME = pattern(r"[\w:.]+")
_LONGEST = 1000
"""Characters of an expression."""


def read(text: str, file: str) -> list[Listed] | None:
    """Return the entries of the lists of a Python file whose names end with ALLOW_LIST, None where it has none.

    Raises:
        UsageError: an entry is no tuple of an expression, a date, and perhaps another expression.
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lists = [each for each in ast.walk(module) if isinstance(each, ast.Assign | ast.AnnAssign) and _is_list(each)]
    if not lists:
        return None
    entries = (entry for each in lists for entry in each.value.elts)  # type: ignore[union-attr]
    return [_listed(entry, file) for entry in entries]


def _is_list(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    named = any(isinstance(each, ast.Name) and each.id.endswith(_LIST) for each in targets)
    return named and isinstance(node.value, ast.List | ast.Tuple)


def _listed(entry: ast.expr, file: str) -> Listed:
    parts = entry.elts if isinstance(entry, ast.Tuple) else []
    words = [each.value for each in (*parts[:1], *parts[2:3]) if isinstance(each, ast.Constant)]
    day = _day(parts[1]) if len(parts) > 1 else None
    if len(parts) not in (2, 3) or day is None or len(words) != len(parts) - 1:
        raise _wrong(file, entry.lineno, "expected a tuple of an expression, a date, and perhaps another expression")
    if not isinstance(words[0], str) or not all(isinstance(each, str) for each in words[1:] if each is not None):
        raise _wrong(file, entry.lineno, "the expression is no string")
    texts = [each for each in words if isinstance(each, str)]
    try:
        expressions = [re.compile(each[:_LONGEST]) for each in texts]
    except re.error as error:
        raise _wrong(file, entry.lineno, f"the expression is wrong: {error}") from None
    return Listed(
        text=texts[0],
        line=entry.lineno,
        expires=day,
        matches=lambda schema: all(each.search(schema) for each in expressions),
        is_name=_NAME.fullmatch(texts[0]) is not None,
    )


def _day(node: ast.expr) -> str | None:
    """Return the day of `datetime.date(2026, 1, 31)`, None for anything else."""
    if not isinstance(node, ast.Call) or node.keywords or not ast.unparse(node.func).endswith("date"):
        return None
    numbers = [each.value for each in node.args if isinstance(each, ast.Constant) and type(each.value) is int]
    if len(numbers) != 3 or len(node.args) != 3:
        return None
    from datetime import date

    try:
        return date(*numbers).isoformat()
    except (ValueError, OverflowError):
        return None


def _wrong(file: str, line: int, problem: str) -> UsageError:
    return UsageError(f"{file}:{line}: {problem}", advice="an entry is `(EXPRESSION, datetime.date(YEAR, MONTH, DAY))`")


def declarations(spec: Spec) -> Iterator[tuple[str, str]]:
    """Yield the ops of a spec with their schemas."""
    from opspec_lint.frameworks.pytorch.schemas.text import show

    return ((name, show(op)) for name, op in spec.ops.items())


def declaration(finding: Finding) -> str | None:
    """Return the schema in base of the op of a finding."""
    return finding.declared[0]


IMPORT = WaiverImport(
    summary="the allow list of PyTorch's check of two releases",
    read=read,
    declarations=declarations,
    declaration=declaration,
)
