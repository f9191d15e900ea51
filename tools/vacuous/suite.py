"""Modules of a test suite, and which of their functions assert something."""

from __future__ import annotations

import ast
from functools import cached_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import TypeAlias

    Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_ASSERTING = frozenset(("pytest.raises", "pytest.warns", "pytest.fail", "expect"))
"""Calls that can fail a test: functions of pytest, and `expect` of Playwright."""


class Module:
    """One file of the suite.

    Args:
        path: the file, relative to the top.
        text: its content.
    """

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.tree = ast.parse(text)
        self.name = ".".join(path.with_suffix("").parts)
        self._inside: dict[ast.AST, tuple[ast.AST, ...]] = {}

    def inside(self, node: ast.AST) -> tuple[ast.AST, ...]:
        """Return a node and all nodes inside it. The walk is cached: every check repeats it."""
        if node not in self._inside:
            self._inside[node] = tuple(ast.walk(node))
        return self._inside[node]

    @cached_property
    def functions(self) -> dict[str, Function]:
        """All functions and methods by their names, the last one of a name."""
        return {node.name: node for node in self.inside(self.tree) if isinstance(node, _FUNCTIONS)}

    @cached_property
    def tests(self) -> list[Function]:
        """The functions that pytest collects."""
        classes = [
            statement
            for statement in self.tree.body
            if isinstance(statement, ast.ClassDef) and statement.name.startswith("Test")
        ]
        bodies = [self.tree.body, *(cls.body for cls in classes)]
        functions = [node for body in bodies for node in body if isinstance(node, _FUNCTIONS)]
        return [node for node in functions if node.name.startswith("test")]

    @cached_property
    def imports(self) -> dict[str, str]:
        """The full names of the imports, by the names that the module gives them."""
        full_names: dict[str, str] = {}
        for node in self.inside(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                full_names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                full_names |= {alias.asname or alias.name: alias.name for alias in node.names}
        return full_names


class Suite:
    """All modules of a suite.

    Args:
        files: the text of each file, by its path relative to the top.
    """

    def __init__(self, files: Mapping[Path, str]) -> None:
        self.modules = [Module(path, text) for path, text in sorted(files.items())]
        self._by_name = {module.name.removesuffix(".__init__"): module for module in self.modules}
        self._asserting: dict[tuple[str, str], bool] = {}

    def asserts(self, module: Module, node: ast.AST) -> bool:
        """Return whether a node asserts something, itself or by a function of the suite that it calls."""
        return any(self.is_assertion(module, part) for part in module.inside(node))

    def is_assertion(self, module: Module, node: ast.AST) -> bool:
        """Return whether a node is an assertion: a statement, or a call of a function that asserts."""
        if isinstance(node, (ast.Assert, ast.Raise)):
            return True
        if not isinstance(node, ast.Call):
            return False
        name = dotted(node.func)
        return name in _ASSERTING or any(self._function_asserts(*function) for function in self._called(module, name))

    def _called(self, module: Module, name: str) -> Iterator[tuple[Module, str]]:
        """Yield the function of the suite that a call names."""
        first, _, rest = name.partition(".")
        own = name.rpartition(".")[2]
        if own in module.functions and first not in module.imports:  # a function, or a method of a class of the module
            yield module, own
            return
        owner, _, own = f"{module.imports.get(first, first)}.{rest}".rstrip(".").rpartition(".")
        if owner in self._by_name and own in self._by_name[owner].functions:
            yield self._by_name[owner], own

    def _function_asserts(self, module: Module, name: str) -> bool:
        key = module.name, name
        if key not in self._asserting:
            self._asserting[key] = False  # a function that calls itself asserts nothing by that
            self._asserting[key] = self.asserts(module, module.functions[name])
        return self._asserting[key]


def dotted(node: ast.AST) -> str:
    """Return the dotted name of a called function, such as `a.b.c`; of `f().a` it is `.a`."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    names.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(names))
