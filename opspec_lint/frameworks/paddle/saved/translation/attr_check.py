"""The attrs of a node checked against those of the PIR op that it becomes.

The rules are those of `TranslateOpAttribute` in Paddle's op_translator.cc, and of the checks that op_verify_gen.py
writes into PIR ops: a gradient checks nothing.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.saver import shown
from opspec_lint.frameworks.paddle.saved.translation import attr_types, kinds
from opspec_lint.frameworks.paddle.saved.translation.node_faults import NodeFaults
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.translation.node import Node
    from opspec_lint.frameworks.paddle.saved.translation.release import Release
    from opspec_lint.frameworks.paddle.saved.translation.translator import Translator
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Attr, Op

_REDUCES_ALL, _AXES = "reduce_all", "dim"
_REFUSED = object()
"""Stands for the value that is filled in where an absent attr is refused."""


class AttrCheck:
    """The check of a node's attrs.

    Args:
        node: the node.
        target: the PIR op that it becomes.
        release: the release that translates it.
        translator: the translator of its op.
    """

    def __init__(self, node: Node, target: Op, release: Release, translator: Translator) -> None:
        self._node = node
        self._target = target
        self._release = release
        self._translator = translator
        self._wrong = NodeFaults(node.op)

    def attr(self, own: Attr) -> Iterator[Fact]:
        """Yield what is wrong with an attr."""
        if kinds.is_gradient(self._target):
            return
        name = self._release.names.argument(self._node.op, self._target, own)
        given = self._node.attrs.get(name)
        kind = own.type if isinstance(own.type, str) else ""
        if given is None or given.type in attrs.VARIABLES:
            if own.get("legacy_extra") is not True:
                yield from self._absent(name, own, kind)
        elif kind and not attr_types.takes(kind, given.type, given.value):
            yield self._wrong.attr_type(given, kind)

    def _absent(self, name: str, own: Attr, kind: str) -> Iterator[Fact]:
        """Yield what becomes of an attr that the node does not have."""
        filled = self._filled(own, kind)
        if filled is _REFUSED:
            yield self._wrong.attr_missing(name)
        elif filled is attr_types.UNDEFINED:
            return
        elif self._is_by_chance(own, filled):
            yield self._wrong.attr_filled(name, shown(filled))
        else:
            yield from self._release.saver.absent(self._node.op, name, filled)

    def _is_by_chance(self, own: Attr, filled: Any) -> bool:
        """Tell whether an attr gets a value for its type, which is not its default; a translator's own is meant so."""
        default = own.default_value
        return self._translator.fills is None and default not in (None, UNKNOWN) and not values.same(default, filled)

    def _filled(self, own: Attr, kind: str) -> Any:
        fills = self._translator.fills
        if fills is None:
            return attr_types.FILLED.get(kind, _REFUSED)
        given, value = fills.get(own.name, ("", _REFUSED))
        return values.freeze(value) if given and (not kind or attr_types.is_made_of(kind, given)) else _REFUSED

    def ignored(self) -> Iterator[Fact]:
        """Yield that all axes were reduced, and only those of `dim` will be: PIR has no `reduce_all` for most ops."""
        given, axes = self._node.attrs.get(_REDUCES_ALL), self._node.attrs.get(_AXES)
        if given is None or given.value is not True or axes is None or not isinstance(axes.value, list):
            return
        own = (*self._target.inputs, *self._target.attrs)
        read = {each.name for each in own} | {each.name for each in self._translator.reads}
        reduced = self._node.variable(self._node.inputs, "X")
        is_all = reduced is not None and reduced.rank == len(set(axes.value))
        if _REDUCES_ALL not in read and axes.value and not is_all:
            yield self._wrong.attr_ignored(_REDUCES_ALL, "true", "false")
