"""Schemas of ONNX: dumps of them, interpreters that are asked for them, and what a published schema may not do."""

from __future__ import annotations

import json
import sys

import pytest

from opspec_lint.frameworks.onnx.sources import runtime
from opspec_lint.kit.errors import InputError
from opspec_lint.lint.check import check
from opspec_lint.sources import recognise
from opspec_lint.sources.reading import Reading
from opspec_lint.spec import canonical
from opspec_lint.spec.notation import parse_spec
from tests.support.released_specs import text_as_extracted
from tests.support.wheels import python_with

ONNX = """
import enum, sys
__version__ = "9.8.7"
IR_VERSION = 3

class Bag:
    def __init__(self, **values):
        self.__dict__.update(values)

class AttrType(enum.Enum):
    FLOAT = 1
    TENSOR = 4
    STRINGS = 8

class Option(enum.Enum):
    Single = 0
    Optional = 1
    Variadic = 2

{naming}
def attribute(kind, required, **default):
    value = Bag(**dict({{"type": 0}}, **default))
    return Bag(type=AttrType[kind], required=required, default_value=value)

SCHEMAS = [
    Bag(
        domain="", name="Sum", since_version=8, deprecated=False, has_function=False, min_input=2, min_output=1,
        inputs=[parameter("X", Option.Single, "T"), parameter("rest", Option.Variadic, "T", False, {arity})],
        outputs=[parameter("Y", Option.Optional, "T")],
        type_constraints=[Bag(type_param_str="T", allowed_type_strs=["tensor(int8)", "tensor(float)", "tensor(int8)"])],
        attributes={{
            "scale": attribute("FLOAT", False, **{{"type": 1, "f": 0.10000000149011612}}),
            "words": attribute("STRINGS", False, **{{"type": 8, "strings": [b"a", b"b"]}}),
            "table": attribute("TENSOR", False, **{{"type": 4}}),
            "value": attribute("TENSOR", True),
        }},
    ),
    Bag(
        domain="ai.onnx.ml", name="Old", since_version=1, deprecated=True, has_function=True, min_input=0,
        min_output=0, inputs=[], outputs=[], type_constraints=[], attributes={{}},
    ),
]
"""
DEFS = """
from . import SCHEMAS
def get_all_schemas_with_history(): return SCHEMAS
def onnx_opset_version(): return 9
"""
OLDER = """
def parameter(name, option, type_, same=True, arity=None):
    return Bag(name=name, option=option, typeStr=type_, isHomogeneous=same)
"""
NEWER = """
def parameter(name, option, type_, same=True, arity=1):
    return Bag(name=name, option=option, type_str=type_, is_homogeneous=same, min_arity=arity)
"""


def interpreter(folder, naming):
    package = folder / "onnx"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(ONNX.format(naming=naming, arity=1))
    (package / "defs.py").write_text(DEFS)
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return str(python)


@pytest.mark.parametrize("naming", [OLDER, NEWER])
def test_an_interpreter_is_asked_for_its_schemas(tmp_path, naming):
    spec = runtime.SOURCE.spec(interpreter(tmp_path, naming), Reading(caches=False))
    assert (spec.provenance.version, spec.binding) == ("9.8.7", "opset")
    assert spec.loading == {"ir_version": 3, "opsets": {"ai.onnx": 9, "ai.onnx.ml": 1}}
    op = spec.ops["Sum@8"]
    assert op.get("type_constraints") == {"T": ("tensor(float)", "tensor(int8)")}
    assert op.get("arity") == {"inputs": {"min": 1, "is_homogeneous": False}}
    assert [(argument.name, argument.duplicable, argument.dispensable) for argument in (*op.inputs, *op.outputs)] == [
        ("X", False, False),
        ("rest", True, False),
        ("Y", False, True),
    ]
    assert {attr.name: (attr.type, attr.default_value, attr.get("required")) for attr in op.attrs} == {
        "scale": ("FLOAT", 0.1, False),
        "table": ("TENSOR", "TensorProto", False),
        "value": ("TENSOR", None, True),
        "words": ("STRINGS", ("a", "b"), False),
    }
    assert spec.ops["ai.onnx.ml::Old@1"].get("deprecated") is True


@pytest.mark.wheel
@pytest.mark.parametrize("release", ["1.23.2"])
def test_an_included_spec_is_what_the_wheel_states(release):
    spec = runtime.SOURCE.spec(python_with("onnx", release), Reading(caches=False))
    assert spec.provenance.version == release
    assert canonical.dumps(spec) == text_as_extracted(f"onnx-{release}")


def dump(**changed):
    schema = {
        "domain": "",
        "name": "F",
        "since_version": 1,
        "deprecated": False,
        "has_function": False,
        "inputs": [{"name": "X", "option": "Single", "type": "T"}],
        "outputs": [],
        "min_input": 1,
        "min_output": 0,
        "type_constraints": {"T": ["tensor(float)"]},
        "attributes": {},
    }
    return {"info": {"onnx": "1.2.3", "ir_version": 3, "opset": 2}, "schemas": [{**schema, **changed}]}


def read(document):
    return recognise.spec_of(recognise.document_of(json.dumps(document).encode(), "dump.json"))


def test_a_dump_is_a_spec():
    spec = read(dump(attributes={"k": {"type": "FLOAT", "required": False, "default": 9.99999975e-06}}))
    assert (spec.provenance.framework, spec.provenance.version, list(spec.ops)) == ("onnx", "1.2.3", ["F@1"])
    assert spec.ops["F@1"].attrs[0].default_value == 1e-05


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": 5}, "schemas[0].name: expected a value of type str"),
        ({"inputs": [5]}, "schemas[0].inputs[0]: expected a mapping"),
        ({"inputs": [{"name": "X", "option": "Many", "type": "T"}]}, "option: expected one of Single, Optional"),
        ({"type_constraints": {"T": "float"}}, "schemas[0].type_constraints.T: expected a list of types"),
        ({"attributes": {"k": {"type": "INT"}}}, "attributes.k: the key 'required' is missing"),
        ({"attributes": {"k": {"type": "INT", "required": False, "default": 1 << 70}}}, "expected the value of an"),
        ({"has_function": 1}, "schemas[0].has_function: expected a value of type bool"),
    ],
)
def test_a_damaged_dump_is_refused_with_its_place(changed, message):
    with pytest.raises(InputError) as refused:
        read(dump(**changed))
    assert message in refused.value.message


@pytest.mark.parametrize(
    ("info", "problem"),
    [
        (5, "info: expected a mapping"),
        ({}, "info.onnx: expected a value of type str"),
        ({"onnx": "1", "ir_version": "3", "opset": 2}, "info.ir_version: expected a value of type int"),
    ],
)
def test_a_dump_without_its_release_is_refused(info, problem):
    with pytest.raises(InputError, match=f"^dump.json: {problem}$"):
        read({**dump(), "info": info})


def test_a_schema_that_is_there_twice_is_refused():
    document = dump()
    with pytest.raises(InputError, match="F@1 is there twice"):
        read({**document, "schemas": document["schemas"] * 2})


FLOAT = 'F@1(X: T, Z?: T) -> (Y: T) [k: INT = 1] & {"type_constraints": {"T": ["tensor(float)"]}}'


def findings(base, head):
    sides = (parse_spec(text, framework="onnx", binding="opset") for text in (base, head))
    return {(finding.rule, finding.op, finding.level) for finding in check(*sides).findings}


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('["tensor(float)"]', '["tensor(float)", "tensor(int8)"]', "types_widened"),
        ('["tensor(float)"]', "[]", "types_narrowed"),
        ("Z?: T", "Z: T", "dispensable_cleared"),
        ("Z: T", "Z?: T", "dispensable_set"),
        ("X: T, Z?: T", "Z?: T, X: T", "argument_order_changed"),
        ("-> (Y", "-> (W", "output_renamed"),
        ("-> (Y: T)", "-> (Y: T, W?: T)", "output_added_dispensable"),
        ("= 1]", "= 2]", "attr_default_changed"),
        ("[k", "[j: INT = 0, k", "attr_added_with_default"),
    ],
)
def test_whatever_changes_in_a_published_schema_is_an_error(old, new, rule):
    base, head = FLOAT.replace("Z?: T", "Z: T") if old == "Z: T" else FLOAT, FLOAT
    result = findings(base, base.replace(old, new) if old != "Z: T" else head)
    assert result == {(rule, "F@1", "error")}


OPSET = 'loading {{"opsets": {{"ai.onnx": {}, "ml": {}}}}}\n'


@pytest.mark.parametrize(
    ("added", "rule", "level"),
    [
        ("F@7(X: T) -> (Y: T)", "version_added", "note"),
        ("F@6(X: T) -> (Y: T)", "op_added_late", "error"),
        ("G@6(X: T) -> (Y: T)", "op_added_late", "error"),
        ('"ml::G@2"(X: T) -> (Y: T)', "op_added_late", "error"),
        ('"ml::G@3"(X: T) -> (Y: T)', "version_added", "note"),
        ('"other::G@1"(X: T) -> (Y: T)', "version_added", "note"),
    ],
)
def test_a_version_is_new_or_late(added, rule, level):
    base = f"{FLOAT}\n" + '"ml::F@2"(X: T) -> (Y: T)\n'
    head = base + added
    op = added.partition("(")[0].strip('"')
    assert findings(OPSET.format(6, 2) + base, OPSET.format(7, 3) + head) - {("loading_changed", None, "note")} == {
        (rule, op, level)
    }


def test_a_new_version_is_described_by_what_it_changes():
    texts = (
        OPSET.format(6, 2) + FLOAT,
        OPSET.format(7, 2) + f"{FLOAT}\n" + FLOAT.replace("F@1", "F@7").replace("= 1", "= 2"),
    )
    sides = (parse_spec(text, framework="onnx", binding="opset") for text in texts)
    (message,) = (finding.message for finding in check(*sides).findings if finding.rule == "version_added")
    assert message == (
        "'F@7' is new in opset 7 of ai.onnx: since F@1, the default value of the attr 'k' changed from 1 to 2"
    )


def test_a_lower_limit_is_an_error():
    result = findings(OPSET.format(7, 2) + FLOAT, OPSET.format(6, 2) + FLOAT)
    assert ("limit_lowered", None, "error") in result
