"""The check of one node against the declaration of its op, as Paddle's legacy executor and predictor make it.

A fault appears when the program runs, or in the predictor when it is created. The behaviour of kernels is no part of a
spec.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs, constant_values, op_upgrades
from opspec_lint.frameworks.paddle.saved.programs.needed_outputs import is_needed
from opspec_lint.frameworks.paddle.saved.programs.saver import format_value
from opspec_lint.models.fault import new_fault
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr as Given
    from opspec_lint.frameworks.paddle.saved.programs.saver import Saver
    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Declared, Input, Op, Output, Spec

_KEEP_EXTRA = "save the model with `clip_extra=False` (`static.save_inference_model`, `jit.save`)"
_CONTROL = frozenset(
    (
        *("conditional_block", "conditional_block_grad", "conditional_block_infer", "while", "while_grad", "recurrent"),
        *("recurrent_grad", "run_program", "run_program_grad", "select_input", "select_output", "feed", "fetch"),
    )
)
"""The ops that run blocks or move variables: they have no kernel, and their arguments are not checked."""


def is_control(op: str) -> bool:
    """Return whether an op is a control flow op."""
    return op in _CONTROL


class NodeCheck:
    """The check of nodes of one op with the same attrs and parameters.

    `spec` is the release that loads the model, `saver` the release that saved it, `saved_version` the version of the op
    in the program (None if not stated), `effect` the effect of a fault, and `accepted_types` the types that the loader
    converts.
    """

    def __init__(  # noqa: PLR0913 - the context of a node
        self,
        op: Op,
        spec: Spec,
        saver: Saver,
        saved_version: int | None,
        effect: Effect,
        *,
        accepted_types: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._accepted_types = accepted_types
        self._op = op
        self._spec = spec
        self._saver = saver
        self._version = saved_version
        self._effect: Effect = effect

    def faults(
        self, inputs: Mapping[str, bool], outputs: Mapping[str, bool], given: dict[str, Given]
    ) -> Iterator[Fact]:
        """Yield the faults of a node with these parameters (True: with an argument) and attrs."""
        upgrade = op_upgrades.upgrade(self._op.name, self._version, given, self._spec)
        if upgrade is not None:
            given = upgrade.attrs
            if upgrade.empties:
                yield self._fault("model_op_rewritten", "op", upgrade.empties, "changed")
            # The loader throws while it rewrites the program, before any node is checked.
            if upgrade.unreadable is not None:
                yield self._type_fault(upgrade.unreadable, upgrade.expected, "refused")
                return
        if not is_control(self._op.name):
            yield from self._input_faults(inputs)
            yield from self._output_faults(outputs, given)
        yield from self._attr_faults(given)
        if self._op.name in constant_values.OPS:
            missing = constant_values.missing_attr(self._op, given)
            if missing is not None:
                yield self._fault("model_attr_missing", "attr", missing, "fails_at_run", reason="missing_attr")

    def _input_faults(self, inputs: Mapping[str, bool]) -> Iterator[Fact]:
        """Yield the faults of inputs."""
        for declared_input in self._op.inputs:
            if not inputs.get(declared_input.name) and _is_required(declared_input):
                facts = {"problem": "has no argument" if declared_input.name in inputs else "is not there"}
                yield self._fault(
                    "model_input_missing", "input", declared_input.name, reason="input_missing", facts=facts
                )
        declared_names = {declared_input.name for declared_input in self._op.inputs}
        for name in inputs:
            if name not in declared_names and inputs[name]:
                yield self._fault("model_input_unknown", "input", name, "loads")

    def _output_faults(self, outputs: Mapping[str, bool], given: Mapping[str, Given]) -> Iterator[Fact]:
        """Yield the faults of outputs."""
        missing = [output for output in self._op.outputs if output.name not in outputs and not output.dispensable]
        if not missing:
            return
        attrs = {attr.name: attr.default_value for attr in self._op.attrs}
        attrs |= {name: attr.value for name, attr in given.items()}
        for output in missing:
            is_required = is_output_required(self._op.name, output, self._spec.provenance.version, attrs)
            if is_required is True:
                yield self._fault(
                    "model_output_missing",
                    "output",
                    output.name,
                    reason="output_missing",
                    facts={"remedy": self._output_remedy(output)},
                )
            elif is_required is None:
                yield self._fault(
                    "model_not_judged", "output", output.name, "cannot_tell", facts=_unmeasured_output_facts(output)
                )

    def _output_remedy(self, output: Output) -> str:
        """Return the advice for an output that is missing."""
        if output.extra is True or self._saver.omits_output(self._op.name, output.name):
            return f"{_KEEP_EXTRA}; the saver leaves '{output.name}' out otherwise"
        return "export the model again with the release that will load it"

    def _attr_faults(self, given: dict[str, Given]) -> Iterator[Fact]:
        """Yield the faults of attrs."""
        declared = {attr.name: attr for attr in self._op.attrs}
        for name, attr in given.items():
            if name not in declared:
                unread = list(self._saver.ignored_attr_faults(self._op.name, attr))
                yield from unread or [self._fault("model_attr_unknown", "attr", name, "loads")]
            else:
                yield from self._type_faults(declared[name], attr)
        for name, declared_attr in declared.items():
            if name not in given and declared_attr.extra is not True:
                yield from self._absent_attr_faults(declared_attr)

    def _absent_attr_faults(self, attr: Attr) -> Iterator[Fact]:
        """Yield the effects of an attr that the node lacks."""
        if attr.default_value is None:
            yield self._fault("model_attr_missing", "attr", attr.name, reason="missing_attr")
            return
        yield from self._saver.absent_attr_faults(self._op.name, attr.name, attr.default_value)

    def _type_faults(self, attr: Attr, given: Given) -> Iterator[Fact]:
        """Yield the faults of an attr's type, or of its value if the type is right."""
        declared = attr.type
        if not isinstance(declared, str) or declared == given.type:
            yield from self._value_faults(attr, given.value)
            return
        if given.type in self._accepted_types.get(declared, ()):
            converted, is_same = attrs.convert(given.value, declared)
            if not is_same:
                facts = {"given": format_value(given.value), "made": format_value(converted), "declared": declared}
                fault = self._fault("model_attr_converted", "attr", attr.name, "changed", facts=facts)
                yield fault.replace(old=values.thaw(given.value), new=values.thaw(converted))
            return
        if given.type in attrs.VARIABLES and attr.get("support_tensor") is not False:
            yield from self._variable_faults(attr)
            return
        yield self._type_fault(given, declared)

    def _type_fault(self, given: Given, declared: str, effect: Effect | None = None) -> Fact:
        """Return the fault of an attr with a wrong type."""
        facts = {"declared": declared, "given": given.type}
        fault = self._fault("model_attr_type", "attr", given.name, effect, reason="attr_type", facts=facts)
        return fault.replace(old=given.type, new=declared)

    def _variable_faults(self, attr: Attr) -> Iterator[Fact]:
        """Yield that variables instead of a value may not be allowed; nothing if the attr supports them."""
        if attr.get("support_tensor") is UNKNOWN:
            facts = {
                "problem": f"the attr '{attr.name}' of '{self._op.name}' is given as a variable, but the spec does not "
                "say whether that is allowed",
                "remedy": "name a spec that was extracted from the release, or from its source",
            }
            yield self._fault("model_not_judged", "attr", attr.name, "cannot_tell", facts=facts)

    def _value_faults(self, attr: Attr, value: Any) -> Iterator[Fact]:
        """Yield the faults of a value outside of the declared limits."""
        items = value if isinstance(value, list) else [value]
        if isinstance(attr.allowed_values, tuple):
            invalid = next((item for item in items if item not in attr.allowed_values), None)
            if invalid is not None:
                yield self._value_fault(attr, invalid, f"is not among {format_value(list(attr.allowed_values))}")
        size = len(value) if isinstance(value, (list, str)) else value
        if isinstance(attr.minimum, (int, float)) and size < attr.minimum:
            yield self._value_fault(attr, size, f"is below the minimum {attr.minimum}")
        if isinstance(attr.maximum, (int, float)) and size > attr.maximum:
            yield self._value_fault(attr, size, f"is above the maximum {attr.maximum}")

    def _value_fault(self, attr: Attr, value: Any, problem: str) -> Fact:
        """Return the fault of a value."""
        facts = {"value": format_value(value), "problem": problem}
        fault = self._fault("model_attr_value", "attr", attr.name, reason="attr_value", facts=facts)
        return fault.replace(old=values.thaw(value))

    def _fault(  # noqa: PLR0913 - a fault is its facts
        self,
        event: EventId,
        kind: Any,
        name: str,
        effect: Effect | None = None,
        *,
        reason: str | None = None,
        facts: Mapping[str, object] = {},
    ) -> Fact:
        """Return a fault of the node's op."""
        return new_fault(
            event=event,
            kind=kind,
            op=self._op.name,
            name=name,
            effect=effect or self._effect,
            reason=reason,
            facts=facts,
        )


def _is_required(argument: Input | Output) -> bool:
    """Return whether an argument is neither dispensable nor extra."""
    return argument.dispensable is not True and argument.extra is not True


def is_output_required(
    op: str, output: Declared, version: str | None, attrs: Mapping[str, Any] | None = None
) -> bool | None:
    """Return whether a node must have an output that is not dispensable; None if that is unknown.

    An intermediate or extra output is only needed if the op fails without it (`needed_outputs.py`). If that is unknown,
    an extra output is not needed: its own release leaves it out of the models that it saves. A release that does not
    know which outputs are extra (1.8) needs each, as it infers their shapes.
    """
    is_extra = output.get("extra")
    if is_extra is UNKNOWN or (is_extra is False and output.get("intermediate") is not True):
        return True
    need = is_needed(op, output.name, version, attrs)
    return False if need is None and is_extra is True else need


def _unmeasured_output_facts(output: Output) -> dict[str, object]:
    """Return the facts about an intermediate output that a node lacks, if it is unknown whether the op needs it."""
    return {
        "problem": f"the node lacks the intermediate output '{output.name}', which no loader checks; whether the op "
        "does without it is not known",
        "remedy": "run the model with the release itself",
    }
