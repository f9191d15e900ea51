"""One node of a program checked against the PIR op that it is translated to.

The rules are those of Paddle's op_translator.cc (`OpTranscriber`), measured with 3.0.0 to 3.3.1. The defaults of
neither side are used: what a node does not say is refused, or is filled in with a value that no declaration has.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.translation import translator_check, translators
from opspec_lint.frameworks.paddle.saved.translation.argument_check import ArgumentCheck
from opspec_lint.frameworks.paddle.saved.translation.attr_check import AttrCheck
from opspec_lint.frameworks.paddle.saved.translation.kernels import chosen
from opspec_lint.frameworks.paddle.saved.translation.node_faults import NodeFaults
from opspec_lint.spec.fact import Fact
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.frameworks.paddle.saved.translation.node import Node
    from opspec_lint.frameworks.paddle.saved.translation.release import Release
    from opspec_lint.spec.model import Attr, Input, Kind, Op, Output

    Named: TypeAlias = tuple[Kind, str]
    """An argument: its kind and name."""

_ONEDNN = "use_mkldnn"


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
        self._wrong = NodeFaults(node.op)
        found = self._choose() if self._translator.is_told else None
        self.target = None if isinstance(found, Fact) else found
        """The declaration that it is translated to, None where there is none, or where that cannot be told."""
        self._no_target = found if isinstance(found, Fact) else self._wrong.op_unknown()

    def faults(self) -> Iterator[Fact]:
        """Yield what is wrong with the node."""
        if not self._translator.is_told:
            yield self._wrong.op_untold()
            return
        yield from translator_check.faults(self._node, self._translator)
        if self._translator.makes_all:
            return
        if self.target is None:
            yield self._no_target
        elif self.target.get("variadic") is not True:
            yield from self._of(self.target)

    def _of(self, target: Op) -> Iterator[Fact]:
        arguments = ArgumentCheck(self._node, target, self._release)
        attrs = AttrCheck(self._node, target, self._release, self._translator)
        for own in target.inputs:
            if own.name not in self._handled:
                yield from arguments.input(own)
        for output in target.outputs:
            if output.name not in self._handled:
                yield from arguments.output(output)
        for attr in target.attrs:
            if attr.name not in self._handled:
                yield from attrs.attr(attr)
        yield from attrs.ignored()

    def lost(self) -> set[str]:
        """Return the variables that the node gives, and the PIR op does not: it has no such output."""
        target = self.target
        if target is None or target.get("variadic") is True or self._translator.makes_all:
            return set()
        outputs = self._node.outputs
        own = {self._release.names.argument(self.op, target, each) for each in target.outputs}
        given = {variable for name in own for variable in outputs.get(name, ())}
        return {variable for arguments in outputs.values() for variable in arguments} - given

    def reads(self) -> dict[Named, Named]:
        """The arguments that the translation reads of the node: kind and name, by kind and name of the PIR argument.

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
        """The part of the node that an argument of PIR is read from, None where the node does not have it."""
        name = self._release.names.argument(self.op, target, own)
        if own.get("mutable_attr") is True:
            held = next((each for each in own.get("legacy_tensors") or () if self._node.gives(each)), None)
            if held is not None:
                return "input", held
            kind = "attr"
        elif kind == "input":
            return (kind, name) if self._node.gives(name) else None
        given: Mapping[str, object] = self._node.outputs if kind == "output" else self._node.attrs
        return (kind, name) if name in given else None

    def _choose(self) -> Op | Fact | None:
        """Return the PIR op that the node becomes, None where there is none, or why it becomes none."""
        made = self._translator.target(self._node)
        if made is None:
            return self._named()
        self._handled = self._translator.handles | made.handles
        return self._release.names.op(made.op)

    def _named(self) -> Op | Fact | None:
        """Return the PIR op that the tables name, None where there is none, or why the node becomes none."""
        if self.op in translators.UNSUPPORTED:
            return None
        given = self._node.attrs.get(_ONEDNN)
        if given is not None and given.type != "BOOLEAN":
            return self._wrong.attr_type(given, "BOOLEAN")
        names = self._release.names
        name = names.target(self.op)
        plain = names.op(name, is_inplace=self._node.is_inplace or self.op in translators.IN_PLACE)
        kernels = names.kernels(name)
        found = chosen(self._node, kernels, plain, names) if kernels else plain
        if isinstance(found, str):
            return self._wrong.variable("input", self.op, found, "input_missing")
        # The common translator asks the class of the op what it takes. One that does not say crashes it.
        return None if found is None or found.get("variadic") is True else found
