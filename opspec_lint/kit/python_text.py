"""Python's parser for texts of others, which are never run."""

from __future__ import annotations

import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

_ONLY_PARSED = 0x400
"""`ast.PyCF_ONLY_AST`; to parse by `compile` saves the import of `ast`."""


def parse_module(text: str | bytes) -> ast.Module:
    r"""Return the syntax tree of a file, without the warnings of Python's parser.

    Of a text such as `"\d"` it warns on stderr: noise for the reader of a spec, and a line of any file on his terminal.

    Raises:
        SyntaxError, ValueError: the text is no Python.
        RecursionError, MemoryError: it is nested too deeply for the parser.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree: ast.Module = compile(text, "<unknown>", "exec", _ONLY_PARSED, dont_inherit=True)
    return tree


def walk(root: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes below it, in no certain order, in a third of the time of `ast.walk`.

    `ast.Load` and the like, which each name and attribute has in its field `ctx`, are left out.
    """
    from ast import AST

    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        values = vars(node)
        for name in node._fields:
            if name == "ctx":
                continue
            value = values.get(name)
            if isinstance(value, list):
                waiting += [element for element in value if isinstance(element, AST)]
            elif isinstance(value, AST):
                waiting.append(value)


def show_syntax(node: ast.AST) -> str:
    """Return the source text of a node.

    Python cannot write a node that is nested too deep, or a number of too many digits: these have their names only.
    """
    from ast import unparse

    try:
        return unparse(node)
    except (RecursionError, ValueError):
        values = (value for part in walk(node) for value in vars(part).values())
        return " ".join(value for value in values if isinstance(value, str))


def parse_expression(text: str) -> ast.expr:
    """Return the syntax tree of an expression; raises as `parse_module` does, and warns as little."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree: ast.Expression = compile(text, "<unknown>", "eval", _ONLY_PARSED, dont_inherit=True)
    return tree.body


def literal_value(text: str) -> object:
    """Return the value of a literal, such as `[1, "a"]`; raises as `parse_module` does, and warns as little."""
    from ast import literal_eval

    return literal_eval(parse_expression(text.lstrip(" \t")))
