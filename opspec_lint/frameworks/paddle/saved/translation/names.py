"""An index of the PIR ops of a spec by their names in ProgramDescs."""

from __future__ import annotations

from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Attr, Input, Op, Output, Spec

_DIALECT = "pd_op."


class PirNames:
    """The names of a spec's PIR ops and their arguments in ProgramDescs.

    `has_names` is False for a spec that does not state such names.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._targets: dict[str, str] = {}
        self._kernels: dict[str, list[str]] = {}
        self._names_in_other_ops: dict[str, dict[tuple[str, str], str]] = {}
        self.has_names = False
        # The inplace variant sorts behind the plain op, and only counts where there is no plain one.
        for name in sorted(spec.ops):
            self._add_op(name)

    def _add_op(self, name: str) -> None:
        """Add an op to the index."""
        legacy_names = op_table.field_value(self._spec.ops, name, "legacy_names")
        if legacy_names is UNKNOWN:
            return
        kernel_of = op_table.field_value(self._spec.ops, name, "kernel_of") or None
        self.has_names = True
        for legacy in legacy_names:
            self._targets.setdefault(legacy, kernel_of or _without_dialect(name))
        if kernel_of is not None:
            self._kernels.setdefault(kernel_of, []).append(name)

    def target(self, legacy_op: str) -> str:
        """Return the PIR op that a legacy op becomes, without its dialect and not inplace.

        For an op with several kernels it is the op that the kernels belong to.
        """
        return self._targets.get(legacy_op, legacy_op)

    def kernels(self, name: str) -> list[Op]:
        """Return the kernels of an op that `target` returned; none for an op without kernels of different names."""
        return [self._spec.ops[kernel] for kernel in self._kernels.get(name, ())]

    def op(self, name: str, *, is_inplace: bool = False) -> Op | None:
        """Return the declaration of a PIR op; None if there is none.

        `is_inplace` selects the variant with a trailing `_`, for a node with a variable that is input and output.
        """
        variant = f"{name}_" if is_inplace and not name.endswith("_") else name
        return self._spec.ops.get(f"{_DIALECT}{variant}")

    def argument(self, legacy_op: str, target: Op, argument_of_target: Input | Output | Attr) -> str:
        """Return the name in a node of an argument of the PIR op that it becomes."""
        names = target.get("legacy_names") or (
            str(target.get("kernel_of") or _without_dialect(target.name)).rstrip("_"),
        )
        if legacy_op == names[0]:
            return str(argument_of_target.get("legacy_name") or argument_of_target.name)
        return self._names_in_others(target).get((legacy_op, argument_of_target.name), argument_of_target.name)

    def _names_in_others(self, target: Op) -> dict[tuple[str, str], str]:
        """Return the names of an op's arguments in further legacy ops, by (legacy op, name in PIR)."""
        names = self._names_in_other_ops.get(target.name)
        if names is None:
            rows = target.get("other_legacy_names") or ()
            names = self._names_in_other_ops[target.name] = {
                (legacy, pir_name): legacy_name for legacy, pir_name, legacy_name in rows
            }
        return names


def _without_dialect(name: str) -> str:
    """Return the name of an op without its dialect."""
    return name.removeprefix(_DIALECT)


_names_by_spec: dict[int, tuple[Spec, PirNames]] = {}
"""The names of specs by id: many models are checked against the same spec."""
_MAX_CACHED = 16


def names_of(spec: Spec) -> PirNames:
    """Return the names of a spec's ops, computed once."""
    cached = _names_by_spec.get(id(spec))
    if cached is None or cached[0] is not spec:
        if len(_names_by_spec) >= _MAX_CACHED:
            _names_by_spec.clear()
        cached = _names_by_spec[id(spec)] = spec, PirNames(spec)
    return cached[1]
