"""The attrs of a node that name variables in place of values, checked against the variables."""

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
"""How the type of such an attr stands in its bytes: what has none need not be decoded."""
_OF_ONE = ("INT", "LONG", "FLOAT", "FLOAT64", "BOOLEAN", "STRING")
"""The types of attrs that are one value: a variable in place of it has at most one dimension."""


class NamedVariables:
    """The check of what the attrs of a block's nodes name.

    Args:
        spec: the spec of the release that loads.
        declared: the variables that the block and those around it declare, by name.
        effect: what a fault leads to.
    """

    def __init__(self, spec: Spec, declared: Mapping[bytes, Any], effect: Effect) -> None:
        self._spec = spec
        self._declared = declared
        self._effect: Effect = effect

    def faults(self, node: Any) -> Iterator[Fact]:
        """Yield what is wrong with the variables that an OpDesc's attrs name."""
        named = [entry for entry in node.attrs if any(code in entry for code in _CODES)]
        op = self._spec.ops.get(text(node.type)) if named else None
        if op is None:
            return
        takers = {attr.name: attr.type for attr in op.attrs if attr.get("support_tensor")}
        for name, attr in attrs.read(named).items():
            if name in takers and attr.type in attrs.VARIABLES:
                problem = self._problem(attr, is_of_one=takers[name] in _OF_ONE)
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

    def _problem(self, attr: attrs.Attr, *, is_of_one: bool) -> str:
        """The fault in the variables of an attr, "" where there is none."""
        names = attr.value if isinstance(attr.value, list) else [attr.value]
        for name in names:
            variable = next((each for key, each in self._declared.items() if text(key) == name), None)
            if variable is None:
                return "names a variable that no block declares"
            dims = list(variable.type.lod_tensor.tensor.dims)
            if is_of_one and len(dims) > 1:
                return f"names a variable of shape {dims}, but a single value is expected"
        return ""
