"""Expansion of macros in statements that register ops: `.UNARY()` for several calls, or a whole registration."""

from __future__ import annotations

from opspec_lint.cpp.replaced_macros import ReplacedMacros
from opspec_lint.cpp.tokens import NAME
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.visible_macros import VisibleMacros
from opspec_lint.frameworks.tensorflow.extract.source.builder import IGNORED, METHODS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.cpp.tokens import Tokens

REGISTERING = ("REGISTER_OP", "REGISTER_SYSTEM_OP")
"""The macros of framework/op.h that register an op, under the name that is their argument."""
REPLACED = ReplacedMacros("REGISTER_", "|".join(REGISTERING), ("core/framework/op.h",))
"""The definitions that take the place of those of framework/op.h."""
TEMPLATES = ("REGISTER_TF_OP_SHIM",)
"""Macros of lite/kernels/shim that register an op which a class template declares (`shims`)."""
# Shape functions do not affect an OpDef.
_CHECKS = frozenset({"TF_RETURN_IF_ERROR", "TF_CHECK_OK", "TF_ASSIGN_OR_RETURN", "OP_REQUIRES", "DCHECK", "CHECK"})
"""Macros in the bodies of shape functions; they are not expanded."""
_SELF_CONTAINED = METHODS.union(REGISTERING, {"true", "false", "nullptr"})
PLAIN = _SELF_CONTAINED.union(_CHECKS, {"std", "string", "tensorflow", "strings"})
"""Names that are no macros, unless the file itself defines them."""


class Macros(VisibleMacros):
    """The macros that are visible in one file."""

    _inside: frozenset[str] = frozenset()
    _outside: tuple[Tokens | None, set[str]] = (None, set())
    """The tokens that `candidates` was called with last, and the names outside of shape functions."""

    def is_kept(self, name: str) -> bool:
        """Return whether a macro stays as it is: it registers an op, or occurs only inside shape functions."""
        return name in REGISTERING or name in _CHECKS or name in self._inside

    def candidates(self, tokens: Tokens) -> set[str]:
        """Return the names in tokens that may be macros; arguments of `SetShapeFn` and the like are left out."""
        outside, inside = _split_names(tokens)
        self._outside = (tokens, outside)
        self._inside = frozenset(inside - outside)
        return outside - (PLAIN - self._files.defines(self._path))

    def is_self_contained(self, tokens: Tokens) -> bool:
        """Return whether a registration, with its macros expanded, names only methods; shape functions are left out."""
        last_tokens, last_names = self._outside
        return (last_names if tokens is last_tokens else _split_names(tokens)[0]) <= _SELF_CONTAINED


def _split_names(tokens: Tokens) -> tuple[set[str], set[str]]:
    """Return two sets: the names outside of the arguments of `SetShapeFn` and the like, and the names inside."""
    outside: set[str] = set()
    inside: set[str] = set()
    at = 0
    while at < len(tokens):
        kind, text, _ = tokens[at]
        if kind == NAME:
            outside.add(text)
        at += 1
        if kind == NAME and text in IGNORED and at < len(tokens) and tokens[at][1] == "(":
            closed = _closing_index(tokens, at)
            inside.update(token[1] for token in tokens[at:closed] if token[0] == NAME)
            at = closed
    return outside, inside


def _closing_index(tokens: Tokens, opening: int) -> int:
    """Return the index of the closing parenthesis, or `opening` if there is none."""
    try:
        return tokens.closing(opening)
    except UnresolvedError:
        return opening


def registering_macros(macros: Iterable[tuple[str, str]]) -> set[str]:
    """Return the macros, by (name, body), whose expansion registers an op, directly or through other macros."""
    bodies = [(name, body) for name, body in macros if name not in REGISTERING]
    registering: set[str] = set()
    while True:
        more = {name for name, body in bodies if name not in registering and _mentions(body, registering)}
        if not more:
            return registering
        registering |= more


def _mentions(body: str, names: set[str]) -> bool:
    return any(name in body for name in (*REGISTERING, *names))
