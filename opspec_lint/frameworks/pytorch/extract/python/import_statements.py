"""The imports in statements, and the errors of imports that a `try` catches."""

from __future__ import annotations

import ast

from opspec_lint.kit.python_text import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.frameworks.pytorch.extract.python.values import Module


def first_import(statements: Sequence[ast.stmt]) -> int | None:
    """Return the index of the first statement that imports something, None if there is none."""
    imports = (ast.Import, ast.ImportFrom)
    return next(
        (n for n, element in enumerate(statements) if any(isinstance(part, imports) for part in walk(element))),
        None,
    )


def imports_torch(statement: ast.stmt) -> bool:
    """Return whether a statement is `import torch`, which does not fail: an extension is of use with PyTorch only."""
    return isinstance(statement, ast.Import) and all(alias.name == "torch" for alias in statement.names)


def caught_errors(kind: ast.expr | None) -> Iterator[str]:
    """Yield the names of the errors that an `except` catches, "" for `except:`."""
    if kind is None:
        yield ""
    elif isinstance(kind, ast.Tuple):
        for element in kind.elts:
            yield from caught_errors(element)
    else:
        yield kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", "")


def absolute_module(statement: ast.ImportFrom, module: Module) -> str:
    """Return the dotted name of the module that `from .x import y` imports from, without leading dots."""
    if not statement.level:
        return statement.module or ""
    parts = module.package.split(".") if module.package else []
    parts = parts[: max(0, len(parts) - statement.level + 1)]
    return ".".join((*parts, *((statement.module,) if statement.module else ())))
