"""The check of a node's attrs against the PIR op that it becomes.

The rules are from `TranslateOpAttribute` in Paddle's op_translator.cc, and from the checks that op_verify_gen.py
generates for PIR ops; gradients check nothing.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.saver import format_value
from opspec_lint.frameworks.paddle.saved.translation import attr_types, kinds
from opspec_lint.frameworks.paddle.saved.translation.node_faults import NodeFaults
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.translation.node import Node
    from opspec_lint.frameworks.paddle.saved.translation.release import TranslatingRelease
    from opspec_lint.frameworks.paddle.saved.translation.translator import Translator
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Attr, Op

_REDUCES_ALL, _AXES = "reduce_all", "dim"
_REFUSED = object()
"""The filled value of an absent attr that is refused."""


class AttrCheck:
    """The check of a node's attrs; `target` is the PIR op that it becomes in `release`, by `translator`."""

    def __init__(self, node: Node, target: Op, release: TranslatingRelease, translator: Translator) -> None:
        self._node = node
        self._target = target
        self._release = release
        self._translator = translator
        self._faults = NodeFaults(node.op)

    def attr_faults(self, declared_attr: Attr) -> Iterator[Fact]:
        """Yield the faults of an attr."""
        # op_verify_gen.py generates no check of attrs for gradients.
        if kinds.is_gradient(self._target):
            return
        name = self._release.names.argument(self._node.op, self._target, declared_attr)
        given = self._node.attrs.get(name)
        kind = declared_attr.type if isinstance(declared_attr.type, str) else ""
        if given is None or given.type in attrs.VARIABLES:
            if declared_attr.get("legacy_extra") is not True:
                yield from self._absent_faults(name, declared_attr, kind)
        elif kind and not attr_types.accepts(kind, given.type, given.value):
            yield self._faults.attr_type(given, kind)

    def _absent_faults(self, name: str, declared_attr: Attr, kind: str) -> Iterator[Fact]:
        """Yield the effects of an attr that the node lacks."""
        filled = self._filled_value(declared_attr, kind)
        if filled is _REFUSED:
            yield self._faults.attr_missing(name)
        elif filled is attr_types.UNDEFINED:
            return
        elif self._is_unintended(declared_attr, filled):
            yield self._faults.attr_filled(name, format_value(filled))
        else:
            yield from self._release.saver.absent_attr_faults(self._node.op, name, filled)

    def _is_unintended(self, declared_attr: Attr, filled: Any) -> bool:
        """Return whether an absent attr gets a value that is not its default; a translator's values are intended."""
        default = declared_attr.default_value
        return self._translator.fills is None and default not in (None, UNKNOWN) and not values.same(default, filled)

    def _filled_value(self, declared_attr: Attr, kind: str) -> Any:
        """Return the value that an absent attr gets."""
        fills = self._translator.fills
        if fills is None:
            return attr_types.FILLED.get(kind, _REFUSED)
        if declared_attr.name not in fills:
            return _REFUSED
        created_type, value = fills[declared_attr.name]
        is_accepted = not kind or attr_types.is_created_as(kind, created_type)
        return values.freeze(value) if is_accepted else _REFUSED

    def ignored_faults(self) -> Iterator[Fact]:
        """Yield a fault if all axes were reduced, and only the axes in `dim` will be: few PIR ops have `reduce_all`."""
        given, axes = self._node.attrs.get(_REDUCES_ALL), self._node.attrs.get(_AXES)
        if given is None or given.value is not True or axes is None or not isinstance(axes.value, list):
            return
        arguments = (*self._target.inputs, *self._target.attrs)
        read = {argument.name for argument in arguments} | {argument.name for argument in self._translator.reads}
        reduced = self._node.variable(self._node.inputs, "X")
        is_all = reduced is not None and reduced.rank == len(set(axes.value))
        if _REDUCES_ALL not in read and axes.value and not is_all:
            yield self._faults.attr_ignored(_REDUCES_ALL, "true", "false")
