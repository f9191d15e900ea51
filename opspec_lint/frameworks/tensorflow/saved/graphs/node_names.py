"""The check of the names of nodes: they are unique, and have characters that the release accepts."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.models.fault import model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.spec.fact import Fact

_PART = r"[A-Za-z0-9.][A-Za-z0-9_./-]*"
_SIMPLE = pattern(_PART)
_COMPOUND = pattern(rf"{_PART}(?:>{_PART})*")


def faults(graph: Iterable[Any], *, allows_compound: bool) -> Iterator[Fact]:
    """Yield the nodes with the name of an earlier node, or with a name that the release does not accept.

    `allows_compound`: the release accepts names such as `a>b`.
    """
    valid = _COMPOUND if allows_compound else _SIMPLE
    seen: set[str] = set()
    for node in graph:
        name = node.name
        if name in seen:
            yield _name_fault(node, "is the name of two nodes", "duplicate_node")
        seen.add(name)
        if valid.fullmatch(name) is None:
            yield _name_fault(node, "has characters that a name may not have", "node_name")


def _name_fault(node: Any, problem: str, reason: str) -> Fact:
    facts = {"problem": problem}
    return model_fault("model_node_name", node.name, "refused", reason, **facts).replace(node=node.name, op=node.op)
