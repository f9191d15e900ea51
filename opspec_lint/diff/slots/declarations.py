"""Compares all declarations of two specs: which are there, which are one, what begins a file."""

from __future__ import annotations

from opspec_lint.diff.changes.ops import OpAdded, OpRemoved
from opspec_lint.diff.fields import diff_fields
from opspec_lint.diff.slots import enums, services, structs, tables, unions
from opspec_lint.diff.slots.facts import SlotChange, of_declaration, places
from opspec_lint.diff.slots.pairing import renamed
from opspec_lint.diff.slots.types import SchemaPair
from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from opspec_lint.diff.changes.change import Change
    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Op, Spec

_BY_FORM: Mapping[str, Callable[[Op, Op, SchemaPair], Iterator[Change]]] = {
    "table": tables.compare,
    "struct": structs.compare,
    "enum": enums.compare,
    "union": unions.compare,
    "rpc_service": services.compare,
}


def compare(base: Spec, head: Spec, only: Collection[str] | None, table: Table) -> Iterator[Change | tuple[Op, Op]]:
    """Yield every fact that tells the declarations of two specs apart, and each pair of them that may differ.

    An op of a framework, which is no declaration of a schema, has attrs like the fields of a table.
    """
    others = renamed(base.ops, head.ops)
    pair = SchemaPair(base.ops, head.ops, others)
    news = set(others.values())
    for name in sorted(op_table.names(base.ops) | op_table.names(head.ops)):
        other = others.get(name, name)
        if only is not None and name not in only and other not in only:
            continue
        if name not in base.ops:
            if name not in news:
                yield _added(name, head)
        elif other not in head.ops:
            yield from _removed(name, base)
        elif other != name or not op_table.surely_same(base.ops, head.ops, name):
            old, new = base.ops[name], head.ops[other]
            yield old, new
            if other != name:
                yield _renamed(old, new)
            yield from _compare(old, new, pair, table)
    if only is None:
        yield from _of_file(base, head, pair)


def compare_op(old: Op, new: Op, earlier: Sequence[Op], table: Table) -> Iterator[Change]:  # noqa: ARG001
    """Yield every fact that tells two declarations apart, where no others are known."""
    return _compare(old, new, SchemaPair({old.name: old}, {new.name: new}, {}), table)


def _compare(old: Op, new: Op, pair: SchemaPair, table: Table) -> Iterator[Change]:
    form = old.get("form")
    if not isinstance(form, str):
        own = (field for field in table.of("ops").values() if field.name not in ("invalid", "form"))
        yield from diff_fields(old, new, old.name, "op", own)
        yield from tables.compare(old, new, pair)
    elif form != new.get("form"):
        yield of_declaration("declaration_form_changed", old, new, "form")
    else:
        yield from _BY_FORM[form](old, new, pair)


def _added(name: str, head: Spec) -> Change:
    op = head.ops[name]
    if not isinstance(op.get("form"), str):
        return OpAdded(op=name, kind="op", name=name, ops=head.ops)
    return _whole("declaration_added", op, None, op)


def _removed(name: str, base: Spec) -> Iterator[Change]:
    op = base.ops[name]
    if not isinstance(op.get("form"), str):
        yield OpRemoved(op=name, kind="op", name=name, ops=base.ops)
    elif op.get("form") == "table" and _may_be_root(name, base.ops):
        yield _whole("possible_root_removed", op, op, None)
    else:
        yield _whole("declaration_removed", op, op, None)


def _whole(event: str, op: Op, old: Op | None, new: Op | None) -> SlotChange:
    form = str(op.get("form"))
    return SlotChange(
        op=op.name,
        kind="op",
        name=op.name,
        event=event,
        old=old and form,
        new=new and form,
        places=places(old, new),
        facts={"form": form},
    )


def _may_be_root(name: str, ops: Mapping[str, Op]) -> bool:
    """Tell whether files may begin with a table: it is the root, or there is none and no other table leads to it."""
    root = _root(ops)
    if root is not None:
        return root.name == name
    used = {str(attr.type).strip("[]") for op in ops.values() if op.name != name for attr in op.attrs}
    return name not in used


def _renamed(old: Op, new: Op) -> SlotChange:
    return of_declaration("declaration_renamed", old, new, form=old.get("form")).but(new_name=new.name)


def _of_file(base: Spec, head: Spec, pair: SchemaPair) -> Iterator[Change]:
    """Yield what differs in how a file begins: its root table and its identifier, and how it is called."""
    old, new = _root(base.ops), _root(head.ops)
    if old is None or new is None:
        if new is not None:
            yield _begin(base, head, "root_set", new, (None, new.name))
        elif old is not None:
            yield _begin(base, head, "root_cleared", old, (old.name, None))
        return
    if not pair.is_one(old.name, new.name):
        yield _begin(base, head, "root_changed", old, (old.name, new.name))
    before, after = old.get("file_identifier"), new.get("file_identifier")
    if before != after and UNKNOWN not in (before, after):
        event = "added" if before is None else "removed" if after is None else "changed"
        yield _begin(base, head, f"file_identifier_{event}", old, (before, after))
    before, after = (op.get("file_extension") or None for op in (old, new))
    if before != after:
        yield _begin(base, head, "file_extension_changed", old, (before, after))


def _root(ops: Mapping[str, Op]) -> Op | None:
    return next((op for op in ops.values() if op.get("root") is True), None)


def _begin(base: Spec, head: Spec, event: str, op: Op, values: tuple[str | None, str | None]) -> SlotChange:
    field = next(each for each in ("root", "file_identifier", "file_extension") if event.startswith(each))
    return SlotChange(
        op=op.name,
        kind="op",
        name=op.name,
        event=event,
        field=field,
        old=values[0],
        new=values[1],
        places=(base.field_origins.get(field), head.field_origins.get(field)),
    )
