"""Figures and texts of a model that several views share."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.model import MetaGraph, Structure


def op_counts(meta: MetaGraph) -> dict[str, int]:
    """Return the number of nodes per op, over all graphs of a meta graph."""
    return Counter(op for graph in meta.graphs for op in graph.ops())


_BRACKETS = {"tuple": ("(", ")"), "list": ("[", "]"), "dict": ("{", "}")}


def structure_text(structure: Structure | None) -> str:
    """Return the structure of an argument or result in a notation close to Python: `(x: float32[?, 2], True)`."""
    if structure is None:
        return "unknown"
    if structure.kind == "value":
        return repr(structure.facts.get("value"))
    if structure.items is None:
        return _leaf_text(structure)
    begin, end = _BRACKETS.get(structure.kind, ("(", ")"))
    parts = (f"{key}: {structure_text(item)}" if key else structure_text(item) for key, item in structure.items)
    return f"{structure.facts.get('name') or ''}{begin}{', '.join(parts)}{end}"


def _leaf_text(structure: Structure) -> str:
    """Return a structure without parts, such as a tensor, as text."""
    facts = structure.facts
    kind = "" if structure.kind == "tensor" else f"{structure.kind} "
    name = f"{facts['name']}: " if facts.get("name") else ""
    sizes = facts.get("shape")
    shape = "" if sizes is None else f"[{', '.join('?' if size is None else str(size) for size in sizes)}]"
    return f"{name}{kind}{facts.get('dtype') or facts.get('type') or ''}{shape}".rstrip()
