"""The faults of a node that is translated, each made in one place."""

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
    """Makes the faults of a node.

    Args:
        op: its op.
    """

    def __init__(self, op: str) -> None:
        self._op = op

    def op_unknown(self) -> Fact:
        """Return that the release has no such PIR op."""
        return self._fault("model_op_unknown", "op", self._op, "unknown_op")

    def op_untold(self) -> Fact:
        """Return that it is not known what the op's own translator asks for."""
        facts = {
            "problem": f"the translation has a way of its own for '{self._op}', which is not known here",
            "remedy": "translate the model with the release itself",
        }
        return self._fault("model_not_judged", "op", self._op, None, facts, "cannot_tell")

    def attr_missing(self, name: str) -> Fact:
        """Return that an attr is missing."""
        return self._fault("model_attr_missing", "attr", name, "missing_attr")

    def attr_type(self, given: Given, declared: str) -> Fact:
        """Return that an attr is of another type than is declared."""
        facts = {"declared": declared, "given": given.type}
        fault = self._fault("model_attr_type", "attr", given.name, "attr_type", facts)
        return fault.replace(old=given.type, new=declared)

    def attr_value(self, name: str, value: str, problem: str) -> Fact:
        """Return that an attr has a value that is not translated."""
        return self._fault("model_attr_value", "attr", name, "attr_value", {"value": value, "problem": problem})

    def attr_filled(self, name: str, value: str) -> Fact:
        """Return that a missing attr gets another value than its default."""
        return self._fault("model_attr_filled", "attr", name, None, {"value": value}, "changed")

    def attr_ignored(self, name: str, value: str, default: str) -> Fact:
        """Return that an attr is not read, and means something."""
        return self._fault("model_attr_ignored", "attr", name, None, {"value": value, "default": default}, "changed")

    def attr_emptied(self, name: str) -> Fact:
        """Return that an attr is emptied, as the program states an old version of the op."""
        return self._fault("model_op_rewritten", "op", name, None, effect="changed")

    def input_missing(self, name: str, *, is_there: bool) -> Fact:
        """Return that an input is not there, or is there without an argument."""
        problem = "has no argument" if is_there else "is not there"
        return self._fault("model_input_missing", "input", name, "input_missing", {"problem": problem})

    def input_count(self, name: str, number: int, most: int) -> Fact:
        """Return that an input has too many arguments."""
        problem = f"is given {number} arguments, and takes {'one' if most == 1 else most}"
        return self._fault("model_input_missing", "input", name, "input_count", {"problem": problem})

    def output_missing(self, name: str) -> Fact:
        """Return that an output is missing."""
        return self._fault("model_output_missing", "output", name, "output_missing")

    def flag_untold(self, section: Any, name: str, target: str) -> Fact:
        """Return that it is not known whether an input or output that is missing is optional in the PIR op."""
        facts = {
            "problem": f"'{self._op}' has no {section} '{name}', and the spec does not say whether '{target}' needs it",
            "remedy": "translate the model with the release itself",
        }
        return self._fault("model_not_judged", section, name, None, facts, "cannot_tell")

    def variable(self, section: Any, name: str, problem: str, reason: str) -> Fact:
        """The fault in a variable of an input or output."""
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
        return new_fault(event=event, kind=kind, op=self._op, name=name, effect=effect, reason=reason, facts=facts)
