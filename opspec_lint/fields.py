"""Compares the fields of two declarations of one op or argument, one after the other."""

from __future__ import annotations

from opspec_lint import values
from opspec_lint.changes import FieldChanged
from opspec_lint.model import FIELDS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.changes import AnyArgument
    from opspec_lint.model import Kind, Op

_OP_FIELDS = tuple(field for field in FIELDS["ops"] if field != "invalid")
"""Whether head is invalid is a fact about head alone."""


def diff_op_fields(old: Op, new: Op) -> Iterator[FieldChanged]:
    """Yield what differs between two declarations of an op beside its arguments."""
    return diff_fields(old, new, old.name, "op", _OP_FIELDS)


def diff_fields(
    before: Op | AnyArgument,
    after: Op | AnyArgument,
    op: str,
    kind: Kind | str,
    fields: Sequence[str],
) -> Iterator[FieldChanged]:
    """Yield those of some fields that both sides know and that differ."""
    was_extra = _was_extra(before, after)
    for field in fields:
        old, new = getattr(before, field), getattr(after, field)
        if old is new or old is UNKNOWN or new is UNKNOWN or values.same(old, new):
            continue
        if field == "default_value" and old == new and _type_changed(before, after):
            continue  # 0 became 0.0 because INT became FLOAT, which is a change of its own
        yield FieldChanged(
            op=op,
            kind=kind,  # type: ignore[arg-type]
            name=before.name,
            field=field,
            old=old,
            new=new,
            before=before,
            after=after,
            exempt=was_extra and field != "extra",
        )


def _type_changed(before: Op | AnyArgument, after: Op | AnyArgument) -> bool:
    types = {getattr(before, "type", UNKNOWN), getattr(after, "type", UNKNOWN)}
    return len(types) == 2 and UNKNOWN not in types


def _was_extra(before: Op | AnyArgument, after: Op | AnyArgument) -> bool:
    extra = getattr(before, "extra", False)
    return (getattr(after, "extra", False) if extra is UNKNOWN else extra) is True
