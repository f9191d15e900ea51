"""Faults of ONNX models by the checker of a release, and by ONNX Runtime."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.onnx.saved.judging import checker
from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.spec import op_table
from opspec_lint.spec.notation import parse_spec
from tests.support.models.onnx_models import attr, graph, message, model, node, value, weight
from tests.support.released_specs import released

ONNX = """\
loading {"ir_version": 8, "opsets": {"ai.onnx": 17, "ml": 2}}
Relu@1(X: T) -> (Y: T) [old: INTS] & {"type_constraints": {"T": ["tensor(float)"]}}
Relu@6(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(float)", "tensor(int8)"]}}
Add@7(A: T, B: T) -> (C: T) [k: INT & {"required": true}] & {"type_constraints": {"T": ["tensor(float)"]}}
Clip@7(X: T, low?: T, high?: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(float)"]}}
Sum@7(X*: T) -> (Y: T) & {"arity": {"inputs": {"min": 2, "is_homogeneous": true}}}
Old@7(X: T) -> (Y: T) & {"deprecated": true}
Cast@7(X: A) -> (Z: B) [to: INT] & {"type_constraints": {"A": ["tensor(float)"], "B": ["tensor(int8)","tensor(float)"]}}
If@7(C: B) -> (Y*: V) [then_branch: GRAPH] & {"type_constraints": {"B": ["tensor(bool)"], "V": ["tensor(float)"]}}
Label@7(X: T) -> (Y: L) [classlabels_int64s: INTS, classlabels_strings: STRINGS] & {"type_constraints": \
{"T": ["tensor(float)"], "L": ["tensor(int64)", "tensor(string)"]}}
BatchNormalization@7(X: T) -> (Y: T, M?: T, V?: T)
LayerNormalization@7(X: T) -> (Y: T)
Loop@7(C: T) -> (Y*: V) [body: GRAPH] & {"arity": {"outputs": {"min": 1, "is_homogeneous": false}}, \
"type_constraints": {"T": ["tensor(float)"], "V": ["tensor(float)", "tensor(int8)"]}}
SequenceEmpty@7() -> (Y: S) [dtype: INT] & {"type_constraints": {"S": ["seq(tensor(float))", "seq(tensor(int8))"]}}
Optional@7(X?: V) -> (Y: O) [type: TYPE_PROTO] & {"type_constraints": \
{"V": ["tensor(int8)"], "O": ["optional(tensor(int8))"]}}
Constant@7() -> (Y: T) [value: TENSOR] & {"type_constraints": {"T": ["tensor(float)", "tensor(int64)"]}}
"ml::Scale@2"(X: T) -> (Y: T) & {"type_constraints": {"T": ["tensor(float)"]}}
"""
FLOAT8 = "A=tensor(float); B=tensor(float8e4m3fn)"
"""The schema of Cast does not allow it, and a kernel runs it."""
RUNS = {
    "Relu@6": ["T=tensor(float)"],
    "Add@7": ["T=tensor(float)"],
    "Cast@7": ["A=tensor(float); B=tensor(int8)", "A=tensor(float); B=tensor(float)", FLOAT8],
    "If@7": ["B=tensor(bool); V=tensor(float)"],
    "Clip@7": [],
    "Constant@7": ["T=tensor(float)", "T=tensor(int64)"],
    "Optional@7": ["O=optional(tensor(int8)); V=tensor(int8)"],
    "SequenceEmpty@7": ["S=seq(tensor(float))", "S=seq(tensor(int8))"],
    "ml::Scale@2": ["T=tensor(float)"],
    "Label@7": ["L=tensor(string); T=tensor(float)"],
    "Loop@7": ["T=tensor(float); V=tensor(int8)"],
}


def release(framework):
    spec = parse_spec(ONNX, framework=framework, binding="opset")
    if framework == "onnx":
        return spec
    ran = {name: {"kernels": {"CPUExecutionProvider": tuple(RUNS.get(name, ()))}} for name in spec.ops}
    return spec.replace(ops={name: op.replace(own={**op.own, **ran[name]}) for name, op in spec.ops.items()})


def verdict(tmp_path, data, loader="onnx.checker", version=None, opset=None):
    """The verdict of a loader under a release of a version and opset, and the events of its findings."""
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    spec = release("onnx" if loader == "onnx.checker" else "onnxruntime")
    spec = spec.replace(provenance=spec.provenance.replace(version=version))
    if opset is not None:
        spec = spec.replace(loading={**spec.loading, "opsets": {"ai.onnx": opset}})
    (report,) = audit(str(path), [("release", spec)], [LOADERS.load(loader)], LoadOptions())
    return report.verdict, [finding.rule.removeprefix("model_") for finding in report.findings]


def single(op, *attrs, inputs=("i0",), kinds=(1,), outputs=("o0",), result=1, opset=17, ir=8, domain="", imports=None):
    """A model of one node, its inputs and outputs of rank 1."""
    taken = [value(name, kind, [2]) for name, kind in zip(filter(None, inputs), kinds * 9, strict=False)]
    given = [value(name, result, [2]) for name in outputs]
    made = graph([node(op, inputs, outputs, *attrs, name="n", domain=domain)], taken, given)
    return model(made, opsets=(("", opset),) if imports is None else imports, ir=ir)


def taking(*weights):
    """A model of one node that takes the weight 'w'."""
    return model(graph([node("Relu", ["w"], ["o0"])], [], [value("o0", 1, [2])], weights))


def with_inputs(*inputs, weights=()):
    return model(graph([node("Relu", ["i0"], ["o0"])], inputs, [value("o0", 1, [2])], weights))


W = weight("w", [2], data=bytes(8))
METADATA = message((14, message((1, "key"), (2, "v"))))
CHECKED = [
    (single("Relu"), "loads", []),
    (single("Relu", opset=99), "loads", []),
    (single("Relu", attr("old", ints=[1]), opset=5), "loads", []),
    (single("Relu", attr("old", ints=[1])), "refused", ["attr_unknown"]),
    (single("Relu", attr("__note", i=1)), "loads", []),
    (single("Relu", inputs=("i0", "i1")), "refused", ["input_count"]),
    (single("Relu", outputs=("o0", "o1")), "refused", ["output_count"]),
    (single("Relu", kinds=(9,)), "loads", []),
    (single("relu"), "refused", ["op_unknown"]),
    (single("Relu", domain="mine"), "refused", ["wiring"]),
    (single("Anything", domain="mine", imports=(("mine", 1),)), "loads", []),
    (single("Scale", domain="ml", imports=(("ml", 1),)), "loads", []),
    (single("Scale", domain="ml", imports=(("ml", 2),), outputs=("o0", "o1")), "refused", ["output_count"]),
    (single("Relu", domain="ai.onnx"), "refused", ["wiring"]),
    (single("Relu", ir=9), "refused", ["graph_version"]),
    (single("Relu", ir=2), "refused", ["header"]),
    (single("Relu", imports=()), "refused", ["header"]),
    (single("Old"), "refused", ["op_deprecated"]),
    (single("Add", attr("k", i=0), inputs=("i0", "i1")), "loads", []),
    (single("Add", inputs=("i0", "i1")), "refused", ["attr_missing"]),
    (single("Add", attr("k", f=1.0), inputs=("i0", "i1")), "refused", ["attr_type"]),
    (single("Add", attr("k", i=0), attr("k", i=0), inputs=("i0", "i1")), "refused", ["wiring"]),
    (single("Add", message((1, "k"), (2, 1.0), (20, 2)), inputs=("i0", "i1")), "refused", ["attr_type"]),
    (single("Add", attr("k", i=0), inputs=("i0", "")), "refused", ["wiring"]),
    (single("Clip", inputs=("i0", "", "i2")), "loads", []),
    (single("Sum", inputs=("i0",)), "refused", ["input_count"]),
    (single("Sum", inputs=("i0", "i1", "i2")), "loads", []),
    (model(graph([node("Relu", ["i0"], ["o0"])], [value("i0")], [value("o0", 1, [2])])), "refused", ["header"]),
    (model(graph([node("Relu", ["x"], ["o0"])], [], [value("o0", 1, [2])])), "refused", ["wiring"]),
    (model(graph([node("Relu", ["w"], ["o0"])], [], [value("o0", 1, [2])], [W])), "loads", []),
    (model(graph([node("Relu", ["w"], ["w"])], [], [value("w", 1, [2])], [W])), "refused", ["wiring"]),
    (model(graph([], [], [value("o0", 1, [2])])), "loads", []),
    (taking(weight("w", [2])), "refused", ["header"]),
    (taking(weight("w", [0])), "loads", []),
    (taking(W, W), "refused", ["header"]),
    (taking(weight("w", [2], 0, data=bytes(8))), "refused", ["header"]),
    (with_inputs(value("i0", 1, [2]), value("i0", 1, [2])), "refused", ["header"]),
    (with_inputs(message((1, "i0"), (2, message((1, message((2, b""))))))), "refused", ["header"]),
    (single("Relu") + METADATA + METADATA, "refused", ["header"]),
    (single("Relu") + METADATA, "loads", []),
    (single("Relu", message((1, "old"), (20, 7)), opset=5), "refused", ["attr_type"]),
    (single("BatchNormalization", outputs=("o0", "o1", "o2")), "loads", []),
    (single("BatchNormalization", outputs=("o0", "o1")), "refused", ["output_count"]),
    (single("LayerNormalization", attr("axes", i=1)), "loads", []),
]


@pytest.mark.parametrize(("data", "expected", "events"), CHECKED)
def test_the_checker(tmp_path, data, expected, events):
    assert verdict(tmp_path, data) == (expected, events)


def test_checks_that_came_with_a_release(tmp_path):
    undefined = model(graph([node("Relu", ["i0"], ["t"])], [value("i0", 1, [2])], [value("o0", 1, [2])]))
    assert verdict(tmp_path, undefined, opset=22) == ("refused", ["header"])
    assert verdict(tmp_path, single("Relu", message((1, "old"), (20, 7)), opset=5), opset=20) == ("loads", [])
    short = taking(weight("w", [2], data=bytes(4)))
    assert [verdict(tmp_path, short, opset=opset)[0] for opset in (26, 27)] == ["loads", "refused"]
    twice = single("Relu", attr("old", ints=[1]), attr("old", ints=[1]), opset=5)
    events = [verdict(tmp_path, twice, "InferenceSession", opset=opset)[1] for opset in (20, 21)]
    assert events == [["kernel_missing"], ["wiring"]]


TENSOR = message((1, message((1, 3))))
"""The type of a tensor of int8."""


def two(first, second, name=""):
    """A model of two nodes, each given by its input and output."""
    nodes = [node("Relu", [taken], [made], name=name) for taken, made in (first, second)]
    return model(graph(nodes, [value("i0", 1, [2])], [value("o0", 1, [2])]))


def holding(op, kind, *attrs):
    """A model of a node whose output holds tensors of int8: `kind` is the field of the type."""
    stated = message((1, "o0"), (2, message((kind, message((1, TENSOR))))))
    return model(graph([node(op, [], ["o0"], *attrs)], [], [stated]))


RUN = [
    (single("Relu"), "loads", []),
    (single("Relu", kinds=(3,), result=3), "refused", ["kernel_missing"]),
    (single("Relu", kinds=(9,), result=9), "refused", ["input_type"]),
    (single("Relu", result=3), "refused", ["input_type"]),
    (single("Relu", opset=18), "refused", ["graph_version"]),
    (single("Relu", opset=5), "refused", ["kernel_missing"]),
    (single("Relu", ir=9), "refused", ["graph_version"]),
    (single("Relu", domain="ai.onnx"), "loads", []),
    (single("Relu", imports=(("ai.onnx", 17),)), "loads", []),
    (single("Anything", domain="mine", imports=(("mine", 1),)), "refused", ["op_unknown"]),
    (single("Old"), "refused", ["op_deprecated"]),
    (single("Cast", attr("to", i=3), result=3), "loads", []),
    (single("Cast", attr("to", i=3), result=1), "refused", ["input_type"]),
    (single("Cast", attr("to", i=17), result=17), "loads", []),
    (single("Cast", attr("to", i=18), result=18), "refused", ["kernel_missing"]),
    (single("Scale", domain="ml"), "loads", []),
    (single("Nothing", domain="mine"), "refused", ["wiring"]),
    (single("Constant", attr("value_int", i=1), inputs=(), result=7, opset=7), "loads", []),
    (model(graph([node("Constant", [], ["o0"], name="n")], [], [value("o0", 1, [2])])), "refused", ["wiring"]),
    (two(("t", "o0"), ("i0", "t")), "loads", []),
    (two(("t", "o0"), ("o0", "t")), "refused", ["wiring"]),
    (two(("i0", "t"), ("t", "o0"), name="n"), "refused", ["wiring"]),
    (single("Relu", ir=0)[2:], "refused", ["graph_version"]),
    (with_inputs(value("i0", 1, [2]), value("i0", 1, [2])), "refused", ["header"]),
    (with_inputs(message((1, "i0"))), "refused", ["header"]),
    (with_inputs(value("i0", 1, [2]), weights=[weight("i0", [2], data=bytes(8))]), "loads", []),
    (with_inputs(value("i0", 1, [2]), weights=[weight("i0", [1], 7, data=bytes(8))]), "refused", ["header"]),
    (with_inputs(value("i0", 1, [2]), weights=[weight("i0", [1, 2], data=bytes(8))]), "refused", ["header"]),
    (with_inputs(value("i0", 1, [2]), weights=[weight("i0", [2], data=bytes(4))]), "refused", ["header"]),
    (holding("SequenceEmpty", 4, attr("dtype", i=3)), "loads", []),
    (holding("SequenceEmpty", 4), "refused", ["input_type"]),
    (holding("Optional", 9, message((1, "type"), (14, TENSOR), (20, 13))), "loads", []),
    (single("Clip"), "refused", ["kernel_missing"]),
    (single("Add", attr("k", i=0), inputs=("i0", "i1")), "loads", []),
    (single("Add", attr("k", i=0), inputs=("i0", "i1"), kinds=(1, 3)), "refused", ["input_type"]),
]


@pytest.mark.parametrize(("data", "expected", "events"), RUN)
def test_a_session(tmp_path, data, expected, events):
    assert verdict(tmp_path, data, "InferenceSession") == (expected, events)


@pytest.mark.parametrize(
    ("op", "opset", "kind", "expected"),
    [
        ("Softsign", 5, 10, "refused"),
        ("Softsign", 6, 10, "loads"),
        ("Softsign", 21, 10, "loads"),
        ("Softsign", 21, 3, "refused"),
        ("Relu", 14, 10, "loads"),
    ],
)
def test_float16_is_cast_where_the_opset_has_a_cast(tmp_path, op, opset, kind, expected):
    path = tmp_path / "m.onnx"
    path.write_bytes(single(op, kinds=(kind,), result=kind, opset=opset))
    spec = released("onnxruntime-1.20.1")
    (judged,) = audit(str(path), [("1.20.1", spec)], [LOADERS.load("InferenceSession")], LoadOptions())
    assert judged.verdict == expected


def chain(*ops, kind=1):
    """A model whose nodes hand one tensor on, with the type of its input alone."""
    names = ["i0", *(f"t{place}" for place in range(len(ops)))]
    nodes = [node(op, [names[place]], [names[place + 1]], *more) for place, (op, *more) in enumerate(ops)]
    return model(graph(nodes, [value("i0", kind, [2])] if kind else [message((1, "i0"))], [message((1, names[-1]))]))


def test_types_are_handed_on_from_node_to_node(tmp_path):
    to_int8 = ("Cast", attr("to", i=3))
    assert verdict(tmp_path, chain(("Relu",), to_int8), "InferenceSession") == ("loads", [])
    assert verdict(tmp_path, chain(("Relu",), to_int8, ("Relu",)), "InferenceSession")[1] == ["kernel_missing"]


def test_a_type_that_nothing_states(tmp_path):
    assert verdict(tmp_path, chain(("Cast",), ("Relu",)), "InferenceSession") == ("cannot_tell", ["not_judged"])


def inside(branch):
    made = node("If", ["c"], ["o0"], attr("then_branch", g=branch), name="if")
    return model(graph([made], [value("c", 9, [1]), value("i0", 3, [2])], [value("o0", 1, [2])]))


@pytest.mark.parametrize("loader", ["onnx.checker", "InferenceSession"])
def test_a_graph_in_a_node_uses_the_names_and_types_around_it(tmp_path, loader):
    good = graph([node("Relu", ["x"], ["y"])], [], [message((1, "y"))], [weight("x", [2], data=bytes(8))])
    assert verdict(tmp_path, inside(good), loader) == ("loads", [])
    around = graph([node("Relu", ["i0"], ["y"])], [], [message((1, "y"))])
    expected = ("loads", []) if loader == "onnx.checker" else ("refused", ["kernel_missing"])
    assert verdict(tmp_path, inside(around), loader) == expected
    wrong = graph([node("Nothing", ["nowhere"], ["y"])], [], [message((1, "y"))])
    assert verdict(tmp_path, inside(wrong), loader) == ("refused", ["wiring", "op_unknown"])


def with_function(*nodes, imports=(("", 17),), name="F"):
    opsets = [(9, message(*([(1, domain)] if domain else []), (2, version))) for domain, version in imports]
    made = message((1, "F"), (4, "x"), (5, "y"), *((7, node) for node in nodes), *opsets, (10, "mine"))
    main = graph([node(name, ["i0"], ["o0"], domain="mine")], [value("i0", 1, [2])], [value("o0", 1, [2])])
    return model(main, made, opsets=(("", 17), ("mine", 1)))


@pytest.mark.parametrize("loader", ["onnx.checker", "InferenceSession"])
def test_a_function_of_the_model_defines_an_op_by_its_own_imports(tmp_path, loader):
    cast = node("Cast", ["x"], ["y"], attr("to", i=1))
    assert verdict(tmp_path, with_function(cast), loader) == ("loads", [])
    older = ["wiring", "op_unknown"] if loader == "onnx.checker" else []
    assert verdict(tmp_path, with_function(cast, imports=(("", 5),)), loader)[1] == older
    another = verdict(tmp_path, with_function(cast, name="G"), loader)
    assert another == (("loads", []) if loader == "onnx.checker" else ("refused", ["op_unknown"]))


def functions_of(**calls):
    """A model whose graph calls the function `main` names, and functions that call one another."""
    opsets = [(9, message((1, domain), (2, 1))) for domain in ("mine",)]
    main = graph([node(calls.pop("main"), ["i0"], ["o0"], domain="mine")], [value("i0", 1, [2])], [value("o0", 1, [2])])
    made = [
        message((1, name), (4, "x"), (5, "y"), (7, node(called, ["x"], ["y"], domain="mine")), *opsets, (10, "mine"))
        for name, called in calls.items()
    ]
    return model(main, *made, opsets=(("", 17), ("mine", 1)))


RECURSIVE = {
    "itself": functions_of(main="F", F="F"),
    "by another": functions_of(main="F", F="G", G="H", H="G"),
}
UNCALLED = functions_of(main="E", E="D", F="F")


@pytest.mark.parametrize("data", RECURSIVE.values(), ids=RECURSIVE)
@pytest.mark.parametrize(
    ("loader", "version", "expected"),
    [
        ("onnx.checker", "1.21.0", ["loads"]),
        ("onnx.checker", "1.22.0", ["refused", "function_recursive"]),
        ("onnx.checker", None, ["cannot_tell", "not_judged"]),
        ("InferenceSession", "1.16.3", ["refused", "function_recursive"]),
        ("InferenceSession", None, ["refused", "function_recursive"]),
    ],
)
def test_a_function_that_calls_itself(tmp_path, data, loader, version, expected):
    result, events = verdict(tmp_path, data, loader, version)
    assert [result, *events] == expected


@pytest.mark.parametrize(
    ("loader", "version", "event"),
    [
        ("onnx.checker", "1.23.2", "function_recursive"),
        ("InferenceSession", "1.24.1", None),
        ("InferenceSession", "1.25.0", "not_judged"),
        ("InferenceSession", "1.27.0", "function_recursive"),
    ],
)
def test_a_function_that_nothing_calls_is_looked_at_by_some_releases(tmp_path, loader, version, event):
    events = verdict(tmp_path, UNCALLED, loader, version)[1]
    assert {"function_recursive", "not_judged"} & {*events} == ({event} if event else set())


def test_a_call_in_a_graph_of_a_node(tmp_path):
    inner = graph([node("F", ["x"], ["z"], domain="mine")], [], [message((1, "z"))])
    around = node("If", ["x"], ["y"], attr("then_branch", g=inner), name="if")
    data = with_function(around, imports=(("", 17), ("mine", 1)))
    assert "function_recursive" in verdict(tmp_path, data, "InferenceSession", "1.23.2")[1]
    assert "function_recursive" in verdict(tmp_path, data, "onnx.checker", "1.23.2")[1]
    assert "function_recursive" not in verdict(tmp_path, data, "onnx.checker", "1.22.0")[1]


def constant(name, kind=1, dims=(2,), *more):
    tensor = weight("v", dims, kind, data=bytes(16))
    return node("Constant", [], [name, *more], attr("value", t=tensor))


def with_constants(*nodes, inputs=(), weights=()):
    """A model that takes `c`, which these nodes, inputs or weights state."""
    nodes = [*nodes, node("Relu", ["c"], ["o0"])]
    return model(graph(nodes, [value("i0", 1, [2]), *inputs], [value("o0", 1, [2])], weights))


C = constant("c")
RELU = node("Relu", ["i0"], ["c"])
CONSTANTS = {
    "two constants": (with_constants(C, C), "loads", []),
    "a weight too": (with_constants(C, weights=[weight("c", [2], data=bytes(8))]), "loads", []),
    "an input too": (with_constants(C, inputs=[value("c", 1, [2])]), "loads", []),
    "an input of another shape": (with_constants(C, inputs=[value("c", 1, [3])]), "refused", ["header"]),
    "another type": (with_constants(constant("c", 7), C), "refused", ["wiring"]),
    "a weight of another type": (with_constants(C, weights=[weight("c", [1], 7, bytes(8))]), "refused", ["wiring"]),
    "a value without a type": (with_constants(constant("c", 0)), "refused", ["wiring"]),
    "a node after it": (with_constants(C, RELU), "refused", ["wiring"]),
    "a node before it": (with_constants(RELU, C), "refused", ["wiring"]),
}


@pytest.mark.parametrize(("data", "expected", "events"), CONSTANTS.values(), ids=CONSTANTS)
def test_a_constant_becomes_a_weight_that_may_be_stated_again(tmp_path, data, expected, events):
    """Measured in 1.17.3, 1.20.1, 1.23.2 and 1.27.0."""
    assert verdict(tmp_path, data, "InferenceSession") == (expected, events)


@pytest.mark.parametrize(("version", "expected"), [("1.18.1", "loads"), ("1.20.1", "refused")])
def test_older_sessions_ignore_further_outputs_of_a_constant(tmp_path, version, expected):
    data = with_constants(constant("c", 1, (2,), "c"))
    assert verdict(tmp_path, data, "InferenceSession", version)[0] == expected


NAMELESS = message((2, TENSOR))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (with_inputs(value("i0", 1, [2]), NAMELESS), "refused"),
        (with_inputs(value("i0", 1, [2]), value("", 1, [2])), "loads"),
        (with_inputs(value("i0", 1, [2]), NAMELESS, weights=[message((1, 2), (2, 3), (9, bytes(2)))]), "loads"),
    ],
)
def test_an_input_has_to_state_a_name(tmp_path, data, expected):
    """An empty name is one. Measured in 1.17.3, 1.20.1, 1.23.2 and 1.27.0."""
    assert verdict(tmp_path, data, "InferenceSession")[0] == expected


@pytest.mark.parametrize(
    ("kind", "expected"), [(1, "loads"), (16, "loads"), (8, "loads"), (17, "refused"), (21, "refused")]
)
def test_a_function_takes_older_types_alone_for_an_op_that_its_opset_lacks(tmp_path, kind, expected):
    """Measured in 1.20.1, 1.23.2 and 1.27.0 with CastLike, which came with opset 15."""
    body = message((1, "F"), (4, "x"), (5, "y"), (7, node("CastLike", ["x", "x"], ["y"])))
    body += message((9, message((1, ""), (2, 13))), (10, "mine"))
    main = graph([node("F", ["i0"], ["o0"], domain="mine")], [value("i0", kind, [2])], [value("o0", kind, [2])])
    path = tmp_path / "m.onnx"
    path.write_bytes(model(main, body, opsets=(("", 21), ("mine", 1)), ir=10))
    (result,) = audit(
        str(path), [("s", released("onnxruntime-1.23.2"))], [LOADERS.load("InferenceSession")], LoadOptions()
    )
    assert result.verdict == expected


@pytest.mark.parametrize("name", ["onnxruntime-1.16.3", "onnxruntime-1.23.2", "onnxruntime-1.32.0"])
@pytest.mark.parametrize(("opset", "code", "expected"), [(8, 1, "loads"), (13, 9, "loads"), (13, 14, "refused")])
def test_a_constant_runs_without_a_kernel_where_the_runtime_has_its_type(tmp_path, name, opset, code, expected):
    tensor = message((1, 0), (2, code))
    made = node("Constant", [], ["o0"], message((1, "value"), (5, tensor), (20, 4)))
    path = tmp_path / "m.onnx"
    path.write_bytes(model(graph([made], [], [value("o0", code, [0])]), opsets=(("", opset),)))
    (result,) = audit(str(path), [(name, released(name))], [LOADERS.load("InferenceSession")], LoadOptions())
    assert result.verdict == expected


def test_a_loop_returns_what_its_body_states(tmp_path):
    outputs = [value("again", 9, [1]), value("y", 3, [2])]
    body = graph([node("Relu", ["i0"], ["z"])], [], outputs)
    made = node("Loop", ["i0"], ["o0"], attr("body", g=body), name="loop")
    after = node("Relu", ["o0"], ["o1"])
    data = model(graph([made, after], [value("i0", 1, [2])], [message((1, "o1"))]))
    assert "kernel_missing" in verdict(tmp_path, data, "InferenceSession")[1]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [({"ints": [1]}, "refused"), ({"s": "a"}, "loads")],
)
def test_an_attribute_states_the_type_of_labels(tmp_path, stated, expected):
    name = "classlabels_int64s" if "ints" in stated else "classlabels_strings"
    labels = message((1, name), (9, "a"), (20, 8)) if "s" in stated else attr(name, **stated)
    data = single("Label", labels, result=8, outputs=("o0",))
    assert verdict(tmp_path, data, "InferenceSession")[0] == expected


@pytest.mark.parametrize("loader", ["onnx.checker", "InferenceSession"])
def test_a_model_without_a_graph_is_refused(tmp_path, loader):
    data = message((1, 8), (8, message((2, 17))))
    assert verdict(tmp_path, data, loader) == ("refused", ["header"])


def remedy(tmp_path, data, name):
    """Return the advice of the first finding under a released spec."""
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    loader = "onnx.checker" if name.startswith("onnx-") else "InferenceSession"
    (verdict,) = audit(str(path), [(name, released(name))], [LOADERS.load(loader)], LoadOptions())
    return verdict.findings[0].advice


CONVERT = "convert the model to opset {} (onnx.version_converter.convert_version)"
WITHOUT = "or export it again: onnx 1.22.0 has no adapter for"
REMEDIES = [
    (single("Relu", opset=15, ir=14), "set ir_version to 10, and keep the nodes: opset 15 needs IR version 8 only"),
    (
        single("Relu", opset=25, ir=13),
        f"set ir_version to 10, and {CONVERT.format(21)}: onnx 1.22.0 has an adapter for each node",
    ),
    (single("Relu", opset=3), f"{CONVERT.format('6 or later')}: onnx 1.22.0 has an adapter for each node"),
    (single("Relu", imports=()), "add an opset_import of ai.onnx, with the version that the nodes were written for"),
    (single("Gelu"), "import opset 20 or later if the nodes were written for it, or export the model again"),
    (
        single("Upsample", inputs=("i0", "i1"), opset=10),
        f"use another op instead of 'Upsample@10': {CONVERT.format(9)}, {WITHOUT} Upsample (opset 10 to 9)",
    ),
    (
        single("Relu", opset=23),
        f"{CONVERT.format(21)}: onnx 1.22.0 has an adapter for each node",
    ),
]


@pytest.mark.parametrize(("data", "expected"), REMEDIES)
def test_a_remedy_names_the_field_or_opset_to_set(tmp_path, data, expected):
    assert remedy(tmp_path, data, "onnxruntime-1.20.1") == expected


def test_missing_imports_and_shapes(tmp_path):
    assert verdict(tmp_path, single("Relu", imports=()), "InferenceSession") == ("refused", ["header"])
    shapeless = model(graph([node("Relu", ["i0"], ["o0"])], [value("i0", 1, [2])], [value("o0")]))
    expected = "state its type and shape (onnx.shape_inference.infer_shapes does it where it can)"
    assert remedy(tmp_path, shapeless, "onnx-1.20.1") == expected


def test_equal_nodes_beyond_those_that_are_named_are_counted(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(model(message((2, "g")) + message((1, node("Relu"))) * 2500))
    (made,) = audit(str(path), [("onnx", release("onnx"))], [LOADERS.load("onnx.checker")], LoadOptions())
    assert ["and 2499 more" in finding.message for finding in made.findings] == [True] * 3
    assert {len(names) for names in made.nodes.values()} == {1000}
    assert {name for names in made.nodes.values() for name in names} == {("", f"Relu#{index}") for index in range(1000)}


def releases_of(framework):
    """Releases of a framework that differ in limits, checks, the schemas of some ops, or in the name only."""
    spec = release(framework)
    loadings = ({}, {"ir_version": 7}, *({"opsets": {"ai.onnx": opset}} for opset in (5, 12, 20, 21, 22, 27)))
    every = [spec.replace(loading={**spec.loading, **loading}) for loading in loadings]
    every += [spec.replace(ops=op_table.drop_ops(spec.ops, {op})) for op in ("Relu@6", "Cast@7", "Constant@7")]
    every += [spec.replace(provenance=spec.provenance.replace(version=version)) for version in ("1.18.0", "1.22.1")]
    return [(f"release {number}", spec) for number, spec in enumerate([*every, *every])]


@pytest.mark.parametrize(
    ("loader", "framework", "cases"),
    [("onnx.checker", "onnx", CHECKED), ("InferenceSession", "onnxruntime", RUN)],
)
def test_an_audit_under_many_releases_equals_single_audits(tmp_path, loader, framework, cases):
    path, loaders, specs = tmp_path / "m.onnx", [LOADERS.load(loader)], releases_of(framework)
    verdicts = set()
    for data, *_ in [*cases, *((data,) for data in RECURSIVE.values())]:
        path.write_bytes(data)
        together = list(audit(str(path), specs, loaders, LoadOptions()))
        assert together == [report for spec in specs for report in audit(str(path), [spec], loaders, LoadOptions())]
        verdicts |= {report.verdict for report in together}
    assert len(verdicts) > 1


def test_a_model_is_checked_once_for_releases_that_agree(tmp_path, monkeypatch):
    checked = []

    def check(_, release):
        checked.append(release.makes_checks_of(16))
        return iter(())

    monkeypatch.setattr(checker, "_check", check)
    (tmp_path / "m.onnx").write_bytes(single("Relu"))
    specs = [release("onnx").replace(loading={"opsets": {"ai.onnx": opset}}) for opset in (20, 21, 22, 23, 20, 25)]
    named = [(str(number), spec) for number, spec in enumerate(specs)]
    assert len(list(audit(str(tmp_path / "m.onnx"), named, [LOADERS.load("onnx.checker")], LoadOptions()))) == 6
    assert checked == [False, True]
