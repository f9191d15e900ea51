"""Writes docs/reference/tensorflow-attrs.md: attrs that ops of TensorFlow got, and which Python code sets them.

    python tools/tensorflow_attrs.py SITE_PACKAGES

SITE_PACKAGES is the folder of the newest included TensorFlow. Its generated wrappers (`gen_*_ops.py`) tell the name of
the function of each op, and every call of such a function that gives the attr a value other than the default is listed
with the function around it. Nothing is imported or run. Code in C++ that sets an attr is not found.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from opspec_lint.frameworks.tensorflow.saved.graphs.inert_attrs import INERT
from opspec_lint.sources import references, released
from opspec_lint.sources.reading import Reading
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from opspec_lint.spec.model import Attr

    Setter: TypeAlias = tuple[str, str]
    """The function that sets an attr, and the expression of its value."""
    Wrapper: TypeAlias = tuple[str, list[str]]
    """The op of a wrapper, and the names of its parameters in order."""

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "tensorflow-attrs.md"
_FIRST_THAT_IGNORES = (2, 5)
"""The release from which on the importer ignores an unknown attr."""
_FEW = 3
_LONGEST = 60
_HEAD = """# Attrs that TensorFlow's ops got

Each attr that an op got between the included releases ({first} to {last}). A model that sets one to another value than
the default means something that older releases do not know: releases up to 2.4 refuse it, later ones ignore the attr.
The verdict of `audit` is then `changed`, and `loads` for attrs that no result depends on ([audit](audit.md)). A model
that has the attr at its default computes the same everywhere, and loads where the attr is ignored. Another value of a
type attr mostly comes with an input of another type, which every older release refuses.

*Set by* is the Python code of TensorFlow {last} that passes a value other than the default: a public name, or else
module and function. A name alone means that this function hands on an argument of its caller. Gradients, graph passes
and functions in C++ set attrs too, and are not searched.

| attr | ops | since | default | in older releases | set by |
| --- | --- | --- | --- | --- | --- |
"""


def main(folder: str) -> None:
    """Write the page."""
    names = released.names(("tensorflow",))
    added = _added_attrs(names)
    setters = _setters(Path(folder) / "tensorflow" / "python")
    rows = [_HEAD.format(first=names[0].partition("@")[2], last=names[-1].partition("@")[2])]
    for (attr, since, default), ops in sorted(added.items()):
        setters_of_attr = dict.fromkeys(setter for op in ops for setter in setters.get((op, attr), ()))
        rows.append(
            f"| `{attr}` | {_op_text(ops)} | {since} | {default} | {_verdict(attr, since)} "
            f"| {'; '.join(map(_setter_text, setters_of_attr)) or '-'} |\n"
        )
    PAGE.write_text("".join(rows), encoding="utf-8")


def _added_attrs(names: list[str]) -> dict[tuple[str, str, str], list[str]]:
    """Return the ops that got an attr by the attr, the release and its default."""
    added: dict[tuple[str, str, str], list[str]] = {}
    known: dict[str, set[str]] = {}
    for name in names:
        for op in references.resolve(name, Reading()).spec.ops.values():
            before = known.get(op.name)
            for attr in op.attrs:
                if before is not None and attr.name not in before:
                    key = attr.name, name.partition("@")[2], _default_text(attr)
                    added.setdefault(key, []).append(op.name)
            known.setdefault(op.name, set()).update(attr.name for attr in op.attrs)
    return added


def _default_text(attr: Attr) -> str:
    return "none" if attr.default_value is None else f"`{values.show(attr.default_value)}`"


def _op_text(ops: list[str]) -> str:
    shown = ", ".join(f"`{op}`" for op in ops[:_FEW])
    return shown if len(ops) <= _FEW else f"{shown} and {len(ops) - _FEW} more"


def _verdict(attr: str, since: str) -> str:
    ignored = "`loads`" if attr in INERT else "`changed`"
    oldest_with_it = tuple(map(int, since.split(".")[:2]))
    return "`refused`" if oldest_with_it <= _FIRST_THAT_IGNORES else f"`refused` up to 2.4, then {ignored}"


def _setter_text(setter: Setter) -> str:
    function, value = setter
    return f"`{function}`" if not value else f"`{function}`: `{value}`"


# Calls


def _setters(folder: Path) -> dict[tuple[str, str], list[Setter]]:
    """Return the calls that give an attr of an op a value other than its default."""
    wrappers: dict[str, Wrapper] = {}
    defaults: dict[tuple[str, str], str] = {}
    for path in sorted(folder.rglob("gen_*.py")):
        for function, wrapper, own in _wrappers(ast.parse(path.read_text(encoding="utf-8"))):
            wrappers[f"{path.stem}.{function}"] = wrapper
            defaults.update({(wrapper[0], name): value for name, value in own.items()})
    setters_of_attr: dict[tuple[str, str], list[Setter]] = {}
    for path in sorted(folder.rglob("*.py")):
        if path.name.startswith("gen_") or path.stem.endswith("_test"):
            continue
        module = ".".join(path.relative_to(folder.parents[1]).with_suffix("").parts)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function, op, attr, value in _calls(tree, module, wrappers):
            if value != defaults.get((op, attr)):
                setters_of_attr.setdefault((op, attr), []).append((function, "" if value == attr else value))
    return setters_of_attr


def _wrappers(tree: ast.Module) -> Iterator[tuple[str, Wrapper, dict[str, str]]]:
    """Yield name, op with parameters, and defaults of each wrapper of a generated module."""
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        ops = [
            call.args[0].value
            for call in ast.walk(function)
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "_apply_op_helper"
            and isinstance(call.args[0], ast.Constant)
        ]
        if ops:
            names = [argument.arg for argument in function.args.args]
            given = function.args.defaults
            defaults = dict(zip(names[len(names) - len(given) :], map(ast.unparse, given), strict=True))
            yield function.name, (str(ops[0]), names), defaults


def _calls(tree: ast.Module, module: str, wrappers: dict[str, Wrapper]) -> Iterator[tuple[str, str, str, str]]:
    """Yield function, op, attr and value of each argument that a call of a wrapper names or gives by its place."""
    waiting: list[tuple[ast.AST, str]] = [(tree, module)]
    while waiting:
        node, place = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            place = _public_name(node) or f"{place}.{node.name}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called = f"{getattr(node.func.value, 'id', '')}.{node.func.attr}"
            if called in wrappers:
                op, names = wrappers[called]
                given = dict(zip(names, node.args, strict=False))
                given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
                for name, value in given.items():
                    text = ast.unparse(value)
                    yield place, op, name, text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
        waiting.extend((child, place) for child in ast.iter_child_nodes(node))


def _public_name(node: ast.FunctionDef | ast.ClassDef) -> str | None:
    """Return the first name under which `tf_export` offers a function or class."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "tf_export" and decorator.args:
            name = decorator.args[0]
            return f"tf.{name.value}" if isinstance(name, ast.Constant) else None
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
