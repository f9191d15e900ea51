"""Figures and words of a model that more than one view shows."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.model import MetaGraph, Structure


def op_counts(meta: MetaGraph) -> dict[str, int]:
    """Return how many nodes there are of each op, in all graphs of a meta graph."""
    return Counter(op for graph in meta.graphs for op in graph.ops())


_BRACKETS = {"tuple": ("(", ")"), "list": ("[", "]"), "dict": ("{", "}")}


def structure_words(found: Structure | None) -> str:
    """Return the structure of an argument or result as Python would nearly write it: `(x: float32[?, 2], True)`."""
    if found is None:
        return "unknown"
    if found.kind == "value":
        return repr(found.facts.get("value"))
    if found.items is None:
        return _leaf(found)
    begin, end = _BRACKETS.get(found.kind, ("(", ")"))
    parts = (f"{key}: {structure_words(each)}" if key else structure_words(each) for key, each in found.items)
    return f"{found.facts.get('name') or ''}{begin}{', '.join(parts)}{end}"


def _leaf(found: Structure) -> str:
    facts = found.facts
    kind = "" if found.kind == "tensor" else f"{found.kind} "
    name = f"{facts['name']}: " if facts.get("name") else ""
    sizes = facts.get("shape")
    shape = "" if sizes is None else f"[{', '.join('?' if size is None else str(size) for size in sizes)}]"
    return f"{name}{kind}{facts.get('dtype') or facts.get('type') or ''}{shape}".rstrip()
