"""The builds of an extension, which may declare an op in different ways and then take different calls."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.framework import family
from opspec_lint.models.fault import EFFECTS, not_judged
from opspec_lint.spec import op_table
from opspec_lint.spec.identity import build_of, build_variant, without_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.model import Spec

_REMEDY = "name a spec of the installed build that loads the model: `pytorch-runtime:PYTHON,MODULE`"


class Builds:
    """The ops of a release, as each of its builds declares them.

    `default` is the release without the variants of ops (`NAME [BUILD]`).
    """

    def __init__(self, spec: Spec) -> None:
        variants = [name for name in spec.ops if name[-1:] == "]"]
        self.default = spec.replace(ops=op_table.drop_ops(spec.ops, variants)) if variants else spec
        self._varying = {family(name) for name in variants}
        self._specs = {"": self.default}
        for build in dict.fromkeys(build_of(name) or "" for name in variants):
            declared = {without_build(name): name for name in variants if build_of(name) == build}
            ops = op_table.drop_ops(op_table.with_copies(spec.ops, declared), variants)
            self._specs[build] = spec.replace(ops=ops)

    def faults(self, op: str, judge: Callable[[Spec], Iterable[Fact]]) -> list[Fact]:
        """Return the faults of a call of an op; if the build decides how the call ends, this is the only fault."""
        faults = list(judge(self.default))
        if family(op) not in self._varying:
            return faults
        effects = {build: _worst(judge(spec)) for build, spec in self._specs.items()}
        if len(set(effects.values())) == 1:
            return faults
        shown = ", ".join(
            f"'{build_variant(op, build) if build else op}' {_ENDS[effect]}" for build, effect in effects.items()
        )
        return [not_judged(op, f"the builds of the release declare '{op}' differently: {shown}", _REMEDY, op=op)]


_ENDS: dict[Effect, str] = {
    "loads": "takes the call",
    "changed": "takes the call in part",
    "cannot_tell": "cannot be judged",
    "fails_at_run": "fails when it runs",
    "refused": "refuses the call",
}


def _worst(faults: Iterable[Fact]) -> Effect:
    return max((fault.effect or "loads" for fault in faults), key=EFFECTS.index, default="loads")
