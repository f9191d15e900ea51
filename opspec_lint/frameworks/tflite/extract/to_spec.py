"""The spec of a tree, made of its files: an op for each value of the schema's enum, and for each custom op.

A fact that no file states is unknown: in a tree without register.cc, the versions of all ops are unknown, not absent.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.extract import resolvers
from opspec_lint.frameworks.tflite.extract.layout import DEFAULT, DELEGATES, plain_op_name
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
    """The fields of an op without their places."""

_SUFFIX = "options"
"""The end of the name of an options table, in small letters."""


def spec_of(files: Mapping[str, ReadFile], file: str, provenance: Provenance, remarks: tuple[Remark, ...]) -> Spec:
    """Return the spec of a tree by its files; `file` is the name of the tree on the command line."""
    builder = _OpBuilder(files)
    records = {op: builder.record(op) for op in builder.ops()}
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(records, builder.op, _numbers, "tflite-source", located=True),
        binding="op_version",
        remarks=remarks,
        build_files={file.path: file.build_file for file in files.values() if file.build_file is not None},
    )


def _numbers(record: Record) -> list[Any]:
    """Return the default values of an op: `1` and `1.0` differ there, and are equal in Python."""
    return [default for _, _, default, *_ in record["attrs"]]


class _OpBuilder:
    """A builder of records, and of an op from its record once the op is used."""

    def __init__(self, files: Mapping[str, ReadFile]) -> None:
        self._files = files
        self._schema: dict[str, Any] | None = files["schema"].content if "schema" in files else None
        self._conversions: dict[str, Any] = files["conversions"].content if "conversions" in files else {}
        irregular: dict[str, resolvers.Irregular] = {}
        self._kernels, irregular["kernels"] = self._compiled_ranges("kernels")
        self._reference, irregular["reference_kernels"] = self._compiled_ranges("reference_kernels")
        self._written, irregular["written"] = self._content("written")
        self._rows, irregular["runtimes"] = self._content("runtimes")
        # The ops by kind of file that an irregular statement may concern; "" for all.
        self._irregular = {kind: {op for op, _, _ in statements} for kind, statements in irregular.items()}
        self._irregular["reference_kernels"] |= {op for op, _, _ in resolvers.conditional_ops(self._reference)}
        kinds = {delegate.name: f"delegate {delegate.name}" for delegate in DELEGATES}
        self._delegates = [(name, kind) for name, kind in kinds.items() if kind in files]
        tables = () if self._schema is None else self._schema["tables"]
        self._tables = {name.lower(): name for name in tables}
        self._attrs: dict[str, tuple[Any, ...]] = {}

    def _content(self, kind: str) -> tuple[Mapping[str, Any], Any]:
        """Return the content of the file of a kind, empty if there is none."""
        return self._files[kind].content if kind in self._files else ({}, ())

    def _compiled_ranges(self, kind: str) -> tuple[dict[str, resolvers.VersionRange], resolvers.Irregular]:
        """Return the ranges of a resolver, under the condition that its file is compiled, and irregular statements."""
        ranges, irregular = self._content(kind)
        compiled_if = self._files[kind].compiled_if if kind in self._files else ALWAYS
        return resolvers.compiled_ranges(ranges, compiled_if), irregular

    def ops(self) -> list[str]:
        """Return the names of all ops: of the schema, or else of all files, and the custom ops of resolvers."""
        registered = {*self._kernels, *self._reference}
        if self._schema is not None:
            return sorted({*self._schema["ops"], *filter(is_custom, registered)})
        named = {*registered, *self._written, *self._rows, *self._conversions.get("tables", ())}
        return sorted(named - {DEFAULT})

    def record(self, op: str) -> Record:
        """Return the record of an op; a field that no file states is left out, and so unknown."""
        record: Record = {}
        record |= self._range(op, "kernels", self._kernels, "")
        if "min_version" in record:
            record["declared_if"] = self._kernels[op].condition if op in self._kernels else None
        record |= self._range(op, "reference_kernels", self._reference, "reference_")
        if is_custom(op):  # only builtin ops have a converter, rows and an options table
            return record | {"attrs": ()}
        if self._is_stated("written", op):
            written = self._written.get(op, {})
            conditions = {str(version): condition for version, (_, condition) in sorted(written.items()) if condition}
            record["written_versions"] = tuple(sorted(written)) or None
            record["conditions"] = conditions or None
        if self._is_stated("runtimes", op):
            rows = self._rows.get(op, {})
            runtimes = {str(version): runtime for version, (runtime, _) in sorted(rows.items())}
            record["oldest_runtimes"] = runtimes or None
        if self._delegates:
            limits = {delegate: limit for delegate, (limit, _) in self._limits(op).items()}
            record["delegates"] = limits or None
        record["attrs"] = ()
        if self._schema is not None:
            record["options"] = self._options(op)
            record["attrs"] = self._attrs_of(record["options"])
        return record

    def _range(self, op: str, kind: str, ranges: Mapping[str, resolvers.VersionRange], prefix: str) -> Record:
        """Return the fields with the version range of an op in a resolver, none if they are unknown."""
        # A statement about an unknown op may register any op, but takes no version from one that is registered.
        if not self._is_stated(kind, op) and (op not in ranges or op in self._irregular.get(kind, ())):
            return {}
        versions = ranges.get(op)
        return {
            f"{prefix}min_version": None if versions is None else versions.least,
            f"{prefix}max_version": None if versions is None else versions.greatest,
        }

    def _is_stated(self, kind: str, op: str) -> bool:
        """Return whether the file of a kind exists, and has no irregular statement that may concern an op."""
        return kind in self._files and self._irregular[kind].isdisjoint((op, ""))

    def _limits(self, op: str) -> dict[str, tuple[int | None, int]]:
        """Return the version limits of an op by delegate, each with its line."""
        name = plain_op_name(op)
        contents = {delegate: self._files[kind].content for delegate, kind in self._delegates}
        return {delegate: content[name] for delegate, content in contents.items() if name in content}

    def _options(self, op: str) -> str | None:
        """Return the options table of an op: the one that its code reads, or else the one of its name."""
        by_name = self._tables.get(f"{op.replace('_', '').lower()}{_SUFFIX}")
        read = [table for table in self._conversions.get("tables", {}).get(op, ()) if table.lower() in self._tables]
        return by_name if by_name in read or not read else str(read[0])

    def _attrs_of(self, table: str | None) -> tuple[Any, ...]:
        """Return the records of the fields of a table, without their lines."""
        if table is None or self._schema is None:
            return ()
        if table not in self._attrs:
            _, fields = self._schema["tables"][table]
            self._attrs[table] = tuple(self._attr_record(table, field) for field in fields)
        return self._attrs[table]

    def _attr_record(self, table: str, field: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the record of a field, with the flags whether the runtime reads and stores it."""
        name, kind, default, slot, is_deprecated, is_required, _, since = field
        unread: Any = UNKNOWN
        unstored: Any = UNKNOWN
        reads = self._conversions.get("reads", {}).get(table)
        if reads is not None:
            unread = name not in reads
            unstored = self._is_unstored(table, reads.get(name), name)
        return name, kind, default, slot, is_deprecated, is_required, since, unread, unstored

    def _is_unstored(self, table: str, members: list[str] | None, name: str) -> Any:
        """Return whether no C struct that is filled from a table has a member for a field, UNKNOWN without structs."""
        structs = self._conversions["structs"].get(table, ())
        if "structs" not in self._files or not structs:
            return UNKNOWN
        known: set[str] = set()
        for struct in structs:
            _, struct_members = self._files["structs"].content.get(struct, (0, ()))
            known.update(struct_members)
        if not known:
            return UNKNOWN
        # A field that is not read counts as stored in a member of its name; of a field that is read, [] is unknown.
        if members is None:
            return name not in known
        return bool(members) and known.isdisjoint(members)

    def op(self, name: str, record: Record) -> Op:
        """Return the op of a record, with the places of its fields."""
        content = {field: value for field, value in record.items() if field != "attrs"}
        lines = {} if record.get("options") is None else self._lines(record["options"])
        places = self._places(name, record)
        return Op(
            name=name,
            attrs=tuple(self._build_attr(attr, lines) for attr in record["attrs"]),
            origin=places.get("max_version") or self._declaration(name) or next(iter(places.values()), None),
            places=places,
            **content,
        )

    def _declaration(self, op: str) -> Origin | None:
        """Return the place of an op in the schema."""
        if self._schema is None or op not in self._schema["ops"]:
            return None
        return self._files["schema"].origin(self._schema["ops"][op])

    def _lines(self, table: str) -> dict[str, int]:
        """Return the line of each field of a table."""
        if self._schema is None:
            return {}
        _, fields = self._schema["tables"][table]
        return {name: line for name, *_, line, _ in fields}

    def _build_attr(self, attr: tuple[Any, ...], lines: dict[str, int]) -> Attr:
        """Return the attr of a record."""
        name, kind, default, slot, is_deprecated, is_required, since, unread, unstored = attr
        own = {
            "slot": slot,
            "deprecated": is_deprecated,
            "required": is_required,
            "since_version": since,
            "unread": unread,
            "unstored": unstored,
        }
        place = self._files["schema"].origin(lines[name])
        return Attr(name=name, type=kind, default_value=default, own=own, origin=place)

    def _places(self, op: str, record: Record) -> dict[str, Origin]:
        """Return the places of the fields of an op, and of the items of fields such as `written_versions.2`."""
        places: dict[str, Origin] = {}
        if op in self._kernels:
            versions = self._kernels[op]
            places["max_version"] = places["min_version"] = self._origin("kernels", versions.line)
            if versions.condition is not None:
                places["declared_if"] = self._origin("kernels", versions.cause or versions.line)
        if op in self._reference:
            place = self._origin("reference_kernels", self._reference[op].line)
            places["reference_min_version"] = places["reference_max_version"] = place
        for version, (line, _) in self._written.get(op, {}).items():
            places[f"written_versions.{version}"] = self._origin("written", line)
            places.setdefault("written_versions", places[f"written_versions.{version}"])
            places.setdefault("conditions", places["written_versions"])
        for version, (_, line) in self._rows.get(op, {}).items():
            places[f"oldest_runtimes.{version}"] = self._origin("runtimes", line)
            places["oldest_runtimes"] = places[f"oldest_runtimes.{version}"]
        for name, (_, line) in self._limits(op).items():
            places[f"delegates.{name}"] = self._origin(f"delegate {name}", line)
            places.setdefault("delegates", places[f"delegates.{name}"])
        if record.get("options") is not None and self._schema is not None:
            line, _ = self._schema["tables"][record["options"]]
            places["options"] = self._origin("schema", line)
        return places

    def _origin(self, kind: str, line: int) -> Origin:
        """Return the place of a line in the file of a kind."""
        return self._files[kind].origin(line)
