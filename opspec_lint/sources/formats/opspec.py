"""The canonical spec file, in JSON or the same document in YAML; `spec/canonical.py` writes it.

A field that the file's `knows` names and that a record leaves out has its default value; any other field left out is
unknown. Which fields there are, and what each may be, `spec/fields.py` says; the JSON Schema of `spec/file_schema.py`
follows from that, and decides whether a document is well-formed. What it cannot express is checked here: no two
arguments of an op have one name, unless the framework refuses the op (`invalid`).
"""

from __future__ import annotations

from functools import cache

from opspec_lint.documents.schema import Schema
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.lazy_mapping import LazyMapping
from opspec_lint.kit.text import join
from opspec_lint.sources.format import SURELY, Format
from opspec_lint.spec import canonical, fields, file_schema, values
from opspec_lint.spec.canonical import ARGUMENTS, VERSION
from opspec_lint.spec.fields import SECTIONS
from opspec_lint.spec.model import BY_NAME, UNKNOWN, GraphVersions, Provenance, Spec
from opspec_lint.spec.records import OpReader, history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.documents.file_fault import FileFault
    from opspec_lint.spec.fields import Section

NAME = "opspec"

_SIGNATURE = "signature"
"""What `"ordered": true` stands for, in files that predate `binding`."""
_VALUES = frozenset({"default_value", "allowed_values"})


def likeness(value: Any) -> int:
    """Tell how surely a decoded document is of this format: 0 not, 1 perhaps, 2 surely."""
    return SURELY if isinstance(value, dict) and "opspec" in value and not isinstance(value["opspec"], dict) else 0


def count_keys(value: Any, counts: dict[int, int]) -> int | None:
    """Return how many keys the objects of a document have, None where it disagrees with the schema of this format."""
    framework, ops = _framework(value), value.get("ops")
    rules, nested = _rules(framework), _nested(framework)
    if (
        type(ops) is not dict
        or not rules.conforms({**value, "ops": {}})
        or not all(map(_are_distinct, _earlier(value)))
    ):
        return None
    op_rules = rules.definition("op")
    total = _count_head(value, nested)
    for record in ops.values():
        count = counts.get(id(record))
        if count is None:
            if not op_rules.conforms(record) or not _are_distinct(record):
                return None
            count = counts[id(record)] = _count_op(record, nested)
        total += count
    return total


def load(value: Any, file: str) -> Spec:
    """Return the spec of a faultless document."""
    reader = OpReader(value["provenance"]["framework"], value["knows"])
    histories, versions = value.get("op_versions"), value.get("graph_versions")
    return Spec(
        file=file,
        provenance=Provenance(**value["provenance"]),
        ops=reader.table(value["ops"]),
        op_versions=UNKNOWN if histories is None else {op: history(each) for op, each in histories.items()},
        binding=value.get("binding", _SIGNATURE if value.get("ordered") else BY_NAME),
        earlier=LazyMapping(
            value.get("earlier", {}), lambda name, versions: tuple([reader.op(name, each) for each in versions])
        ),
        graph_versions=versions and GraphVersions(**{key: values.freeze(each) for key, each in versions.items()}),
        loading={key: values.freeze(each) for key, each in value.get("loading", {}).items()},
    )


def convert_numbers(value: Any) -> None:
    """Make numbers of the strings that are numbers to YAML 1.2, in the values of attrs whose type is one of numbers."""
    from opspec_lint.documents.yaml_text import convert_number_texts

    convert_number_texts(value, _VALUES, lambda record: is_of_numbers(str(record.get("type"))))


def is_of_numbers(kind: str) -> bool:
    """Tell whether the values of an attr of a type are numbers: INT, FLOAT64S, list(int), LONGS."""
    return any(word in kind.upper() for word in ("FLOAT", "INT", "LONG"))


def faults(value: Any, file: str) -> Iterator[FileFault]:
    """Yield every fault of a decoded document.

    Raises:
        InputError: the document is of another version of this format.
    """
    _check_version(value["opspec"], file)
    rules, ops = _rules(_framework(value)), value.get("ops")
    records = ops if isinstance(ops, dict) else {}
    yield from rules.faults({**value, "ops": {}} if records else value)
    for name, record in records.items():
        at = join("ops", name)
        yield from rules.definition("op").faults(record, at=at)
        yield from _same_names(record, at)
    earlier = value.get("earlier")
    if isinstance(earlier, dict) and all(isinstance(versions, list) for versions in earlier.values()):
        yield from _same_names_of_earlier(value)


def _framework(value: dict[str, Any]) -> str:
    """Return the framework of a document, "" if we do not know it."""
    provenance = value.get("provenance")
    framework = provenance.get("framework") if isinstance(provenance, dict) else None
    return framework if isinstance(framework, str) and framework in fields.FRAMEWORKS else ""


@cache
def _rules(framework: str) -> Schema:
    return Schema(file_schema.schema(framework))


@cache
def _nested(framework: str) -> Mapping[Section, Sequence[str]]:
    """Return the fields of each section whose values may have objects inside."""
    table = fields.table(framework)
    return {
        section: [name for name, field in table.of(section).items() if field.form in ("value", "values")]
        for section in SECTIONS
    }


def _count_op(record: dict[str, Any], nested: Mapping[Section, Sequence[str]]) -> int:
    """Return how many keys the objects of an op's record have."""
    total = 0
    for section, names in nested.items():
        parts: Sequence[dict[str, Any]] = (record,) if section == "ops" else record.get(section, ())
        total += sum(map(len, parts))
        for name in names:
            for part in parts:
                value = part.get(name)
                if value and type(value) in _CONTAINERS:
                    total += _count_nested(value)
    return total


def _check_version(version: Any, file: str) -> None:
    if type(version) is int and version != VERSION:
        raise InputError(
            file,
            f"is of version {version} of the spec format; this opspec-lint reads version {VERSION}",
            where="opspec",
            advice="upgrade opspec-lint" if version > VERSION else "write the file again with `opspec-lint extract`",
        )


def _earlier(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (record for versions in value.get("earlier", {}).values() for record in versions)


def _are_distinct(record: dict[str, Any]) -> bool:
    """Tell whether every argument of a well-formed op has a name of its own, or the framework refuses the op."""
    for section in ARGUMENTS:
        arguments = record.get(section, ())
        if len({argument["name"] for argument in arguments}) != len(arguments):
            return bool(record.get("invalid"))
    return True


def _same_names_of_earlier(value: dict[str, Any]) -> Iterator[FileFault]:
    for name, versions in value.get("earlier", {}).items():
        for index, record in enumerate(versions):
            yield from _same_names(record, join("earlier", name, index))


def _same_names(record: Any, at: str = "") -> Iterator[FileFault]:
    """Yield the arguments of an op whose name is taken; nothing else of the record need be well-formed."""
    for section in ARGUMENTS if isinstance(record, dict) and not record.get("invalid") else ():
        arguments = record.get(section, ())
        first: dict[str, int] = {}
        for index, argument in enumerate(arguments if isinstance(arguments, list) else ()):
            name = argument.get("name") if isinstance(argument, dict) else None
            if isinstance(name, str) and first.setdefault(name, index) != index:
                yield _name_is_taken(f"{at}.{section}[{index}]", name, f"{section}[{first[name]}]")


def _name_is_taken(where: str, name: str, by: str) -> FileFault:
    from opspec_lint.documents.file_fault import FileFault

    return FileFault(where=where, problem=f"the name {name!r} is already used by {by}")


_CONTAINERS = frozenset({dict, list})


def _count_nested(value: Any) -> int:
    """Return how many keys the objects of a container have."""
    inside = value.values() if type(value) is dict else value if type(value) is list else ()
    own = len(value) if type(value) is dict else 0
    if _CONTAINERS.isdisjoint(map(type, inside)):
        return own
    return own + sum(_count_nested(each) for each in inside)


def _count_head(value: dict[str, Any], nested: Mapping[Section, Sequence[str]]) -> int:
    """Return how many keys the objects of a faultless document have, but for those of `ops`."""
    earlier, histories = value.get("earlier", {}), value.get("op_versions", {})
    parts = (
        value,
        value["provenance"],
        value["knows"],
        value.get("graph_versions", ()),
        value["ops"],
        earlier,
        histories,
    )
    checkpoints = [checkpoint for history in histories.values() for checkpoint in history]
    return (
        sum(map(len, parts))
        + _count_nested(value.get("loading", {}))
        + sum(_count_op(record, nested) for record in _earlier(value))
        + sum(map(len, checkpoints))
        + sum(
            len(update) + _count_nested(update.get("default_value"))
            for checkpoint in checkpoints
            for update in checkpoint["updates"]
        )
    )


FORMAT = Format(
    summary="spec file of opspec-lint, JSON or YAML",
    likeness=likeness,
    count_keys=count_keys,
    all_faults=faults,
    load=load,
    convert_numbers=convert_numbers,
    dumps=canonical.dumps,
)
