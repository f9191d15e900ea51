"""Our readers read the models that writers write of every op of a release, and an audit takes them there."""

from __future__ import annotations

from collections import Counter

import pytest

from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.proof import draw
from opspec_lint.proof.sample import Sample, UnwritableError
from opspec_lint.proof.writer import WRITERS
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.spec.model import GraphVersions, Op
from opspec_lint.spec.notation import parse_spec
from tests.support import per_framework

RELEASES = {release: named for own in per_framework.every("WRITERS").values() for release, named in own.items()}
EVERY = 12
"""One op in so many is audited."""


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("make", [draw.usual, draw.smallest])
def test_a_release_takes_the_models_of_its_own_ops(release, make, tmp_path):
    wrote, loader = WRITERS.load(RELEASES[release][0]), LOADERS.load(RELEASES[release][1])
    spec = references.resolve(release, Reading()).spec
    verdicts = Counter()
    for name in sorted(spec.ops)[::EVERY]:
        try:
            data = wrote.write(make(spec.ops[name], wrote), spec)
        except UnwritableError:
            continue
        assert data == wrote.write(make(spec.ops[name], wrote), spec)
        path = tmp_path / f"model{wrote.suffix}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        (report,) = audit(str(path), [(release, spec)], [loader], LoadOptions())
        verdicts[report.verdict] += 1
        # A release may register an op that has no kernel for the CPU, or none for the types that were drawn.
        if {finding.rule for finding in report.findings} != {"model_cpu_kernel_missing"}:
            assert report.verdict == "loads", (name, [finding.message for finding in report.findings])
    assert verdicts["loads"] > 8


# GraphDef

GRAPHS = """\
Pack(values: N * T) -> (output: T) [N: int >= 1, T: type in ["string", "float"]]
Assign(ref: Ref(T), value: T) -> () [T: type]
Call(args: Tin) -> () [Tin: list(type) >= 2, f: func]
Old() -> () deprecated "use Pack" from 9
Odd(x: T) -> () [T: type, c: custom]
"""


def graph(op, change=lambda sample: sample, producer=20):
    from opspec_lint.frameworks.tensorflow.saved.graph_messages import message

    spec = parse_spec(GRAPHS, framework="tensorflow", binding="signature")
    spec = spec.replace(graph_versions=GraphVersions(producer=producer))
    wrote = WRITERS.load("graph_def")
    return message("GraphDef").FromString(wrote.write(change(draw.smallest(spec.ops[op], wrote)), spec))


def test_a_graph_feeds_as_many_tensors_as_the_attrs_state():
    made = graph("Pack", lambda sample: sample.with_attrs(N=3))
    assert [(item.name, item.op) for item in made.node] == [
        *((f"x{number}", "Placeholder") for number in range(3)),
        ("op", "Pack"),
    ]
    assert list(made.node[-1].input) == ["x0", "x1", "x2"]
    assert made.node[-1].attr["T"].type == made.node[0].attr["dtype"].type == 1


def test_a_list_of_types_and_a_reference_decide_what_is_fed():
    assert [item.op for item in graph("Call").node] == ["Placeholder", "Placeholder", "Call"]
    made = graph("Assign")
    assert [item.op for item in made.node] == ["VariableV2", "Placeholder", "Assign"]
    assert made.node[0].attr["shape"].shape.unknown_rank


def test_a_graph_is_of_its_release_or_of_the_last_that_may_use_the_op():
    assert graph("Pack").versions.producer == 20
    assert graph("Old").versions.producer == 8
    assert graph("Old", producer=5).versions.producer == 5


def test_an_attr_is_left_out_where_nothing_states_its_value():
    assert sorted(graph("Pack").node[-1].attr) == ["N", "T"]


@pytest.mark.parametrize(
    ("op", "change", "message"),
    [
        ("Odd", lambda sample: sample, "no value of the type custom is known"),
        ("Pack", lambda sample: sample.with_attrs(N="many"), "the attr 'N' cannot hold 'many'"),
        ("Pack", lambda sample: sample.with_attrs(N=1 << 30), "'values' stands for 1073741824 tensors"),
        ("Pack", lambda sample: sample.without("T"), "the attr 'T' of 'values' has no value"),
    ],
)
def test_a_graph_that_cannot_be_written_states_why(op, change, message):
    with pytest.raises(UnwritableError) as caught:
        graph(op, change)
    assert str(caught.value).startswith(message)


# ProgramDesc

PROGRAM = 'scale(X) -> (Out) [bias: FLOAT = 0.5, axis: INT, names: STRINGS = ["a"]]'


def program(change=lambda sample: sample, version="2.6.2"):
    from opspec_lint.frameworks.paddle.saved.programs import attrs
    from opspec_lint.frameworks.paddle.saved.programs.messages import message_class

    spec = parse_spec(PROGRAM, framework="paddle")
    spec = spec.replace(provenance=spec.provenance.replace(version=version))
    wrote = WRITERS.load("program_desc")
    made = message_class("ProgramDesc").FromString(wrote.write(change(draw.usual(spec.ops["scale"], wrote)), spec))
    block = made.blocks[0]
    return made, {item.type.decode(): attrs.read(item.attrs) for item in block.ops}, block


def test_a_program_feeds_and_fetches_what_its_op_takes_and_gives():
    made, nodes, block = program()
    assert list(nodes) == ["feed", "scale", "fetch"]
    assert {var.name.decode() for var in block.vars} == {"feed", "fetch", "X.0", "Out.0"}
    assert {name: (attr.type, attr.value) for name, attr in nodes["scale"].items()} == {
        "axis": ("INT", 1),
        "bias": ("FLOAT", 0.5),
        "names": ("STRINGS", ["a"]),
    }
    assert made.version.version == 2006002
    assert program(version=None)[0].version.version == 0


def test_numbers_that_are_zero_are_written_where_paddle_requires_them():
    wrote = WRITERS.load("program_desc")
    spec = parse_spec("noop() -> () [axis: INT]", framework="paddle")
    data = wrote.write(Sample(op=spec.ops["noop"], attrs={"axis": 0}), spec)
    assert b"\x08\x00\x10\x00" in data  # idx and parent_idx of the block
    assert b"\x0a\x04axis\x10\x00\x18\x00" in data  # the type INT, and the value


def test_an_input_is_as_often_as_it_is_requested():
    _, _, block = program(lambda sample: sample.replace(inputs={"X": 2, "Y": 0}))
    node = next(item for item in block.ops if item.type == b"scale")
    assert {argument.parameter: list(argument.arguments) for argument in node.inputs} == {
        b"X": [b"X.0", b"X.1"],
        b"Y": [],
    }


def test_an_attr_that_cannot_hold_a_value_is_not_written():
    with pytest.raises(UnwritableError, match="the attr 'axis' cannot hold 'x'"):
        program(lambda sample: sample.with_attrs(axis="x"))


# TFLite


def test_a_tflite_model_names_an_op_that_has_a_number_and_a_version():
    wrote = WRITERS.load("tflite")
    spec = parse_spec("", framework="tflite")
    with pytest.raises(UnwritableError, match="'ADD' has no version"):
        wrote.write(Sample(op=Op(name="ADD")), spec)
    with pytest.raises(UnwritableError, match="the number of 'MINE' is not known"):
        wrote.write(Sample(op=Op(name="MINE"), version=1), spec)
    assert len(wrote.write(Sample(op=Op(name="ADD"), version=1), spec)) == 140


def test_an_unknown_writer_is_an_error():
    from opspec_lint.kit.errors import UsageError

    with pytest.raises(UsageError, match="unknown writer 'graph'"):
        WRITERS.load("graph")


def test_the_values_of_an_attr_begin_with_its_default_value_and_have_it_once():
    (with_default, without) = parse_spec("f(X) -> (Out) [a: INT = 1, b: INT]").ops["f"].attrs
    writer = WRITERS.load("program_desc")
    values = draw.values_of(without, writer)
    assert values == list(writer.values(without))
    assert draw.values_of(with_default, writer) == [1, *(value for value in values if value != 1)]
