"""What a program means by its attrs, as the release that saved it knows: by one that is absent, and one not read.

Paddle 2 and later write every attr that is not extra, default values too. Of 424 programs that 2.6.2 and 3.0.0 saved,
none lacks any but flags that are off (`use_quantizer` of reshape2, `is_test` of sequence_pool). So a program that lacks
another one does not say what it was saved with.
"""

from __future__ import annotations

from functools import cached_property

from opspec_lint.kit.text import shorten
from opspec_lint.models.fault import new_fault
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr as Given
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Spec


class Saver:
    """The release that saved a program.

    Args:
        find: returns its spec, None where nobody knows it; asked when a node makes it necessary, and once.
    """

    def __init__(self, find: Callable[[], Spec | None] = lambda: None) -> None:
        self._find = find

    @cached_property
    def _spec(self) -> Spec | None:
        return self._find()

    def absent(self, op: str, name: str, filled: Any) -> Iterator[Fact]:
        """Yield what becomes of an attr that a node does not have.

        Args:
            op: the op of the node.
            name: the attr.
            filled: the value that the loader puts in its place, frozen; UNKNOWN where nobody knows it.
        """
        own = self._attr(op, name)
        if own is None or filled is UNKNOWN:
            return
        facts: dict[str, object] = {"filled": shown(filled)}
        if own.default_value not in (None, UNKNOWN) and not values.same(own.default_value, filled):
            facts["saved"] = shown(own.default_value)
            fault = _changed("model_attr_default_differs", op, name, facts)
            yield fault.replace(old=values.thaw(own.default_value), new=values.thaw(filled))
        elif own.extra is False and filled is not False:
            yield _changed("model_attr_unsaid", op, name, facts).replace(new=values.thaw(filled))

    def ignored(self, op: str, given: Given) -> Iterator[Fact]:
        """Yield that a loader does not read an attr of a node, where its value is not the default value."""
        own = self._attr(op, given.name)
        if own is None or own.extra is not False or own.default_value in (None, UNKNOWN):
            return
        value = values.freeze(given.value)
        if not values.same(value, own.default_value):
            facts = {"value": shown(value), "default": shown(own.default_value)}
            yield _changed("model_attr_ignored", op, given.name, facts).replace(old=values.thaw(value))

    def leaves_out(self, op: str, output: str) -> bool:
        """Tell whether it leaves an output out of what it saves, as it is extra."""
        declared = None if self._spec is None else self._spec.ops.get(op)
        return declared is not None and any(each.name == output and each.extra is True for each in declared.outputs)

    def _attr(self, op: str, name: str) -> Attr | None:
        declared = None if self._spec is None else self._spec.ops.get(op)
        return None if declared is None else next((each for each in declared.attrs if each.name == name), None)


def _changed(event: EventId, op: str, name: str, facts: Mapping[str, object]) -> Fact:
    return new_fault(event=event, kind="attr", op=op, name=name, effect="changed", facts=facts)


def shown(value: Any) -> str:
    """Return a value as a person writes it, at a length that fits into a message."""
    return shorten(values.show(values.thaw(value)), 200)
