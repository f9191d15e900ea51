"""The programs that prove findings about PIR ops: each is read back, and fits the spec that it was made of."""

from __future__ import annotations

import json

import pytest

from opspec_lint.frameworks.paddle.saved.pir.attr_types import json_attr_type
from opspec_lint.models.recognise import read_model
from opspec_lint.proof import draw, prover
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.writer import WRITERS
from opspec_lint.sources.recognise import read
from opspec_lint.spec.model import Attr
from tests.support.paths import SPECS

WRITER = WRITERS.load("pir_program")


@pytest.fixture(scope="module")
def spec():
    return read(str(SPECS / "paddle-pir-3.0.0.json")).spec


def test_the_loader_of_pir_programs_is_queried_by_default():
    assert prover.choose(None, "paddle-pir", "paddle-pir")[0] == "pir_json"


def test_a_program_has_what_the_sample_has(spec, tmp_path):
    op = spec.ops["pd_op.leaky_relu_"]
    data = WRITER.write(draw.usual(op, WRITER).with_attrs(negative_slope=0.5), spec)
    file = tmp_path / "model.json"
    file.write_bytes(data)
    (graph, *_) = read_model(str(file)).meta_graphs[0].graphs
    assert [node.op for node in graph.nodes] == ["pd_op.data", "pd_op.leaky_relu_", "pd_op.fetch"]
    (node,) = [item for item in json.loads(data)["program"]["regions"][0]["blocks"][0]["ops"] if "leaky" in item["#"]]
    assert node["A"] == [{"N": "negative_slope", "AT": {"#": "0.a_f32", "D": 0.5}}]
    assert [item["%"] for item in node["I"]] == [1]


def test_every_output_has_a_number_and_the_first_is_fetched(spec):
    data = json.loads(WRITER.write(draw.usual(spec.ops["pd_op.topk"], WRITER), spec))
    *given, op, fetch = data["program"]["regions"][0]["blocks"][0]["ops"]
    first = len(given) + 1
    assert [item["%"] for item in op["O"]] == [first, first + 1]
    assert ([item["%"] for item in fetch["I"]], [item["%"] for item in fetch["O"]]) == ([first], [first + 2])
    assert data["base_code"]["version"] == spec.graph_versions.producer


def test_a_list_has_no_value_or_one_of_its_type():
    assert WRITER.values(Attr(name="a", type="pir::ArrayAttribute<pir::Int32Attribute>")) == [(), (1,)]


@pytest.mark.parametrize(
    "kind",
    [
        *("pir::BoolAttribute", "pir::FloatAttribute", "pir::DoubleAttribute", "pir::Int32Attribute"),
        *("pir::Int64Attribute", "pir::StrAttribute", "paddle::dialect::DataTypeAttribute"),
        *("paddle::dialect::IntArrayAttribute", "paddle::dialect::PlaceAttribute"),
    ],
)
def test_an_attr_is_read_back_with_its_type(spec, kind):
    attrs = ((op, attr.name) for op in spec.ops.values() for attr in op.attrs if attr.type == kind)
    op, attr_name = next((op, name) for op, name in attrs if _is_written(op, spec))
    program = json.loads(WRITER.write(draw.usual(op, WRITER), spec))
    ops = program["program"]["regions"][0]["blocks"][0]["ops"]
    (node,) = [item for item in ops if item["#"].partition(".")[2] == op.name.partition(".")[2]]
    (written,) = [item["AT"] for item in node["A"] if item["N"] == attr_name]
    assert json_attr_type(written) == kind


def _is_written(op, spec):
    try:
        WRITER.write(draw.usual(op, WRITER), spec)
    except UnwritableError:
        return False
    return True


def test_an_optional_input_that_is_left_out_keeps_its_place(spec):
    op = next(op for op in spec.ops.values() if op.name == "pd_op.fused_moe")
    data = json.loads(WRITER.write(draw.usual(op, WRITER), spec))
    (node,) = [item for item in data["program"]["regions"][0]["blocks"][0]["ops"] if item["#"] == "1.fused_moe"]
    assert [argument["%"] > 0 for argument in node["I"]] == [argument.dispensable is not True for argument in op.inputs]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("builtin.combine", "has no operands that a spec states"),
        ("pd_op.concat", "has a list of tensors"),
    ],
)
def test_what_cannot_be_written_is_named(spec, name, problem):
    with pytest.raises(UnwritableError, match=problem):
        WRITER.write(draw.usual(spec.ops[name], WRITER), spec)


def test_most_ops_can_be_written(spec):
    written = 0
    for op in spec.ops.values():
        try:
            WRITER.write(draw.usual(op, WRITER), spec)
        except UnwritableError:
            continue
        written += 1
    assert written > 700
