"""The faults of a translated node, with the facts of each kind of fault in one place."""

from __future__ import annotations

from opspec_lint.models.fault import new_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr as Given
    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.ids import EventId


class NodeFaults:
    """Constructors of the faults of a node of one op."""

    def __init__(self, op: str) -> None:
        self._op = op

    def op_unknown(self) -> Fact:
        """Return the fault that the release has no such PIR op."""
        return self._fault("model_op_unknown", "op", self._op, "unknown_op")

    def op_not_judged(self) -> Fact:
        """Return the fault that the requirements of the op's own translator are unknown."""
        facts = {
            "problem": f"a special handler translates '{self._op}', and its requirements are not known",
            "remedy": "translate the model with the release itself",
        }
        return self._fault("model_not_judged", "op", self._op, None, facts, "cannot_tell")

    def attr_missing(self, name: str) -> Fact:
        """Return the fault of a missing attr."""
        return self._fault("model_attr_missing", "attr", name, "missing_attr")

    def attr_type(self, given: Given, declared: str) -> Fact:
        """Return the fault of an attr with another type than declared."""
        facts = {"declared": declared, "given": given.type}
        fault = self._fault("model_attr_type", "attr", given.name, "attr_type", facts)
        return fault.replace(old=given.type, new=declared)

    def attr_value(self, name: str, value: str, problem: str) -> Fact:
        """Return the fault of an attr with a value that is not translated."""
        return self._fault("model_attr_value", "attr", name, "attr_value", {"value": value, "problem": problem})

    def attr_filled(self, name: str, value: str) -> Fact:
        """Return the fault of a missing attr that gets another value than its default."""
        return self._fault("model_attr_filled", "attr", name, None, {"value": value}, "changed")

    def attr_ignored(self, name: str, value: str, default: str) -> Fact:
        """Return the fault of an attr that has a meaning and is not read."""
        return self._fault("model_attr_ignored", "attr", name, None, {"value": value, "default": default}, "changed")

    def attr_emptied(self, name: str) -> Fact:
        """Return the fault of an attr that is emptied, as the program states an old version of the op."""
        return self._fault("model_op_rewritten", "op", name, None, effect="changed")

    def input_missing(self, name: str, *, is_there: bool) -> Fact:
        """Return the fault of an input that is absent, or has no argument."""
        problem = "has no argument" if is_there else "is not there"
        return self._fault("model_input_missing", "input", name, "input_missing", {"problem": problem})

    def input_count(self, name: str, number: int, most: int) -> Fact:
        """Return the fault of an input with too many arguments."""
        problem = f"is given {number} arguments, and takes {'one' if most == 1 else most}"
        return self._fault("model_input_missing", "input", name, "input_count", {"problem": problem})

    def output_missing(self, name: str) -> Fact:
        """Return the fault of a missing output."""
        facts = {"remedy": "export the model again with the release that will load it"}
        return self._fault("model_output_missing", "output", name, "output_missing", facts)

    def flag_not_judged(self, section: Any, name: str, target: str) -> Fact:
        """Return the fault that a missing input or output may or may not be optional in the PIR op."""
        facts = {
            "problem": f"'{self._op}' has no {section} '{name}', and the spec does not say whether '{target}' needs it",
            "remedy": "translate the model with the release itself",
        }
        return self._fault("model_not_judged", section, name, None, facts, "cannot_tell")

    def variable(self, section: Any, name: str, problem: str, reason: str) -> Fact:
        """Return the fault of a variable of an input or output."""
        return self._fault("model_input_missing", section, name, reason, {"problem": problem})

    def _fault(  # noqa: PLR0913, PLR0917 - a fault is its facts
        self,
        event: EventId,
        kind: Any,
        name: str,
        reason: str | None,
        facts: Mapping[str, object] = {},
        effect: Effect = "refused",
    ) -> Fact:
        """Return a fault of the node."""
        return new_fault(event=event, kind=kind, op=self._op, name=name, effect=effect, reason=reason, facts=facts)
