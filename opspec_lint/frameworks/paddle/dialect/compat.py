"""What op_compat.yaml says of the ops of the dialect, as op_gen.py sees it: some entries change while it reads."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.yaml.entries import resolved
from opspec_lint.frameworks.paddle.yaml.ops import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from opspec_lint.frameworks.paddle.dialect.rules import Rules
    from opspec_lint.frameworks.paddle.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.yaml.ops import Argument

_TENSOR_KEYS = frozenset({"tensor_name", "tensors_name"})


class Compat:
    """What an entry of op_compat.yaml says of the attrs of an op: what it has as `scalar` and as `int_array`.

    `op` is the op as the entry has it.
    """

    __slots__ = ("int_arrays", "op", "scalars")

    def __init__(self, op: str, scalars: Mapping[str, Any], int_arrays: Mapping[str, Any]) -> None:
        self.op = op
        self.scalars = scalars
        self.int_arrays = int_arrays


NO_COMPAT = Compat("", {}, {})


class Compats:
    """The entries of op_compat.yaml.

    Args:
        entries: the entries.
        rules: the rules of the generator.
    """

    def __init__(self, entries: Iterable[YamlEntry], rules: Rules) -> None:
        self._rules = rules
        self._by_name: dict[str, Compat] = {}
        for entry in entries:
            op = name_of(entry)
            compat = Compat(op, _mapping(entry, "scalar"), _mapping(entry, "int_array"))
            for name in (op, *str(entry.get("backward", "")).split(", ")):
                self._by_name.setdefault(name.split("(")[0].strip(), compat)

    def of(self, op: str, forward: str, marked: frozenset[str], attrs: Iterable[Argument]) -> Compat:
        """Return the entry of an op, and let it become what the generator makes of it.

        Args:
            op: the name of the op.
            forward: that of its forward op, "" for one that has none.
            marked: the attrs that the op's own entry makes mutable (`support_tensor`).
            attrs: the attrs of the op.
        """
        found = self._by_name.get(op)
        if found is None and forward and self._rules.forward_compat and op.endswith(("_grad", "_grad_")):
            found = self._by_name.get(forward)
        if found is None:
            return NO_COMPAT
        if found.op == "pow" and found.scalars and self._rules.pops_scalars:
            found.scalars = {}
            return NO_COMPAT
        if marked and self._rules.support_tensor:
            kinds = ("Scalar", "IntArray")
            found.scalars = {
                attr.name: {"support_tensor": True} for attr in attrs if attr.name in marked and attr.type in kinds
            }
            found.int_arrays = {}
        return found

    def mutable(self, compat: Compat, op: str, attrs: Mapping[str, Argument], *, has_scalars: bool) -> dict[str, str]:
        """Return the attrs of an op that are inputs in a program, each with its type.

        Args:
            compat: the entry of the op.
            op: the name of the op.
            attrs: its attrs by name.
            has_scalars: whether its Scalars can be mutable.
        """
        found: dict[str, str] = {}
        scalars = compat.scalars if has_scalars else {}
        for name, config in scalars.items():
            if self._is_mutable(config):
                own = "num_classes" if name == "depth" and op == "one_hot" and "data_type" in config else name
                attr = attrs.get(own)
                data_type = self._data_type(compat, config, attr)
                if attr is not None:
                    found[own] = f"paddle::dialect::ScalarAttribute<{data_type}>"
        for name, config in compat.int_arrays.items():
            if self._is_mutable(config) and name in attrs:
                found[name] = "paddle::dialect::IntArrayAttribute"
        return {name: found[name] for name in attrs if name in found}

    def _is_mutable(self, config: Mapping[str, Any]) -> bool:
        if not self._rules.needs_tensor:
            return True
        return resolved(config.get("support_tensor")) is True or not _TENSOR_KEYS.isdisjoint(config)

    def _data_type(self, compat: Compat, config: Mapping[str, Any], attr: Argument | None) -> str:
        if "data_type" not in config:
            return self._rules.data_types.get(attr.type, "") if attr is not None else ""
        return self._rules.close if compat.op in ("isclose", "allclose") else str(config["data_type"])


def _mapping(entry: YamlEntry, key: str) -> dict[str, Any]:
    found = entry.get(key)
    return {name: each for name, each in found.items() if isinstance(each, dict)} if isinstance(found, dict) else {}
