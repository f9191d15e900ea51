"""Makes the spec of what the files of a tree say: an op for each value of the schema's enum, and each custom op.

What no file says is unknown: in a tree without register.cc the versions of all ops, and not that none has a kernel.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.extract import resolvers
from opspec_lint.frameworks.tflite.extract.layout import DEFAULT, DELEGATES, spelt
from opspec_lint.frameworks.tflite.saved.codes import is_custom
from opspec_lint.spec.condition import ALWAYS
from opspec_lint.spec.model import UNKNOWN, Attr, Op, Origin, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.tflite.extract.reading import ReadFile
    from opspec_lint.spec.model import Provenance, Remark

    Record: TypeAlias = dict[str, Any]
    """What is said of an op, but for where."""

_SUFFIX = "options"


def spec_of(found: Mapping[str, ReadFile], file: str, provenance: Provenance, remarks: tuple[Remark, ...]) -> Spec:
    """Return the spec of a tree.

    Args:
        found: what its files say, by kind.
        file: what the user called it.
        provenance: where it comes from.
        remarks: what there is to say of the reading.
    """
    makers = _Makers(found)
    records = {op: makers.record(op) for op in makers.ops()}
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(records, makers.op, _numbers, "tflite-source", located=True),
        binding="op_version",
        remarks=remarks,
    )


def _numbers(record: Record) -> list[Any]:
    return [attr[2] for attr in record["attrs"]]


class _Makers:
    """Makes records, and of these ops."""

    def __init__(self, found: Mapping[str, ReadFile]) -> None:
        self._found = found
        self._schema: dict[str, Any] | None = found["schema"].said if "schema" in found else None
        self._code: dict[str, Any] = found["conversions"].said if "conversions" in found else {}
        self._kernels, odd = self._built("kernels")
        self._reference, odd_reference = self._built("reference_kernels")
        odd_reference = [*odd_reference, *resolvers.conditional(self._reference)]
        self._written, odd_written = self._said("written")
        self._rows, odd_rows = self._said("runtimes")
        self._odd = {
            kind: {op for op, *_ in each}
            for kind, each in (
                ("kernels", odd),
                ("reference_kernels", odd_reference),
                ("written", odd_written),
                ("runtimes", odd_rows),
            )
        }
        self._delegates = [(each.name, kind) for each in DELEGATES if (kind := f"delegate {each.name}") in found]
        tables = () if self._schema is None else self._schema["tables"]
        self._tables = {name.lower(): name for name in tables}
        self._attrs: dict[str, tuple[Any, ...]] = {}

    def _said(self, kind: str) -> tuple[Mapping[str, Any], Any]:
        return self._found[kind].said if kind in self._found else ({}, ())

    def _built(self, kind: str) -> tuple[resolvers.Ranges, resolvers.Odd]:
        """Return what a resolver takes where a build compiles its file."""
        ranges, odd = self._said(kind)
        built = self._found[kind].built if kind in self._found else ALWAYS
        return resolvers.built(ranges, built), odd

    def ops(self) -> list[str]:
        """Return the ops: those of the schema, or else all that any file names, and those that resolvers name."""
        registered = {*self._kernels, *self._reference}
        if self._schema is not None:
            return sorted({*self._schema["ops"], *filter(is_custom, registered)})
        named = {*registered, *self._written, *self._rows, *self._code.get("tables", ())}
        return sorted(named - {DEFAULT})

    def record(self, op: str) -> Record:
        """Return the record of an op; a field that no file speaks of is not there."""
        record: Record = {}
        record |= self._range(op, "kernels", self._kernels, "")
        if "min_version" in record:
            record["declared_if"] = self._kernels[op][3] if op in self._kernels else None
        record |= self._range(op, "reference_kernels", self._reference, "reference_")
        if is_custom(op):  # only builtin ops have a converter, rows and an options table
            return record | {"attrs": ()}
        if self._knows("written", op):
            written = self._written.get(op, {})
            record["written_versions"] = tuple(sorted(written)) or None
            record["conditions"] = {str(each): written[each][1] for each in sorted(written) if written[each][1]} or None
        if self._knows("runtimes", op):
            rows = self._rows.get(op)
            record["oldest_runtimes"] = {str(each): rows[each][0] for each in sorted(rows)} if rows else None
        if self._delegates:
            limits = {name: said[0] for name, said in self._limits(op).items()}
            record["delegates"] = limits or None
        record["attrs"] = ()
        if self._schema is not None:
            record["options"] = self._options(op)
            record["attrs"] = self._attrs_of(record["options"])
        return record

    def _range(self, op: str, kind: str, ranges: Mapping[str, Any], prefix: str) -> Record:
        if not self._knows(kind, op):
            return {}
        least, greatest, *_ = ranges.get(op, (None, None))
        return {f"{prefix}min_version": least, f"{prefix}max_version": greatest}

    def _knows(self, kind: str, op: str) -> bool:
        """Tell whether a file says what there is to say of an op."""
        return kind in self._found and self._odd[kind].isdisjoint((op, ""))

    def _limits(self, op: str) -> dict[str, tuple[int | None, int]]:
        name = spelt(op)
        return {each: said[name] for each, kind in self._delegates if name in (said := self._found[kind].said)}

    def _options(self, op: str) -> str | None:
        """Return the options table of an op: that which its code reads, or else that of its name."""
        by_name = self._tables.get(f"{op.replace('_', '').lower()}{_SUFFIX}")
        read = [table for table in self._code.get("tables", {}).get(op, ()) if table.lower() in self._tables]
        return by_name if by_name in read or not read else str(read[0])

    def _attrs_of(self, table: str | None) -> tuple[Any, ...]:
        """Return the record of each field of a table: all but its line."""
        if table is None or self._schema is None:
            return ()
        if table not in self._attrs:
            self._attrs[table] = tuple(self._attr(table, each) for each in self._schema["tables"][table][1])
        return self._attrs[table]

    def _attr(self, table: str, field: tuple[Any, ...]) -> tuple[Any, ...]:
        name, kind, default, slot, is_deprecated, is_required, _, since = field
        unread: Any = UNKNOWN
        unstored: Any = UNKNOWN
        reads = self._code.get("reads", {}).get(table)
        if reads is not None:
            unread = name not in reads
            unstored = self._is_unstored(table, reads.get(name), name)
        return name, kind, default, slot, is_deprecated, is_required, since, unread, unstored

    def _is_unstored(self, table: str, members: list[str] | None, name: str) -> Any:
        """Tell whether no C struct that a table is read into has a member for a field; unknown without the structs."""
        structs = self._code["structs"].get(table, ())
        if "structs" not in self._found or not structs:
            return UNKNOWN
        known = {member for each in structs for member in self._found["structs"].said.get(each, (0, ()))[1]}
        if not known:
            return UNKNOWN
        return name not in known if members is None else bool(members) and known.isdisjoint(members)

    def op(self, name: str, record: Record) -> Op:
        """Return an op."""
        said = {field: value for field, value in record.items() if field != "attrs"}
        lines = {} if record.get("options") is None else self._lines(record["options"])
        places = self._places(name, record)
        return Op(
            name=name,
            attrs=tuple(self._make(attr, lines) for attr in record["attrs"]),
            origin=places.get("max_version") or self._declared(name) or next(iter(places.values()), None),
            places=places,
            **said,
        )

    def _declared(self, op: str) -> Origin | None:
        if self._schema is None or op not in self._schema["ops"]:
            return None
        return Origin(file=self._found["schema"].path, line=self._schema["ops"][op])

    def _lines(self, table: str) -> dict[str, int]:
        return {} if self._schema is None else {field[0]: field[6] for field in self._schema["tables"][table][1]}

    def _make(self, attr: tuple[Any, ...], lines: dict[str, int]) -> Attr:
        name, kind, default, slot, is_deprecated, is_required, since, unread, unstored = attr
        own = {
            "slot": slot,
            "deprecated": is_deprecated,
            "required": is_required,
            "since_version": since,
            "unread": unread,
            "unstored": unstored,
        }
        place = Origin(file=self._found["schema"].path, line=lines[name])
        return Attr(name=name, type=kind, default_value=default, own=own, origin=place)

    def _places(self, op: str, record: Record) -> dict[str, Origin]:
        """Return where each field of an op is said, and each item of those that have items."""
        places: dict[str, Origin] = {}
        if op in self._kernels:
            _, _, line, condition, cause = self._kernels[op]
            places["max_version"] = places["min_version"] = self._at("kernels", line)
            if condition is not None:
                places["declared_if"] = self._at("kernels", cause or line)
        if op in self._reference:
            place = self._at("reference_kernels", self._reference[op][2])
            places["reference_min_version"] = places["reference_max_version"] = place
        for version, (line, _) in self._written.get(op, {}).items():
            places[f"written_versions.{version}"] = self._at("written", line)
            places.setdefault("written_versions", places[f"written_versions.{version}"])
            places.setdefault("conditions", places["written_versions"])
        for version, (_, line) in self._rows.get(op, {}).items():
            places[f"oldest_runtimes.{version}"] = self._at("runtimes", line)
            places["oldest_runtimes"] = places[f"oldest_runtimes.{version}"]
        for name, (_, line) in self._limits(op).items():
            places[f"delegates.{name}"] = self._at(f"delegate {name}", line)
            places.setdefault("delegates", places[f"delegates.{name}"])
        if record.get("options") is not None and self._schema is not None:
            places["options"] = self._at("schema", self._schema["tables"][record["options"]][0])
        return places

    def _at(self, kind: str, line: int) -> Origin:
        return Origin(file=self._found[kind].path, line=line)
