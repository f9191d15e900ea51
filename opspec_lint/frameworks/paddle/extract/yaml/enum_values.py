"""The numbers of the enums that defaults in YAML name: data types, layouts and places."""

from __future__ import annotations

import re

from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_DATA_TYPES = {"FLOAT16": "FP16", "FLOAT32": "FP32", "FLOAT64": "FP64", "BFLOAT16": "BF16"}
_DATA_TYPES |= {"FLOAT8_E4M3FN": "FP8_E4M3FN", "FLOAT8_E5M2": "FP8_E5M2"}
"""The names in framework.proto of data types that phi calls differently."""


class Enums:
    """The enums of `phi::` in defaults, by the headers of the tree.

    `types` are the numbers of VarType.Type by name. `find` returns the number of an enumerator of an enum class, None
    for a missing one. `lookups` counts lookups: a default that needed none depends on no header.
    """

    def __init__(self, types: Mapping[str, int], find: Callable[[str, str], int | None]) -> None:
        self._types = types
        self._find = find
        self.lookups = 0

    def data_type(self, text: str) -> int:
        """Return the number of `DataType::FLOAT32` in framework.proto."""
        self.lookups += 1
        name = text.rpartition("::")[2].strip()
        # The generator writes -1: VarType.Type has no number for it.
        if name == "UNDEFINED":
            return -1
        number = self._types.get(_DATA_TYPES.get(name, name))
        if number is None:
            raise UnresolvedError(f"the data type {text} is not known")
        return number

    def layout(self, text: str) -> int:
        """Return the number of `DataLayout::NCHW`."""
        self.lookups += 1
        number = self._find("DataLayout", text.rpartition("::")[2].strip())
        if number is None:
            raise UnresolvedError(f"the layout {text} is not known")
        return number

    def place(self, text: str) -> int:
        """Return the number of the allocation type of `CPUPlace()`."""
        self.lookups += 1
        match = re.fullmatch(r"(?:\w+::)*(\w*)Place\(\)|\{\}", text)
        # `Place()` and `{}` name no kind of place.
        number = None if match is None else self._find("AllocationType", match[1] or "UNDEFINED")
        if number is None:
            raise UnresolvedError(f"the place {text} is not known")
        return number
