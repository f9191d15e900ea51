"""Validation of ops that are declarations of a FlatBuffers schema: each has the fields of its form, and no others.

The reader of schemas makes only valid declarations; a spec file that was written by hand may contain anything.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.text import join
from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.slots import SLOT_FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.spec.model import Attr, Op, Spec

_REQUIRED: Mapping[str, tuple[str, ...]] = {
    "struct": ("size", "alignment"),
    "enum": ("underlying",),
    "union": ("underlying",),
}
"""The fields that a declaration of a form must have."""
_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "table": ("root", "file_identifier", "file_extension"),
    "enum": ("underlying", "bit_flags"),
    **{form: needed for form, needed in _REQUIRED.items() if form != "enum"},
}
"""The fields that a declaration of a form may have."""
_ROOT_ONLY = ("file_identifier", "file_extension")
_OP_DEFAULTS = {
    field.name: field.default for field in SLOT_FIELDS if field.sections == ("ops",) and field.name != "form"
}
_ATTR_DEFAULTS = {
    field.name: field.default for field in SLOT_FIELDS if field.sections == ("attrs",) and field.name != "slot"
} | {"default_value": None}


def require_sound(spec: Spec) -> None:
    """Raise an error unless every declaration has the fields that its form needs, and only fields that it may have.

    Raises:
        InputError: a declaration is not valid; the message names the place.
    """
    if op_table.is_located(spec.ops):
        return  # what is read of a schema is sound
    roots = [op.name for op in spec.ops.values() if op.get("root") is True]
    for op in spec.ops.values():
        more = [(("root",), f"{roots[0]!r} is the root table already")] if op.name in roots[1:] else []
        for where, problem in (*more, *_faults(op)):
            raise _error(spec, op, where, problem)


def require_slots(spec: Spec) -> None:
    """Raise an error if two attrs of an op have the same slot.

    Raises:
        InputError: two attrs have the same slot; the message names the place.
    """
    for op in spec.ops.values():
        for where, problem in _repeated_slots(op):
            raise _error(spec, op, where, problem)


def _error(spec: Spec, op: Op, where: Sequence[str | int], problem: str) -> InputError:
    """Return the error about a field of a declaration."""
    advice = "write the spec with `opspec-lint extract`"
    return InputError(spec.file, problem, where=join("ops", op.name, *where), advice=advice)


def _repeated_slots(op: Op) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the attrs with the slot of an earlier attr; in an enum, two names may have one number."""
    seen: dict[int, str] = {}
    for at, attr in enumerate(op.attrs if op.get("form") != "enum" else ()):
        slot = attr.get("slot")
        if isinstance(slot, int) and seen.setdefault(slot, attr.name) != attr.name:
            yield ("attrs", at, "slot"), f"{seen[slot]!r} has the number {slot} already"


def _faults(op: Op) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the faults of a declaration, each with its path in the record of the op."""
    form = op.get("form")
    if not isinstance(form, str):
        yield ("form",), "a declaration has to say its form: table, struct, enum, union or rpc_service"
        return
    for field in _REQUIRED.get(form, ()):
        if op.get(field) in (None, UNKNOWN):
            yield (field,), f"a declaration of the form {form!r} has to say its {field}"
    for field, default in _OP_DEFAULTS.items():
        if field not in _ALLOWED.get(form, ()) and op.get(field) not in (default, UNKNOWN):
            yield (field,), f"a declaration of the form {form!r} has no {field}"
        elif field in _ROOT_ONLY and op.get("root") is False and op.get(field) not in (default, UNKNOWN):
            yield (field,), f"only the root table has a {field}"
    yield from _repeated_slots(op)
    for at, attr in enumerate(op.attrs):
        for field, problem in _faults_of_attr(attr, op, form):
            yield ("attrs", at, field), problem


def _faults_of_attr(attr: Attr, op: Op, form: str) -> Iterator[tuple[str, str]]:
    """Yield the faults of a field, value, member or call, each with the name of the field at fault."""
    if form == "rpc_service":
        if len(str(attr.type).split(" -> ")) != 2:
            yield "type", "a call has the type `REQUEST -> RESPONSE`"
        if attr.get("slot") not in (None, UNKNOWN):
            yield "slot", "a call has no number"
    elif not isinstance(attr.get("slot"), int):
        yield "slot", "the number is missing"
    elif not isinstance(attr.type, str):
        yield "type", "the type is missing"
    elif form == "enum" and attr.type != op.get("underlying"):
        yield "type", f"the type of a value is that of its enum, {op.get('underlying')}"
    if attr.get("flexbuffer") is True and attr.get("nested_flatbuffer") not in (None, UNKNOWN):
        yield "nested_flatbuffer", "a FlexBuffer is no FlatBuffer"
    for field, default in _ATTR_DEFAULTS.items():
        if form != "table" and attr.get(field) not in (default, UNKNOWN):
            yield field, f"what a declaration of the form {form!r} declares has no {field}"
