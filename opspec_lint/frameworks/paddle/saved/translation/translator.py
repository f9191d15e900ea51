"""What a translator of its own does otherwise than the common one: the words that `translators` is written in."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.saved.translation.node import Node

    Fills: TypeAlias = Mapping[str, tuple[str, Any]]
    """The attrs that a translator fills in, by their names in PIR: the type, as a ProgramDesc has it, and the value."""


class Target(Record):
    """A PIR op that a translator makes, of the nodes that `when` holds for.

    `handles` are the inputs, outputs and attrs of this op that the translator makes by itself.
    """

    op: str
    when: Callable[[Node], bool] = lambda node: True  # noqa: ARG005 - every node
    handles: frozenset[str] = frozenset()


class Read(Record):
    """An attr that a translator reads by itself: its types, none for any, and whether the node has to have it.

    It is asked for where `when` holds. `equals` is the only value that is translated, None for any.
    """

    name: str
    types: tuple[str, ...] = ()
    is_required: bool = True
    equals: float | None = None
    when: Callable[[Node], bool] = lambda node: True  # noqa: ARG005 - every node


class Ask(Record):
    """An input, or an output, that a translator looks at by itself: how many arguments it has at least and at most.

    It is asked for even if it needs no argument; no `most` is any number. `dtype` is the type of the elements of its
    first argument, None for any.
    """

    name: str
    least: int = 1
    most: int | None = None
    is_output: bool = False
    dtype: int | None = None


class Translator(Record):
    """What a translator does otherwise.

    `targets` are the PIR ops that it makes, of which the first that suits counts: none for the op that the tables name.
    `has_inplace` is whether a node that writes to its input becomes the variant `_` of such a target. `fills` are the
    attrs that it fills in for a node without them; where it is not None, another attr that is absent is refused, of any
    type. `handles` are the inputs, outputs and attrs that it makes by itself. `reads` are the attrs that it looks at by
    itself, `one_of` those of which one has to be there and not empty, and `asks` the inputs and outputs. `makes_all`
    tells that nothing else is looked at: neither the arguments of the PIR op nor its attrs. `is_told` is false where
    what it asks for is not known here.
    """

    targets: tuple[Target, ...] = ()
    has_inplace: bool = False
    fills: Fills | None = None
    handles: frozenset[str] = frozenset()
    reads: tuple[Read, ...] = ()
    one_of: tuple[str, ...] = ()
    asks: tuple[Ask, ...] = ()
    makes_all: bool = False
    is_told: bool = True

    def target(self, node: Node) -> Target | None:
        """Return the PIR op that a node becomes, None for the one that the tables name."""
        found = next((each for each in self.targets if each.when(node)), None)
        if found is None or not self.has_inplace or found.op.endswith("_") or not node.is_inplace:
            return found
        return found.replace(op=f"{found.op}_")
