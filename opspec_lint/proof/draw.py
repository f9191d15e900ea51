"""Samples of an op by its declaration: the smallest model, the model that savers write, and values of attrs."""

from __future__ import annotations

from opspec_lint.diff.changes.arguments import is_omittable
from opspec_lint.proof.sample import Sample, UnwritableError
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.proof.writer import Writer
    from opspec_lint.spec.model import Attr, Op


def smallest(op: Op, writer: Writer, choice: int = 0) -> Sample:
    """Return the sample with only the required attrs, inputs and outputs; `choice` selects other values (`simplest`).

    Raises UnwritableError if no value is known for a required attr.
    """
    return Sample(
        op=op,
        attrs={attr.name: simplest(attr, writer, choice) for attr in op.attrs if not is_omittable(attr)},
        inputs={
            argument.name: 1 for argument in op.inputs if not is_omittable(argument) and argument.extra is not True
        },
        outputs={
            argument.name: 1 for argument in op.outputs if not is_omittable(argument) and argument.extra is not True
        },
        version=op.max_version if isinstance(op.max_version, int) else None,
    )


def usual(op: Op, writer: Writer, choice: int = 0) -> Sample:
    """Return the sample that savers write: with default values of attrs, if savers of the framework write them."""
    least = smallest(op, writer, choice)
    if not writer.writes_defaults:
        return least
    defaults = {attr.name: attr.default_value for attr in op.attrs if attr.name not in least.attrs and not attr.extra}
    return least.replace(attrs={**least.attrs, **defaults})


def simplest(attr: Attr, writer: Writer, choice: int = 0) -> object:
    """Return the simplest value of an attr, or with `choice` another one.

    The two bits of `choice` (0 to 3) vary lists and other values independently: bit 0 takes the last list of values,
    bit 1 the second value that is no list. An op may require a list to have the length of another one.
    """
    values = values_of(attr, writer)
    if isinstance(values[0], tuple):
        return values[-1 if choice % 2 else 0]
    return values[min(choice // 2, len(values) - 1)]


def values_of(attr: Attr, writer: Writer) -> list[object]:
    """Return valid values of an attr, the simplest first: the default, allowed values, bounds.

    Raises UnwritableError if no value of its type can be written.
    """
    default = attr.default_value
    known = [] if default is None or default is UNKNOWN else [default]
    # The default first: it is certainly valid, while other values are derived from the declaration.
    candidates = known + [value for value in writer.values(attr) if not known or not values.same(value, default)]
    if not candidates:
        raise UnwritableError(f"no value of the type {attr.type} is known")
    return candidates
