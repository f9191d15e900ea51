"""Alignment of ops that builds declare differently: `NAME [BUILD]` beside `NAME`, compared variant by variant."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec import op_table
from opspec_lint.spec.identity import NO_BUILD, build_of, without_build

_FILE = pattern(r"[^()\s]+\.\w+")
"""The build of a variant that is named for the file that declares it; a condition has brackets or blanks."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.spec.model import Spec


def align_variants(base: Spec, head: Spec) -> tuple[Spec, Spec]:
    """Return two specs in which a variant that only one spec has is compared with the plain op of the other.

    If the other spec lacks the op altogether, the variant was added or removed with it. A variant that no build
    contains is a duplicate that nobody runs; if one side lacks it, it is not compared.
    """
    # This runs on every comparison, and few specs have variants: the last character rules the others out cheaply.
    missing_in_head = [name for name in base.ops if name[-1:] == "]" and name not in head.ops]
    missing_in_base = [name for name in head.ops if name[-1:] == "]" and name not in base.ops]
    if not missing_in_head and not missing_in_base:
        return base, head
    head, renamed = _with_former_files(head, missing_in_head, missing_in_base)
    missing_in_head = [name for name in missing_in_head if name not in renamed]
    missing_in_base = [name for name in missing_in_base if name not in renamed.values()]
    base, missing_in_head = _without_duplicates(base, missing_in_head, head)
    head, missing_in_base = _without_duplicates(head, missing_in_base, base)
    return _add_variants(base, missing_in_base), _add_variants(head, missing_in_head)


def _with_former_files(head: Spec, lost: Iterable[str], added: Iterable[str]) -> tuple[Spec, dict[str, str]]:
    """Return head with the names of base for variants whose file was renamed, and the names in head by these.

    A file was renamed if an op lost one variant that is named for a file, and got another one.
    """
    lost_by_op, added_by_op = _file_variants(lost), _file_variants(added)
    renamed = {
        names[0]: added_by_op[op][0]
        for op, names in lost_by_op.items()
        if len(names) == 1 == len(added_by_op.get(op, ()))
    }
    if not renamed:
        return head, renamed
    ops = op_table.with_copies(head.ops, renamed)
    return head.replace(ops=op_table.drop_ops(ops, set(renamed.values()))), renamed


def _file_variants(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the variants that are named for a file, by op."""
    variants: dict[str, list[str]] = {}
    for name in names:
        if _FILE.fullmatch(build_of(name) or ""):
            variants.setdefault(without_build(name), []).append(name)
    return variants


def _without_duplicates(spec: Spec, names: Iterable[str], opposite: Spec) -> tuple[Spec, list[str]]:
    """Return a spec without the variants that no build contains, and the names of its other variants."""
    duplicates = {name for name in names if build_of(name) == NO_BUILD and without_build(name) in opposite.ops}
    remaining = [name for name in names if name not in duplicates]
    return (spec.replace(ops=op_table.drop_ops(spec.ops, duplicates)) if duplicates else spec), remaining


def _add_variants(spec: Spec, names: list[str]) -> Spec:
    """Return a spec with variants that are declared like the plain op, if the spec has that op."""
    copied_from = {name: without_build(name) for name in names if without_build(name) in spec.ops}
    return spec.replace(ops=op_table.with_copies(spec.ops, copied_from)) if copied_from else spec
