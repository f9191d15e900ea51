"""The disagreements between the files of a TFLite tree, and the changes of two trees that break their rules.

The rules are on TensorFlow's page "TensorFlow Lite operator versions". Of two trees, only disagreements that base
does not have are reported, so that a change made in several commits is judged by its two ends.
"""

from __future__ import annotations

from functools import partial

from opspec_lint.frameworks.tflite.compare.disagreements import (
    RANGE,
    converter_versions,
    find_disagreements,
    is_stated,
    items_of,
    kernel_versions,
    place,
    rows,
)
from opspec_lint.frameworks.tflite.compare.faults import Disagreement, format_versions, op_fact, option_fact
from opspec_lint.frameworks.tflite.compare.releases import refuted_rows, release_numbers
from opspec_lint.frameworks.tflite.extract.conditions import OR, alternatives
from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Attr, Op, Spec


_RELEASES_APART = 2
"""The number of releases that new rows name if they are of one change and disagree."""


def disagreements(spec: Spec) -> Iterator[Fact]:
    """Yield every disagreement within a spec."""
    for _, op in sorted(spec.ops.items()):
        yield from (fault.fact for fault in (*find_disagreements(op), *_wrong_since_versions(op, spec.ops.values())))
        yield from refuted_rows(op, rows(op))


def new_disagreements(base: Spec, head: Spec, only: Collection[str] | None, memory: NoMemory) -> Iterator[Fact]:
    """Yield the disagreements of head that base does not have, and changes of what a released version must keep."""
    names = sorted(op_table.names(head.ops) if only is None else op_table.names(head.ops) & set(only))
    changed = [name for name in names if not (name in base.ops and op_table.certainly_equal(base.ops, head.ops, name))]
    newest = _NewestRuntime(base)
    raised = _raised_tables(base, head) if changed else set()
    named_releases = _named_releases(changed, base, head)
    for name in changed:
        new, old = head.ops[name], base.ops.get(name)
        yield from _new_faults(new, old, head, memory)
        yield from _outdated_rows(new, old, newest)
        yield from _rows_apart(new, old, named_releases)
        if old is not None:
            changes = partial(_declared_changes, old, new)
            yield from memory.memoize_facts(old, new, "agreement", changes)
            yield from _option_changes(old, new, raised)


def _declared_changes(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the changes of what a released version must keep that depend on nothing but the two declarations."""
    yield from _converter_changes(old, new)
    yield from _condition_changes(old, new)
    yield from _row_changes(old, new)
    yield from _reference_kernel_changes(old, new)


def _faults_of(op: Op, memory: NoMemory) -> Iterable[Disagreement]:
    """Return the disagreements within an op; equal ops of many releases are one object, and looked at once."""
    find = partial(find_disagreements, op)
    return memory.memoize(op, op, "disagreements", find)


def _new_faults(new: Op, old: Op | None, head: Spec, memory: NoMemory) -> Iterator[Fact]:
    """Yield the faults of an op that it does not have in base, if base states the fields that decide it.

    A fault of several versions is reported for those that are new.
    """
    known_versions: dict[object, set[int]] = {}
    if old is not None:
        for fault in (*_faults_of(old, memory), *_wrong_since_versions(old, (old,))):
            known_versions.setdefault(fault.key, set()).update(fault.versions)
    old_attrs = set() if old is None else {attr.name for attr in old.attrs}
    for fault in (*_faults_of(new, memory), *_wrong_since_versions(new, head.ops.values())):
        if old is not None and not is_stated(old, *fault.needs):
            continue
        fact = fault.fact
        if fact.kind == "attr" and fact.field in ("unread", "unstored") and fact.name in old_attrs:
            continue  # the comparison of the attr reports it as a change of its field
        base_place = None if old is None else old.places.get(fact.field or "")
        if fault.key not in known_versions:
            yield fault.as_new_fact(base_place)
            continue
        new_versions = tuple(version for version in fault.versions if version not in known_versions[fault.key])
        if new_versions:
            yield fault.as_new_fact(base_place, new_versions)


def _wrong_since_versions(op: Op, ops: Iterable[Op]) -> Iterator[Disagreement]:
    """Yield the attrs whose comment names a version that no op with the same options table reaches."""
    kernels = kernel_versions(op)
    if not kernels:
        return
    late: list[tuple[Attr, int]] = []
    for attr in op.attrs:
        since = attr.get("since_version")
        if isinstance(since, int) and since > kernels[-1]:
            late.append((attr, since))
    if late:
        table = op.get("options")
        most = max(
            kernel_versions(sibling)[-1]
            for sibling in ops
            if sibling.get("options") == table and kernel_versions(sibling)
        )
        for attr, since in late:
            if since > most:
                facts = {"versions": format_versions((since,)), "most": most, "options": table}
                fact = option_fact(op, attr, "parameter_version_untrue", "since_version", facts, new=since)
                yield Disagreement(fact=fact, versions=(since,), needs=("options", "max_version"))


def _converter_changes(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the versions that the converter no longer writes, and new ones that it never writes."""
    if not is_stated(old, *RANGE, "written_versions") or not is_stated(new, "written_versions"):
        return
    old_kernels, new_kernels = kernel_versions(old), kernel_versions(new)
    written = converter_versions(new)
    lost = tuple(
        version
        for version in converter_versions(old)
        if version in old_kernels and version in new_kernels and version not in written
    )
    if lost:
        yield op_fact(
            new,
            "converter_version_lost",
            lost,
            "written_versions",
            facts={"written": format_versions(written)},
            old=list(lost),
            place=place(new, "written_versions"),
            base_place=place(old, f"written_versions.{lost[0]}"),
        )
    added = [version for version in new_kernels if old_kernels and version > old_kernels[-1]]
    # A version above all that the converter writes may be written by a later change.
    skipped = tuple(version for version in added if version not in written and written and version < max(written))
    if skipped:
        yield op_fact(
            new,
            "version_skipped",
            skipped,
            "written_versions",
            facts={"written": format_versions(written), "old": old_kernels[-1], "new": new_kernels[-1]},
            new=list(skipped),
            place=place(new, "max_version"),
            base_place=place(old, "max_version"),
        )


def _condition_changes(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the versions that the converter now writes under further conditions: their meaning must not change."""
    before, after = (dict(items_of(op, "conditions")) for op in (old, new))
    for version in kernel_versions(old):
        was, now = (alternatives(conditions.get(str(version), "")) for conditions in (before, after))
        more = [alternative for alternative in now if alternative not in was]
        # Only if all old alternatives remain: the text of a rewritten condition does not show whether it is wider.
        if was and more and set(was) < set(now):
            yield op_fact(
                new,
                "version_widened",
                (version,),
                f"conditions.{version}",
                facts={"old": OR.join(was), "more": OR.join(more)},
                old=before[str(version)],
                new=after[str(version)],
                place=place(new, f"written_versions.{version}"),
                base_place=place(old, f"written_versions.{version}"),
            )


def _row_changes(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the rows that were changed, or removed although the kernels take their version."""
    if not is_stated(old, "oldest_runtimes") or not is_stated(new, "oldest_runtimes"):
        return
    before, after = rows(old), rows(new)
    for version, runtime in before.items():
        now = after.get(version)
        # A row for a version that no kernel of base takes was wrong before, and may be removed.
        if now == runtime or (now is None and is_stated(old, *RANGE) and version not in kernel_versions(old)):
            continue
        yield op_fact(
            new,
            "runtime_row_removed" if now is None else "runtime_row_changed",
            (version,),
            f"oldest_runtimes.{version}",
            facts={"old": runtime, "new": now},
            old=runtime,
            new=now,
            place=place(new, f"oldest_runtimes.{version}", "oldest_runtimes"),
            base_place=place(old, f"oldest_runtimes.{version}"),
        )


class _NewestRuntime:
    """The newest runtime that any row of a spec names, determined at the first call: most comparisons need it not."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._newest: str | None = None

    def __call__(self) -> str:
        if self._newest is None:
            named = (runtime for op in self._spec.ops.values() for runtime in rows(op).values())
            self._newest = max(named, key=release_numbers, default="")
        return self._newest


def _added_rows(new: Op, old: Op | None) -> dict[int, str]:
    """Return the rows of head that base does not have."""
    if old is not None and not is_stated(old, *RANGE, "oldest_runtimes"):
        return {}
    known = {} if old is None else rows(old)
    return {version: runtime for version, runtime in rows(new).items() if version not in known}


def _new_rows(new: Op, old: Op | None) -> dict[int, str]:
    """Return the rows of versions that the kernels of base do not take: these have to name the next release."""
    kernels = () if old is None else kernel_versions(old)
    return {version: runtime for version, runtime in _added_rows(new, old).items() if version not in kernels}


def _named_releases(changed: Iterable[str], base: Spec, head: Spec) -> tuple[str, ...]:
    """Return the releases that the rows of new versions name, oldest first."""
    added = {runtime for name in changed for runtime in _new_rows(head.ops[name], base.ops.get(name)).values()}
    return tuple(sorted(added, key=release_numbers))


def _rows_apart(new: Op, old: Op | None, named_releases: tuple[str, ...]) -> Iterator[Fact]:
    """Yield the new rows that name the older of two releases: all rows of one change name the same release.

    Three or more releases are a history of changes, not one change, and allowed.
    """
    if len(named_releases) != _RELEASES_APART:
        return
    for version, runtime in _new_rows(new, old).items():
        if runtime == named_releases[0]:
            yield op_fact(
                new,
                "runtime_rows_apart",
                (version,),
                f"oldest_runtimes.{version}",
                facts={"new": runtime, "other": named_releases[1]},
                new=runtime,
                place=place(new, f"oldest_runtimes.{version}"),
            )


def _outdated_rows(new: Op, old: Op | None, newest: _NewestRuntime) -> Iterator[Fact]:
    """Yield the rows of new versions that name a release older than the newest one in base, or a refuted one."""
    for version, runtime in _new_rows(new, old).items():
        # A version that is added now is in the next release, which is no older than any release that base names.
        if release_numbers(runtime) < release_numbers(newest()):
            yield op_fact(
                new,
                "runtime_row_too_old",
                (version,),
                f"oldest_runtimes.{version}",
                facts={"new": runtime, "newest": newest()},
                new=runtime,
                place=place(new, f"oldest_runtimes.{version}"),
            )
    yield from refuted_rows(new, _added_rows(new, old))


def _reference_kernel_changes(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the versions that the reference kernels no longer take although the optimised ones do."""
    if not is_stated(new, "reference_max_version"):
        return
    now = kernel_versions(new, "reference_")
    lost = tuple(
        version
        for version in kernel_versions(old, "reference_")
        if version not in now and version in kernel_versions(new)
    )
    if lost:
        yield op_fact(
            new,
            "reference_kernel_lost",
            lost,
            "reference_max_version",
            old=list(lost),
            place=place(new, "reference_max_version", "max_version"),
            base_place=place(old, "reference_max_version"),
        )


def _option_changes(old: Op, new: Op, raised: set[str]) -> Iterator[Fact]:
    """Yield the fields that were added to an options table without a new version of any op with the table."""
    if (
        not is_stated(old, *RANGE, "options")
        or not is_stated(new, *RANGE, "options")
        or not kernel_versions(old)
        or not kernel_versions(new)
    ):
        return
    table = new.get("options")
    if table in raised or kernel_versions(new)[-1] > kernel_versions(old)[-1]:
        return
    # By slot as well, as a renamed field keeps its slot and is no new field.
    old_names, old_slots = {attr.name for attr in old.attrs}, {attr.get("slot") for attr in old.attrs}
    for attr in new.attrs:
        slot = attr.get("slot")
        is_new = attr.name not in old_names and (slot is UNKNOWN or slot not in old_slots)
        if is_new and attr.get("deprecated") is not True:
            facts = {"options": table, "max": kernel_versions(new)[-1]}
            yield option_fact(new, attr, "parameter_unversioned", "max_version", facts)


def _raised_tables(base: Spec, head: Spec) -> set[str]:
    """Return the options tables with an op whose highest version is higher than in base."""
    tables: set[str] = set()
    for name in op_table.names(head.ops):
        if name in base.ops and not op_table.certainly_equal(base.ops, head.ops, name):
            new, old = head.ops[name], base.ops[name]
            if kernel_versions(new) and kernel_versions(old) and kernel_versions(new)[-1] > kernel_versions(old)[-1]:
                tables.add(new.get("options"))
    return tables
