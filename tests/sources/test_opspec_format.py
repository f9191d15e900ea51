from __future__ import annotations

import os

import pytest
from hypothesis import given, settings

from opspec_lint.documents import schema
from opspec_lint.documents.decode import Document, decode, read_document
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import recognise
from opspec_lint.sources.formats import opspec
from opspec_lint.spec import values
from opspec_lint.spec.fields import field_table_of_all_frameworks
from opspec_lint.spec.model import UNKNOWN, Attr, Checkpoint, Input, Op, Output, Provenance, Update
from tests.support.events import schema_named
from tests.support.mutations import count_keys, mutated
from tests.support.paths import SPECS

RELEASED = ["paddle-1.8.5.json", "paddle-2.6.2.json", "paddle-3.0.0.json", "paddle-3.3.1.json"]
HEAD = {"opspec": 1, "provenance": {"framework": "paddle"}, "knows": {}, "ops": {}}


def read(name):
    return read_document(os.path.join(SPECS, name))


def some_ops():
    value = read("paddle-2.6.2.json").value
    names = ("conv2d", "momentum", "allclose")
    return {
        **value,
        "ops": {name: value["ops"][name] for name in names},
        "op_versions": {name: value["op_versions"][name] for name in names[1:]},
    }


REAL = some_ops()
SMALL = {
    "$schema": "opspec.schema.json",
    "opspec": 1,
    "provenance": {"framework": "paddle", "version": "1", "commit": "c", "made_by": "hand", "released": "2025-03-26"},
    "ordered": True,
    "knows": {"ops": ["deprecation"], "inputs": ["extra"], "attrs": ["type", "default_value", "minimum"]},
    "ops": {
        "slice": {
            "deprecation": None,
            "unknown": ["deprecation"],
            "inputs": [{"name": "X", "type": "T", "duplicable": True, "unknown": ["extra"]}, {"name": "Y"}],
            "outputs": [{"name": "Out", "intermediate": False}],
            "attrs": [
                {"name": "a", "type": "INTS", "default_value": [1, 2], "allowed_values": [[1], [1, 2]]},
                {"name": "b", "default_value": {"float": "NaN"}, "minimum": 3, "generated": True},
                {"name": "c", "default_value": {"k": 1}},
            ],
        },
        "relu": {},
    },
    "op_versions": {
        "slice": [
            {"note": "n", "updates": [{"action": "new", "kind": "attr", "name": "a", "default_value": 1}]},
            {"updates": [{"action": "bugfix", "remark": "r"}, {"action": "delete", "kind": "input", "name": "Z"}]},
        ],
        "relu": [],
    },
}


def schema_accepts(value):
    return not schema.faults(value, schema_named(opspec.NAME))


def has_twins(value):
    """Two arguments of one name: the one thing that a schema cannot say."""
    return any(
        len({argument["name"] for argument in op.get(section, ())}) < len(op.get(section, ()))
        for op in value["ops"].values()
        for section in ("inputs", "outputs", "attrs")
    )


def is_of_another_version(value):
    return type(value["opspec"]) is int and value["opspec"] != 1


def agrees(value):
    """Hold the fast check against the schema, and the list of faults against both."""
    if not opspec.likeness(value):
        return
    keys = opspec.count_keys(value, {})
    accepted = schema_accepts(value)
    assert (keys is not None) == (accepted and not has_twins(value))
    if is_of_another_version(value):
        with pytest.raises(InputError, match="of the spec format"):
            list(opspec.faults(value, "spec.json"))
        return
    faults = list(opspec.faults(value, "spec.json"))
    assert (keys is None) == bool(faults)
    for fault in faults:
        assert fault.problem.isprintable()
        assert fault.where.isprintable()
    if keys is not None:
        assert keys <= count_keys(value)
        assert [op.name for op in opspec.load(value, "spec.json").ops.values()] == list(value["ops"])


@settings(max_examples=400)
@given(mutated(SMALL))
def test_fast_check_and_schema_agree_on_a_small_document(value):
    agrees(value)


@settings(max_examples=100)
@given(mutated(REAL))
def test_fast_check_and_schema_agree_on_real_ops(value):
    agrees(value)


@settings(max_examples=150)
@given(mutated(SMALL["ops"]))
def test_fast_check_and_schema_agree_on_ops(ops):
    agrees({**HEAD, "ops": ops})


@settings(max_examples=150)
@given(mutated(SMALL["op_versions"]))
def test_fast_check_and_schema_agree_on_histories(histories):
    agrees({**HEAD, "op_versions": histories})


@pytest.mark.parametrize("name", RELEASED)
def test_released_specs_are_faultless(name):
    value = read(name).value
    assert opspec.count_keys(value, {}) == count_keys(value)
    assert list(opspec.faults(value, name)) == []


ATTR = "ops.o.attrs[0]"
FAULTS = [
    ({"opspec": "1"}, [("opspec", 'expected an integer, found the string "1"')]),
    ({"opspec": True}, [("opspec", "expected an integer, found true")]),
    ({"opspec": 1.0}, [("opspec", "expected an integer, found 1.0")]),
    ({"opspec": None}, [("opspec", "expected an integer, found null")]),
    ({"provenance": {}}, [("provenance", "the key 'framework' is missing")]),
    ({"provenance": {"framework": ""}}, [("provenance.framework", "'' should be non-empty")]),
    (
        {"provenance": {"framework": "p", "released": "26.3.2025"}},
        [("provenance.released", 'expected the date of the release, as YYYY-MM-DD, found the string "26.3.2025"')],
    ),
    ({"provenance": {"framework": "p", "version": 2.6}}, [("provenance.version", "expected a string, found 2.6")]),
    ({"ordered": "yes"}, [("ordered", 'expected true or false, found the string "yes"')]),
    ({"knows": {"input": []}}, [("knows", "unknown key \"input\"; did you mean 'inputs'?")]),
    ({"knows": {"attrs": ["extra", "extra"]}}, [("knows.attrs", "['extra', 'extra'] has non-unique elements")]),
    ({"ops": []}, [("ops", "expected a mapping, found a list")]),
    ({"ops": {"o": None}}, [("ops.o", "expected a mapping, found null")]),
    (
        {"ops": {"": {"x": 1}}},
        [
            (
                'ops[""]',
                (
                    'unknown key "x"; expected one of: attrs, builds, declared_if, deprecation, '
                    "deprecation_version, description, inputs, invalid, max_version, min_version, outputs, "
                    "summary, translator, unknown"
                ),
            )
        ],
    ),
    ({"ops": {"o": {"atrs": []}}}, [("ops.o", "unknown key \"atrs\"; did you mean 'attrs'?")]),
    ({"ops": {"o": {"deprecation": True}}}, [("ops.o.deprecation", "expected a string or null, found true")]),
    ({"ops": {"o": {"attrs": {}}}}, [("ops.o.attrs", "expected a list, found a mapping")]),
    ({"ops": {"o": {"attrs": [{}]}}}, [(ATTR, "the key 'name' is missing")]),
    (
        {"ops": {"o": {"attrs": [{"name": "a", "extra": "no"}]}}},
        [(f"{ATTR}.extra", 'expected true or false, found the string "no"')],
    ),
    (
        {"ops": {"o": {"attrs": [{"name": "a", "generatd": 1}]}}},
        [(ATTR, "unknown key \"generatd\"; did you mean 'generated'?")],
    ),
    (
        {"ops": {"o": {"attrs": [{"name": "a", "minimum": "1"}]}}},
        [(f"{ATTR}.minimum", 'expected a number or null, found the string "1"')],
    ),
    (
        {"ops": {"o": {"attrs": [{"name": "a", "maximum": float("inf")}]}}},
        [(f"{ATTR}.maximum", "expected a number or null, found Infinity")],
    ),
    (
        {"ops": {"o": {"attrs": [{"name": "a", "minimum": True}]}}},
        [(f"{ATTR}.minimum", "expected a number or null, found true")],
    ),
    (
        {"ops": {"o": {"attrs": [{"name": "a", "minimum": 1 << 70}]}}},
        [(f"{ATTR}.minimum", "an integer beyond 64 bits is not a value that an attr can hold")],
    ),
    (
        {"ops": {"o": {"attrs": [{"name": "a", "default_value": {"float": "nan"}}]}}},
        [(f"{ATTR}.default_value", "a mapping is not a value that an attr can hold")],
    ),
    (
        {"ops": {"o": {"inputs": [{"name": "X"}, {"name": "Y"}, {"name": "X"}]}}},
        [("ops.o.inputs[2]", "the name 'X' is already used by inputs[0]")],
    ),
    (
        {"op_versions": {"o": [{"updates": [{"action": "mod", "kind": "attr", "name": "a"}]}]}},
        [
            (
                "op_versions.o[0].updates[0].action",
                'expected "new", "modify", "delete", "bugfix", found the string "mod"; did you mean \'modify\'?',
            )
        ],
    ),
    (
        {"op_versions": {"o": [{"updates": [{"action": "new"}]}]}},
        [
            ("op_versions.o[0].updates[0]", "the key 'kind' is missing"),
            ("op_versions.o[0].updates[0]", "the key 'name' is missing"),
        ],
    ),
    (
        {"op_versions": {"o": [{"updates": [{"action": "bugfix", "name": "a"}]}]}},
        [("op_versions.o[0].updates[0].name", "is not allowed here")],
    ),
    (
        {"op_versions": {"o": [{"updates": [{"action": "bugfix", "remark": 3}]}]}},
        [("op_versions.o[0].updates[0].remark", "expected a string, found 3")],
    ),
    ({"op_versions": None}, [("op_versions", "expected a mapping, found null")]),
    ({"opsversions": {}}, [("", "unknown key \"opsversions\"; did you mean 'op_versions'?")]),
]


@pytest.mark.parametrize(("change", "expected"), FAULTS)
def test_faults_name_the_path_and_the_nearest_word(change, expected):
    rows = [
        (fault.where, fault.problem.partition(": integers")[0] + (f"; {fault.advice}" if fault.advice else ""))
        for fault in opspec.faults({**HEAD, **change}, "spec.json")
    ]
    assert rows == expected


@pytest.mark.parametrize("section", ["ops", "inputs", "outputs", "attrs"])
@pytest.mark.parametrize("field", ["name", "unknown", "origin", "dispensible", "minimun"])
def test_a_field_that_nothing_has_is_refused(section, field):
    value = {**HEAD, "knows": {section: [field]}}
    (fault,) = opspec.faults(value, "spec.json")
    assert fault.where == f"knows.{section}[0]"
    near = {"dispensible": "dispensable", "minimun": "minimum"}.get(field)
    assert (f"did you mean {near!r}?" in fault.advice) is (near in field_table_of_all_frameworks().fields_of(section))


@pytest.mark.parametrize("version", [0, 2, 99, -1])
def test_another_version_of_the_format_is_refused_with_advice(version):
    with pytest.raises(InputError, match=f"opspec: is of version {version} of the spec format") as caught:
        recognise.spec_of(Document(file="spec.json", value={**HEAD, "opspec": version, "new": "field"}))
    assert ("upgrade" in caught.value.advice) is (version > 1)
    assert ("extract" in caught.value.advice) is (version < 1)


def test_a_small_document_is_read_in_full():
    spec = opspec.load(SMALL, "spec.json")
    assert (spec.file, spec.binding) == ("spec.json", "signature")
    assert spec.provenance == Provenance(**SMALL["provenance"])
    assert spec.op_versions == {
        "slice": (
            Checkpoint(note="n", updates=(Update(action="new", kind="attr", name="a", default_value=1),)),
            Checkpoint(updates=(Update(action="bugfix", remark="r"), Update(action="delete", kind="input", name="Z"))),
        ),
        "relu": (),
    }
    assert spec.ops["relu"] == Op(name="relu", deprecation=None)
    slice_ = spec.ops["slice"]
    assert slice_.replace(attrs=()) == Op(
        name="slice",
        inputs=(Input(name="X", type="T", duplicable=True), Input(name="Y", extra=False)),
        outputs=(Output(name="Out", intermediate=False),),
        deprecation=UNKNOWN,
    )
    a, b, c = slice_.attrs
    known = {"minimum": None}
    assert a == Attr(name="a", type="INTS", default_value=(1, 2), allowed_values=((1,), (1, 2)), **known)
    assert b == Attr(name="b", default_value=values.NAN, minimum=3, generated=True)
    assert c == Attr(name="c", default_value={"k": 1}, **known)


def test_histories_that_are_left_out_are_unknown():
    assert opspec.load(HEAD, "f").op_versions is UNKNOWN
    assert opspec.load({**HEAD, "op_versions": {}}, "f").op_versions == {}


@pytest.mark.parametrize(
    ("value", "likeness"), [(HEAD, 2), ({"opspec": "x"}, 2), ({"opspec": {}}, 0), ({}, 0), ([], 0), (None, 0)]
)
def test_likeness(value, likeness):
    assert opspec.likeness(value) == likeness


@pytest.mark.parametrize("kind", ["FLOAT", "FLOATS", "FLOAT64", "LONG", "INTS", "list(float)", "int"])
def test_what_yaml_leaves_a_word_is_a_number_where_the_attr_is_one(kind):
    text = "{opspec: 1, provenance: {framework: x}, knows: {attrs: [type, default_value, allowed_values]}, ops: {f: {"
    text += f"attrs: [{{name: a, type: {kind}, default_value: 1e-05, allowed_values: [1e-05]}},"
    text += "{name: b, type: STRING, default_value: 1e-05}]}}}"
    attrs = recognise.spec_of(decode(text.encode(), "spec.yaml")).ops["f"].attrs
    assert [(attr.default_value, attr.allowed_values) for attr in attrs] == [(1e-05, (1e-05,)), ("1e-05", None)]


@pytest.mark.parametrize(
    ("framework", "name", "value"),
    [
        ("pytorch", "upgraders", 5),
        ("pytorch", "upgraders", {"aten::div": "x"}),
        ("pytorch", "upgraders", {"aten::div": [["div_0_3", "aten::div(Tensor self) -> Tensor"]]}),
        ("pytorch", "operator_version", "10"),
        ("onnx", "ir_version", "10"),
        ("onnxruntime", "opsets", {"ai.onnx": "21"}),
        ("paddle-pir", "develop_version", [1]),
        ("paddle-pir", "patch_value", "value"),
        ("paddle-pir", "retyped", [[1, "type", "a"]]),
    ],
)
def test_a_value_that_a_loader_decides_by_has_its_type(framework, name, value):
    document = {**HEAD, "provenance": {"framework": framework}, "loading": {name: value}}
    assert opspec.count_keys(document, {}) is None
    (fault,) = opspec.faults(document, "head")
    assert fault.where == f"loading.{name}"
    assert "expected" in fault.problem


@pytest.mark.parametrize("name", sorted(name for name in os.listdir(SPECS) if name.endswith(".json")))
def test_the_included_specs_have_values_of_their_types(name):
    value = read(name).value
    assert not list(opspec._loading_faults(value.get("loading"), value["provenance"]["framework"]))
