"""What op_compat.yaml says of the ops of the dialect, as op_gen.py sees it: some entries change while it reads."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.yaml.entries import resolve_scalar
from opspec_lint.frameworks.paddle.extract.yaml.ops import entry_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import TypeAlias

    from typing_extensions import TypedDict

    from opspec_lint.frameworks.paddle.extract.dialect.rules import Rules
    from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.extract.yaml.ops import Argument

    Config: TypeAlias = tuple[str, bool]
    """The C++ type of what an attr holds, "" where it does not say, and whether tensors may take its place."""

    class CompatEntry(TypedDict):
        """An entry of op_compat.yaml: the op as it has it, the names that lead to it, its attrs with their settings."""

        op: str
        names: list[str]
        scalars: dict[str, Config]
        int_arrays: dict[str, Config]


CLOSE = ("isclose", "allclose")
"""The ops whose tolerances have a type of their own."""
_TENSOR_KEYS = frozenset({"tensor_name", "tensors_name"})


def read(entry: YamlEntry) -> CompatEntry:
    """The settings of an op's attrs in an entry of op_compat.yaml."""
    op = entry_name(entry)
    return {
        "op": op,
        "names": [each.split("(")[0].strip() for each in (op, *str(entry.get("backward", "")).split(", "))],
        "scalars": _configs(entry, "scalar"),
        "int_arrays": _configs(entry, "int_array"),
    }


class Compat:
    """What an entry says of the attrs of an op: `op` is the op as the entry has it."""

    __slots__ = ("int_arrays", "op", "scalars")

    def __init__(self, op: str, scalars: Mapping[str, Config], int_arrays: Mapping[str, Config]) -> None:
        self.op = op
        self.scalars = scalars
        self.int_arrays = int_arrays


NO_COMPAT = Compat("", {}, {})


class Compats:
    """The entries of op_compat.yaml; the first that a name leads to counts.

    Args:
        entries: the entries.
        rules: the rules of the generator.
    """

    def __init__(self, entries: Iterable[CompatEntry], rules: Rules) -> None:
        self._rules = rules
        self._by_name: dict[str, Compat] = {}
        for entry in entries:
            compat = Compat(entry["op"], entry["scalars"], entry["int_arrays"])
            for name in entry["names"]:
                self._by_name.setdefault(name, compat)

    def of(self, op: str, forward: str, marked: Collection[str], attrs: Iterable[Argument]) -> Compat:
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
                attr["name"]: ("", True) for attr in attrs if attr["name"] in marked and attr["type"] in kinds
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
        for name, (held, is_mutable) in scalars.items():
            own = "num_classes" if name == "depth" and op == "one_hot" and held else name
            if own in attrs and (is_mutable or not self._rules.needs_tensor):
                found[own] = f"paddle::dialect::ScalarAttribute<{self._held(compat, held, attrs[own])}>"
        for name, (_, is_mutable) in compat.int_arrays.items():
            if name in attrs and (is_mutable or not self._rules.needs_tensor):
                found[name] = "paddle::dialect::IntArrayAttribute"
        return {name: found[name] for name in attrs if name in found}

    def _held(self, compat: Compat, held: str, attr: Argument) -> str:
        if not held:
            return self._rules.data_types.get(attr["type"], "")
        return self._rules.close if compat.op in CLOSE else held


def _configs(entry: YamlEntry, key: str) -> dict[str, Config]:
    found = entry.get(key)
    configs = found.items() if isinstance(found, dict) else ()
    return {
        str(name): (
            str(each.get("data_type", "")),
            resolve_scalar(each.get("support_tensor")) is True or not _TENSOR_KEYS.isdisjoint(each),
        )
        for name, each in configs
        if isinstance(each, dict)
    }
