"""The meaning of absent and unread attrs of a program, by the release that saved it.

Paddle 2 and later write every attr that is not extra, with default values too. Of 424 programs that 2.6.2 and 3.0.0
saved, none lacks any but flags that are off (`use_quantizer` of reshape2, `is_test` of sequence_pool). So a program
that lacks another attr does not state the value that it was saved with.
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
    """The release that saved a program; `find` returns its spec (None if unknown), and is called once, if needed."""

    def __init__(self, find: Callable[[], Spec | None] = lambda: None) -> None:
        self._find = find

    @cached_property
    def _spec(self) -> Spec | None:
        """The spec of the release, looked up on first use."""
        return self._find()

    def absent_attr_faults(self, op: str, name: str, filled: Any) -> Iterator[Fact]:
        """Yield the effect of an attr that a node lacks; `filled` is the loader's value for it, UNKNOWN if unknown."""
        saved_attr = self._attr(op, name)
        if saved_attr is None or filled is UNKNOWN:
            return
        facts: dict[str, object] = {"filled": format_value(filled)}
        if saved_attr.default_value not in (None, UNKNOWN) and not values.same(saved_attr.default_value, filled):
            facts["saved"] = format_value(saved_attr.default_value)
            fault = _changed_fault("model_attr_default_differs", op, name, facts)
            yield fault.replace(old=values.thaw(saved_attr.default_value), new=values.thaw(filled))
        elif saved_attr.extra is False and filled is not False:
            yield _changed_fault("model_attr_unsaid", op, name, facts).replace(new=values.thaw(filled))

    def ignored_attr_faults(self, op: str, given: Given) -> Iterator[Fact]:
        """Yield a fault for an attr that the loader does not read and whose value is not the default."""
        saved_attr = self._attr(op, given.name)
        if saved_attr is None or saved_attr.extra is not False or saved_attr.default_value in (None, UNKNOWN):
            return
        value = values.freeze(given.value)
        if not values.same(value, saved_attr.default_value):
            facts = {"value": format_value(value), "default": format_value(saved_attr.default_value)}
            yield _changed_fault("model_attr_ignored", op, given.name, facts).replace(old=values.thaw(value))

    def omits_output(self, op: str, output: str) -> bool:
        """Return whether the saver omits an output, because it is extra."""
        declared = None if self._spec is None else self._spec.ops.get(op)
        return declared is not None and any(
            declared_output.name == output and declared_output.extra is True for declared_output in declared.outputs
        )

    def _attr(self, op: str, name: str) -> Attr | None:
        """Return the declaration of an attr in the release that saved the program."""
        declared = None if self._spec is None else self._spec.ops.get(op)
        return None if declared is None else next((attr for attr in declared.attrs if attr.name == name), None)


def _changed_fault(event: EventId, op: str, name: str, facts: Mapping[str, object]) -> Fact:
    """Return the fault of an attr that changes the meaning of a model."""
    return new_fault(event=event, kind="attr", op=op, name=name, effect="changed", facts=facts)


def format_value(value: Any) -> str:
    """Return a value as text that fits into a message."""
    return shorten(values.show(values.thaw(value)), 200)
