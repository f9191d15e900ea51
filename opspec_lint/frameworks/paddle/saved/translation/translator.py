"""The notation of special translators: how the translation of an op differs from the common rules."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.saved.translation.node import Node

    Fills: TypeAlias = Mapping[str, tuple[str, Any]]
    """The values for absent attrs by their names in PIR: the type in a ProgramDesc, and the value."""


class Target(Record):
    """A PIR op that a translator creates for the nodes that satisfy `when`.

    `handles` are arguments of this op that the translator makes itself.
    """

    op: str
    when: Callable[[Node], bool] = lambda node: True  # noqa: ARG005 - every node
    handles: frozenset[str] = frozenset()


class AttrRequirement(Record):
    """An attr that a translator reads itself, with its accepted types (none for any).

    It is required where `when` holds, unless `is_required` is False. `equals` is the only value that is translated,
    None for any.
    """

    name: str
    types: tuple[str, ...] = ()
    is_required: bool = True
    equals: float | None = None
    when: Callable[[Node], bool] = lambda node: True  # noqa: ARG005 - every node


class ArgumentRequirement(Record):
    """The least and greatest number of arguments of an input or output that a translator reads itself.

    Even with `least` 0 the parameter has to be present. `most` None allows any number. `dtype` is the element type of
    the first argument, None for any.
    """

    name: str
    least: int = 1
    most: int | None = None
    is_output: bool = False
    dtype: int | None = None


class Translator(Record):
    """The differences of a translator from the common one.

    `targets` are the PIR ops that it creates; the first whose `when` holds counts, none selects the op of the name
    tables. `has_inplace`: a node that overwrites its input becomes the variant `_` of the target. `fills` are values
    for absent attrs; if it is not None, other absent attrs are refused. `handles` are arguments that it makes itself.
    `reads` are the attrs that it requires, `any_required` attrs among which at least one must have items, and
    `arguments_required` the inputs and outputs. `makes_all`: no argument of the PIR op is checked further. `is_known`
    is False if its requirements are unknown.
    """

    targets: tuple[Target, ...] = ()
    has_inplace: bool = False
    fills: Fills | None = None
    handles: frozenset[str] = frozenset()
    reads: tuple[AttrRequirement, ...] = ()
    any_required: tuple[str, ...] = ()
    arguments_required: tuple[ArgumentRequirement, ...] = ()
    makes_all: bool = False
    is_known: bool = True

    def target(self, node: Node) -> Target | None:
        """Return the PIR op that a node becomes; None for the op of the name tables."""
        target = next((candidate for candidate in self.targets if candidate.when(node)), None)
        if target is None or not self.has_inplace or target.op.endswith("_") or not node.is_inplace:
            return target
        return target.replace(op=f"{target.op}_")
