"""Offsets of the members of a YAML text. The text has been decoded before, so it is valid and has no aliases."""

from __future__ import annotations

from typing import Any

import yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlPlaces:
    """A YAML text. A value is represented by a node of PyYAML.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self.root: Any = yaml.compose(text, Loader=_LOADER)

    @staticmethod
    def is_mapping(value: yaml.Node) -> bool:
        """Return whether a value is a mapping."""
        return isinstance(value, yaml.MappingNode)

    @staticmethod
    def members(value: yaml.Node) -> Iterator[tuple[str, int, yaml.Node]]:
        """Yield the key, its offset, and the value, for each member of a mapping."""
        for key, value_node in value.value if isinstance(value, yaml.MappingNode) else ():
            yield key.value, key.start_mark.index, value_node

    def items(self, value: yaml.Node) -> Iterator[tuple[Any, int]]:
        """Yield the scalars of each item of a list, by key, and the offset of the item."""
        for item in value.value if isinstance(value, yaml.SequenceNode) else ():
            scalars = {key: inside.value for key, _, inside in self.members(item)}
            yield scalars, item.start_mark.index


def places_of(text: str) -> YamlPlaces | None:
    """Return the places of a text that has not been decoded, None if it is no YAML."""
    try:
        return YamlPlaces(text)
    except yaml.YAMLError:
        return None


def end_of(node: yaml.Node) -> int:
    """Return the offset of the end of a node's last value."""
    # For a block, PyYAML's end mark is the beginning of the next token, after comments and empty lines.
    if isinstance(node, yaml.ScalarNode) or node.flow_style:  # type: ignore[attr-defined]
        end: int = node.end_mark.index
        return end
    parts = [part for item in node.value for part in (item if isinstance(item, tuple) else (item,))]
    return max((end_of(part) for part in parts), default=node.end_mark.index)
