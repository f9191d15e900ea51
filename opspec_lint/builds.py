"""Ops that the builds of a framework declare differently: `NAME [BUILD]` beside `NAME`, compared variant by variant."""

from __future__ import annotations

from collections.abc import Mapping

RELEASED = frozenset({"cpu", "gpu", "xpu"})
"""The builds that wheels are released of."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.findings import Finding
    from opspec_lint.model import Op, Spec


def align(base: Spec, head: Spec) -> tuple[Spec, Spec]:
    """Return two specs where a variant that one has and the other has not is compared with the other's plain op.

    Where the other does not have the op at all, the variant came or went with it.
    """
    missing_in_head = [name for name in base.ops if name[-1:] == "]" and name not in head.ops]
    missing_in_base = [name for name in head.ops if name[-1:] == "]" and name not in base.ops]
    if not missing_in_head and not missing_in_base:
        return base, head
    return _completed(base, missing_in_base), _completed(head, missing_in_head)


def capped(finding: Finding) -> Finding:
    """Return a finding, a warning at most if it is about a form of an op that no released build has."""
    op = finding.op or ""
    if op[-1:] != "]" or finding.level != "error" or op.partition(" [")[2][:-1] in RELEASED:
        return finding
    return finding.but(level="warning")


def plain_name(name: str) -> str:
    """Return the name of an op without the build that it is for."""
    return name.partition(" [")[0]


def _completed(spec: Spec, names: list[str]) -> Spec:
    more = {name: spec.ops[plain].but(name=name) for name in names if (plain := plain_name(name)) in spec.ops}
    return spec.but(ops=_Completed(spec.ops, more)) if more else spec


class _Completed(Mapping[str, "Op"]):
    """A mapping of ops with some more of them."""

    def __init__(self, ops: Mapping[str, Op], more: Mapping[str, Op]) -> None:
        self._ops = ops
        self.located: bool = getattr(ops, "located", False)
        self._more = more

    def __getitem__(self, name: str) -> Op:
        return self._more[name] if name in self._more else self._ops[name]

    def __contains__(self, name: object) -> bool:
        return name in self._more or name in self._ops

    def __iter__(self) -> Iterator[str]:
        yield from self._ops
        yield from self._more

    def __len__(self) -> int:
        return len(self._ops) + len(self._more)
