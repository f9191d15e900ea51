"""Comparison of two releases of ONNX beyond single schemas: new versions of ops, and limits on opsets and IR versions.

A model that imports a published opset means the schemas of the release that published it, so a later schema needs a
higher opset (onnx/onnx, docs/Versioning.md). A source tree states the opsets of the last release as well as those in
development (`DomainToVersionRange` of onnx/defs/schema.h). Schemas above the last release may be added, changed and
removed until the next one.
"""

from __future__ import annotations

from functools import partial

from opspec_lint.frameworks.onnx.facts import adapter_missing, development_changed, limit_lowered, version_added
from opspec_lint.frameworks.onnx.framework import DOWN, RELEASED, UP
from opspec_lint.frameworks.onnx.identity import DEFAULT, domain_title, highest_versions, split_identity, versions_by_op
from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op, Spec


def new_disagreements(
    base: Spec,
    head: Spec,
    only: Collection[str] | None,
    memory: NoMemory,
) -> Iterator[Fact]:
    """Yield facts about ops versions that only head has, and about limits of the loader that are lower than base's."""
    before, after = op_table.names(base.ops), op_table.names(head.ops)
    # Without a statement, the highest version among the schemas is the published opset; the last release, if stated,
    # wins.
    published = {**highest_versions(before), **_opsets(base), **_opsets(base, RELEASED)}
    known = versions_by_op(after)
    for op in sorted(after - before if only is None else (after - before).intersection(only)):
        domain, name, since = split_identity(op)
        if since:
            earlier = [version for version in known[domain, name] if version < since]
            predecessor = op.removesuffix(f"@{since}") + f"@{earlier[-1]}" if earlier else None
            add_version = partial(
                version_added,
                head.ops,
                op,
                name,
                since=since,
                domain=domain_title(domain),
                published=published.get(domain),
                predecessor=predecessor,
                framework=head.provenance.framework,
            )
            topic = "version added", published.get(domain), predecessor
            yield memory.intern(head.ops, op, topic, add_version, second_op=predecessor)
            if predecessor is not None:
                yield from _missing_adapters(head.ops[op], name, predecessor)
    released = _released(base, head)
    yield from _lowered_limits(_limits(base, released), _limits(head, released))


def settle(changes: Sequence[Fact], base: Spec, head: Spec) -> list[Fact]:
    """Replace all facts about a schema in development by a single fact about that schema.

    Facts about a published schema say which opset is the next, as the change needs a new version with it.
    """
    released = _released(base, head)
    if not released:
        return list(changes)
    settled: list[Fact] = []
    drafts: dict[str, list[Fact]] = {}
    for change in changes:
        domain, _, since = split_identity(change.op or "")
        if change.event in _OF_NEW_VERSIONS or not since or domain not in released:
            settled.append(change)
        elif since <= released[domain]:
            is_op = change.kind == "op" and change.field is None
            remark = "" if is_op else f" (the next opset of {domain_title(domain)} is {released[domain] + 1})"
            settled.append(change.replace(remark=f"{change.remark}{remark}"))
        else:
            drafts.setdefault(change.op or "", []).append(change)
    for op, differences in drafts.items():
        domain, _, since = split_identity(op)
        settled.append(development_changed(op, differences, since=since, domain=domain_title(domain), framework="onnx"))
    return settled


_OF_NEW_VERSIONS = ("op_added", "version_added", "op_added_late", "adapter_missing")
"""The events of new versions of ops, which hold for schemas in development as well."""


def _released(base: Spec, head: Spec) -> dict[str, int]:
    """Return the opset of each domain in the last release that either side knows of.

    A base that is older than a release does not unfreeze the schemas of that release, and neither does a head.
    """
    before, after = _opsets(base, RELEASED), _opsets(head, RELEASED)
    return {domain: max(before.get(domain, 0), after.get(domain, 0)) for domain in before.keys() | after.keys()}


def _missing_adapters(op: Op, name: str, predecessor: str) -> Iterator[Fact]:
    """Yield a fact if the version converter lacks an adapter for a new version, where its adapters are known."""
    adapters = op.get("adapters")
    steps = {UP: f"from {predecessor}", DOWN: f"back to {predecessor}"}
    missing = [step for way, step in steps.items() if adapters is not UNKNOWN and way not in adapters]
    if missing:
        yield adapter_missing(op, name, predecessor, missing)


def _lowered_limits(before: dict[str, int], after: dict[str, int]) -> Iterator[Fact]:
    """Yield a fact for each limit that is lower in head."""
    for name, old in sorted(before.items()):
        new = after.get(name)
        if new is not None and new < old:
            yield limit_lowered(name, old, new)


def _limits(spec: Spec, released: Mapping[str, int]) -> dict[str, int]:
    """Return the highest versions that a release takes: of the file format, and of each domain without its drafts."""
    ir_version = spec.loading.get("ir_version")
    limits = {"the IR version": ir_version} if type(ir_version) is int else {}
    return limits | {
        f"the opset of {domain_title(domain)}": min(version, released.get(domain, version))
        for domain, version in _opsets(spec).items()
    }


def _opsets(spec: Spec, name: str = "opsets") -> dict[str, int]:
    """Return the version of each domain that a spec states under `name`: the highest, or the last released one."""
    value = spec.loading.get(name)
    stated = value if isinstance(value, dict) else {}
    return {"" if key == DEFAULT else key: value for key, value in stated.items() if type(value) is int}
