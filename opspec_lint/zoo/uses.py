"""The ops, attrs and attr values that a model uses, as flat records that can be counted over many models."""

from __future__ import annotations

import json
from typing import Any

from opspec_lint.zoo.work import Use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.models.model import Model

_MOST = 20_000
"""Uses of one model that are kept."""
_VALUES = 16
"""Values of one attr in one model that are kept: ids and names differ in every node, and nobody asks for them."""
_LONGEST = 60
"""Characters of a value; a longer value is not kept."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def collect_uses(model: Model) -> tuple[Use, ...]:
    """Return the uses of a model without duplicates. Raises InputError if a node cannot be decoded."""
    uses: dict[Use, None] = {}
    values: dict[tuple[str, str], set[str]] = {}
    for op, attrs in _nodes(model):
        uses[Use(model.framework, op, "", "")] = None
        for name, value in attrs.items():
            uses[Use(model.framework, op, name, "")] = None
            text = text_of(value)
            known = values.setdefault((op, name), set())
            if text is not None and (text in known or len(known) < _VALUES):
                known.add(text)
                uses[Use(model.framework, op, name, text)] = None
        if len(uses) > _MOST:
            break
    return tuple(uses)


def _nodes(model: Model) -> Iterator[tuple[str, Any]]:
    for meta in model.meta_graphs:
        for graph in meta.graphs:
            for node in graph.nodes:
                yield node.op, node.attrs


def text_of(value: Any) -> str | None:
    """Return a value as text that is the same for a spec and for a model of any framework; None for a long value."""
    if isinstance(value, dict) and len(value) == 1:  # the field of a message, such as `i`
        (value,) = value.values()
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, (str, list, tuple)) and len(value) > _LONGEST:
        return None
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError):
        return None
    return text if len(text) <= _LONGEST else None
