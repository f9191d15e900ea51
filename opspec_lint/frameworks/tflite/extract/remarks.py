"""The remarks on reading a tree: statements that are no literals, and generated code that differs from the schema."""

from __future__ import annotations

import hashlib

from opspec_lint.frameworks.tflite.extract import resolvers
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.frameworks.tflite.extract.reading import ReadFile
    from opspec_lint.spec.ids import EventId

_READ_IN_PARTS = ("kernels", "reference_kernels", "written", "runtimes")
_TYPE_SUFFIX = "_TYPE"
"""The suffix of the generated field with the type of a union."""


def remarks(files: Mapping[str, ReadFile]) -> Iterator[Remark]:
    """Yield the remarks about the files of a tree."""
    # Both resolvers may have the same build file.
    yield from {remark.name: remark for file in files.values() for remark in file.build_remarks}.values()
    for path, line, reason in {unread: None for file in files.values() for unread in file.unread}:
        yield _remark("versioning_unread", path, reason, Origin(file=path, line=line))
    for kind in _READ_IN_PARTS:
        file = files.get(kind)
        if file is not None:
            read_parts, irregular = file.content
            if kind == "reference_kernels":
                ranges = resolvers.compiled_ranges(read_parts, file.compiled_if)
                irregular = [*irregular, *resolvers.conditional_ops(ranges)]
            for op, line, reason in irregular:
                yield _remark("versioning_unread", op or file.path, reason, file.origin(line), op=op or None)
    if "schema" in files and "generated" in files:
        yield from _stale_declarations(files["schema"].content, files["generated"])


def _stale_declarations(schema: Mapping[str, Any], generated: ReadFile) -> Iterator[Remark]:
    """Yield the slots and numbers in which the generated code differs from the schema."""
    tables, enums = generated.content["tables"], generated.content["enums"]
    for name, (_, fields) in schema["tables"].items():
        line, slots = tables.get(name, (1, {}))
        # flatc generates no offset for a deprecated field, so that its absence is no difference.
        declared = {field.upper(): slot for field, _, _, slot, is_deprecated, *_ in fields if not is_deprecated}
        own = {field: slot for field, slot in slots.items() if field in declared or not _is_type(field, declared)}
        yield from _number_differences(name, "slot", (declared, own), generated.origin(line))
    for name, numbers in schema["numbers"].items():
        line, values = enums.get(name, (1, {}))
        yield from _number_differences(name, "number", (numbers, values), generated.origin(line))


def _is_type(field: str, declared: Mapping[str, int]) -> bool:
    """Return whether a generated field holds the type of a union, which the schema does not declare."""
    return field.endswith(_TYPE_SUFFIX) and field.removesuffix(_TYPE_SUFFIX) in declared


def _number_differences(
    name: str, what: str, sides: tuple[Mapping[str, int], Mapping[str, int]], place: Origin
) -> Iterator[Remark]:
    """Yield the names whose numbers differ between the two sides, which are the schema and the generated code."""
    declared, own = sides
    wrong = [key for key in (*declared, *(own.keys() - declared.keys())) if declared.get(key) != own.get(key)]
    for key in wrong:
        here, there = (_show_number(what, side.get(key)) for side in (own, declared))
        reason = f"'{key}' of '{name}' has {here} there, and {there} in the schema"
        yield _remark("generated_schema_stale", f"{name}.{key}", reason, place)


def _show_number(what: str, number: int | None) -> str:
    return f"no {what}" if number is None else f"the {what} {number}"


def _remark(event: EventId, name: str, reason: str, place: Origin, *, op: str | None = None) -> Remark:
    digest = hashlib.sha256(reason.encode()).hexdigest()
    return Remark(event=event, name=name, op=op, digest=digest, facts={"reason": reason}, origin=place)
