"""`tflite.Interpreter`: its creation, and then `allocate_tensors`, which every caller needs before the first run.

Every op that the model names, used or not, has to be one of its version in the runtime, which accepts the versions of
an op from one to another (measured with 17 releases of TensorFlow, tflite_runtime and LiteRT). A custom op counts if a
node uses it. The parts of the model are checked by `saved/parts.py`, nodes by `saved/node_options.py`; what kernels
check beyond that, as the types of inputs, is in no spec, and is not reported.
"""

# ruff: noqa: N999 - the loader is called as its class is
from __future__ import annotations

from collections.abc import Mapping

from opspec_lint.frameworks.tflite.compare.disagreements import rows
from opspec_lint.frameworks.tflite.compare.releases import release_numbers
from opspec_lint.frameworks.tflite.saved import codes, node_options, parts
from opspec_lint.frameworks.tflite.saved.custom_ops import custom_op_faults
from opspec_lint.frameworks.tflite.saved.usage import usage
from opspec_lint.models.fault import model_fault, new_fault, op_fault
from opspec_lint.models.loader import Loader
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.frameworks.tflite.saved.reading import ModelFile, OperatorCode
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Spec

_SCHEMA = 3
"""The only schema version that runtimes accept."""


def audit(model: Model[ModelFile], spec: Spec, options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of the model, in the order in which the interpreter meets them."""
    version = model.content.version
    if version != _SCHEMA:
        problem = f"it has schema version {version}, and every runtime accepts version {_SCHEMA} only"
        remedy = "save the model again"
        yield model_fault("model_header", "version", "refused", "parse", problem=problem, remedy=remedy)
    for code in model.content.codes:
        if code.code != codes.CUSTOM:
            yield from _version_faults(code, spec)
        elif not code.custom:
            yield _code_fault(code, "model_op_unknown", "unknown_op")
    yield from parts.header_faults(model.content, spec)
    yield from parts.tensor_faults(model.content, spec)
    yield from parts.wiring_faults(model.content)
    yield from _custom_op_faults(model.content, spec, options)
    if model.content.subgraphs:
        yield from node_options.node_faults(model.content)
        yield from node_options.type_faults(model.content, spec)
        yield from node_options.blockwise_faults(model.content, spec)
    for code in model.content.codes:
        yield from _delegate_limits(code, spec)


def _custom_op_faults(model: ModelFile, spec: Spec, options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of custom ops that nodes use; an unused one is never looked up again."""
    named = {index: code for index, code in enumerate(model.codes) if code.code == codes.CUSTOM and code.custom}
    if not named:
        return
    used = usage(model)
    for index, code in named.items():
        if index in used.at_once:
            yield from custom_op_faults(code, spec, options, "refused")
        elif index in used.later:
            yield from custom_op_faults(code, spec, options, "fails_at_run")


def _delegate_limits(code: OperatorCode, spec: Spec) -> Iterator[Fact]:
    """Yield the delegates that accept the op, but not in the version of the model."""
    op = spec.ops.get(code.name)
    limits = op.get("delegates") if op is not None else None
    for delegate, limit in sorted(limits.items() if isinstance(limits, Mapping) else ()):
        if isinstance(limit, int) and code.version > limit:
            yield op_fault(
                "model_delegate_limit", code.name, "loads", delegate=delegate, limit=limit, given=code.version
            )


def _version_faults(given: OperatorCode, spec: Spec) -> Iterator[Fact]:
    """Yield the fault of a builtin op that the release lacks, or lacks in the version of the model."""
    op = spec.ops.get(given.name)
    least, greatest = (UNKNOWN, UNKNOWN) if op is None else (op.get("min_version"), op.get("max_version"))
    if op is None and codes.builtin_name(given.code) is None and _has_newer_ops(spec):
        problem = f"the op of code {given.code} is newer than the op names that opspec-lint knows"
        yield _not_judged_fault(given, problem, "look its code up in the schema of the release")
    elif op is None or least is None or greatest is None:
        yield _code_fault(given, "model_op_unknown", "unknown_op")
    elif least is UNKNOWN or greatest is UNKNOWN:
        problem = f"the spec does not say which versions of '{given.name}' the release accepts"
        yield _not_judged_fault(given, problem, "name a spec of a tree with its kernels, or of a runtime")
    elif not least <= given.version <= greatest:
        fault = _code_fault(given, "model_op_version", "op_version")
        yield fault.replace(
            facts={"given": given.version, "least": least, "greatest": greatest},
            old=given.version,
            new=[least, greatest],
        )


def _has_newer_ops(spec: Spec) -> bool:
    """Return whether a release has builtin ops that are newer than the list in `codes.py`."""
    return not {name for name in spec.ops if not codes.is_custom(name)} <= set(codes.BUILTINS)


def _not_judged_fault(given: OperatorCode, problem: str, remedy: str) -> Fact:
    """Return the fact that an op cannot be judged by the spec."""
    facts = {"problem": problem, "remedy": remedy}
    return _code_fault(given, "model_not_judged", None).replace(effect="cannot_tell", facts=facts)


def _code_fault(given: OperatorCode, event: EventId, reason: str | None) -> Fact:
    """Return the fault of an op code that the interpreter refuses."""
    return new_fault(event=event, kind="op", op=given.name, name=given.name, effect="refused", reason=reason)


def claim(model: Model[ModelFile], specs: Iterable[Spec]) -> str | None:
    """Return the oldest TensorFlow release that accepts all op versions of a model, by the first spec with rows.

    A row of runtime_version.cc states it for one version of one op. None if a row is missing.
    """
    named = [code for code in model.content.codes if code.code != codes.CUSTOM]
    for spec in specs:
        known = {name: rows(op) for name, op in spec.ops.items()}
        if any(known.values()):
            needed = [known.get(code.name, {}).get(code.version) for code in named]
            if None in needed:
                return None
            return max(filter(None, needed), key=release_numbers, default=None)
    return None


LOADER = Loader(
    summary="tf.lite.Interpreter and that of LiteRT, for a TFLite model",
    formats=("tflite",),
    audit=audit,
    released_as=("tflite", "litert"),
    claim=claim,
)
