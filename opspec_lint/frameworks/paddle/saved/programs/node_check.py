"""One node of a program checked against the declaration of its op, as Paddle's legacy executor and predictor do.

What stops a model shows when the program is run, in the predictor when it is made. What a kernel makes of a value is no
fact of a spec.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs, constant_values, op_upgrades
from opspec_lint.frameworks.paddle.saved.programs.needed_outputs import NEEDED
from opspec_lint.frameworks.paddle.saved.programs.saver import shown
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

_CONTROL = frozenset(
    (
        *("conditional_block", "conditional_block_grad", "conditional_block_infer", "while", "while_grad", "recurrent"),
        *("recurrent_grad", "run_program", "run_program_grad", "select_input", "select_output", "feed", "fetch"),
    )
)
"""The ops that run blocks or move variables: no kernel is looked up, and their arguments are not checked."""


def is_control(op: str) -> bool:
    """Tell whether an op is one of control flow."""
    return op in _CONTROL


class NodeCheck:
    """The check of nodes of one op with the same attrs and parameters.

    Args:
        op: the declaration.
        spec: the spec of the release that loads.
        saver: the release that saved the model.
        saved_version: the version of the op that the program states, None where it states none.
        effect: what a fault leads to: to be refused, or to fail at the first run.
        converted: the types that are taken for an attr of a type.
    """

    def __init__(  # noqa: PLR0913 - what a node is checked against
        self,
        op: Op,
        spec: Spec,
        saver: Saver,
        saved_version: int | None,
        effect: Effect,
        *,
        converted: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._converted = converted
        self._op = op
        self._spec = spec
        self._saver = saver
        self._version = saved_version
        self._effect: Effect = effect

    def faults(
        self, inputs: Mapping[str, bool], outputs: Mapping[str, bool], given: dict[str, Given]
    ) -> Iterator[Fact]:
        """Yield what is wrong with a node.

        Args:
            inputs: its input parameters, and whether each is given any argument.
            outputs: its output parameters.
            given: its attrs.
        """
        upgrade = op_upgrades.upgrade(self._op.name, self._version, given, self._spec)
        if upgrade is not None:
            given = upgrade.attrs
            if upgrade.empties:
                yield self._fault("model_op_rewritten", "op", upgrade.empties, "changed")
            if upgrade.unreadable is not None:
                yield self._mistyped(upgrade.unreadable, upgrade.expected, "refused")
                return
        if not is_control(self._op.name):
            yield from self._inputs(inputs)
            yield from self._outputs(outputs)
        yield from self._attrs(given)
        if self._op.name in constant_values.OPS and constant_values.are_missing(self._op, given):
            yield self._fault("model_attr_missing", "attr", "values", "fails_at_run", reason="missing_attr")

    def _inputs(self, inputs: Mapping[str, bool]) -> Iterator[Fact]:
        for each in self._op.inputs:
            if not inputs.get(each.name) and _is_required(each):
                facts = {"problem": "has no argument" if each.name in inputs else "is not there"}
                yield self._fault("model_input_missing", "input", each.name, reason="input_missing", facts=facts)
        known = {each.name for each in self._op.inputs}
        for name in inputs:
            if name not in known and inputs[name]:
                yield self._fault("model_input_unknown", "input", name, "loads")

    def _outputs(self, outputs: Mapping[str, bool]) -> Iterator[Fact]:
        for each in self._op.outputs:
            if each.name in outputs or not _is_required(each):
                continue
            if only_when_named(self._op.name, each):
                yield self._fault("model_output_missing", "output", each.name, reason="output_missing")
            elif self._saver.leaves_out(self._op.name, each.name):
                yield self._fault("model_not_judged", "output", each.name, "cannot_tell", facts=_no_longer_extra(each))

    def _attrs(self, given: dict[str, Given]) -> Iterator[Fact]:
        declared = {attr.name: attr for attr in self._op.attrs}
        for name, attr in given.items():
            if name not in declared:
                unread = list(self._saver.ignored(self._op.name, attr))
                yield from unread or [self._fault("model_attr_unknown", "attr", name, "loads")]
            else:
                yield from self._type(declared[name], attr)
        for name, own in declared.items():
            if name not in given and own.extra is not True:
                yield from self._absent(own)

    def _absent(self, attr: Attr) -> Iterator[Fact]:
        if attr.default_value is None:
            yield self._fault("model_attr_missing", "attr", attr.name, reason="missing_attr")
            return
        yield from self._saver.absent(self._op.name, attr.name, attr.default_value)

    def _type(self, attr: Attr, given: Given) -> Iterator[Fact]:
        declared = attr.type
        if not isinstance(declared, str) or declared == given.type:
            yield from self._limits(attr, given.value)
            return
        if given.type in self._converted.get(declared, ()):
            made, is_same = attrs.converted(given.value, declared)
            if not is_same:
                facts = {"given": shown(given.value), "made": shown(made), "declared": declared}
                fault = self._fault("model_attr_converted", "attr", attr.name, "changed", facts=facts)
                yield fault.replace(old=values.thaw(given.value), new=values.thaw(made))
            return
        if given.type in attrs.VARIABLES and attr.get("support_tensor") is not False:
            yield from self._named(attr)
            return
        yield self._mistyped(given, declared)

    def _mistyped(self, given: Given, declared: str, effect: Effect | None = None) -> Fact:
        facts = {"declared": declared, "given": given.type}
        fault = self._fault("model_attr_type", "attr", given.name, effect, reason="attr_type", facts=facts)
        return fault.replace(old=given.type, new=declared)

    def _named(self, attr: Attr) -> Iterator[Fact]:
        """Yield what is to be said of variables in place of a value, which the attr takes, or nobody knows."""
        if attr.get("support_tensor") is UNKNOWN:
            facts = {
                "problem": f"the attr '{attr.name}' of '{self._op.name}' is given as a variable, but the spec does not "
                "say whether that is allowed",
                "remedy": "name a spec that was extracted from the release, or from its source",
            }
            yield self._fault("model_not_judged", "attr", attr.name, "cannot_tell", facts=facts)

    def _limits(self, attr: Attr, value: Any) -> Iterator[Fact]:
        items = value if isinstance(value, list) else [value]
        if isinstance(attr.allowed_values, tuple):
            wrong = next((item for item in items if item not in attr.allowed_values), None)
            if wrong is not None:
                yield self._value(attr, wrong, f"is not among {shown(list(attr.allowed_values))}")
        size = len(value) if isinstance(value, (list, str)) else value
        if isinstance(attr.minimum, (int, float)) and size < attr.minimum:
            yield self._value(attr, size, f"is below the minimum {attr.minimum}")
        if isinstance(attr.maximum, (int, float)) and size > attr.maximum:
            yield self._value(attr, size, f"is above the maximum {attr.maximum}")

    def _value(self, attr: Attr, value: Any, problem: str) -> Fact:
        facts = {"value": shown(value), "problem": problem}
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
    return argument.dispensable is not True and argument.extra is not True


def only_when_named(op: str, output: Declared) -> bool:
    """Tell whether an output that is neither dispensable nor extra is asked for.

    An intermediate one is only where the op cannot do without it. A release that does not know of extra arguments (1.8)
    still infers its shape.
    """
    if output.get("intermediate") is not True or output.get("extra") is UNKNOWN:
        return True
    return output.name in NEEDED.get(op, ())


def _no_longer_extra(output: Output) -> dict[str, object]:
    return {
        "problem": f"the output '{output.name}' was extra, so that its saver left it out, and is so no longer; whether "
        "the op does without it is not known",
        "remedy": "run the model with the release itself",
    }
