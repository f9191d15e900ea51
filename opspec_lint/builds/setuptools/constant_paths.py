"""The paths in the variables of a build script in Python that are set once, such as `old = glob("old/*.cpp")`."""

from __future__ import annotations

import ast
from collections import Counter

from opspec_lint.builds.python_uses import COPIES, GLOBS, function_name
from opspec_lint.kit.python_text import walk

_KEEP = frozenset({"copy", "count", "difference", "index", "intersection", "issubset", "issuperset", "union"})
"""Methods that leave a list or set as it is."""


def constant_paths(tree: ast.Module) -> dict[str, list[str]]:
    """Return the paths and patterns in each variable that holds these alone, in all of a script."""
    is_set = Counter(name for node in walk(tree) for name in _set_names(node))
    changed = {name for node in walk(tree) for name in _changed_names(node)}
    texts: dict[str, str] = {}
    paths: dict[str, list[str]] = {}
    assignments = [node for node in walk(tree) if isinstance(node, ast.Assign) and len(node.targets) == 1]
    for assignment in sorted(assignments, key=lambda node: node.lineno):
        target = assignment.targets[0]
        if not isinstance(target, ast.Name) or is_set[target.id] > 1 or target.id in changed:
            continue
        text = _path(assignment.value, texts)
        listed = _listed_paths(assignment.value, texts)
        if text is not None:
            texts[target.id] = text
        elif listed is not None:
            paths[target.id] = listed
    return paths


def copied_name(value: ast.expr) -> str:
    """Return the variable that `x`, `set(x)` or `sorted(x)` has the items of; "" for another expression."""
    copied = _original(value)
    return copied.id if isinstance(copied, ast.Name) else ""


def _original(value: ast.expr) -> ast.expr:
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in COPIES and value.args:
        value = value.args[0]
    return value


def _set_names(node: ast.AST) -> list[str]:
    """Return the names that a node of a script gives a value."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.keyword):
        return []  # of a call, as in `setup(name=name)`
    # Of a parameter, a function, a class, an import, an exception, and a part of a pattern.
    names = (getattr(node, attribute, None) for attribute in ("arg", "name", "asname"))
    return [name for name in names if isinstance(name, str)]


def _changed_names(node: ast.AST) -> list[str]:
    """Return the names whose lists a node of a script may change: by a method, by an index, or by another name."""
    changes = (
        (isinstance(node, ast.Attribute) and node.attr not in _KEEP)
        or (isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load))
        or isinstance(node, (ast.Assign, ast.NamedExpr))
    )
    changed = getattr(node, "value", None) if changes else None
    return [changed.id] if isinstance(changed, ast.Name) else []


def _listed_paths(value: ast.expr, texts: dict[str, str]) -> list[str] | None:
    """Return the paths in a list, or the pattern of `glob`; None for another expression."""
    value = _original(value)
    if isinstance(value, (ast.List, ast.Set, ast.Tuple)):
        listed = [_path(element, texts) for element in value.elts]
    elif isinstance(value, ast.Call) and function_name(value.func) in GLOBS and len(value.args) == 1:
        listed = [_path(value.args[0], texts)]
        options = {option.arg: getattr(option.value, "value", None) for option in value.keywords}
        # Without `recursive=True`, `**` is `*`. Any other option may change what is listed.
        if options != {"recursive": True} and (options or "**" in (listed[0] or "")):
            return None
    else:
        return None
    known = [path for path in listed if path is not None]
    return known if len(known) == len(listed) else None


def _path(value: ast.expr, texts: dict[str, str]) -> str | None:
    """Return the path that an expression is; None if it is unknown."""
    if isinstance(value, ast.Constant):
        return value.value if isinstance(value.value, str) else None
    if isinstance(value, ast.Name):
        return texts.get(value.id)
    if isinstance(value, ast.Call) and function_name(value.func) == "join" and not value.keywords:
        parts = [_path(part, texts) for part in value.args]
        known = [part for part in parts if part is not None]
        return "/".join(known) if len(known) == len(parts) else None
    return None
