"""The check of attrs that name variables instead of values."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.messages import text
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.models.fault import op_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.model import Spec

_CODES = tuple(b"\x10" + bytes([ATTR_TYPES.index(name)]) for name in attrs.VARIABLES)
"""The bytes of the type of such an attr in a serialized message; other messages need not be decoded."""
_SINGLE_VALUES = ("INT", "LONG", "FLOAT", "FLOAT64", "BOOLEAN", "STRING")
"""The attr types with a single value: a variable for it has at most one dimension."""


class NamedVariables:
    """The check of the variables that the attrs of a block's nodes name.

    `declared` are the variables of the block and of the blocks around it, by name.
    """

    def __init__(self, spec: Spec, declared: Mapping[bytes, Any], effect: Effect) -> None:
        self._spec = spec
        self._declared = declared
        self._effect: Effect = effect

    def faults(self, node: Any) -> Iterator[Fact]:
        """Yield the faults of the variables that a node's attrs name."""
        entries = [entry for entry in node.attrs if any(code in entry for code in _CODES)]
        op = self._spec.ops.get(text(node.type)) if entries else None
        if op is None:
            return
        tensor_attrs = {attr.name: attr.type for attr in op.attrs if attr.get("support_tensor")}
        for name, attr in attrs.read(entries).items():
            if name in tensor_attrs and attr.type in attrs.VARIABLES:
                problem = self._problem(attr, is_single=tensor_attrs[name] in _SINGLE_VALUES)
                if problem:
                    yield op_fault(
                        "model_attr_value",
                        op.name,
                        self._effect,
                        "attr_value",
                        kind="attr",
                        name=name,
                        value=str(attr.value),
                        problem=problem,
                    ).replace(old=attr.value)

    def _problem(self, attr: attrs.Attr, *, is_single: bool) -> str:
        """Return the problem of the variables of an attr; "" for none."""
        names = attr.value if isinstance(attr.value, list) else [attr.value]
        for name in names:
            variable = next((candidate for key, candidate in self._declared.items() if text(key) == name), None)
            if variable is None:
                return "names a variable that no block declares"
            dims = list(variable.type.lod_tensor.tensor.dims)
            if is_single and len(dims) > 1:
                return f"names a variable of shape {dims}, but a single value is expected"
        return ""
