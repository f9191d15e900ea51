"""Writer of TFLite models of one operator with an options table, for `drawn_models`.

The prover's own models have an operator code alone, as a runtime looks at nothing else of an op. These models hold that
against runtimes: they parse the options of every operator of a model as they load it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opspec_lint.frameworks.tflite.saved.codes import BUILTINS
from opspec_lint.frameworks.tflite.writers.tflite import WRITER
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.spec.slots import FLOATS, SCALARS, range_of
from tests.support.models.tflite_models import Scalars, Table, code, model, subgraph

if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.proof.sample import Sample
    from opspec_lint.proof.writer import Writer
    from opspec_lint.spec.model import Attr, Op, Spec

UNIONS = {"tflite.BuiltinOptions": (3, 4), "tflite.BuiltinOptions2": (11, 12)}
"""The unions of options tables, and the slots of an operator for the number of the table and the table."""


def writer(schema: Spec) -> Writer:
    """Return a writer of models with options of the tables of a schema."""
    return WRITER.replace(
        write=lambda sample, _: write(sample, schema), values=lambda attr: values(attr, schema), writes_defaults=True
    )


def write(sample: Sample, schema: Spec) -> bytes:
    """Return the bytes of a model with one operator of a sample.

    Raises:
        UnwritableError: the op has no number or no version, or its table is in no union.
    """
    op = sample.op
    if op.name not in BUILTINS or sample.version is None:
        raise UnwritableError(f"{op.name!r} has no number or no version")
    operator: dict[int, Any] = {0: ("uint", 0), 1: [], 2: []}
    if op.get("options"):
        place, number, table = place_of(op, schema)
        given = [attr for attr in op.attrs if sample.attrs.get(attr.name) is not None]
        fields = {attr.get("slot"): field(attr, sample.attrs[attr.name], schema) for attr in given}
        operator |= {place: ("ubyte", number), table: Table(fields)}
    codes, operators = [code(BUILTINS.index(op.name), sample.version)], [Table(operator)]
    return bytes(model(codes=codes, subgraphs=[subgraph(operators=operators)]))


def place_of(op: Op, schema: Spec) -> tuple[int, int, int]:
    """Return the slot for the number of an op's options table, its number, and the slot for the table."""
    for union, (slot, table) in UNIONS.items():
        for member in schema.ops[union].attrs if union in schema.ops else ():
            if member.type == f"tflite.{op.get('options')}":
                return slot, member.get("slot"), table
    raise UnwritableError(f"{op.get('options')!r} is in no union of options")


def field(attr: Attr, value: Any, schema: Spec) -> Any:
    """Return a value in the form that the builder of FlatBuffers takes."""
    kind = scalar_of(str(attr.type).strip("[]"), schema)
    if attr.type == "string":
        return value
    return Scalars(kind, value) if isinstance(value, tuple) else (kind, value)


def scalar_of(kind: str, schema: Spec) -> str:
    """Return the scalar type of a type: its own, or the one under an enum."""
    return str(schema.ops[kind].get("underlying")) if kind in schema.ops else kind


def values(attr: Attr, schema: Spec) -> list[Any]:
    """Return values of an attr's type: every value of an enum; bounds and small numbers; vectors of one to nine.

    Raises:
        UnwritableError: it holds tables.
    """
    kind = str(attr.type)
    if kind == "string":
        return ["", "a"]
    inner = kind.strip("[]")
    if inner in schema.ops and schema.ops[inner].get("form") == "enum":
        samples = [value.get("slot") for value in schema.ops[inner].attrs]
    elif inner in FLOATS:
        samples = [0.0, 1.0, -1.0, 1e30]
    elif inner in SCALARS:
        samples = [0, 1, 2, *range_of(inner)]
    else:
        raise UnwritableError(f"values of the type {kind} are tables")
    if kind == inner:
        return samples
    return [(), *((sample,) for sample in samples), tuple(samples), tuple(samples[:1] * 9)]
