"""Comparison of the builds of a framework that have an op: for users of a build that lost an op, the op was removed."""

from __future__ import annotations

from opspec_lint.diff.changes.ops import builds_changed
from opspec_lint.spec import fields, op_table
from opspec_lint.spec.fields import FRAMEWORKS
from opspec_lint.spec.identity import NO_BUILD, without_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def build_changes(base: Spec, head: Spec, differing: Iterable[str]) -> Iterator[Fact]:
    """Yield the ops whose builds changed; an op and its variants count as one op.

    An op without builds is in every build. Two specs of different kinds of sources may differ in whether they know
    builds at all; this is a fact elsewhere (`diff.knowledge`). Then an op is compared only if head states that no
    released build has it, while some build of base had it.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        differing: the names of the ops and variants that may differ.
    """
    before, after = op_table.names(base.ops), op_table.names(head.ops)
    names = sorted({without_build(name) for name in differing} & before & after)
    if not names:
        return
    same_kind = base.provenance.kind == head.provenance.kind
    variants = [name for name in before | after if name[-1:] == "]"]
    for name in names:
        op_and_variants = [*(variant for variant in variants if without_build(variant) == name), name]
        old, new = _builds_with_any(base, op_and_variants), _builds_with_any(head, op_and_variants)
        if old != new and (same_kind or None not in (old, new) or _is_in_no_release(new, head)):
            yield from _build_facts(name, old, new, base, head)


def _is_in_no_release(builds: frozenset[str] | None, spec: Spec) -> bool:
    """Return whether none of the builds that have an op is a released build; None means every build."""
    # If the framework states no released builds, any build may be a released one.
    return builds is not None and builds.isdisjoint(_released_builds(spec) or builds)


def _builds_with_any(spec: Spec, names: Iterable[str]) -> frozenset[str] | None:
    """Return the builds that have one of some ops, None for every build."""
    builds_of_all: set[str] = set()
    for name in names:
        builds = spec.ops[name].builds if name in spec.ops else (NO_BUILD,)
        if not builds:
            return None
        builds_of_all.update(builds)
    return frozenset(builds_of_all - {NO_BUILD})


def _build_facts(
    name: str, old: frozenset[str] | None, new: frozenset[str] | None, base: Spec, head: Spec
) -> Iterator[Fact]:
    """Yield the fact about an op whose builds differ; it is exempt if no released build lost the op."""
    released = _released_builds(head)
    all_builds = frozenset(released) | (old or frozenset()) | (new or frozenset())
    before, after = all_builds if old is None else old, all_builds if new is None else new
    if before != after or not released:
        ops, lost, gained = (base.ops[name], head.ops[name]), before - after, after - before
        fact = builds_changed(
            ops, (_sorted_builds(old), _sorted_builds(new)), tuple(sorted(lost)), tuple(sorted(gained))
        )
        yield fact.replace(is_exempt=bool(released) and lost.isdisjoint(released))


def _released_builds(spec: Spec) -> tuple[str, ...]:
    """Return the builds in which the framework of a spec is released, () if that is not known."""
    framework = spec.provenance.framework
    return FRAMEWORKS.load(framework).released_builds if framework in fields.FRAMEWORKS else ()


def _sorted_builds(builds: frozenset[str] | None) -> tuple[str, ...]:
    return () if builds is None else tuple(sorted(builds)) or (NO_BUILD,)
