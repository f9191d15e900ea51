"""The macros of a tree that declare ops: REGISTER_REDUCE_OP and its like, and those that pass one of them on.

Only macros that lead to a registration or to a maker class are expanded. Those that register are not: what they expand
to says nothing of an op.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Definition: TypeAlias = tuple[bool, tuple[str, ...]]
    """Whether the body of a macro registers an op or declares a maker class itself, and the names in it."""

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
"""The macros that register."""

_DEFINITION = pattern(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(?)((?:[^\\\n]|\\[\s\S])*)", "m")
_DECLARES = pattern(
    rf"\b(?:class|struct)\b(?:(?!\b(?:class|struct)\b)[^;{{}}])*(?:Maker|OpProtoAndCheckerMaker)\b|\b(?:{'|'.join(sorted(REGISTERING))})\b"
)
_NAME = pattern(r"[A-Za-z_]\w*")


def definitions(raw: str) -> dict[str, Definition]:
    """Return each macro with parameters that a text defines and that may lead to a declaration."""
    return {
        name: (bool(_DECLARES.search(body)), tuple({*_NAME.findall(body)}))
        for name, parenthesis, body in _DEFINITION.findall(raw)
        if parenthesis and not name.startswith("USE_")
    }


def declaring(macros: Iterable[tuple[str, Definition]]) -> frozenset[str]:
    """Return the names of the macros that lead to a registration or to a maker class, directly or by others.

    Args:
        macros: every macro of the tree.
    """
    macros = list(macros)
    names = {*REGISTERING, *(name for name, (declares, _) in macros if declares)}
    while True:
        more = {name for name, (_, inside) in macros if name not in names and not names.isdisjoint(inside)}
        if not more:
            return frozenset(names)
        names |= more
