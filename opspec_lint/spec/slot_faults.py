"""Whether declarations that bytes bind by number say what the bytes depend on, and nothing that means nothing there.

The reader of schemas makes no others; a spec file that somebody wrote by hand may hold anything.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.text import join
from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.slots import SLOT_FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.spec.model import Op, Spec

_NEEDED: Mapping[str, tuple[str, ...]] = {
    "table": (),
    "struct": ("size", "alignment"),
    "enum": ("underlying",),
    "union": ("underlying",),
}
"""What a declaration of each form has to say."""
_OF_FORM: Mapping[str, frozenset[str]] = {
    "table": frozenset({"root", "file_identifier"}),
    "struct": frozenset({"size", "alignment"}),
    "enum": frozenset({"underlying", "bit_flags"}),
    "union": frozenset({"underlying"}),
}
"""What a declaration of each form may say besides."""
_OF_OPS = {each.name: each.default for each in SLOT_FIELDS if each.sections == ("ops",) and each.name != "form"}
_OF_ATTRS = {each.name: each.default for each in SLOT_FIELDS if each.sections == ("attrs",) and each.name != "slot"} | {
    "default_value": None
}


def require_sound(spec: Spec) -> None:
    """Make sure that every declaration says what its form needs, and nothing that only another form can say.

    Raises:
        InputError: one does not; the message names the place.
    """
    roots = [op.name for op in spec.ops.values() if op.get("root") is True]
    for op in spec.ops.values():
        more = [(("root",), f"{roots[0]!r} is the root table already")] if op.name in roots[1:] else []
        for where, problem in (*more, *_faults(op)):
            advice = "`opspec-lint extract SCHEMA.fbs` writes a spec file of a schema"
            raise InputError(spec.file, problem, where=join("ops", op.name, *where), advice=advice)


def _faults(op: Op) -> Iterator[tuple[tuple[str | int, ...], str]]:
    form = op.get("form")
    if not isinstance(form, str):
        yield ("form",), "a declaration has to say its form: table, struct, enum or union"
        return
    for field in _NEEDED[form]:
        if op.get(field) in (None, UNKNOWN):
            yield (field,), f"a declaration of the form {form!r} has to say its {field}"
    for field, default in _OF_OPS.items():
        if field not in _OF_FORM[form] and op.get(field) not in (default, UNKNOWN):
            yield (field,), f"a declaration of the form {form!r} has no {field}"
    if op.get("root") is False and op.get("file_identifier") not in (None, UNKNOWN):
        yield ("file_identifier",), "only the root table has a file identifier"
    for at, attr in enumerate(op.attrs):
        if not isinstance(attr.get("slot"), int):
            yield ("attrs", at, "slot"), "the number is missing"
        if not isinstance(attr.type, str):
            yield ("attrs", at, "type"), "the type is missing"
        elif form == "enum" and attr.type != op.get("underlying"):
            yield ("attrs", at, "type"), f"the type of a value is that of its enum, {op.get('underlying')}"
        for field, default in _OF_ATTRS.items():
            if form != "table" and attr.get(field) not in (default, UNKNOWN):
                yield ("attrs", at, field), f"what a declaration of the form {form!r} declares has no {field}"
