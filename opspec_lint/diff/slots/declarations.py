"""Comparison of all declarations of two FlatBuffers schemas: added, removed, renamed, and how a file begins."""

from __future__ import annotations

from opspec_lint.diff.changes.ops import op_added, op_removed
from opspec_lint.diff.fields import COMPARED_SEPARATELY, diff_fields
from opspec_lint.diff.slots import enums, services, structs, tables, unions
from opspec_lint.diff.slots.facts import declaration_changed, declaration_fact
from opspec_lint.diff.slots.pairing import find_renamed_declarations
from opspec_lint.diff.slots.types import SchemaPair
from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op, Spec

_BY_FORM: Mapping[str, Callable[[Op, Op, SchemaPair], Iterator[Fact]]] = {
    "table": tables.compare,
    "struct": structs.compare,
    "enum": enums.compare,
    "union": unions.compare,
    "rpc_service": services.compare,
}
_FILE_FIELDS: Mapping[EventId, str] = {
    "root_set": "root",
    "root_cleared": "root",
    "root_changed": "root",
    "file_identifier_added": "file_identifier",
    "file_identifier_removed": "file_identifier",
    "file_identifier_changed": "file_identifier",
    "file_extension_changed": "file_extension",
}
"""The properties of a schema that the events about the beginning of files refer to."""


def compare(base: Spec, head: Spec, only: Collection[str] | None, table: FieldTable) -> Iterator[Fact | tuple[Op, Op]]:
    """Yield every difference between the declarations of two specs, and each pair that may differ.

    An op of a framework, which is no declaration of a schema, has attrs like the fields of a table.
    """
    new_names = find_renamed_declarations(base.ops, head.ops)
    pair = SchemaPair(base.ops, head.ops, new_names)
    renamed_to = set(new_names.values())
    for name in sorted(op_table.names(base.ops) | op_table.names(head.ops)):
        new_name = new_names.get(name, name)
        if only is not None and name not in only and new_name not in only:
            continue
        if name not in base.ops:
            if name not in renamed_to:
                yield _added_fact(name, head)
        elif new_name not in head.ops:
            yield from _removed_facts(name, base)
        elif new_name != name or not op_table.certainly_equal(base.ops, head.ops, name):
            old, new = base.ops[name], head.ops[new_name]
            yield old, new
            if new_name != name:
                yield _renamed_fact(old, new)
            yield from _compare(old, new, pair, table)
    if only is None:
        yield from _compare_files(base, head, pair)


def compare_op(old: Op, new: Op, earlier: Sequence[Op], table: FieldTable) -> Iterator[Fact]:  # noqa: ARG001
    """Yield every difference between two declarations, without knowledge of other declarations."""
    return _compare(old, new, SchemaPair({old.name: old}, {new.name: new}, {}), table)


def _compare(old: Op, new: Op, pair: SchemaPair, table: FieldTable) -> Iterator[Fact]:
    """Yield the differences between two declarations, by their form."""
    form = old.get("form")
    if not isinstance(form, str):
        own = (field for field in table.fields_of("ops").values() if field.name not in (*COMPARED_SEPARATELY, "form"))
        yield from diff_fields(old, new, old.name, "op", own)
        yield from tables.compare(old, new, pair)
    elif form != new.get("form"):
        yield declaration_changed("declaration_form_changed", old, new, "form")
    else:
        yield from _BY_FORM[form](old, new, pair)


def _added_fact(name: str, head: Spec) -> Fact:
    op = head.ops[name]
    if not isinstance(op.get("form"), str):
        return op_added(head.ops, name)
    return _declaration_as_whole("declaration_added", op, None, op)


def _removed_facts(name: str, base: Spec) -> Iterator[Fact]:
    op = base.ops[name]
    if not isinstance(op.get("form"), str):
        yield op_removed(base.ops, name)
    elif op.get("form") == "table" and _may_be_root(name, base.ops):
        yield _declaration_as_whole("possible_root_removed", op, op, None)
    else:
        yield _declaration_as_whole("declaration_removed", op, op, None)


def _declaration_as_whole(event: EventId, op: Op, old: Op | None, new: Op | None) -> Fact:
    """Return the fact that a declaration was added or removed; its form is the value in the fact."""
    form = str(op.get("form"))
    return declaration_fact(event, op, (old, new), form=form).replace(old=old and form, new=new and form)


def _may_be_root(name: str, ops: Mapping[str, Op]) -> bool:
    """Return whether files may begin with a table: the root, or, without one, a table that nothing else uses."""
    root = _root(ops)
    if root is not None:
        return root.name == name
    used = {str(attr.type).strip("[]") for op in ops.values() if op.name != name for attr in op.attrs}
    return name not in used


def _renamed_fact(old: Op, new: Op) -> Fact:
    return declaration_changed("declaration_renamed", old, new, form=old.get("form")).replace(
        new_name=new.name, confidence=1.0
    )


def _compare_files(base: Spec, head: Spec, pair: SchemaPair) -> Iterator[Fact]:
    """Yield the differences in how a file begins (root table, identifier), and in its extension."""
    old, new = _root(base.ops), _root(head.ops)
    if old is None or new is None:
        if new is not None:
            yield _file_fact(base, head, "root_set", new, (None, new.name))
        elif old is not None:
            yield _file_fact(base, head, "root_cleared", old, (old.name, None))
        return
    if not pair.is_same_declaration(old.name, new.name):
        yield _file_fact(base, head, "root_changed", old, (old.name, new.name))
    before, after = old.get("file_identifier"), new.get("file_identifier")
    if before != after and UNKNOWN not in (before, after):
        yield _file_fact(base, head, _identifier_event(before, after), old, (before, after))
    before, after = (op.get("file_extension") or None for op in (old, new))
    if before != after:
        yield _file_fact(base, head, "file_extension_changed", old, (before, after))


def _root(ops: Mapping[str, Op]) -> Op | None:
    return next((op for op in ops.values() if op.get("root") is True), None)


def _file_fact(base: Spec, head: Spec, event: EventId, op: Op, values: tuple[str | None, str | None]) -> Fact:
    """Return the fact that a property of files differs, such as `file_identifier`."""
    field = _FILE_FIELDS[event]
    old, new = values
    origins = base.field_origins.get(field), head.field_origins.get(field)
    return declaration_fact(event, op, (None, None)).replace(field=field, old=old, new=new, origins=origins)


def _identifier_event(before: str | None, after: str | None) -> EventId:
    if before is None:
        return "file_identifier_added"
    return "file_identifier_removed" if after is None else "file_identifier_changed"
