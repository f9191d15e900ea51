"""What the files of one tree have to agree on about the versions of an op (TensorFlow's page on operator versions)."""

from __future__ import annotations

from opspec_lint.frameworks.tflite.compare.faults import Disagreement, of_option, of_tree, spelt
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op, Origin

RANGE = ("min_version", "max_version")
_FLAGS: Mapping[str, EventId] = {"unread": "parameter_unread", "unstored": "parameter_unstored"}
"""The events of the fields that say of an option that the runtime does not use it."""


def standing_of(op: Op) -> Iterator[Disagreement]:
    """Yield what the files disagree on about an op, as far as they speak of it."""
    yield from _of_reference_kernels(op)
    yield from _of_converter(op)
    yield from _of_rows(op)
    yield from _of_delegates(op)
    if taken(op):
        for attr in op.attrs:
            yield from _of_parameter(op, attr)


def taken(op: Op, prefix: str = "") -> tuple[int, ...]:
    """Return the versions that the kernels of an op take, none where there is no kernel or nobody knows."""
    least, greatest = op.get(f"{prefix}min_version"), op.get(f"{prefix}max_version")
    return tuple(range(least, greatest + 1)) if isinstance(least, int) and isinstance(greatest, int) else ()


def knows(op: Op, *fields: str) -> bool:
    """Tell whether all of some fields of an op are known."""
    return all(op.get(field) is not UNKNOWN for field in fields)


def items(op: Op, field: str) -> Any:
    """Return the items of a field of an op, none where it has none or they are not known."""
    return op.get(field) or ()


def written(op: Op) -> tuple[int, ...]:
    """Return the versions that the converter writes of an op, none where nobody knows.

    An op without a case is written as version 1; if it has no kernel, it is not written at all.
    """
    if not knows(op, "written_versions"):
        return ()
    return tuple(items(op, "written_versions")) or (1,)[: len(taken(op))]


def rows(op: Op) -> dict[int, str]:
    """Return the rows of an op: by version, the oldest runtime that is said to take it."""
    return {int(version): runtime for version, runtime in dict(items(op, "oldest_runtimes")).items()}


def place(op: Op, *fields: str) -> Origin | None:
    """Return where the first of some fields is said for which that is known, or else where the op is declared."""
    return next((op.places[field] for field in fields if field in op.places), op.origin)


def _of_reference_kernels(op: Op) -> Iterator[Disagreement]:
    """An op that both resolvers have takes the same versions in both."""
    reference = taken(op, "reference_")
    behind = tuple(version for version in taken(op) if version not in reference)
    if reference and behind:
        yield of_tree(
            op,
            "reference_kernel_behind",
            behind,
            "reference_max_version",
            needs=(*RANGE, "reference_max_version"),
            facts={"reference": spelt(reference), "kernels": spelt(taken(op))},
            new=list(behind),
            place=place(op, "reference_max_version"),
        )


def _of_converter(op: Op) -> Iterator[Disagreement]:
    """The kernels take what the converter writes, and the converter writes the newest version that they take."""
    versions, kernels = written(op), taken(op)
    if not versions or not knows(op, *RANGE):
        return
    needs = (*RANGE, "written_versions")
    refused = tuple(version for version in versions if version not in kernels)
    if refused:
        yield of_tree(
            op,
            "converter_version_refused",
            refused,
            "written_versions",
            needs=needs,
            facts={"kernels": f"take {spelt(kernels)}" if kernels else "do not exist"},
            new=list(refused),
            place=place(op, f"written_versions.{refused[0]}", "written_versions"),
        )
    unwritten = tuple(version for version in kernels if version > max(versions))
    if unwritten:
        yield of_tree(
            op,
            "kernel_version_unwritten",
            unwritten,
            "written_versions",
            needs=needs,
            facts={"written": spelt(versions)},
            new=list(unwritten),
            place=place(op, "max_version"),
        )


def _of_rows(op: Op) -> Iterator[Disagreement]:
    """Every version that the kernels take has a row, and every row such a version."""
    if not knows(op, *RANGE, "oldest_runtimes"):
        return
    known, kernels = rows(op), taken(op)
    needs = (*RANGE, "oldest_runtimes")
    missing = tuple(version for version in kernels if version not in known)
    if missing:
        where = place(op, "oldest_runtimes", "max_version")
        yield of_tree(
            op, "runtime_row_missing", missing, "oldest_runtimes", needs=needs, new=list(missing), place=where
        )
    idle = tuple(version for version in known if version not in kernels)
    if idle:
        yield of_tree(
            op,
            "runtime_row_without_kernel",
            idle,
            "oldest_runtimes",
            needs=needs,
            facts={"kernels": f"take {spelt(kernels)}" if kernels else "do not exist"},
            new=list(idle),
            place=place(op, f"oldest_runtimes.{idle[0]}"),
        )


def _of_delegates(op: Op) -> Iterator[Disagreement]:
    """A delegate that takes an op of several versions checks which one it is."""
    kernels = taken(op)
    if len(kernels) < 2:
        return
    for delegate, limit in dict(items(op, "delegates")).items():
        if limit is None:
            yield of_tree(
                op,
                "delegate_unchecked",
                kernels[-1:],
                f"delegates.{delegate}",
                needs=("max_version", "delegates"),
                facts={"delegate": delegate, "kernels": spelt(kernels)},
                new=kernels[-1],
                place=place(op, f"delegates.{delegate}"),
            )


def _of_parameter(op: Op, attr: Attr) -> Iterator[Disagreement]:
    """The runtime reads every field of an options table that is in use, and has a place for it."""
    if attr.get("deprecated") is True:
        return
    for flag, event in _FLAGS.items():
        if attr.get(flag) is True:
            facts = {"options": op.get("options"), "field": flag}
            yield Disagreement(fact=of_option(op, attr, event, flag, facts, new=True), needs=("options",))
