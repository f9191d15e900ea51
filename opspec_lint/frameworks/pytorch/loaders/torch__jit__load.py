"""`torch.jit.load`: every call in the text of an archive needs an overload that takes it.

The text names no overloads. As PyTorch does, the number and names of the arguments select one, and a call loads if any
overload takes it. If the release has an upgrader for the version of an old archive, the old schema has to take the
call. An archive of a newer version than the release reads is refused as a whole.
"""

from __future__ import annotations

from functools import partial

from opspec_lint.frameworks.pytorch.framework import OPERATOR_VERSION, UPGRADERS
from opspec_lint.frameworks.pytorch.saved.builds import Builds
from opspec_lint.frameworks.pytorch.saved.calls import why_refused
from opspec_lint.frameworks.pytorch.saved.knowledge import (
    REMEDY,
    is_unknown_namespace,
    knows_torchscript,
    may_be_torchscript,
    unknown_namespace_fault,
)
from opspec_lint.frameworks.pytorch.saved.upgraders import upgraders
from opspec_lint.frameworks.pytorch.schemas.text import parse
from opspec_lint.kit.text import shorten
from opspec_lint.models.fault import model_fault, new_fault, not_judged, op_fault
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.pytorch.saved.torchscript import Call, Code
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op, Spec

_LONGEST = 300
_NO_UPGRADES_FROM = 10
"""The version of archives that PyTorch has written since 1.12: no upgrader applies to it."""


def audit(model: Model[Code], spec: Spec, options: LoadOptions) -> Iterator[Fact]:  # noqa: ARG001 - what every loader is given
    """Yield the faults of an archive under a release."""
    version = next((meta.producer for meta in model.meta_graphs), None)
    newest = spec.loading.get(OPERATOR_VERSION)
    if version is not None and newest is None:
        problem = f"the archive has version {version}, and the spec does not state the newest version that it reads"
        yield not_judged("version", problem, REMEDY)
    if version is not None and newest is not None and version > newest:
        problem = f"has version {version}, and the release reads versions up to {newest}"
        remedy = "load it with a newer release, or save it with an older one"
        yield model_fault("model_graph_version", "version", "refused", "version", problem=problem, remedy=remedy)
    code = model.content
    for name, problem in code.problems:
        remedy = "save the model again"
        yield model_fault("model_header", name, "refused", "archive", problem=problem, remedy=remedy)
    builds = Builds(spec)
    overloads: dict[str, list[str]] = {}
    for name in builds.default.ops:
        overloads.setdefault(name.partition(".")[0], []).append(name)
    # A model calls few ops in few ways, and each way a thousand times.
    seen: dict[int, list[Fact]] = {}
    for graph, node, call in code.calls:
        # Equal calls of a method are one object, and a comparison of objects takes longer than that of identities.
        faults = seen.get(id(call))
        if faults is None:
            judge = partial(_call_faults, call, overloads.get(call.op, []), version)
            faults = seen[id(call)] = builds.faults(call.op, judge)
        for fault in faults:
            yield fault.replace(graph=graph, node=node)


def _call_faults(call: Call, overloads: list[str], version: int | None, spec: Spec) -> Iterator[Fact]:
    """Yield the fault of a call, unless one of the overloads takes it."""
    if not overloads:
        yield _unknown_op_fault(call, spec)
        return
    refusals: dict[str, str] = {}
    for name in overloads:
        for op in _candidate_schemas(spec, name, version):
            why = why_refused(op, call.positional, call.keywords)
            if why is None:
                return
            refusals.setdefault(name, why)
    if not knows_torchscript(spec) or (UPGRADERS not in spec.loading and (version or 0) < _NO_UPGRADES_FROM):
        problem = f"no overload of '{call.op}' in the spec takes the call, and the spec does not have all of them"
        yield _not_judged_call(call, problem)
        return
    shown = "; ".join(f"'{name}': {why}" for name, why in refusals.items())
    yield op_fault("model_call_refused", call.op, "refused", "call", refusals=shorten(shown, _LONGEST))


def _candidate_schemas(spec: Spec, name: str, version: int | None) -> Iterator[Op]:
    """Yield the schemas that may take a call of an overload: the old ones that the release upgrades, and its own."""
    older = [upgrader for upgrader in upgraders(spec, name) if version is not None and version < upgrader.bumped_at]
    if older:
        yield from (parse(upgrader.schema) for upgrader in older)
    yield spec.ops[name]


def _unknown_op_fault(call: Call, spec: Spec) -> Fact:
    """Return the fault of a call of an op that the spec lacks; it is certain only if the spec has all such ops."""
    namespace = call.op.partition("::")[0]
    if is_unknown_namespace(spec, namespace):
        return unknown_namespace_fault(call.op, namespace)
    if not knows_torchscript(spec) and may_be_torchscript(call.op):
        return _not_judged_call(call, f"'{call.op}' is an op of TorchScript, and the spec has none of them")
    return new_fault(event="model_op_unknown", kind="op", op=call.op, effect="refused", reason="unknown_op")


def _not_judged_call(call: Call, problem: str) -> Fact:
    """Return the fact that a call cannot be judged by the spec, with the kind of spec that can."""
    return not_judged(call.op, problem, "name a spec of an installed release, `pytorch-runtime:PYTHON`", op=call.op)


LOADER = Loader(
    summary="torch.jit.load, for an archive of torch.jit.save or of the lite interpreter",
    formats=("torchscript",),
    audit=audit,
)
