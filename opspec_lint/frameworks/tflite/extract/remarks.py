"""What there is to say of the reading of a tree: what is no literal, and what generated code is not of the schema."""

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
"""What the generated name of a union's type ends with."""


def remarks(found: Mapping[str, ReadFile]) -> Iterator[Remark]:
    """Yield what is to be said."""
    for kind in _READ_IN_PARTS:
        if kind in found:
            odd = found[kind].said[1]
            if kind == "reference_kernels":
                odd = [*odd, *resolvers.conditional(resolvers.built(found[kind].said[0], found[kind].built))]
            for op, line, reason in odd:
                yield _remark(
                    "versioning_unread", op or found[kind].path, reason, _at(found[kind], line), op=op or None
                )
    if "schema" in found and "generated" in found:
        yield from _stale(found["schema"].said, found["generated"])


def _stale(schema: Mapping[str, Any], generated: ReadFile) -> Iterator[Remark]:
    """Yield where the generated code is not of the schema: by table, enum or union."""
    tables, enums = generated.said["tables"], generated.said["enums"]
    for name, (_, fields) in schema["tables"].items():
        line, slots = tables.get(name, (1, {}))
        declared = {field.upper(): slot for field, _, _, slot, is_deprecated, *_ in fields if not is_deprecated}
        own = {field: slot for field, slot in slots.items() if field in declared or not _is_type(field, declared)}
        yield from _differences(name, "slot", (declared, own), _at(generated, line))
    for name, numbers in schema["numbers"].items():
        line, values = enums.get(name, (1, {}))
        yield from _differences(name, "number", (numbers, values), _at(generated, line))


def _is_type(field: str, declared: Mapping[str, int]) -> bool:
    return field.endswith(_TYPE_SUFFIX) and field.removesuffix(_TYPE_SUFFIX) in declared


def _differences(
    name: str, what: str, sides: tuple[Mapping[str, int], Mapping[str, int]], place: Origin
) -> Iterator[Remark]:
    """Yield what two sides, the schema's and the generated one, say otherwise."""
    declared, own = sides
    wrong = [each for each in (*declared, *(own.keys() - declared.keys())) if declared.get(each) != own.get(each)]
    for each in wrong:
        here, there = (_said(what, side.get(each)) for side in (own, declared))
        reason = f"'{each}' of '{name}' has {here} there, and {there} in the schema"
        yield _remark("generated_schema_stale", f"{name}.{each}", reason, place)


def _said(what: str, number: int | None) -> str:
    return f"no {what}" if number is None else f"the {what} {number}"


def _at(found: ReadFile, line: int) -> Origin:
    return Origin(file=found.path, line=line)


def _remark(event: EventId, name: str, reason: str, place: Origin, *, op: str | None = None) -> Remark:
    digest = hashlib.sha256(reason.encode()).hexdigest()
    return Remark(event=event, name=name, op=op, digest=digest, facts={"reason": reason}, origin=place)
