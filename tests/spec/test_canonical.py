from __future__ import annotations

import difflib
import glob
import json
import os

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.documents import schema
from opspec_lint.documents.decode import Document, decode
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import recognise
from opspec_lint.spec import fields, values
from opspec_lint.spec.canonical import dumps
from opspec_lint.spec.fields import FRAMEWORKS
from opspec_lint.spec.model import (
    UNKNOWN,
    Attr,
    Checkpoint,
    Input,
    Op,
    Output,
    Provenance,
    Spec,
    Update,
)
from tests.support.events import schema_named
from tests.support.paths import SPECS
from tests.support.released_specs import some

RELEASED = sorted(glob.glob(os.path.join(SPECS, "paddle-*.json")))
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
FILE = "spec.json"

NAMES = st.text(max_size=5) | st.sampled_from(["X", "axis", "on", "a b", "\x1b[31m", "\ud800", "größe", '"', "1e5"])
TYPES = st.sampled_from(["INT", "FLOATS", "STRING", "T", "list(float)", "1", "\n"]) | st.text(max_size=4)
FLAGS = st.sampled_from([True, False, UNKNOWN])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(NAMES, inner, max_size=2).filter(lambda value: "float" not in value)
    ),
    max_leaves=8,
).map(values.freeze)


def or_unknown(strategy):
    return strategy | st.just(UNKNOWN)


def arguments(strategy):
    return st.lists(strategy, max_size=3, unique_by=lambda argument: argument.name).map(tuple)


ARGUMENT = {
    "name": NAMES,
    "type": or_unknown(TYPES),
    **dict.fromkeys(("duplicable", "dispensable", "intermediate", "extra", "quant"), FLAGS),
}
ATTRS = st.builds(
    Attr,
    name=NAMES,
    type=or_unknown(TYPES),
    default_value=or_unknown(VALUES),
    allowed_values=or_unknown(st.lists(VALUES, max_size=2).map(tuple)),
    minimum=or_unknown(st.none() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False)),
    maximum=or_unknown(st.none() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False)),
    generated=FLAGS,
    extra=FLAGS,
    quant=FLAGS,
)
OPS = st.builds(
    Op,
    name=NAMES,
    inputs=arguments(st.builds(Input, **ARGUMENT)),
    outputs=arguments(st.builds(Output, **ARGUMENT)),
    attrs=arguments(ATTRS),
    deprecation=or_unknown(st.none() | st.text(max_size=5)),
    builds=st.lists(st.text(max_size=3), max_size=2).map(tuple),
)
UPDATES = st.builds(Update, action=st.just("bugfix"), remark=st.text(max_size=3)) | st.builds(
    Update,
    action=st.sampled_from(["new", "modify", "delete"]),
    kind=st.sampled_from(["input", "output", "attr"]),
    name=NAMES,
    remark=st.text(max_size=3),
    default_value=or_unknown(VALUES),
)
HISTORIES = st.lists(
    st.builds(Checkpoint, note=st.text(max_size=3), updates=st.lists(UPDATES, max_size=2).map(tuple)), max_size=2
).map(tuple)
PROVENANCES = st.builds(
    Provenance,
    framework=st.text(min_size=1, max_size=5).filter(lambda name: name not in fields.FRAMEWORKS),
    version=st.none() | st.text(max_size=5).filter(lambda text: "\0" not in text),
    commit=st.none() | st.text(max_size=5).filter(lambda text: "\0" not in text),
    made_by=st.none() | st.text(max_size=5).filter(lambda text: "\0" not in text),
)
SPEC = st.builds(
    Spec,
    file=st.just(FILE),
    provenance=PROVENANCES,
    ops=st.lists(OPS, max_size=3).map(lambda ops: {op.name: op for op in ops}),
    op_versions=or_unknown(st.dictionaries(NAMES, HISTORIES, max_size=2)),
    binding=st.sampled_from(["name", "signature"]),
)


def read(text):
    return recognise.spec_of(decode(text.encode(), FILE))


def as_written(spec):
    """The spec as a file holds it: names sorted, but for arguments that are bound by their order."""

    def by_name(items):
        return tuple(sorted(items, key=lambda item: item.name))

    keep = tuple if spec.binding == "signature" else by_name
    ops = {
        name: op.replace(inputs=keep(op.inputs), outputs=keep(op.outputs), attrs=keep(op.attrs))
        for name, op in sorted(spec.ops.items())
    }
    return spec.replace(ops=ops)


def plain(thing):
    """Every field of a spec as plain values, with NaN equal to itself."""
    if isinstance(thing, (list, tuple)):
        return [plain(item) for item in thing]
    if hasattr(thing, "items"):
        return {key: plain(item) for key, item in thing.items()}
    if hasattr(thing, "_fields"):
        return {field: plain(getattr(thing, field)) for field in thing._fields}
    return repr(thing)


@settings(max_examples=150)
@given(SPEC)
def test_every_spec_comes_back_from_its_file(spec):
    text = dumps(spec)
    again = read(text)
    assert plain(again) == plain(as_written(spec))
    assert dumps(again) == text


@settings(max_examples=100)
@given(SPEC)
def test_every_text_is_valid_strict_json(spec):
    def refuse(text):
        raise AssertionError(f"{text} is not JSON")

    value = json.loads(dumps(spec), parse_constant=refuse)
    assert schema.faults(value, schema_named("opspec")) == []
    assert dumps(spec).isascii()


@settings(max_examples=60)
@given(SPEC.filter(lambda spec: "\\ud8" not in dumps(spec)))
def test_every_spec_comes_back_from_yaml(spec):
    text = dumps(spec)
    again = yaml.dump(json.loads(text), Dumper=DUMPER)
    assert dumps(recognise.spec_of(decode(again.encode(), "spec.yaml"))) == text


@settings(max_examples=100)
@given(SPEC, st.randoms(use_true_random=False))
def test_the_order_in_which_things_were_detected_is_not_part_of_the_text(spec, rng):
    def shuffled(items):
        items = list(items)
        rng.shuffle(items)
        return items

    keep = tuple if spec.binding == "signature" else (lambda items: tuple(shuffled(items)))
    ops = {
        name: op.replace(inputs=keep(op.inputs), outputs=keep(op.outputs), attrs=keep(op.attrs))
        for name, op in shuffled(spec.ops.items())
    }
    histories = spec.op_versions if spec.op_versions is UNKNOWN else dict(shuffled(spec.op_versions.items()))
    assert dumps(spec.replace(ops=ops, op_versions=histories)) == dumps(spec)


def test_where_arguments_are_bound_by_position_their_order_is():
    op = Op(name="o", inputs=(Input(name="b"), Input(name="a")), attrs=(Attr(name="d"), Attr(name="c")))
    provenance = Provenance(framework="tensorflow")
    spec = Spec(file=FILE, provenance=provenance, ops={"o": op}, binding="signature")
    turned = op.replace(inputs=op.inputs[::-1])
    assert dumps(spec) != dumps(spec.replace(ops={"o": turned}))
    assert [argument.name for argument in read(dumps(spec)).ops["o"].inputs] == ["b", "a"]
    assert [attr.name for attr in read(dumps(spec)).ops["o"].attrs] == ["d", "c"]
    assert dumps(spec.replace(binding="name")) == dumps(spec.replace(binding="name", ops={"o": turned}))


@pytest.mark.parametrize("path", some("paddle", "paddle-pir"))
def test_released_specs_are_canonical(path):
    text = path.read_text(encoding="utf-8")
    spec = recognise.read(str(path)).spec
    assert dumps(spec) == text
    assert len(text.splitlines()) > 5 * len(spec.ops)
    assert list(spec.ops) == sorted(spec.ops)
    assert os.path.basename(path) == f"{spec.provenance.framework}-{spec.provenance.version}.json"


def test_there_are_released_specs():
    assert {"paddle-1.8.5.json", "paddle-2.6.2.json", "paddle-3.0.0.json", "paddle-3.3.1.json"} <= {
        os.path.basename(path) for path in RELEASED
    }


def changed_attrs():
    """Yield one attr of a real spec in a changed form, for each field."""
    spec = recognise.read(os.path.join(SPECS, "paddle-3.0.0.json")).spec
    names = [name for name, op in spec.ops.items() if op.attrs]
    changes = [
        ("default_value", (1, 2, 3)),
        ("default_value", UNKNOWN),
        ("type", "SCALAR"),
        ("extra", None),
        ("quant", True),
        ("name", None),
        (None, None),
    ]
    for number, (field, new) in enumerate(changes):
        op = spec.ops[names[97 * number]]
        at = (0, -1, len(op.attrs) // 2)[number % 3] % len(op.attrs)
        old = op.attrs[at]
        if field is None:
            attrs = op.attrs[:at] + op.attrs[at + 1 :]
        else:
            flipped = {"extra": not old.extra, "name": old.name + "x"}.get(field, new)
            attrs = (*op.attrs[:at], old.replace(**{field: flipped}), *op.attrs[at + 1 :])
        yield pytest.param(spec, op.replace(attrs=attrs), id=f"{field} of {op.name}.{old.name}")


@pytest.mark.parametrize(("spec", "op"), list(changed_attrs()))
def test_a_change_of_a_single_attr_is_a_diff_of_a_line(spec, op):
    before, after = (dumps(item).splitlines() for item in (spec, spec.replace(ops={**spec.ops, op.name: op})))
    diff = [line for line in difflib.unified_diff(before, after, lineterm="", n=0) if line[:3] not in ("---", "+++")]
    removed, added = (sum(line.startswith(sign) for line in diff) for sign in "-+")
    assert removed + added > 0
    # A comma moves to another line where an attr is the last one, or was.
    assert (removed, added) <= (2, 2)
    assert max(removed, added) <= 2


def test_what_the_text_looks_like():
    flags = dict.fromkeys(("duplicable", "dispensable", "intermediate", "extra", "quant"), False)
    op = Op(
        name="scale",
        inputs=(Input(name="X", **flags), Input(name="S", **{**flags, "dispensable": True, "quant": UNKNOWN})),
        attrs=(Attr(name="bias", type="FLOAT", default_value=values.NAN, extra=False),),
    )
    history = (Checkpoint(note="n", updates=(Update(action="new", kind="input", name="S"), Update(action="bugfix"))),)
    provenance = Provenance(framework="paddle", version="1")
    spec = Spec(
        file=FILE, provenance=provenance, ops={"scale": op, "a": Op(name="a")}, op_versions={"scale": history, "a": ()}
    )
    assert (
        dumps(spec)
        == """\
{
 "opspec": 1,
 "provenance": {"framework": "paddle", "version": "1"},
 "knows": {"inputs": ["dispensable", "duplicable", "extra", "intermediate", "quant"], "attrs": ["default_value", \
"extra", "type"]},
 "ops": {
  "a": {},
  "scale": {
   "inputs": [
    {"name": "S", "dispensable": true, "unknown": ["quant"]},
    {"name": "X"}
   ],
   "attrs": [
    {"name": "bias", "type": "FLOAT", "default_value": {"float": "NaN"}}
   ]
  }
 },
 "op_versions": {
  "a": [],
  "scale": [
   {
    "note": "n",
    "updates": [
     {"action": "new", "kind": "input", "name": "S"},
     {"action": "bugfix"}
    ]
   }
  ]
 }
}
"""
    )


def test_an_empty_spec():
    text = '{\n "opspec": 1,\n "provenance": {"framework": "f"},\n "knows": {},\n "ops": {}\n}\n'
    spec = Spec(file=FILE, provenance=Provenance(framework="f"), ops={})
    assert dumps(spec) == text
    assert plain(read(text)) == plain(spec)


def test_the_published_schema_of_spec_files_is_that_of_all_frameworks_together():
    assert schema.load("opspec") == schema_named("opspec")


@pytest.mark.parametrize(
    "name",
    [
        *("audit", "blame", "config", "log", "proof", "report", "show", "store", "stored", "waivers", "opspec"),
        *("print_op_desc", "op_versions"),
    ],
)
def test_schemas_are_schemas(name):
    from jsonschema import Draft202012Validator

    loaded = schema_named(name)
    Draft202012Validator.check_schema(loaded)
    assert loaded["$id"] == f"urn:opspec-lint:{name}"


@pytest.mark.parametrize(("section", "cls"), [("inputs", Input), ("outputs", Output), ("attrs", Attr), ("ops", Op)])
def test_every_field_of_the_model_is_declared(section, cls):
    declared = {field.name for field in fields.SHARED_FIELDS if section in field.sections}
    around = {"name", "own", "origin", *fields.DOCUMENTATION[section]}
    if section == "ops":
        around |= {"inputs", "outputs", "attrs", "builds", "places"}
    assert declared | around == set(cls._fields)


@pytest.mark.parametrize("framework", fields.FRAMEWORKS.names())
def test_a_framework_declares_only_what_is_its_own(framework):
    loaded = FRAMEWORKS.load(framework)
    assert loaded.name == framework
    assert {shared_field.name for shared_field in loaded.fields}.isdisjoint(
        shared_field.name for shared_field in fields.SHARED_FIELDS
    )
    table = fields.field_table(framework)
    for field in loaded.fields:
        assert all(table.fields_of(section)[field.name] is field for section in field.sections)
        assert field.default is not fields.ALWAYS_WRITTEN or field.form in {"text", "names"}
        assert len(field.events) in {"flag": (1, 2), "names": (1, 2), "values": (1, 2)}.get(field.form, (1,))


def test_what_another_framework_knows_is_no_field_of_a_framework():
    assert "quant" not in fields.field_table("tensorflow").fields_of("attrs")
    assert "is_stateful" not in fields.field_table("paddle").fields_of("ops")
    assert {"quant", "generated"} <= fields.field_table("nobody knows").fields_of("attrs").keys()
    assert "is_stateful" in fields.field_table("nobody knows").fields_of("ops")


def test_the_error_for_a_file_that_is_no_spec_lists_the_formats():
    with pytest.raises(InputError) as caught:
        recognise.spec_of(Document(file=FILE, value=[1]))
    assert "spec file of opspec-lint" in caught.value.advice
    assert "print_op_desc" in caught.value.advice
