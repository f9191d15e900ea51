"""The calls of `setup` in a build script in Python, without which the script builds nothing."""

from __future__ import annotations

import ast
import sys

from opspec_lint.builds.python_uses import function_name
from opspec_lint.kit.python_text import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_TOOLS = frozenset({"setuptools", "distutils", "torch", "wheel", "numpy", "packaging", "pybind11", "Cython", "skbuild"})
"""Modules, besides those of Python itself, that add no source to an extension by themselves."""
_SETUP_MODULES = frozenset({"setuptools", "distutils.core", "numpy.distutils.core", "skbuild"})
_BUILDS = frozenset({"setup", "load", "exec", "execfile", "import_module", "run_path", "run_module"})
"""Functions that build extensions, or execute other code, which may do so."""


def imported_modules(statement: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the names of the modules that a statement imports from."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    return [statement.module or ""]


def may_call_setup(tree: ast.Module) -> bool:
    """Return whether a script may call `setup`, without which it builds nothing.

    A script that does not import `setup` may be a part of another one.
    """
    imports_setup = False
    for node in walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and function_name(node) in _BUILDS:
            return True
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = imported_modules(node)
            imports_setup |= not _SETUP_MODULES.isdisjoint(modules)
            if not are_known_tools(modules) or any(alias.name == "setup" and alias.asname for alias in node.names):
                return True
    return not imports_setup


def are_known_tools(modules: Iterable[str]) -> bool:
    """Return whether modules add no source to an extension, and call no `setup`, by themselves."""
    names = (module.partition(".")[0] for module in modules)
    return all(name in _TOOLS or name in sys.stdlib_module_names for name in names)
