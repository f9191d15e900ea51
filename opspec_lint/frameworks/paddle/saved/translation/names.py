"""The PIR ops of a spec, by what a ProgramDesc calls them and their arguments."""

from __future__ import annotations

from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Attr, Input, Op, Output, Spec

_DIALECT = "pd_op."


class PirNames:
    """The names of a spec's ops.

    Args:
        spec: a spec of PIR ops.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._targets: dict[str, str] = {}
        self._kernels: dict[str, list[str]] = {}
        self._others: dict[str, dict[tuple[str, str], str]] = {}
        self.is_told = False
        for name in sorted(spec.ops):  # that in place comes second, and counts where there is no other
            self._take(name)

    def _take(self, name: str) -> None:
        legacy_names = op_table.field_value(self._spec.ops, name, "legacy_names")
        if legacy_names is UNKNOWN:
            return
        kernel_of = op_table.field_value(self._spec.ops, name, "kernel_of") or None
        self.is_told = True
        for legacy in legacy_names:
            self._targets.setdefault(legacy, kernel_of or _without_dialect(name))
        if kernel_of is not None:
            self._kernels.setdefault(kernel_of, []).append(name)

    def target(self, legacy_op: str) -> str:
        """Return the PIR op that an op of a ProgramDesc becomes: without its dialect, and not the one in place.

        Of an op with several kernels it is the one that they are kernels of.
        """
        return self._targets.get(legacy_op, legacy_op)

    def kernels(self, name: str) -> list[Op]:
        """Return the kernels of an op that `target` returned; none for an op that is its own only kernel."""
        return [self._spec.ops[each] for each in self._kernels.get(name, ())]

    def op(self, name: str, *, is_inplace: bool = False) -> Op | None:
        """Return the declaration of a PIR op, None where there is none.

        Args:
            name: its name without the dialect.
            is_inplace: whether a variable of the node is both an input and an output, which asks for the variant `_`.
        """
        return self._spec.ops.get(f"{_DIALECT}{name}{'_' if is_inplace and name[-1:] != '_' else ''}")

    def argument(self, legacy_op: str, target: Op, own: Input | Output | Attr) -> str:
        """The name that a node has for an argument of the PIR op that it becomes."""
        names = target.get("legacy_names") or (
            str(target.get("kernel_of") or _without_dialect(target.name)).rstrip("_"),
        )
        if legacy_op == names[0]:
            return str(own.get("legacy_name") or own.name)
        return self._others_of(target).get((legacy_op, own.name), own.name)

    def _others_of(self, target: Op) -> dict[tuple[str, str], str]:
        """The names that other ops of a ProgramDesc which become an op have for its arguments."""
        found = self._others.get(target.name)
        if found is None:
            others = target.get("other_legacy_names") or ()
            found = self._others[target.name] = {(legacy, own): known_as for legacy, own, known_as in others}
        return found


def _without_dialect(name: str) -> str:
    return name.removeprefix(_DIALECT)


_found: dict[int, tuple[Spec, PirNames]] = {}
"""What was found of a spec, which many models are checked against."""
_AT_MOST = 16


def of(spec: Spec) -> PirNames:
    """Return the names of a spec's ops."""
    found = _found.get(id(spec))
    if found is None or found[0] is not spec:
        if len(_found) >= _AT_MOST:
            _found.clear()
        found = _found[id(spec)] = spec, PirNames(spec)
    return found[1]
