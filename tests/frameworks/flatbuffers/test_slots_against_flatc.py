"""The slots and default values that we read of a schema, and `flatc`'s: a file is written by our slots alone."""

from __future__ import annotations

import random
import shutil

import flatbuffers
import pytest

from opspec_lint.documents.fbs.resolve import read_schema
from tests.frameworks.flatbuffers.oracle import Flatc
from tests.frameworks.flatbuffers.schemas import LEAST, random_schema

pytestmark = pytest.mark.flatc

WRITE = {
    "bool": "PrependBoolSlot",
    "byte": "PrependInt8Slot",
    "ubyte": "PrependUint8Slot",
    "short": "PrependInt16Slot",
    "ushort": "PrependUint16Slot",
    "int": "PrependInt32Slot",
    "uint": "PrependUint32Slot",
    "long": "PrependInt64Slot",
    "ulong": "PrependUint64Slot",
    "float": "PrependFloat32Slot",
    "double": "PrependFloat64Slot",
}


def scalars(schema):
    """The fields of the root table that hold a number and are not deprecated."""
    fields = schema.declarations[schema.root].fields
    return [field for field in fields if field.scalar and not field.is_deprecated]


def built(schema, only=None):
    """Return a file whose root has the value 3, or true, in the slot of one of its fields, and texts where it must."""
    builder = flatbuffers.Builder(0)
    fields = schema.declarations[schema.root].fields
    required = [field for field in fields if field.is_required]
    texts = {field.slot: builder.CreateString("t") for field in required if field.type == "string"}
    builder.StartObject(1 + max(field.slot for field in fields))
    for slot, text in texts.items():
        builder.PrependUOffsetTRelativeSlot(slot, text, 0)
    if only is not None:
        getattr(builder, WRITE[only.scalar])(only.slot, LEAST[only.scalar], None)
    identifier = schema.file_identifier
    builder.Finish(builder.EndObject(), **({"file_identifier": identifier.encode()} if identifier else {}))
    return bytes(builder.Output())


@pytest.mark.parametrize("seed", range(60))
def test_a_value_in_our_slot_is_read_under_its_name(tmp_path, seed):
    schema = random_schema(random.Random(seed))  # noqa: S311
    for fields in schema.tables.values():  # tables that must be there are not written
        for field in fields:
            field.attributes.pop("required", None)
    resolved = read_schema(schema.text().encode(), "schema.fbs")
    flatc = Flatc(tmp_path, shutil.which("flatc") or "flatc")
    fields = scalars(resolved)
    assert fields
    read = flatc.read(schema.text(), [built(resolved, field) for field in fields])
    for field, result in zip(fields, read, strict=True):
        value = result[field.name]
        if field.type in resolved.declarations:
            numbers = {value.name: value.number for value in resolved.declarations[field.type].values}
            value = sum(numbers[part] for part in str(value).split()) if isinstance(value, str) else value
        assert value == LEAST[field.scalar]


@pytest.mark.parametrize("seed", range(60))
def test_a_field_that_is_not_there_has_our_default_value(tmp_path, seed):
    schema = random_schema(random.Random(seed))  # noqa: S311
    for fields in schema.tables.values():
        for field in fields:
            field.attributes.pop("required", None)
    resolved = read_schema(schema.text().encode(), "schema.fbs")
    (result,) = Flatc(tmp_path, shutil.which("flatc") or "flatc").read(schema.text(), [built(resolved)])
    fields = scalars(resolved)
    assert fields
    for field in fields:
        value = result.get(field.name)
        if field.type in resolved.declarations and isinstance(value, str):
            numbers = {value.name: value.number for value in resolved.declarations[field.type].values}
            value = sum(numbers[part] for part in value.split())
        assert value == field.default or (value in ("", None) and not field.default)
