"""The custom ops of a TFLite model under a release: the resolvers that register them, and delegates that run them."""

from __future__ import annotations

from opspec_lint.frameworks.tflite.compare.releases import release_numbers
from opspec_lint.frameworks.tflite.saved.listed_ops import lists_custom_ops
from opspec_lint.kit.record import Record
from opspec_lint.models.fault import op_fault
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.tflite.saved.reading import OperatorCode
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.model import Op, Spec

RESOLVERS = {"": "BuiltinOpResolver", "reference_": "BuiltinRefOpResolver"}
"""The resolvers of a release by the prefix of the fields of an op that state their versions, the default one first."""


class DelegateOps(Record):
    """Custom ops that a compiler writes into a model for its delegate: their name, or the prefix of their names."""

    name: str
    delegate: str
    is_prefix: bool = False


_FLEX = DelegateOps(name="Flex", delegate="Flex delegate (select TensorFlow ops)", is_prefix=True)
DELEGATE_OPS = (
    DelegateOps(name="edgetpu-custom-op", delegate="Edge TPU delegate"),  # edgetpu.h, `kCustomOp`
    DelegateOps(name="ethos-u", delegate="Ethos-U delegate"),  # ethosu.cc of tflite-micro
    DelegateOps(name="DISPATCH_OP", delegate="dispatch delegate of LiteRT"),  # build_stamp.h of LiteRT
    DelegateOps(name="MTKEXT_", delegate="MediaTek NeuroPilot delegate", is_prefix=True),  # LiteRT's vendors/mediatek
    _FLEX,  # tensorflow/lite/delegates/flex/util.h, `kFlexCustomCodePrefix`
)


def custom_op_faults(code: OperatorCode, spec: Spec, options: LoadOptions, effect: Effect) -> Iterator[Fact]:
    """Yield the faults of a custom op that nodes use; `effect` is the effect of an op that nothing registers."""
    op = spec.ops.get(code.name)
    # By resolver, the default one first: whether it registers the op; None if unknown.
    registered = {resolver: _accepts(op, prefix, code.version) for prefix, resolver in RESOLVERS.items()}
    by_default = next(iter(registered.values()))
    holders = [resolver for resolver, is_registered in registered.items() if is_registered]
    lacking = [resolver for resolver, is_registered in registered.items() if is_registered is False]
    if by_default:
        if lacking:
            problem = f"{' and '.join(holders)} registers it, and {' and '.join(lacking)} does not"
            yield op_fault("model_custom_op_limited", code.name, "loads", problem=problem)
    elif by_default is None or not lists_custom_ops(spec):
        problem = f"the spec does not say whether the release registers the custom op '{code.custom}'"
        remedy = "name a released spec, or one of an installed runtime or a tree with its kernels"
        yield op_fault("model_not_judged", code.name, "cannot_tell", problem=problem, remedy=remedy)
    else:
        yield from _unregistered_faults(code, spec, options, effect, holders)


def _accepts(op: Op | None, prefix: str, version: int) -> bool | None:
    """Return whether a resolver registers an op in a version, None if the spec does not state it."""
    if op is None:
        return False
    least, greatest = op.get(f"{prefix}min_version"), op.get(f"{prefix}max_version")
    if UNKNOWN in (least, greatest):
        return None
    return least is not None and greatest is not None and bool(least <= version <= greatest)


def _unregistered_faults(
    code: OperatorCode, spec: Spec, options: LoadOptions, effect: Effect, holders: list[str]
) -> Iterator[Fact]:
    """Yield the fault of a custom op that the default resolver does not register, with the remedy."""
    delegate = _delegate_of(code.custom)
    if delegate is _FLEX and (problem := _flex_support(code.custom, spec, options)):
        yield op_fault("model_custom_op_limited", code.name, "loads", problem=problem)
        return
    facts: dict[str, Any] = {"problem": "no resolver of the release registers it", "remedy": _REGISTER}
    if holders:
        facts["problem"] = f"{' and '.join(holders)} registers it, and the default resolver does not"
        facts["remedy"] = f"create the interpreter with {holders[0]}"
    elif delegate is not None:
        facts["problem"] += f": it is an op of the {delegate.delegate}"
        place = ", which TensorFlow's package has up to 2.18" if delegate is _FLEX else ""
        facts["remedy"] = f"load it with the {delegate.delegate}{place}, or convert its source without '{code.custom}'"
    yield op_fault("model_custom_op_unregistered", code.name, effect, "unknown_op", **facts)


_REGISTER = (
    "register the op with the interpreter, as by `custom_op_registerers` in Python, or convert the source of the "
    "model without it; with `--library FILE`, the ops of a library count as registered"
)


def _delegate_of(name: str) -> DelegateOps | None:
    """Return the delegate that a custom op is made for, by the op's name."""
    for ops in DELEGATE_OPS:
        if name.startswith(ops.name) if ops.is_prefix else name == ops.name:
            return ops
    return None


def _flex_support(name: str, spec: Spec, options: LoadOptions) -> str | None:
    """Return the remark that TensorFlow's package runs a Flex op, None unless it is the runtime and has the op."""
    made_by, version = spec.provenance.made_by or "", spec.provenance.version
    if not made_by.endswith(" tensorflow") or version is None or release_numbers(version) >= _WITHOUT_FLEX:
        return None
    # A Flex op runs the TensorFlow op of its name, so the ops of that TensorFlow release decide (flex/util.h).
    ops = options.released(f"tensorflow@{version}")
    if ops is None or name.removeprefix(_FLEX.name) not in ops.ops:
        return None
    return f"the {_FLEX.delegate} runs it, which TensorFlow's package contains; tflite-runtime and LiteRT do not"


_WITHOUT_FLEX = (2, 19)
"""The first release of TensorFlow whose interpreter does not link the Flex delegate.

Measured: 2.14.1 and 2.18.1 run a model with such an op, 2.19.1, 2.20.0 and 2.21.0 refuse to allocate its tensors.
"""
