"""Find docstrings and names of a module that are not plain technical English."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NOUN_CLAUSE = re.compile(r"(Wh(at|ether|o|ose|oever|ich|ere)|Th(ose|at)|How)\b")
_PHRASES = (
    "whoever",
    "is told",
    "are told",
    "tells? (?:of|what|who|how)",
    "stands? (?:in|for|at|there|beside)",
    "is asked",
    "are asked",
    "is to be said",
    "what is said",
    "what of",
    "comes? of",
    "held against",
    "those of",
    "that of",
    "of which",
    "by which",
    "as far as",
    "of its own",
    "of them",
    "of it",
)
_PHRASE = re.compile(rf"\b(?:{'|'.join(_PHRASES)})\b", re.IGNORECASE)
_EVERYDAY = frozenset(
    (
        *("told", "tell", "tells", "telling", "ask", "asks", "asked", "asking", "said", "unsaid", "say", "says"),
        *("word", "words", "stand", "stands", "beside", "theirs", "ours", "about", "each", "one", "other", "found"),
        "wanted",
    )
)
"""Parts of names for which programming or the domain has a term."""
_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Hit(NamedTuple):
    """A wording that the style advises against: its line, its kind, and the docstring, phrase or name."""

    line: int
    kind: str
    text: str


def hits(source: str, module: str) -> Iterator[Hit]:
    """Yield the hits of a module, which is given by its text and its name."""
    if _is_everyday(module):
        yield Hit(1, "module name", module)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED):
            yield from _docstring_hits(node)
        name, kind = _bound_name(node)
        if _is_everyday(name):
            yield Hit(getattr(node, "lineno", 1), kind, name)


def _docstring_hits(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Hit]:
    docstring = ast.get_docstring(node) or ""
    line = getattr(node, "lineno", 1)
    if _NOUN_CLAUSE.match(docstring):
        yield Hit(line, "noun clause", docstring.partition("\n")[0])
    for phrase in _PHRASE.findall(docstring):
        yield Hit(line, "phrase", phrase)


def _bound_name(node: ast.AST) -> tuple[str, str]:
    """Return the name that a node binds, and its kind; attributes and imports bind none of their module's own."""
    match node:
        case ast.ClassDef(name=name):
            return _CAMEL_CASE.sub("_", name).lower(), "class name"
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name, "function name"
        case ast.arg(arg=name):
            return name, "parameter name"
        case ast.Name(id=name, ctx=ast.Store()):
            return name, "variable name"
    return "", ""


def _is_everyday(name: str) -> bool:
    return not _EVERYDAY.isdisjoint(name.lower().split("_"))
