"""What a model may say of an op by its declaration: the least, what savers write, and the values of an attr."""

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
    """Return the sample that says no more of an op than every model has to; `choice` counts on to other values.

    Raises:
        UnwritableError: an attr has to be written, and no value of its type can be.
    """
    return Sample(
        op=op,
        attrs={each.name: simplest(each, writer, choice) for each in op.attrs if not is_omittable(each)},
        inputs={each.name: 1 for each in op.inputs if not is_omittable(each) and each.extra is not True},
        outputs={each.name: 1 for each in op.outputs if not is_omittable(each) and each.extra is not True},
        version=op.max_version if isinstance(op.max_version, int) else None,
    )


def usual(op: Op, writer: Writer, choice: int = 0) -> Sample:
    """Return the sample that says of an op what savers write of it; `choice` counts on to other values.

    Raises:
        UnwritableError: as `smallest`.
    """
    least = smallest(op, writer, choice)
    if not writer.writes_defaults:
        return least
    defaults = {each.name: each.default_value for each in op.attrs if each.name not in least.attrs and not each.extra}
    return least.replace(attrs={**least.attrs, **defaults})


def simplest(attr: Attr, writer: Writer, choice: int = 0) -> object:
    """Return the simplest value that an attr may have.

    Of the other choices, 1 and 3 have long lists, 2 and 3 the second value of what is no list.

    Raises:
        UnwritableError: no value of its type can be written.
    """
    found = values_of(attr, writer)
    if isinstance(found[0], tuple):
        return found[-1 if choice % 2 else 0]
    return found[min(choice // 2, len(found) - 1)]


def values_of(attr: Attr, writer: Writer) -> list[object]:
    """Return values that an attr may have, the simplest first: its default value, those it allows, and its bounds.

    Raises:
        UnwritableError: no value of its type can be written.
    """
    default = attr.default_value
    known = [] if default is None or default is UNKNOWN else [default]
    found = known + [each for each in writer.values(attr) if not known or not values.same(each, default)]
    if not found:
        raise UnwritableError(f"no value of the type {attr.type} is known")
    return found
