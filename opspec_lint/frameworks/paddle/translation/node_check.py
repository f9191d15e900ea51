"""One node of a program held against the PIR op that it is translated to.

The rules are those of Paddle's op_translator.cc, measured with 3.0.0 and 3.3.1. The defaults of neither side are used:
what a node does not say is refused, or is filled in with a value that no declaration has.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.programs import attrs
from opspec_lint.frameworks.paddle.translation import attr_types, names
from opspec_lint.frameworks.paddle.translation.translators import ARRAYS, IN_PLACE, TRANSLATORS, Translator
from opspec_lint.models.fault import Fault
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.programs.attrs import Attr as Given
    from opspec_lint.models.fault import Effect
    from opspec_lint.spec.model import Attr, Input, Kind, Op, Output

    Named: TypeAlias = tuple[Kind, str]
    """An argument: its kind and name."""

_ARRAY = 13
"""The type LOD_TENSOR_ARRAY of a variable (framework.proto)."""
_COMMON = Translator()


class NodeCheck:
    """The check of a node.

    Args:
        op: its op.
        inputs: its input parameters with their arguments.
        outputs: its output parameters with their arguments.
        given: its attrs.
        release: the names of the release that loads it, and the version of PIR that this writes.
    """

    def __init__(
        self,
        op: str,
        inputs: Mapping[str, tuple[str, ...]],
        outputs: Mapping[str, tuple[str, ...]],
        given: Mapping[str, Given],
        release: tuple[names.PirNames, int],
    ) -> None:
        self.op = op
        self._inputs, self._outputs, self._given = inputs, outputs, given
        self._known, self._version = release
        self._translator = TRANSLATORS.get(op, _COMMON)
        self._asked, is_inplace = self._target() if self._translator.is_told else ("", False)
        self.target = self._known.op(self._asked, is_inplace=is_inplace) if self._asked else None
        """The declaration that it is translated to, None where there is none, or where that cannot be told."""

    def of_variables(self, declared: Mapping[str, int]) -> Iterator[Fault]:
        """Yield the inputs that name a variable which no block declares, and what has to be an array and is none."""
        for parameter, arguments in self._inputs.items():
            for argument in arguments:
                if argument not in declared:
                    facts = {"problem": f"names the variable '{argument}', which no block declares"}
                    yield self._fault("model_input_missing", "input", parameter, "input_missing", facts)
        source, made = ARRAYS.get(self.op, (None, None))
        for of_array, given in ((source, self._inputs), (made, self._outputs)):
            if of_array and any(declared.get(name) != _ARRAY for name in given.get(of_array, ())):
                facts = {"problem": "is no array of tensors (LOD_TENSOR_ARRAY)"}
                yield self._fault("model_input_missing", "input", of_array, "input_type", facts)

    def faults(self) -> Iterator[Fault]:
        """Yield what is wrong with the node itself."""
        if not self._translator.is_told:
            facts = {
                "problem": f"the translation has a way of its own for '{self.op}', which is not known here",
                "remedy": "translate the model with the release itself",
            }
            yield self._fault("model_not_judged", "op", self.op, None, facts, effect="cannot_tell")
            return
        target = self.target
        if not self._asked:
            return
        if target is None:
            yield self._fault("model_op_unknown", "op", self.op, "unknown_op")
            return
        if target.get("variadic") is True:
            return
        for own in target.inputs:
            if own.name not in self._translator.handles:
                yield from self._input(target, own)
        for output in target.outputs:
            if output.name not in self._translator.handles:
                yield from self._output(target, output)
        for attr in target.attrs:
            if attr.name not in self._translator.handles:
                yield from self._attr(target, attr)

    def reads(self) -> dict[Named, Named]:
        """Return what of the node the translation reads: kind and name there, by kind and name of the PIR argument.

        What a translator makes by itself is left out.
        """
        target = self.target
        if target is None or target.get("variadic") is True:
            return {}
        found = {
            (kind, own.name): self._read(target, own, kind)
            for kind, section in SECTIONS.items()
            for own in getattr(target, section)
            if own.name not in self._translator.handles
        }
        return {own: read for own, read in found.items() if read is not None}

    def _read(self, target: Op, own: Input | Output | Attr, kind: Kind) -> Named | None:
        """Return what of the node an argument of PIR is read from, None where the node does not have it."""
        name = self._legacy(target, own)
        if own.get("mutable_attr") is True:
            held = next((each for each in own.get("legacy_tensors") or () if self._inputs.get(each)), None)
            if held is not None:
                return "input", held
            kind = "attr"
        given: Mapping[str, object] = {"input": self._inputs, "output": self._outputs, "attr": self._given}[kind]
        return (kind, name) if name in given else None

    def _target(self) -> tuple[str, bool]:
        """Return the PIR op that is asked for, "" where that cannot be told, and whether it is the one in place."""
        if self._translator.targets:
            values = {name for name, arguments in self._inputs.items() if arguments}
            given = {name: each.value for name, each in self._given.items()}
            return self._translator.target(self.op, given, values), False
        produced = {name for arguments in self._outputs.values() for name in arguments}
        is_inplace = any(produced.intersection(arguments) for arguments in self._inputs.values())
        return self._known.target(self.op), is_inplace or self.op in IN_PLACE

    def _legacy(self, target: Op, own: Input | Output | Attr) -> str:
        return self._translator.renames.get(own.name) or self._known.argument(self.op, target, own)

    def _input(self, target: Op, own: Input) -> Iterator[Fault]:
        name = self._legacy(target, own)
        arguments = self._inputs.get(name, ())
        if len(arguments) > 1 and own.duplicable is False and own.get("mutable_attr") is not True:
            facts = {"problem": f"is given {len(arguments)} arguments, and takes one"}
            yield self._fault("model_input_missing", "input", name, "input_count", facts)
        if self._translator.asks_all and name not in self._inputs and own.get("mutable_attr") is not True:
            yield self._fault("model_input_missing", "input", name, "input_missing", {"problem": "is not there"})
            return
        if arguments or own.dispensable is True:
            return
        if own.get("mutable_attr") is True:
            tensors = own.get("legacy_tensors") or ()
            if not any(self._inputs.get(each) for each in tensors):
                yield from self._value(name, str(own.type), None, None)
        elif own.dispensable is False:
            facts = {"problem": "has no argument" if name in self._inputs else "is not there"}
            yield self._fault("model_input_missing", "input", name, "input_missing", facts)

    def _output(self, target: Op, own: Output) -> Iterator[Fault]:
        name = self._legacy(target, own)
        if name not in self._outputs and own.dispensable is False:
            yield self._fault("model_output_missing", "output", name, "output_missing")

    def _attr(self, target: Op, own: Attr) -> Iterator[Fault]:
        name = self._legacy(target, own)
        if own.get("legacy_extra") is True and name not in self._given:
            return
        kind = own.type if isinstance(own.type, str) else ""
        fills = self._translator.fills
        filled = attr_types.FILLED.get(kind) if fills is None else fills.get(own.name)
        yield from self._value(name, kind, filled, own.default_value)

    def _value(self, name: str, kind: str, filled: str | None, default: Any) -> Iterator[Fault]:
        """Yield what becomes of an attr.

        Args:
            name: what the node calls it.
            kind: the type that PIR declares, "" for one that is not known.
            filled: what is filled in where it is not there; None where that is refused.
            default: the default that PIR declares, which is not used.
        """
        given = self._given.get(name)
        if given is None or given.type in attrs.VARIABLES:
            if filled is None:
                yield self._fault("model_attr_missing", "attr", name, "missing_attr")
            elif filled == "false" and default is True:
                yield self._fault("model_attr_filled", "attr", name, None, {"value": filled}, effect="changed")
        elif kind and not attr_types.takes(kind, given.type, self._version):
            facts = {"declared": kind, "given": given.type}
            fault = self._fault("model_attr_type", "attr", name, "attr_type", facts)
            yield fault.but(old=given.type, new=kind)

    def _fault(  # noqa: PLR0913 - a fault is its facts
        self,
        event: str,
        kind: Any,
        name: str,
        reason: str | None,
        facts: Mapping[str, object] = {},
        *,
        effect: Effect = "refused",
    ) -> Fault:
        return Fault(event=event, kind=kind, op=self.op, name=name, effect=effect, reason=reason, facts=facts)
