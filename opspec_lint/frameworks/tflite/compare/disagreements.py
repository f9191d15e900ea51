"""The disagreements between the files of one tree about the versions of an op.

The rules are on TensorFlow's page "TensorFlow Lite operator versions": kernels, converter, rows of runtime_version.cc,
delegates and options have to agree.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.compare.faults import Disagreement, format_versions, op_disagreement, option_fact
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op, Origin

RANGE = ("min_version", "max_version")
_FLAGS: Mapping[str, EventId] = {"unread": "parameter_unread", "unstored": "parameter_unstored"}
"""The events of the fields that mark an option as not used by the runtime."""


def find_disagreements(op: Op) -> Iterator[Disagreement]:
    """Yield the disagreements of the files about an op; a field that no file states causes none."""
    yield from _reference_kernel_faults(op)
    yield from _converter_faults(op)
    yield from _row_faults(op)
    yield from _delegate_faults(op)
    if kernel_versions(op):
        for attr in op.attrs:
            yield from _option_faults(op, attr)


def kernel_versions(op: Op, prefix: str = "") -> tuple[int, ...]:
    """Return the versions that the kernels of an op take; none if it has no kernel or that is unknown."""
    least, greatest = op.get(f"{prefix}min_version"), op.get(f"{prefix}max_version")
    return tuple(range(least, greatest + 1)) if isinstance(least, int) and isinstance(greatest, int) else ()


def is_stated(op: Op, *fields: str) -> bool:
    """Return whether all of the given fields of an op are known."""
    return all(op.get(field) is not UNKNOWN for field in fields)


def items_of(op: Op, field: str) -> Any:
    """Return the items of a field of an op, () if it has none or they are unknown."""
    return op.get(field) or ()


def converter_versions(op: Op) -> tuple[int, ...]:
    """Return the versions of an op that the converter writes; none if that is unknown.

    An op without a case is written as version 1; if it has no kernel, it is not written at all.
    """
    if not is_stated(op, "written_versions"):
        return ()
    written = tuple(items_of(op, "written_versions"))
    if written:
        return written
    return (1,) if kernel_versions(op) else ()


def rows(op: Op) -> dict[int, str]:
    """Return the rows of an op: for each version, the oldest runtime that is documented to take it."""
    return {int(version): runtime for version, runtime in dict(items_of(op, "oldest_runtimes")).items()}


def place(op: Op, *fields: str) -> Origin | None:
    """Return the place of the first of the given fields that has one, or else the place of the op."""
    return next((op.places[field] for field in fields if field in op.places), op.origin)


def _reference_kernel_faults(op: Op) -> Iterator[Disagreement]:
    """Yield the versions that the reference kernels lack although the optimised kernels take them."""
    reference = kernel_versions(op, "reference_")
    behind = tuple(version for version in kernel_versions(op) if version not in reference)
    # register_ref.cc need not register every op, so one without any reference kernel is no fault.
    if reference and behind:
        yield op_disagreement(
            op,
            "reference_kernel_behind",
            behind,
            "reference_max_version",
            needs=(*RANGE, "reference_max_version"),
            facts={"reference": format_versions(reference), "kernels": format_versions(kernel_versions(op))},
            new=list(behind),
            place=place(op, "reference_max_version"),
        )


def _converter_faults(op: Op) -> Iterator[Disagreement]:
    """Yield the versions that the converter writes and no kernel takes, and newest versions that it never writes."""
    versions, kernels = converter_versions(op), kernel_versions(op)
    if not versions or not is_stated(op, *RANGE):
        return
    needs = (*RANGE, "written_versions")
    refused = tuple(version for version in versions if version not in kernels)
    if refused:
        yield op_disagreement(
            op,
            "converter_version_refused",
            refused,
            "written_versions",
            needs=needs,
            facts={"kernels": f"take {format_versions(kernels)}" if kernels else "do not exist"},
            new=list(refused),
            place=place(op, f"written_versions.{refused[0]}", "written_versions"),
        )
    # A lower version may be skipped for good: no converter writes EQUAL 4 or DEQUANTIZE 4.
    unwritten = tuple(version for version in kernels if version > max(versions))
    if unwritten:
        yield op_disagreement(
            op,
            "kernel_version_unwritten",
            unwritten,
            "written_versions",
            needs=needs,
            facts={"written": format_versions(versions)},
            new=list(unwritten),
            place=place(op, "max_version"),
        )


def _row_faults(op: Op) -> Iterator[Disagreement]:
    """Yield the kernel versions without a row, and the rows without a kernel version."""
    if not is_stated(op, *RANGE, "oldest_runtimes"):
        return
    known, kernels = rows(op), kernel_versions(op)
    needs = (*RANGE, "oldest_runtimes")
    missing = tuple(version for version in kernels if version not in known)
    if missing:
        where = place(op, "oldest_runtimes", "max_version")
        yield op_disagreement(
            op, "runtime_row_missing", missing, "oldest_runtimes", needs=needs, new=list(missing), place=where
        )
    idle = tuple(version for version in known if version not in kernels)
    if idle:
        yield op_disagreement(
            op,
            "runtime_row_without_kernel",
            idle,
            "oldest_runtimes",
            needs=needs,
            facts={"kernels": f"take {format_versions(kernels)}" if kernels else "do not exist"},
            new=list(idle),
            place=place(op, f"oldest_runtimes.{idle[0]}"),
        )


def _delegate_faults(op: Op) -> Iterator[Disagreement]:
    """Yield the delegates that take an op of several versions without a check of the version."""
    kernels = kernel_versions(op)
    if len(kernels) < 2:
        return
    for delegate, limit in dict(items_of(op, "delegates")).items():
        if limit is None:
            yield op_disagreement(
                op,
                "delegate_unchecked",
                kernels[-1:],
                f"delegates.{delegate}",
                needs=("max_version", "delegates"),
                facts={"delegate": delegate, "kernels": format_versions(kernels)},
                new=kernels[-1],
                place=place(op, f"delegates.{delegate}"),
            )


def _option_faults(op: Op, attr: Attr) -> Iterator[Disagreement]:
    """Yield the options that the runtime does not read, or has no member of a C struct for."""
    if attr.get("deprecated") is True:
        return
    for flag, event in _FLAGS.items():
        if attr.get(flag) is True:
            facts = {"options": op.get("options"), "field": flag}
            yield Disagreement(fact=option_fact(op, attr, event, flag, facts, new=True), needs=("options",))
