"""What two releases of ONNX have to agree on beyond single schemas: which versions of an op may still be added.

A release publishes a version of each domain. A schema that comes later needs a higher one: a model that imports a
published version means the schemas which that release has (onnx/onnx, docs/Versioning.md).
"""

from __future__ import annotations

from opspec_lint.frameworks.onnx.facts import adapter_missing, limit_lowered, version_added
from opspec_lint.frameworks.onnx.framework import DOWN, UP
from opspec_lint.frameworks.onnx.identity import DEFAULT, highest, parts, shown, versions
from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op, Spec


def disagreements(spec: Spec) -> Iterator[Fact]:  # noqa: ARG001 - the interface of all frameworks
    """Yield nothing: one release alone has nothing that could disagree."""
    return iter(())


def new_disagreements(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
    """Yield the versions of ops that are new in head, and the limits of the loader that are lower than base's."""
    before, after = op_table.names(base.ops), op_table.names(head.ops)
    published = {**highest(before), **_opsets(base)}
    known = versions(after)
    for op in sorted(after - before if only is None else (after - before).intersection(only)):
        domain, name, since = parts(op)
        if since:
            earlier = [each for each in known[domain, name] if each < since]
            predecessor = op.removesuffix(f"@{since}") + f"@{earlier[-1]}" if earlier else None
            yield version_added(
                head.ops,
                op,
                name,
                since=since,
                domain=shown(domain),
                published=published.get(domain),
                predecessor=predecessor,
                framework=head.provenance.framework,
            )
            if predecessor is not None:
                yield from _unconverted(head.ops[op], name, predecessor)
    yield from _lowered(_limits(base), _limits(head))


def _unconverted(op: Op, name: str, predecessor: str) -> Iterator[Fact]:
    """Yield what the version converter does not convert of a new version, where its adapters are known."""
    adapters = op.get("adapters")
    steps = {UP: f"from {predecessor}", DOWN: f"back to {predecessor}"}
    missing = [step for way, step in steps.items() if adapters is not UNKNOWN and way not in adapters]
    if missing:
        yield adapter_missing(op, name, predecessor, missing)


def _lowered(before: dict[str, int], after: dict[str, int]) -> Iterator[Fact]:
    for name, old in sorted(before.items()):
        new = after.get(name)
        if new is not None and new < old:
            yield limit_lowered(name, old, new)


def _limits(spec: Spec) -> dict[str, int]:
    """Return the highest versions that a release takes: of the file format, and of each domain."""
    ir_version = spec.loading.get("ir_version")
    found = {"the IR version": ir_version} if type(ir_version) is int else {}
    return found | {f"the opset of {shown(domain)}": version for domain, version in _opsets(spec).items()}


def _opsets(spec: Spec) -> dict[str, int]:
    """Return the highest version of each domain that a release states."""
    told = spec.loading.get("opsets")
    stated = told if isinstance(told, dict) else {}
    return {"" if key == DEFAULT else key: value for key, value in stated.items() if type(value) is int}
