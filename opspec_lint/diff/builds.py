"""Compares which builds of a framework have an op: for users of a build that lost an op, the op was removed."""

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
    """Yield the ops whose builds changed; an op and its variants count as one.

    An op without builds is in every build. If the two specs were made from different kinds of sources, which is a fact
    of its own (`diff.knowledge`), one of them may have no builds at all. Then such an op is compared only if head says
    that no released build has it, as some build of base had it.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        differing: the names of the ops and variants that may differ.
    """
    before, after = op_table.names(base.ops), op_table.names(head.ops)
    names = sorted({without_build(name) for name in differing} & before & after)
    if not names:
        return
    is_alike = base.provenance.kind == head.provenance.kind
    variants = [name for name in before | after if name[-1:] == "]"]
    for name in names:
        every = [*(each for each in variants if without_build(each) == name), name]
        old, new = _builds(base, every), _builds(head, every)
        if old != new and (is_alike or None not in (old, new) or _is_in_none(new, head)):
            yield from _changed(name, old, new, base, head)


def _is_in_none(builds: frozenset[str] | None, spec: Spec) -> bool:
    """Return whether the builds that have an op, None for every build, include no released one."""
    return builds is not None and builds.isdisjoint(_released(spec) or builds)


def _builds(spec: Spec, names: Iterable[str]) -> frozenset[str] | None:
    """Return the builds that have an op or one of its variants, None for every build."""
    found: set[str] = set()
    for name in names:
        builds = spec.ops[name].builds if name in spec.ops else (NO_BUILD,)
        if not builds:
            return None
        found.update(builds)
    return frozenset(found - {NO_BUILD})


def _changed(
    name: str, old: frozenset[str] | None, new: frozenset[str] | None, base: Spec, head: Spec
) -> Iterator[Fact]:
    released = _released(head)
    every = frozenset(released) | (old or frozenset()) | (new or frozenset())
    before, after = every if old is None else old, every if new is None else new
    if before != after or not released:
        ops, lost, gained = (base.ops[name], head.ops[name]), before - after, after - before
        made = builds_changed(ops, (_listed(old), _listed(new)), tuple(sorted(lost)), tuple(sorted(gained)))
        yield made.replace(is_exempt=bool(released) and lost.isdisjoint(released))


def _released(spec: Spec) -> tuple[str, ...]:
    """Return the builds in which the framework of a spec is released, () if that is not known."""
    framework = spec.provenance.framework
    return FRAMEWORKS.load(framework).released_builds if framework in fields.FRAMEWORKS else ()


def _listed(builds: frozenset[str] | None) -> tuple[str, ...]:
    return () if builds is None else tuple(sorted(builds)) or (NO_BUILD,)
