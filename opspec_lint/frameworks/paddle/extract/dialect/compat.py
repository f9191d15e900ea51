"""The settings of attrs in op_compat.yaml as op_gen.py applies them, which changes some entries while it reads."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.yaml.entries import resolve_scalar
from opspec_lint.frameworks.paddle.extract.yaml.ops import entry_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import TypeAlias

    from typing_extensions import TypedDict

    from opspec_lint.frameworks.paddle.extract.dialect.rules import DialectRules
    from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.extract.yaml.ops import Argument

    Config: TypeAlias = tuple[str, bool]
    """The C++ type of an attr's value, "" if not stated, and whether a tensor may replace the attr."""

    class CompatEntry(TypedDict):
        """An entry of op_compat.yaml: its op, all names that select it, and the settings of its attrs."""

        op: str
        names: list[str]
        scalars: dict[str, Config]
        int_arrays: dict[str, Config]


CLOSE = ("isclose", "allclose")
"""The ops whose tolerances have a fixed type."""
_TENSOR_KEYS = frozenset({"tensor_name", "tensors_name"})


def read_entry(entry: YamlEntry) -> CompatEntry:
    """Return the settings of an op's attrs in an entry of op_compat.yaml."""
    op = entry_name(entry)
    return {
        "op": op,
        "names": [name.split("(")[0].strip() for name in (op, *str(entry.get("backward", "")).split(", "))],
        "scalars": _configs(entry, "scalar"),
        "int_arrays": _configs(entry, "int_array"),
    }


class Compat:
    """The settings of the attrs of one op; `op` is the name of its entry."""

    __slots__ = ("int_arrays", "op", "scalars")

    def __init__(self, op: str, scalars: Mapping[str, Config], int_arrays: Mapping[str, Config]) -> None:
        self.op = op
        self.scalars = scalars
        self.int_arrays = int_arrays


NO_COMPAT = Compat("", {}, {})


class CompatEntries:
    """The entries of op_compat.yaml by name; of several entries with a name, the first counts."""

    def __init__(self, entries: Iterable[CompatEntry], rules: DialectRules) -> None:
        self._rules = rules
        self._by_name: dict[str, Compat] = {}
        for entry in entries:
            compat = Compat(entry["op"], entry["scalars"], entry["int_arrays"])
            for name in entry["names"]:
                self._by_name.setdefault(name, compat)

    def entry_for(self, op: str, forward: str, marked: Collection[str], attrs: Iterable[Argument]) -> Compat:
        """Return the settings for an op as the generator sees them, NO_COMPAT if it sees none.

        op_gen.py changes an entry while it reads, so that a later op with the same entry gets the changed one:

        - the scalars of `pow` are removed at its first op, which itself gets none
        - attrs that an op marks as mutable replace all scalars and int arrays of its entry

        Args:
            op: the name of the op.
            forward: its forward op, "" if it has none.
            marked: the attrs that the op's own YAML entry makes mutable.
            attrs: the attrs of the op.
        """
        compat = self._by_name.get(op)
        if compat is None and forward and self._rules.forward_compat and op.endswith(("_grad", "_grad_")):
            compat = self._by_name.get(forward)
        if compat is None:
            return NO_COMPAT
        if compat.op == "pow" and compat.scalars and self._rules.pops_scalars:
            compat.scalars = {}
            return NO_COMPAT
        if marked and self._rules.support_tensor:
            kinds = ("Scalar", "IntArray")
            compat.scalars = {
                attr["name"]: ("", True) for attr in attrs if attr["name"] in marked and attr["type"] in kinds
            }
            compat.int_arrays = {}
        return compat

    def mutable_attrs(
        self, compat: Compat, op: str, attrs: Mapping[str, Argument], *, has_scalars: bool
    ) -> dict[str, str]:
        """Return the attrs of an op that are inputs in a PIR program, with their types.

        `has_scalars`: the Scalars of the op can be mutable.
        """
        types_by_name: dict[str, str] = {}
        scalars = compat.scalars if has_scalars else {}
        for name, (cpp_type, is_mutable) in scalars.items():
            # op_compat.yaml calls the attr `depth`, as the legacy op does.
            attr_name = "num_classes" if name == "depth" and op == "one_hot" and cpp_type else name
            if attr_name in attrs and (is_mutable or not self._rules.needs_tensor):
                types_by_name[attr_name] = (
                    f"paddle::dialect::ScalarAttribute<{self._scalar_type(compat, cpp_type, attrs[attr_name])}>"
                )
        for name, (_, is_mutable) in compat.int_arrays.items():
            if name in attrs and (is_mutable or not self._rules.needs_tensor):
                types_by_name[name] = "paddle::dialect::IntArrayAttribute"
        return {name: types_by_name[name] for name in attrs if name in types_by_name}

    def _scalar_type(self, compat: Compat, cpp_type: str, attr: Argument) -> str:
        """Return the C++ type of a Scalar."""
        if not cpp_type:
            return self._rules.data_types.get(attr["type"], "")
        return self._rules.close if compat.op in CLOSE else cpp_type


def _configs(entry: YamlEntry, key: str) -> dict[str, Config]:
    """Return the settings under `scalar` or `int_array`."""
    section = entry.get(key)
    configs = section.items() if isinstance(section, dict) else ()
    return {
        str(name): (
            str(config.get("data_type", "")),
            resolve_scalar(config.get("support_tensor")) is True or not _TENSOR_KEYS.isdisjoint(config),
        )
        for name, config in configs
        if isinstance(config, dict)
    }
