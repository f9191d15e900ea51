"""The check of one node against the PIR op that it is translated to.

The rules are from Paddle's op_translator.cc (`OpTranscriber`), measured with 3.0.0 to 3.3.1. The translation uses no
defaults: an absent attr is refused, or gets a value that no declaration states.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.translation import translator_check, translators
from opspec_lint.frameworks.paddle.saved.translation.argument_check import ArgumentCheck
from opspec_lint.frameworks.paddle.saved.translation.attr_check import AttrCheck
from opspec_lint.frameworks.paddle.saved.translation.kernels import choose_kernel
from opspec_lint.frameworks.paddle.saved.translation.node_faults import NodeFaults
from opspec_lint.spec.fact import Fact
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.frameworks.paddle.saved.translation.node import Node
    from opspec_lint.frameworks.paddle.saved.translation.release import TranslatingRelease
    from opspec_lint.spec.model import Attr, Input, Kind, Op, Output

    ArgumentKey: TypeAlias = tuple[Kind, str]
    """An argument: its kind and name."""

_ONEDNN = "use_mkldnn"


class TranslatedNodeCheck:
    """The check of a node that `release` translates."""

    def __init__(self, node: Node, release: TranslatingRelease) -> None:
        self.op = node.op
        self._node = node
        self._release = release
        self._translator = translators.translator_of(node.op, release.version)
        self._handled = self._translator.handles
        self._faults = NodeFaults(node.op)
        target_or_fault = self._choose_target() if self._translator.is_known else None
        self.target = None if isinstance(target_or_fault, Fact) else target_or_fault
        """The PIR op that the node becomes; None if there is none, or if it is unknown."""
        self._no_target_fault = target_or_fault if isinstance(target_or_fault, Fact) else self._faults.op_unknown()

    def faults(self) -> Iterator[Fact]:
        """Yield the faults of the node."""
        if not self._translator.is_known:
            yield self._faults.op_not_judged()
            return
        yield from translator_check.faults(self._node, self._translator)
        if self._translator.makes_all:
            return
        if self.target is None:
            yield self._no_target_fault
        elif self.target.get("variadic") is not True:
            yield from self._argument_faults(self.target)

    def _argument_faults(self, target: Op) -> Iterator[Fact]:
        """Yield the faults of the arguments that the translator does not handle itself."""
        arguments = ArgumentCheck(self._node, target, self._release)
        attrs = AttrCheck(self._node, target, self._release, self._translator)
        for declared_input in target.inputs:
            if declared_input.name not in self._handled:
                yield from arguments.input_faults(declared_input)
        for output in target.outputs:
            if output.name not in self._handled:
                yield from arguments.output_faults(output)
        for attr in target.attrs:
            if attr.name not in self._handled:
                yield from attrs.attr_faults(attr)
        yield from attrs.ignored_faults()

    def lost_variables(self) -> set[str]:
        """Return the outputs of the node that the PIR op lacks; variables without a value from then on."""
        target = self.target
        if target is None or target.get("variadic") is True or self._translator.makes_all:
            return set()
        outputs = self._node.outputs
        output_names = {self._release.names.argument(self.op, target, output) for output in target.outputs}
        given_variables = {variable for name in output_names for variable in outputs.get(name, ())}
        return {variable for arguments in outputs.values() for variable in arguments} - given_variables

    def reads(self) -> dict[ArgumentKey, ArgumentKey]:
        """Return the argument of the node that each PIR argument is read from.

        Arguments that a translator makes itself are left out.
        """
        target = self.target
        if target is None or target.get("variadic") is True or self._translator.makes_all:
            return {}
        sources = {
            (kind, argument.name): self._source_argument(target, argument, kind)
            for kind, section in SECTIONS.items()
            for argument in getattr(target, section)
            if argument.name not in self._handled
        }
        return {argument: read for argument, read in sources.items() if read is not None}

    def _source_argument(self, target: Op, argument: Input | Output | Attr, kind: Kind) -> ArgumentKey | None:
        """Return the argument of the node that a PIR argument is read from; None if the node lacks it."""
        name = self._release.names.argument(self.op, target, argument)
        if argument.get("mutable_attr") is True:
            replacing_input = next(
                (
                    tensor_input
                    for tensor_input in argument.get("legacy_tensors") or ()
                    if self._node.has_argument(tensor_input)
                ),
                None,
            )
            if replacing_input is not None:
                return "input", replacing_input
            kind = "attr"
        elif kind == "input":
            return (kind, name) if self._node.has_argument(name) else None
        given: Mapping[str, object] = self._node.outputs if kind == "output" else self._node.attrs
        return (kind, name) if name in given else None

    def _choose_target(self) -> Op | Fact | None:
        """Return the PIR op that the node becomes, None for none, or the fault that prevents it."""
        translator_target = self._translator.target(self._node)
        if translator_target is None:
            return self._target_of_tables()
        self._handled = self._translator.handles | translator_target.handles
        return self._release.names.op(translator_target.op)

    def _target_of_tables(self) -> Op | Fact | None:
        """Return the PIR op that the name tables select, None for none, or the fault that prevents it."""
        if self.op in translators.UNSUPPORTED:
            return None
        given = self._node.attrs.get(_ONEDNN)
        if given is not None and given.type != "BOOLEAN":
            return self._faults.attr_type(given, "BOOLEAN")
        names = self._release.names
        name = names.target(self.op)
        plain = names.op(name, is_inplace=self._node.is_inplace or self.op in translators.IN_PLACE)
        kernels = names.kernels(name)
        op_or_problem = choose_kernel(self._node, kernels, plain, names) if kernels else plain
        if isinstance(op_or_problem, str):
            return self._faults.variable("input", self.op, op_or_problem, "input_missing")
        # The common translator asks the class of the op what it takes. One that does not say crashes it.
        return None if op_or_problem is None or op_or_problem.get("variadic") is True else op_or_problem
