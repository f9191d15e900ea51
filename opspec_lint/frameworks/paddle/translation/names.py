"""The PIR ops of a spec, by what a ProgramDesc calls them and their arguments."""

from __future__ import annotations

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
        for name, op in sorted(spec.ops.items()):  # that in place comes second, and counts where there is no other
            for legacy in op.get("legacy_names") or ():
                self._targets.setdefault(legacy, name.removeprefix(_DIALECT))

    def target(self, legacy_op: str) -> str:
        """Return the PIR op that an op of a ProgramDesc becomes: without its dialect, and not the one in place."""
        return self._targets.get(legacy_op, legacy_op)

    def op(self, name: str, *, is_inplace: bool) -> Op | None:
        """Return the declaration of a PIR op, None where there is none.

        Args:
            name: its name without the dialect.
            is_inplace: whether a variable of the node is both an input and an output, which asks for the variant `_`.
        """
        return self._spec.ops.get(f"{_DIALECT}{name}{'_' if is_inplace and name[-1:] != '_' else ''}")

    @staticmethod
    def argument(legacy_op: str, target: Op, own: Input | Output | Attr) -> str:
        """Return what a node calls an argument: the names of op_compat.yaml are those of the ops that it names."""
        said = target.get("legacy_names") or ()
        name = own.get("legacy_name") if not said or legacy_op in said else None
        return str(name or own.name)


_found: dict[int, tuple[Spec, PirNames]] = {}
"""What was found of a spec, which many models are held against."""
_AT_MOST = 16


def of(spec: Spec) -> PirNames:
    """Return the names of a spec's ops."""
    found = _found.get(id(spec))
    if found is None or found[0] is not spec:
        if len(_found) >= _AT_MOST:
            _found.clear()
        found = _found[id(spec)] = spec, PirNames(spec)
    return found[1]
