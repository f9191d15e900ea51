"""One node of a program held against the PIR op that it is translated to.

The rules are those of Paddle's op_translator.cc (`OpTranscriber`), measured with 3.0.0 to 3.3.1. The defaults of
neither side are used: what a node does not say is refused, or is filled in with a value that no declaration has.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.programs import attrs
from opspec_lint.frameworks.paddle.programs.saver import Saver, shown
from opspec_lint.frameworks.paddle.translation import attr_types, kinds, translators
from opspec_lint.frameworks.paddle.translation.kernels import chosen
from opspec_lint.kit.record import Record
from opspec_lint.models.fault import Fault
from opspec_lint.spec import values
from opspec_lint.spec.model import SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.programs.attrs import Attr as Given
    from opspec_lint.frameworks.paddle.translation.names import PirNames
    from opspec_lint.frameworks.paddle.translation.node import Node
    from opspec_lint.frameworks.paddle.translation.translator import Ask, Read
    from opspec_lint.models.fault import Effect
    from opspec_lint.spec.model import Attr, Input, Kind, Op, Output

    Named: TypeAlias = tuple[Kind, str]
    """An argument: its kind and name."""

_ONEDNN = "use_mkldnn"
_REDUCES_ALL, _AXES = "reduce_all", "dim"
_INT_ARRAY = "IntArrayAttribute"
_REFUSED = object()
"""Stands for the value that is filled in where an absent attr is refused."""


class Release(Record):
    """The release that translates: the names of its PIR ops, and the version of PIR that it writes.

    `saver` is the release that saved the program, as far as it is known.
    """

    names: PirNames
    version: int
    saver: Saver = Saver()


class NodeCheck:
    """The check of a node.

    Args:
        node: the node.
        release: the release that translates it.
    """

    def __init__(self, node: Node, release: Release) -> None:
        self.op = node.op
        self._node = node
        self._release = release
        self._translator = translators.of(node.op, release.version)
        self._handled = self._translator.handles
        found = self._choose() if self._translator.is_told else None
        self.target = None if isinstance(found, Fault) else found
        """The declaration that it is translated to, None where there is none, or where that cannot be told."""
        self._wrong = found if isinstance(found, Fault) else None

    def faults(self) -> Iterator[Fault]:
        """Yield what is wrong with the node."""
        if not self._translator.is_told:
            yield self._untold()
            return
        if self.op in translators.UNSUPPORTED:
            yield self._fault("model_op_unknown", "op", self.op, "unknown_op")
            return
        yield from self._reads()
        for ask in self._translator.asks:
            yield from self._ask(ask)
        if self._translator.makes_all:
            return
        if self.target is None:
            yield self._wrong or self._fault("model_op_unknown", "op", self.op, "unknown_op")
        elif self.target.get("variadic") is not True:
            yield from self._of(self.target)

    def reads(self) -> dict[Named, Named]:
        """Return what of the node the translation reads: kind and name there, by kind and name of the PIR argument.

        What a translator makes by itself is left out.
        """
        target = self.target
        if target is None or target.get("variadic") is True or self._translator.makes_all:
            return {}
        found = {
            (kind, own.name): self._read_from(target, own, kind)
            for kind, section in SECTIONS.items()
            for own in getattr(target, section)
            if own.name not in self._handled
        }
        return {own: read for own, read in found.items() if read is not None}

    def _read_from(self, target: Op, own: Input | Output | Attr, kind: Kind) -> Named | None:
        """Return what of the node an argument of PIR is read from, None where the node does not have it."""
        name = self._legacy(target, own)
        if own.get("mutable_attr") is True:
            held = next((each for each in own.get("legacy_tensors") or () if self._node.gives(each)), None)
            if held is not None:
                return "input", held
            kind = "attr"
        elif kind == "input":
            return (kind, name) if self._node.gives(name) else None
        given: Mapping[str, object] = self._node.outputs if kind == "output" else self._node.attrs
        return (kind, name) if name in given else None

    def _of(self, target: Op) -> Iterator[Fault]:
        for own in target.inputs:
            if own.name not in self._handled:
                yield from self._input(target, own)
        for output in target.outputs:
            if output.name not in self._handled:
                yield from self._output(target, output)
        for attr in target.attrs:
            if attr.name not in self._handled:
                yield from self._attr(target, attr)
        yield from self._ignored(target)

    def _untold(self) -> Fault:
        facts = {
            "problem": f"the translation has a way of its own for '{self.op}', which is not known here",
            "remedy": "translate the model with the release itself",
        }
        return self._fault("model_not_judged", "op", self.op, None, facts, effect="cannot_tell")

    def _choose(self) -> Op | Fault | None:
        """Return the PIR op that the node becomes, None where there is none, or why it becomes none."""
        names = self._release.names
        made = self._translator.target(self._node)
        if made is not None:
            self._handled = self._translator.handles | made.handles
            found = names.op(made.op)
        else:
            name = names.target(self.op)
            given = self._node.attrs.get(_ONEDNN)
            if given is not None and given.type != "BOOLEAN":
                return self._type(given, "BOOLEAN")
            is_inplace = self._node.is_inplace or self.op in translators.IN_PLACE
            found = names.op(name, is_inplace=is_inplace)
            kernels = names.kernels(name)
            if kernels:
                choice = chosen(self._node, kernels, found, names)
                if isinstance(choice, str):
                    facts = {"problem": choice}
                    return self._fault("model_input_missing", "input", self.op, "input_missing", facts)
                found = choice
        return found

    def _reads(self) -> Iterator[Fault]:
        """Yield what is wrong with the attrs that the translator reads by itself."""
        for read in self._translator.reads:
            if read.when(self._node):
                yield from self._read(read, self._node.attrs.get(read.name))
        one_of = self._translator.one_of
        if one_of and not any(self._node.attrs[name].value != [] for name in one_of if name in self._node.attrs):
            yield self._fault("model_attr_missing", "attr", one_of[-1], "missing_attr")

    def _read(self, read: Read, given: Given | None) -> Iterator[Fault]:
        if given is None or given.type in attrs.VARIABLES:
            if read.is_required:
                yield self._fault("model_attr_missing", "attr", read.name, "missing_attr")
        elif read.types and given.type not in read.types:
            yield self._type(given, " or ".join(read.types))
        elif read.equals is not None and isinstance(given.value, float) and given.value != read.equals:
            facts = {"value": shown(given.value), "problem": f"is not {read.equals}, the only value that is translated"}
            yield self._fault("model_attr_value", "attr", read.name, "attr_value", facts)

    def _ask(self, ask: Ask) -> Iterator[Fault]:
        given = self._node.outputs if ask.is_output else self._node.inputs
        arguments = given.get(ask.name)
        if arguments is None or len(arguments) < ask.least:
            if ask.is_output:
                yield self._fault("model_output_missing", "output", ask.name, "output_missing")
            else:
                yield self._count(ask.name, 0)
        elif ask.most is not None and len(arguments) > ask.most:
            yield self._count(ask.name, len(arguments), ask.most)

    def _legacy(self, target: Op, own: Input | Output | Attr) -> str:
        return self._release.names.argument(self.op, target, own)

    def _input(self, target: Op, own: Input) -> Iterator[Fault]:
        name = self._legacy(target, own)
        arguments = self._node.inputs.get(name, ())
        if own.get("mutable_attr") is True and not arguments:
            arguments = self._tensors(own)
            if not arguments:
                yield from self._as_tensor(name, own)
                return
        if not arguments and own.dispensable is True:
            return
        is_list = own.duplicable is not False or _INT_ARRAY in str(own.type)
        if not is_list and len(arguments) != 1:
            if arguments or own.dispensable is False:
                yield self._count(name, len(arguments))
        elif arguments:
            yield from self._variables(target, own, name, arguments)
        elif own.dispensable is False:  # a list of no tensors, over which its kernel stumbles
            yield self._count(name, 0).but(effect="fails_at_run")

    def _tensors(self, own: Input) -> tuple[str, ...]:
        given = (self._node.inputs.get(each, ()) for each in own.get("legacy_tensors") or ())
        return next((each for each in given if each), ())

    def _as_tensor(self, name: str, own: Input) -> Iterator[Fault]:
        """Yield what becomes of an attr that is a tensor in PIR."""
        given = self._node.attrs.get(name)
        kind = str(own.type)
        if given is None or given.type in attrs.VARIABLES:
            if own.dispensable is not True:
                yield self._fault("model_attr_missing", "attr", name, "missing_attr")
        elif not attr_types.takes_as_tensor(kind, given.type):
            is_late = attr_types.is_run_as_tensor(kind, given.type)
            yield self._type(given, kind).but(effect="fails_at_run" if is_late else "refused")

    def _output(self, target: Op, own: Output) -> Iterator[Fault]:
        name = self._legacy(target, own)
        arguments = self._node.outputs.get(name)
        if own.dispensable is False and (arguments is None or self._is_demanded(target, own, arguments)):
            yield self._fault("model_output_missing", "output", name, "output_missing")
        elif arguments:
            yield from self._variables(target, own, name, arguments)

    @staticmethod
    def _is_demanded(target: Op, own: Output, arguments: tuple[str, ...]) -> bool:
        return not arguments and own.duplicable is False and kinds.are_checked(target)

    def _variables(self, target: Op, own: Input | Output, name: str, arguments: tuple[str, ...]) -> Iterator[Fault]:
        """Yield which arguments are declared nowhere, or are variables of another kind than the PIR op takes."""
        if self._node.kinds is None:
            return
        expected = kinds.of(own)
        section = "input" if own in target.inputs else "output"
        for each in arguments:
            kind = self._node.kinds.get(each)
            if kind is None:
                facts = {"problem": f"names the variable '{each}', which no block declares"}
                yield self._fault("model_input_missing", section, name, "input_missing", facts)
            elif kind not in kinds.WORDS or (expected not in (None, kind) and kinds.are_checked(target)):
                facts = {"problem": f"is {kinds.WORDS.get(kind, 'no tensor')}"}
                if expected is not None:
                    facts["problem"] += f", and has to be {kinds.WORDS[expected]}"
                yield self._fault("model_input_missing", section, name, "input_type", facts)

    def _attr(self, target: Op, own: Attr) -> Iterator[Fault]:
        name = self._legacy(target, own)
        given = self._node.attrs.get(name)
        kind = own.type if isinstance(own.type, str) else ""
        if kinds.is_gradient(target):
            return
        if given is None or given.type in attrs.VARIABLES:
            if own.get("legacy_extra") is not True:
                yield from self._absent(name, own, kind)
        elif kind and not attr_types.takes(kind, given.type, given.value):
            yield self._type(given, kind)

    def _absent(self, name: str, own: Attr, kind: str) -> Iterator[Fault]:
        """Yield what becomes of an attr that the node does not have."""
        filled = self._filled(own, kind)
        if filled is _REFUSED:
            yield self._fault("model_attr_missing", "attr", name, "missing_attr")
        elif filled is attr_types.UNDEFINED:
            return
        elif own.default_value not in (None, UNKNOWN) and not values.same(own.default_value, filled):
            facts = {"value": shown(filled)}
            yield self._fault("model_attr_filled", "attr", name, None, facts, effect="changed")
        else:
            yield from self._release.saver.absent(self.op, name, filled)

    def _filled(self, own: Attr, kind: str) -> Any:
        fills = self._translator.fills
        if fills is None:
            return attr_types.FILLED.get(kind, _REFUSED)
        given, value = fills.get(own.name, ("", _REFUSED))
        return values.freeze(value) if given and (not kind or attr_types.is_made_of(kind, given)) else _REFUSED

    def _ignored(self, target: Op) -> Iterator[Fault]:
        """Yield that all axes were reduced, and only those of `dim` will be: PIR has no `reduce_all` for most ops."""
        given, axes = self._node.attrs.get(_REDUCES_ALL), self._node.attrs.get(_AXES)
        if given is None or given.value is not True or axes is None or not isinstance(axes.value, list):
            return
        known = {each.name for each in (*target.inputs, *target.attrs)} | {read.name for read in self._translator.reads}
        rank = next((self._node.ranks.get(name) for name in self._node.inputs.get("X", ())), None)
        if _REDUCES_ALL not in known and axes.value and rank != len(set(axes.value)):
            facts = {"value": "true", "default": "false"}
            yield self._fault("model_attr_ignored", "attr", _REDUCES_ALL, None, facts, effect="changed")

    def _count(self, name: str, number: int, most: int = 1) -> Fault:
        if number:
            facts = {"problem": f"is given {number} arguments, and takes {'one' if most == 1 else most}"}
            return self._fault("model_input_missing", "input", name, "input_count", facts)
        facts = {"problem": "has no argument" if name in self._node.inputs else "is not there"}
        return self._fault("model_input_missing", "input", name, "input_missing", facts)

    def _type(self, given: Given, declared: str) -> Fault:
        facts = {"declared": declared, "given": given.type}
        fault = self._fault("model_attr_type", "attr", given.name, "attr_type", facts)
        return fault.but(old=given.type, new=declared)

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
