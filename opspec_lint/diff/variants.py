"""Ops that the builds of a framework declare differently: `NAME [BUILD]` beside `NAME`, compared variant by variant."""

from __future__ import annotations

from opspec_lint.spec import op_table
from opspec_lint.spec.identity import NO_BUILD, build_of, without_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.spec.model import Spec


def align_variants(base: Spec, head: Spec) -> tuple[Spec, Spec]:
    """Return two specs where a variant that only one has is compared with the other's op of no build.

    Where the other does not have the op at all, the variant came or went with it. A variant that no build contains is
    a duplicate that nobody runs: where one side lacks it, it is not compared.
    """
    missing_in_head = [name for name in base.ops if name[-1:] == "]" and name not in head.ops]
    missing_in_base = [name for name in head.ops if name[-1:] == "]" and name not in base.ops]
    if not missing_in_head and not missing_in_base:
        return base, head
    base, missing_in_head = _without_duplicates(base, missing_in_head, head)
    head, missing_in_base = _without_duplicates(head, missing_in_base, base)
    return _completed(base, missing_in_base), _completed(head, missing_in_head)


def _without_duplicates(spec: Spec, names: Iterable[str], other: Spec) -> tuple[Spec, list[str]]:
    """Return a spec without those of its variants that no build contains, and the names of the rest."""
    duplicates = {name for name in names if build_of(name) == NO_BUILD and without_build(name) in other.ops}
    left = [name for name in names if name not in duplicates]
    return (spec.replace(ops=op_table.drop_ops(spec.ops, duplicates)) if duplicates else spec), left


def _completed(spec: Spec, names: list[str]) -> Spec:
    standing_for = {name: without_build(name) for name in names if without_build(name) in spec.ops}
    return spec.replace(ops=op_table.with_copies(spec.ops, standing_for)) if standing_for else spec
