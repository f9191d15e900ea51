"""What the files of TFLite have to agree on, in one tree, and in what two trees differ.

The source of the rules is TensorFlow's page "TensorFlow Lite operator versions". A tree that had a disagreement before
has no news of it: so a change that comes as several commits is judged by its two ends.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.compare.faults import Disagreement, of_op, of_option, spelt
from opspec_lint.frameworks.tflite.compare.releases import numbers, refuted
from opspec_lint.frameworks.tflite.compare.standing import RANGE, items, knows, place, rows, standing_of, taken, written
from opspec_lint.frameworks.tflite.extract.conditions import OR, alternatives
from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op, Spec


_TWO = 2


def disagreements(spec: Spec) -> Iterator[Fact]:
    """Yield every disagreement within a spec."""
    for _, op in sorted(spec.ops.items()):
        yield from (fault.fact for fault in (*standing_of(op), *_untrue(op, spec.ops.values())))
        yield from refuted(op, rows(op))


def new_disagreements(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
    """Yield the disagreements of head that base does not have, and what no later version may change."""
    names = sorted(op_table.names(head.ops) if only is None else op_table.names(head.ops) & set(only))
    changed = [name for name in names if not (name in base.ops and op_table.certainly_equal(base.ops, head.ops, name))]
    newest = _Newest(base)
    raised = _raised(base, head) if changed else set()
    named = _named_releases(changed, base, head)
    for name in changed:
        new, old = head.ops[name], base.ops.get(name)
        yield from _news(new, old, head)
        yield from _rows_added(new, old, newest)
        yield from _rows_apart(new, old, named)
        if old is not None:
            yield from _of_converter(old, new)
            yield from _of_conditions(old, new)
            yield from _of_rows(old, new)
            yield from _of_reference_kernels(old, new)
            yield from _of_options(old, new, raised)


def _news(new: Op, old: Op | None, head: Spec) -> Iterator[Fact]:
    """Yield the faults of an op that it did not have before, where before it could be told."""
    before: dict[object, set[int]] = {}
    if old is not None:
        for fault in (*standing_of(old), *_untrue(old, (old,))):
            before.setdefault(fault.key, set()).update(fault.versions)
    had = set() if old is None else {attr.name for attr in old.attrs}
    for fault in (*standing_of(new), *_untrue(new, head.ops.values())):
        if old is not None and not knows(old, *fault.needs):
            continue
        fact = fault.fact
        if fact.kind == "attr" and fact.field in ("unread", "unstored") and fact.name in had:
            continue  # which the comparison of the attr says
        where = None if old is None else old.places.get(fact.field or "")
        if fault.key not in before:
            yield fault.as_news(where)
        elif rest := tuple(version for version in fault.versions if version not in before[fault.key]):
            yield fault.as_news(where, rest)


def _untrue(op: Op, ops: Iterable[Op]) -> Iterator[Disagreement]:
    """Yield the attrs that a comment says are of a version which no op with the same options has."""
    kernels = taken(op)
    late = [attr for attr in op.attrs if isinstance(_since(attr), int) and kernels and _since(attr) > kernels[-1]]
    if late:
        table = op.get("options")
        most = max(taken(each)[-1] for each in ops if each.get("options") == table and taken(each))
        for attr in late:
            if _since(attr) > most:
                versions, facts = (_since(attr),), {"most": most, "options": table}
                event: EventId = "parameter_version_untrue"
                fact = of_option(
                    op, attr, event, "since_version", {"versions": spelt(versions), **facts}, new=_since(attr)
                )
                yield Disagreement(fact=fact, versions=versions, needs=("options", "max_version"))


def _since(attr: Attr) -> int:
    said: int = attr.get("since_version")
    return said


def _of_converter(old: Op, new: Op) -> Iterator[Fact]:
    """An old version is still written for what it was written for, and none is left out between two."""
    if not knows(old, *RANGE, "written_versions") or not knows(new, "written_versions"):
        return
    kernels, now = taken(old), written(new)
    known = [each for each in kernels if each in taken(new)]
    lost = tuple(each for each in written(old) if each in known and each not in now)
    if lost:
        yield of_op(
            new,
            "converter_version_lost",
            lost,
            "written_versions",
            facts={"written": spelt(now)},
            old=list(lost),
            place=place(new, "written_versions"),
            base_place=place(old, f"written_versions.{lost[0]}"),
        )
    added = [each for each in taken(new) if kernels and each > kernels[-1]]
    skipped = tuple(each for each in added if each not in now and now and each < max(now))
    if skipped:
        yield of_op(
            new,
            "version_skipped",
            skipped,
            "written_versions",
            facts={"written": spelt(now), "old": kernels[-1], "new": taken(new)[-1]},
            new=list(skipped),
            place=place(new, "max_version"),
            base_place=place(old, "max_version"),
        )


def _of_conditions(old: Op, new: Op) -> Iterator[Fact]:
    """A version goes on to mean what it meant: it is not written for a further feature."""
    before, after = (dict(items(op, "conditions")) for op in (old, new))
    for version in taken(old):
        was, now = (alternatives(each.get(str(version), "")) for each in (before, after))
        more = [each for each in now if each not in was]
        if was and more and set(was) < set(now):
            yield of_op(
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


def _of_rows(old: Op, new: Op) -> Iterator[Fact]:
    """A row is never changed, nor removed while the kernels take its version."""
    if not knows(old, "oldest_runtimes") or not knows(new, "oldest_runtimes"):
        return
    before, after = rows(old), rows(new)
    for version, runtime in before.items():
        now = after.get(version)
        if now == runtime or (now is None and knows(old, *RANGE) and version not in taken(old)):
            continue
        yield of_op(
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


class _Newest:
    """The newest runtime that any row of a spec names; it is looked for when somebody asks."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._found: str | None = None

    def __call__(self) -> str:
        if self._found is None:
            every = (runtime for op in self._spec.ops.values() for runtime in rows(op).values())
            self._found = max(every, key=numbers, default="")
        return self._found


def _added(new: Op, old: Op | None) -> dict[int, str]:
    """Return the rows of head that base does not have."""
    if old is not None and not knows(old, *RANGE, "oldest_runtimes"):
        return {}
    known = {} if old is None else rows(old)
    return {version: runtime for version, runtime in rows(new).items() if version not in known}


def _new_rows(new: Op, old: Op | None) -> dict[int, str]:
    """Return the rows of the versions that base does not take, which name the next release."""
    kernels = () if old is None else taken(old)
    return {version: runtime for version, runtime in _added(new, old).items() if version not in kernels}


def _named_releases(changed: Iterable[str], base: Spec, head: Spec) -> tuple[str, ...]:
    """Return the releases that rows of new versions name, the oldest one first."""
    added = {runtime for name in changed for runtime in _new_rows(head.ops[name], base.ops.get(name)).values()}
    return tuple(sorted(added, key=numbers))


def _rows_apart(new: Op, old: Op | None, named: tuple[str, ...]) -> Iterator[Fact]:
    """All rows of one change name one release. Three releases and more are no one change, but a history of them."""
    if len(named) != _TWO:
        return
    for version, runtime in _new_rows(new, old).items():
        if runtime == named[0]:
            yield of_op(
                new,
                "runtime_rows_apart",
                (version,),
                f"oldest_runtimes.{version}",
                facts={"new": runtime, "other": named[1]},
                new=runtime,
                place=place(new, f"oldest_runtimes.{version}"),
            )


def _rows_added(new: Op, old: Op | None, newest: _Newest) -> Iterator[Fact]:
    """The row of a version that base does not take names the next release: none older than any that base names."""
    for version, runtime in _new_rows(new, old).items():
        if numbers(runtime) < numbers(newest()):
            yield of_op(
                new,
                "runtime_row_too_old",
                (version,),
                f"oldest_runtimes.{version}",
                facts={"new": runtime, "newest": newest()},
                new=runtime,
                place=place(new, f"oldest_runtimes.{version}"),
            )
    yield from refuted(new, added) if (added := _added(new, old)) else ()


def _of_reference_kernels(old: Op, new: Op) -> Iterator[Fact]:
    """The reference resolver goes on to take what it took, as long as the other one does."""
    if not knows(new, "reference_max_version"):
        return
    now = taken(new, "reference_")
    lost = tuple(each for each in taken(old, "reference_") if each not in now and each in taken(new))
    if lost:
        yield of_op(
            new,
            "reference_kernel_lost",
            lost,
            "reference_max_version",
            old=list(lost),
            place=place(new, "reference_max_version", "max_version"),
            base_place=place(old, "reference_max_version"),
        )


def _of_options(old: Op, new: Op, raised: set[str]) -> Iterator[Fact]:
    """A new field of an options table comes with a new version of an op that has the table."""
    if not knows(old, *RANGE, "options") or not knows(new, *RANGE, "options") or not taken(old) or not taken(new):
        return
    table, had = new.get("options"), {attr.name for attr in old.attrs} | {attr.get("slot") for attr in old.attrs}
    if table in raised or taken(new)[-1] > taken(old)[-1]:
        return
    for attr in new.attrs:
        slot = attr.get("slot")
        if attr.name not in had and (slot is UNKNOWN or slot not in had) and attr.get("deprecated") is not True:
            facts = {"options": table, "max": taken(new)[-1]}
            yield of_option(new, attr, "parameter_unversioned", "max_version", facts)


def _raised(base: Spec, head: Spec) -> set[str]:
    """Return the options tables of which an op has a higher version than in base."""
    tables: set[str] = set()
    for name in op_table.names(head.ops):
        if name in base.ops and not op_table.certainly_equal(base.ops, head.ops, name):
            new, old = head.ops[name], base.ops[name]
            if taken(new) and taken(old) and taken(new)[-1] > taken(old)[-1]:
                tables.add(new.get("options"))
    return tables
