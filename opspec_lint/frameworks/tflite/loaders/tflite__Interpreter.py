"""`tflite.Interpreter`: every op that the model names, used or not, has to be one of its version in the runtime.

A runtime accepts the versions of an op from one to another (measured with 17 releases of TensorFlow, tflite_runtime and
LiteRT). It also parses the options of each operator, and refuses a value that is newer than its schema in a few enums,
TensorType above all. No spec of a runtime contains the values of enums, so this is not reported.
"""

# ruff: noqa: N999 - the loader is called as its class is
from __future__ import annotations

from opspec_lint.frameworks.tflite.compare.releases import numbers
from opspec_lint.frameworks.tflite.compare.standing import rows
from opspec_lint.frameworks.tflite.saved import codes
from opspec_lint.models.fault import model_fault, new_fault
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
"""The version of the schema that every runtime asks for."""


def audit(model: Model[ModelFile], spec: Spec, asked: LoadOptions) -> Iterator[Fact]:  # noqa: ARG001 - what every loader is given
    """Yield what the model stumbles over."""
    version = model.content.version
    if version != _SCHEMA:
        problem = f"it has schema version {version}, and every runtime accepts version {_SCHEMA} only"
        remedy = "save the model again"
        yield model_fault("model_header", "version", "refused", "parse", problem=problem, remedy=remedy)
    for each in model.content.codes:
        yield from _faults(each, spec)


def _faults(given: OperatorCode, spec: Spec) -> Iterator[Fact]:
    if given.code == codes.CUSTOM:
        yield _of_custom(given)
        return
    op = spec.ops.get(given.name)
    least, greatest = (UNKNOWN, UNKNOWN) if op is None else (op.get("min_version"), op.get("max_version"))
    if op is None and codes.builtin_name(given.code) is None and not spec.ops.keys() <= set(codes.BUILTINS):
        problem = f"the op of code {given.code} is newer than the op names that opspec-lint knows"
        yield _unknown(given, problem, "look its code up in the schema of the release")
    elif op is None or least is None or greatest is None:
        yield _fault(given, "model_op_unknown", "unknown_op")
    elif least is UNKNOWN or greatest is UNKNOWN:
        problem = f"the spec does not say which versions of '{given.name}' the release accepts"
        yield _unknown(given, problem, "name a spec of a tree with its kernels, or of a runtime")
    elif not least <= given.version <= greatest:
        fault = _fault(given, "model_op_version", "op_version")
        yield fault.but(
            facts={"given": given.version, "least": least, "greatest": greatest},
            old=given.version,
            new=[least, greatest],
        )


def _of_custom(given: OperatorCode) -> Fact:
    """Return the fault of an op that a model brings a name for."""
    if not given.custom:
        return _fault(given, "model_op_unknown", "unknown_op")
    problem = f"the op '{given.custom}' is a custom op: whether it runs depends on what the caller registers"
    return _unknown(given, problem, "register the op, and try the model")


def _unknown(given: OperatorCode, problem: str, remedy: str) -> Fact:
    facts = {"problem": problem, "remedy": remedy}
    return _fault(given, "model_not_judged", None).but(effect="cannot_tell", facts=facts)


def _fault(given: OperatorCode, event: EventId, reason: str | None) -> Fact:
    return new_fault(event=event, kind="op", op=given.name, name=given.name, effect="refused", reason=reason)


def claim(model: Model[ModelFile], specs: Iterable[Spec]) -> str | None:
    """Return the oldest release that accepts every op version of a model, by the rows of the first spec with rows.

    A row is what runtime_version.cc says of a version; the release is one of TensorFlow. None where a row is missing.
    """
    named = [each for each in model.content.codes if each.code != codes.CUSTOM]
    for spec in specs:
        known = {name: rows(op) for name, op in spec.ops.items()}
        if any(known.values()):
            needed = [known.get(each.name, {}).get(each.version) for each in named]
            return None if None in needed else max(filter(None, needed), key=numbers, default=None)
    return None


LOADER = Loader(
    summary="tf.lite.Interpreter and that of LiteRT, for a TFLite model",
    formats=("tflite",),
    audit=audit,
    released_as=("tflite", "litert"),
    claim=claim,
)
