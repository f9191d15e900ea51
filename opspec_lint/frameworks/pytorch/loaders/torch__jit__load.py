"""`torch.jit.load`: every call in the text of an archive needs an overload that takes it.

The text names no overloads. They are told by the number and the names of arguments; a call that several overloads take
loads. What an old archive calls is upgraded where the release has an upgrader for its version, and then it is the old
schema that takes the call. An archive of a newer version than the release reads is refused as a whole.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.framework import OPERATOR_VERSION, UPGRADERS
from opspec_lint.frameworks.pytorch.saved.calls import refusal
from opspec_lint.frameworks.pytorch.saved.knowledge import (
    REMEDY,
    is_unknown_namespace,
    knows_torchscript,
    may_be_torchscript,
    of_extension,
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
_NEWEST = 10
"""The version of archives that PyTorch has written since 1.12: nothing is upgraded from there."""


def audit(model: Model[Code], spec: Spec, asked: LoadOptions) -> Iterator[Fact]:  # noqa: ARG001 - what every loader is given
    """Yield what the model stumbles over."""
    version = next((meta.producer for meta in model.meta_graphs), None)
    newest = spec.loading.get(OPERATOR_VERSION)
    if version is not None and newest is None:
        problem = f"the archive has version {version}, and the spec does not state the newest version that it reads"
        yield not_judged("version", problem, REMEDY)
    if version is not None and newest is not None and version > newest:
        problem = f"has version {version}, and the release reads versions up to {newest}"
        remedy = "load it with a newer release, or save it with an older one"
        yield model_fault("model_graph_version", "version", "refused", "version", problem=problem, remedy=remedy)
    found = model.content
    for name, problem in found.problems:
        remedy = "save the model again"
        yield model_fault("model_header", name, "refused", "archive", problem=problem, remedy=remedy)
    overloads: dict[str, list[str]] = {}
    for name in spec.ops:
        overloads.setdefault(name.partition(".")[0], []).append(name)
    seen: dict[Call, Fact | None] = {}
    for graph, node, call in found.calls:
        if call not in seen:
            seen[call] = _fault(call, spec, overloads.get(call.op, []), version)
        fault = seen[call]
        if fault is not None:
            yield fault.replace(graph=graph, node=node)


def _fault(call: Call, spec: Spec, overloads: list[str], version: int | None) -> Fact | None:
    """Return the fault of a call, None where one of the overloads takes it."""
    if not overloads:
        return _unknown(call, spec)
    refusals: dict[str, str] = {}
    for name in overloads:
        for op in _schemas(spec, name, version):
            why = refusal(op, call.positional, call.keywords)
            if why is None:
                return None
            refusals.setdefault(name, why)
    if not knows_torchscript(spec) or (UPGRADERS not in spec.loading and (version or 0) < _NEWEST):
        problem = f"no overload of '{call.op}' in the spec takes the call, and the spec does not have all of them"
        return _unsaid(call, problem)
    shown = "; ".join(f"'{name}': {why}" for name, why in refusals.items())
    return op_fault("model_call_refused", call.op, "refused", "call", refusals=shorten(shown, _LONGEST))


def _schemas(spec: Spec, name: str, version: int | None) -> Iterator[Op]:
    """Yield the schemas that may take a call of an overload: the release's, or those that it upgrades from."""
    older = [each for each in upgraders(spec, name) if version is not None and version < each.bumped_at]
    if older:
        yield from (parse(each.schema) for each in older)
    yield spec.ops[name]


def _unknown(call: Call, spec: Spec) -> Fact:
    """Return the fault of a call of an op that the spec does not have."""
    namespace = call.op.partition("::")[0]
    if is_unknown_namespace(spec, namespace):
        return of_extension(call.op, namespace)
    if not knows_torchscript(spec) and may_be_torchscript(call.op):
        return _unsaid(call, f"'{call.op}' is an op of TorchScript, and the spec has none of them")
    return new_fault(event="model_op_unknown", kind="op", op=call.op, effect="refused", reason="unknown_op")


def _unsaid(call: Call, problem: str) -> Fact:
    return not_judged(call.op, problem, "name a spec of an installed release, `pytorch-runtime:PYTHON`", op=call.op)


LOADER = Loader(
    summary="torch.jit.load, for an archive of torch.jit.save or of the lite interpreter",
    formats=("torchscript",),
    audit=audit,
)
