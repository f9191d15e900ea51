"""The reading of PIR programs, and the verdicts on their loading."""

from __future__ import annotations

import json

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.models.recognise import read_model
from tests.support.models.paddle_programs import node, release
from tests.support.models.paddle_programs import program as legacy
from tests.support.models.pir_models import op, program, whole

SPEC = release("relu(X) -> (Out)", version="3.0.0")


def read(tmp_path, data):
    path = tmp_path / "m.json"
    path.write_bytes(data)
    return read_model(str(path))


def audited(tmp_path, data):
    path = tmp_path / "m.json"
    path.write_bytes(data)
    (result,) = audit(str(path), [("spec", SPEC)], [LOADERS.load("pir_json")], LoadOptions())
    return result


def test_all_that_a_program_states(tmp_path):
    made = read(tmp_path, program())
    (meta,) = made.meta_graphs
    assert (made.framework, made.format, meta.producer) == ("paddle", "paddle_pir", 1)
    assert [(graph.name, graph.ops()) for graph in meta.graphs] == [
        ("", ("builtin.parameter", "pd_op.data", "pd_op.matmul", "pd_op.if", "pd_op.fetch")),
        ("pd_op.if 1", ("pd_op.relu",)),
    ]
    matmul = meta.graphs[0].nodes[2]
    assert (matmul.name, matmul.inputs, matmul.outputs) == ("pd_op.matmul#2", (("", ("%2", "%1")),), (("", ("%3",)),))
    assert matmul.attrs == {"transpose_x": False}
    (signature,) = meta.signatures
    assert [(name, argument.dtype, argument.shape) for name, argument in signature.inputs.items()] == [
        ("x", "float32", (-1, 3))
    ]
    assert [(name, output.shape) for name, output in signature.outputs.items()] == [("out", (-1, 3))]
    assert [(variable.name, variable.shape) for variable in meta.variables] == [("w", (3, 4))]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (program(magic=None, version=None, trainable=None), "it has no header"),
        (program(magic="other"), "does not say that it is a PIR program"),
        (program(version=None), "has no PIR version"),
        (program(version=0), "has no PIR version, but 0"),
        (program(op("9.relu", [1], [2])), "of the dialect 9"),
    ],
)
def test_what_is_refused_when_it_is_loaded(tmp_path, data, problem):
    report = audited(tmp_path, data)
    assert (report.loader, report.verdict, report.reason) == ("pir_json", "refused", "parse")
    assert problem in report.findings[0].message


@pytest.mark.parametrize("header", [{}, {"version": 99}, {"trainable": None}])
def test_of_what_is_not_refused_a_spec_of_legacy_ops_states_nothing(tmp_path, header):
    report = audited(tmp_path, program(**header))
    assert report.verdict == "cannot_tell"
    assert "goes by the declarations of PIR ops, which" in report.findings[0].message
    assert "paddle-pir-source:DIR" in report.findings[0].advice


def test_translation_is_queried_by_name_alone(tmp_path):
    path = tmp_path / "m.pdmodel"
    path.write_bytes(legacy(node("relu", ["X"])))
    unnamed = audit(str(path), [("spec", SPEC)], [], LoadOptions())
    assert [item.loader for item in unnamed] == [
        "inference_predictor",
        "legacy_executor",
        "static.load_inference_model",
    ]
    (result,) = audit(str(path), [("spec", SPEC)], [LOADERS.load("pir_translation")], LoadOptions())
    assert result.verdict == "cannot_tell"


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace(b'"regions"', b'"region"'),
        lambda text: text.replace(b'"#": "1.data"', b'"#": 1'),
        lambda text: text.replace(b'"ops"', b'"opz"'),
        lambda _: b'{"base_code": ' + b"[" * 100_000,
        lambda _: b'{"base_code": ' + b"9" * 5000 + b"}",
        lambda _: b'{"base_code": "\xff"}',
    ],
)
def test_what_is_no_program(tmp_path, damage):
    with pytest.raises(InputError, match="is not a PIR program"):
        read(tmp_path, damage(program()))


def test_odd_parts_are_shown_as_far_as_they_go(tmp_path):
    data = json.loads(program())
    ops = data["program"]["regions"][0]["blocks"][0]["ops"]
    ops[2] |= {"I": [None, {"%": 1}], "O": [{"%": 3, "TT": "NULL"}], "A": [None, {"N": 1}]}
    (meta,) = read(tmp_path, json.dumps(data).encode()).meta_graphs
    assert meta.graphs[0].nodes[2].inputs == (("", ("%?", "%1")),)
    assert len(whole()) == len(meta.graphs[0].nodes)
