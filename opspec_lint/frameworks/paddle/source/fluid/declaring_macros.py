"""The macros of a tree that declare ops: REGISTER_REDUCE_OP and its like, and those that pass one of them on.

Only macros that lead to a registration or to a maker class are expanded. Those that register are not: what they expand
to says nothing of an op.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
    rf"\b(?:class|struct)\b[^;{{}}]*(?:Maker|OpProtoAndCheckerMaker)\b|\b(?:{'|'.join(sorted(REGISTERING))})\b"
)
_NAME = pattern(r"[A-Za-z_]\w*")


def definitions(raw: str) -> dict[str, str]:
    """Return the body of each macro with parameters that a text defines and that may lead to a declaration."""
    return {
        name: body
        for name, parenthesis, body in _DEFINITION.findall(raw)
        if parenthesis and not name.startswith("USE_")
    }


def declaring(bodies: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the names of the macros that lead to a registration or to a maker class, directly or by others.

    Args:
        bodies: the name and the body of every macro of the tree.
    """
    bodies = list(bodies)
    names = {*REGISTERING, *(name for name, body in bodies if _DECLARES.search(body))}
    words = [(name, set(_NAME.findall(body))) for name, body in bodies if name not in names]
    while True:
        more = {name for name, inside in words if name not in names and not names.isdisjoint(inside)}
        if not more:
            return frozenset(names)
        names |= more
