"""The macros of a tree that declare ops, such as REGISTER_REDUCE_OP, and macros that pass such a macro on.

Only macros that lead to a registration or to a maker class are expanded. The framework's own registering macros are
read by their names instead, as their expansions contain nothing about the op.
"""

from __future__ import annotations

from opspec_lint.cpp.replaced_macros import ReplacedMacros
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Definition: TypeAlias = tuple[bool, tuple[str, ...]]
    """Whether the body of a macro itself registers an op or declares a maker class, and the identifiers in it."""

REGISTERING = frozenset(
    {
        "REGISTER_OPERATOR",
        "REGISTER_OP_WITHOUT_GRADIENT",
        "REGISTER_OP_WITH_KERNEL",
        "REGISTER_OP_VERSION",
        "REGISTER_OP",
        "REGISTER_OP_EX",
    }
)
"""The framework's macros that register an op or its versions."""
REPLACED = ReplacedMacros(
    "REGISTER_OP",
    "|".join(sorted(REGISTERING)),
    ("/op_registry.h", "/op_version_registry.h", "/gserver/layers/Operator.h"),
)
"""The definitions that take the place of the framework's."""

_DEFINITION = pattern(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(?)((?:[^\\\n]|\\[\s\S])*)", "m")
_DECLARES = pattern(
    rf"\b(?:class|struct)\b(?:(?!\b(?:class|struct)\b)[^;{{}}])*(?:Maker|OpProtoAndCheckerMaker)\b|\b(?:{'|'.join(sorted(REGISTERING))})\b"
)
_NAME = pattern(r"[A-Za-z_]\w*")


def macro_definitions(raw: str) -> dict[str, Definition]:
    """Return the function-like macros that a text defines, by name."""
    return {
        name: (bool(_DECLARES.search(body)), tuple({*_NAME.findall(body)}))
        for name, parenthesis, body in _DEFINITION.findall(raw)
        # USE_OP and the like only refer to ops of other files.
        if parenthesis and not name.startswith("USE_")
    }


def declaring_macro_names(macros: Iterable[tuple[str, Definition]]) -> frozenset[str]:
    """Return the names of the macros that lead to a registration or maker class, directly or through others."""
    macros = list(macros)
    names = {*REGISTERING, *(name for name, (declares, _) in macros if declares)}
    while True:
        added = {name for name, (_, inside) in macros if name not in names and not names.isdisjoint(inside)}
        if not added:
            return frozenset(names)
        names |= added
