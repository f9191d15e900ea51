from __future__ import annotations

import pytest

from opspec_lint.frameworks.tensorflow.saved.graphs.bulk_check import BulkCheck
from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import NodeKind
from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph
from opspec_lint.models.byte_source import ByteSource
from tests.support.models.tensorflow_models import (
    FLOAT,
    INT32,
    OPS,
    audited,
    calls,
    function,
    graph,
    imported,
    node,
    outcome,
    placeholder,
    release,
    strings,
    write,
)

OLD = release(producer=561)
X = placeholder()
POOL = {"T": FLOAT, "k": 2}


def loc(name):
    def put(into):
        into.list.s.append(f"loc:@{name}".encode())

    return put


def shape_of(into):
    into.shape.dim.add(size=3)


def no_type(into):
    into.type = 99


CASES = {
    "whole": ([X, node("y", "Pool", "x", **POOL, mode="VALID", wide=True)], ("loads", None, [])),
    "default left out": ([X, node("y", "Pool", "x", k=2)], ("loads", None, [])),
    "private attr": ([X, node("y", "Pool", "x", **POOL, _note="a")], ("loads", None, [])),
    "control input": ([X, node("n", "NoOp"), node("y", "Pool", "x", "^n", **POOL)], ("loads", None, [])),
    "unknown op": ([X, node("y", "Nothing", "x")], ("refused", "unknown_op", ["model_op_unknown"])),
    "attr missing": ([X, node("y", "Pool", "x")], ("refused", "missing_attr", ["model_attr_missing"])),
    "attr of another type": ([X, node("y", "Pool", "x", k=0.5)], ("refused", "attr_type", ["model_attr_type"])),
    "no such data type": ([X, node("y", "Pool", "x", k=2, T=no_type)], ("refused", "attr_type", ["model_attr_type"])),
    "type not allowed": (
        [placeholder("x", 7), node("y", "Add", "x", "x", T=7)],
        ("refused", "attr_value", ["model_attr_value"]),
    ),
    "string not allowed": (
        [X, node("y", "Pool", "x", k=2, mode="FULL")],
        ("refused", "attr_value", ["model_attr_value"]),
    ),
    "below the minimum": ([X, node("y", "Pool", "x", k=0)], ("refused", "attr_minimum", ["model_attr_value"])),
    "too few inputs": ([X, node("y", "Add", "x", T=FLOAT)], ("refused", "input_count", ["model_input_count"])),
    "too many inputs": (
        [X, node("y", "Add", "x", "x", "x", T=FLOAT)],
        ("refused", "input_count", ["model_input_count"]),
    ),
    "as many as the number attr says": ([X, node("y", "Pack", "x", "x", N=2, T=FLOAT)], ("loads", None, [])),
    "input of another type": (
        [X, node("y", "Add", "x", "x", T=INT32)],
        ("refused", "input_type", ["model_input_type", "model_input_type"]),
    ),
    "no reference": (
        [X, node("y", "Assign", "x", "x", T=FLOAT)],
        ("refused", "input_type", ["model_input_type"]),
    ),
    "no such node": ([node("y", "Pool", "x", **POOL)], ("refused", "input_missing", ["model_wiring"])),
    "no such control node": ([X, node("y", "Pool", "x", "^z", **POOL)], ("refused", "input_missing", ["model_wiring"])),
    "no such output": ([X, node("y", "Pool", "x:3", **POOL)], ("refused", "output_index", ["model_wiring"])),
    "control before data": (
        [X, node("n", "NoOp"), node("y", "Pool", "^n", "x", **POOL)],
        ("refused", "control_order", ["model_wiring"]),
    ),
    "cycle of one": ([node("y", "Pool", "y", **POOL)], ("refused", "cycle", ["model_wiring"])),
    "cycle of two": (
        [node("a", "Pool", "b", **POOL), node("b", "Pool", "a", **POOL)],
        ("refused", "cycle", ["model_wiring"]),
    ),
    "legal loop": (
        [
            X,
            node("m", "Merge", "x", "n", T=FLOAT, N=2),
            node("n", "NextIteration", "m", T=FLOAT),
        ],
        ("loads", None, []),
    ),
    "two of one name": ([X, X], ("refused", "duplicate_node", ["model_node_name"])),
    "odd name": ([placeholder("a b")], ("refused", "node_name", ["model_node_name"])),
    **{
        f"name {name!r}": ([placeholder(name)], ("refused", "node_name", ["model_node_name"]))
        for name in ("a\\", "a\\b", "_a", "-a", "/a", "a:b", "é", "", "a>", "a>>b", "a>_b", "a>-b", "a+b")
    },
    **{
        f"name {name!r}": ([placeholder(name)], ("loads", None, []))
        for name in ("a/b", "a.b", ".a", "a-b", "a/", "a//b", "9", ".", "a/_b", "a>b", "a>b>c", "a/>b", "a>.b")
    },
    **{
        f"input {text!r}": ([X, node("y", "Pool", text, **POOL)], ("loads", None, []))
        for text in ("x:0", "x:00", "x:4294967296")
    },
    **{
        f"input {text!r}": ([X, node("y", "Pool", text, **POOL)], ("refused", "input_missing", ["model_wiring"]))
        for text in ("x:", "x:-1", "x: 0", "x:0:0", ":0", "x:+0", " x", "")
    },
    **{
        f"control {text!r}": (
            [X, node("y", "Pool", "x", text, **POOL)],
            ("refused", "input_missing", ["model_wiring"]),
        )
        for text in ("^x:0", "^x:00", "^x:", "^^x", "^", "^ x")
    },
    "odd device": ([node("n", "NoOp", device="no device")], ("refused", "device", ["model_device"])),
    "another job": ([node("n", "NoOp", device="/job:w/task:3")], ("fails_at_run", "device", ["model_device"])),
    "another replica": ([node("n", "NoOp", device="/replica:1")], ("fails_at_run", "device", ["model_device"])),
    "another task": ([node("n", "NoOp", device="/job:localhost/task:1")], ("fails_at_run", "device", ["model_device"])),
    "two kinds": ([node("n", "NoOp", device="/device:GPU:0/cpu:0")], ("refused", "device", ["model_device"])),
    "any replica": ([node("n", "NoOp", device="/replica:*")], ("refused", "device", ["model_device"])),
    "the last job": ([node("n", "NoOp", device="/job:w/job:localhost")], ("loads", None, [])),
    "a short kind": ([node("n", "NoOp", device="tpu")], ("loads", None, [])),
    "this job": ([node("n", "NoOp", device="/job:localhost/replica:0/device:GPU:0")], ("loads", None, [])),
    "beside nothing": ([node("n", "NoOp", _class=loc("z"))], ("refused", "colocation", ["model_device"])),
    "beside a node": ([X, node("n", "NoOp", _class=loc("x"))], ("loads", None, [])),
    "constant of another type": (
        [node("c", "Const", dtype=FLOAT, value=strings("a"))],
        ("fails_at_run", "const", ["model_const_type"]),
    ),
    "constant without a value": (
        [node("c", "Const", dtype=FLOAT)],
        ("refused", "missing_attr", ["model_attr_missing"]),
    ),
}


@pytest.mark.parametrize(("nodes", "expected"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("spec", [release(), OLD], ids=["new", "old"])
def test_what_becomes_of_a_graph(tmp_path, nodes, expected, spec):
    assert outcome(imported(tmp_path, *nodes, spec=spec)) == expected


@pytest.mark.parametrize(("producer", "verdict"), [(134, "refused"), (561, "loads"), (1994, "loads")])
def test_1_15_takes_no_name_in_parts(tmp_path, producer, verdict):
    assert imported(tmp_path, placeholder("a>b"), spec=release(producer=producer)).verdict == verdict


@pytest.mark.parametrize(
    ("producer", "expected"),
    [
        (134, ("refused", "unknown_attr")),
        (561, ("refused", "unknown_attr")),
        (716, ("loads", None)),
        (1994, ("loads", None)),
    ],
)
def test_an_unknown_attr_is_refused_by_old_releases_and_ignored_by_new_ones(tmp_path, producer, expected):
    report = imported(tmp_path, X, node("y", "Pool", "x", **POOL, extra=True), spec=release(producer=producer))
    assert (report.verdict, report.reason) == expected
    (finding,) = report.findings
    assert (finding.rule, finding.name, finding.node, finding.graph) == ("model_attr_unknown", "extra", "y", "")
    assert finding.level == ("note" if expected[0] == "loads" else "error")


@pytest.mark.parametrize(
    ("spec", "missing", "remedy"),
    [
        (release(producer=700), "no release with the graph version 700 was tried", "name an included one"),
        (release().replace(graph_versions=None), "does not state the graph version", "tf.version.GRAPH_DEF_VERSION"),
    ],
)
def test_an_unknown_attr_of_a_release_without_a_known_graph_version(tmp_path, spec, missing, remedy):
    audit = imported(tmp_path, X, node("y", "Pool", "x", **POOL, extra=True), spec=spec)
    assert (audit.verdict, audit.reason) == ("cannot_tell", "graph_version_unknown")
    (finding,) = audit.findings
    assert (finding.rule, finding.level, finding.name, finding.node) == ("model_not_judged", "warning", "extra", "y")
    assert missing in finding.message
    assert remedy in finding.advice


PRODUCER = release(ops='Pool(x: float) -> (y: float) [k: int, extra: bool = true, mode: string = "VALID"]')


@pytest.mark.parametrize(("value", "expected"), [(True, "loads"), (False, "refused")])
def test_an_unknown_attr_at_the_default_of_its_producer_is_stripped(tmp_path, value, expected):
    nodes = X, node("y", "Pool", "x", **POOL, mode="SAME", extra=value)
    assert imported(tmp_path, *nodes, spec=OLD, options={"producer_ops": PRODUCER}).verdict == expected


@pytest.mark.parametrize("asked", ["producer_ops", "saved_by"])
def test_a_missing_attr_with_another_default_changes_the_meaning(tmp_path, asked):
    report = imported(tmp_path, X, node("y", "Pool", "x", **POOL), options={asked: PRODUCER})
    assert outcome(report) == ("changed", None, ["model_attr_default_differs"])
    assert (report.findings[0].old, report.findings[0].new) == ("VALID", "SAME")


def test_a_set_attr_has_no_default_to_differ(tmp_path):
    result = imported(tmp_path, X, node("y", "Pool", "x", **POOL, mode="SAME"), options={"saved_by": PRODUCER})
    assert outcome(result) == ("loads", None, [])


@pytest.mark.parametrize(("producer", "verdict"), [(8, "loads"), (9, "refused"), (10, "refused")])
def test_a_deprecated_op_is_refused_from_its_version_on(tmp_path, producer, verdict):
    audit = imported(tmp_path, X, node("y", "Old", "x"), producer=producer)
    assert (audit.verdict, [finding.rule for finding in audit.findings]) == (verdict, ["model_op_deprecated"])
    assert audit.findings[0].advice == "use another op instead of 'Old': use Add"


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ({"producer": 99999}, ("loads", None)),
        ({"producer": -1}, ("refused", "producer_version")),
        ({"min_consumer": 1395}, ("loads", None)),
        ({"min_consumer": 1396}, ("refused", "min_consumer")),
        ({"bad_consumers": [1395]}, ("refused", "bad_consumer")),
        ({"bad_consumers": [1394]}, ("loads", None)),
    ],
)
def test_versions(tmp_path, versions, expected):
    audit = imported(tmp_path, X, **versions)
    assert (audit.verdict, audit.reason) == expected


UNKNOWN = function("f", node("n", "Nothing"))
ODD_ATTR = function("f", node("n", "NoOp", extra=True))
CALL = node("c", "PartitionedCall", Tin=[], Tout=[], f=calls("f"))


@pytest.mark.parametrize(
    ("nodes", "functions", "expected"),
    [
        ([X], [UNKNOWN], ("loads", None)),
        ([node("c", "f")], [UNKNOWN], ("refused", "unknown_op")),
        ([CALL], [UNKNOWN], ("refused", "unknown_op")),
        ([CALL], [], ("fails_at_run", "function_missing")),
        ([node("c", "f")], [], ("refused", "unknown_op")),
        ([CALL], [ODD_ATTR], ("fails_at_run", "unknown_attr")),
        ([X], [ODD_ATTR], ("loads", None)),
        ([X], [function("NoOp")], ("refused", "function_conflict")),
        ([X], [function("f"), UNKNOWN], ("refused", "function_conflict")),
        ([X], [function("f"), function("f")], ("loads", None)),
    ],
)
def test_functions(tmp_path, nodes, functions, expected):
    audit = imported(tmp_path, *nodes, functions=functions, spec=OLD)
    assert (audit.verdict, audit.reason) == expected


def test_a_finding_in_a_function_names_it(tmp_path):
    (finding,) = imported(tmp_path, CALL, functions=[UNKNOWN]).findings
    assert (finding.graph, finding.node, finding.op) == ("f", "n", "Nothing")
    assert "node 'n' of function 'f'" in finding.message


def test_the_same_fault_of_many_nodes_is_a_single_finding(tmp_path):
    (finding,) = imported(tmp_path, *(node(f"n{number}", "Nothing") for number in range(30))).findings
    assert finding.node == "n0"
    assert finding.message.endswith("(node 'n0', and 29 more)")


def test_an_empty_file_is_a_graph(tmp_path):
    (tmp_path / "empty.pb").write_bytes(b"")
    assert audited(tmp_path / "empty.pb", "import_graph_def").verdict == "loads"


@pytest.mark.parametrize("data", [b"not a graph at all", graph(X).SerializeToString()[:-3]])
def test_what_is_no_graph_is_unreadable(tmp_path, data):
    (tmp_path / "graph.pb").write_bytes(data)
    audit = audited(tmp_path / "graph.pb", "import_graph_def")
    assert outcome(audit) == ("unreadable", "parse", ["model_unreadable"])


def test_no_file_is_unreadable(tmp_path):
    assert outcome(audited(tmp_path / "none.pb", "import_graph_def"))[:2] == ("unreadable", "no_model_file")


def test_text(tmp_path):
    versions = "versions { producer: 9 }"
    text = versions + ' node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }'
    (tmp_path / "graph.pbtxt").write_text(text, encoding="utf-8")
    assert audited(tmp_path / "graph.pbtxt", "import_graph_def").verdict == "loads"
    (tmp_path / "graph.pbtxt").write_text(text + " nothing: 1", encoding="utf-8")
    report = audited(tmp_path / "graph.pbtxt", "import_graph_def")
    assert outcome(report)[:2] == ("unreadable", "parse")
    assert "nothing" in report.findings[0].message


def test_weights_do_not_count_in_what_is_kept(tmp_path):
    def weights(into):
        into.tensor.dtype = FLOAT
        into.tensor.tensor_shape.dim.add(size=250_000)
        into.tensor.tensor_content = bytes(1_000_000)

    path = write(tmp_path / "graph.pb", graph(node("c", "Const", dtype=FLOAT, value=weights)))
    assert outcome(audited(path, "import_graph_def")) == ("loads", None, [])
    path = write(tmp_path / "graph.pb", graph(node("c", "Const", dtype=INT32, value=weights)))
    assert outcome(audited(path, "import_graph_def"))[:2] == ("fails_at_run", "const")


def stored(made):
    return StoredGraph(ByteSource(made.SerializeToString()), "g").node


@pytest.mark.parametrize(
    ("names", "are_good"),
    [
        ([], True),
        (["a", "B/c_1-2", ".x", "9"], True),
        (["a", "b>c"], False),
        (["a", r"a\b"], False),
        (["a", "a"], False),
        (["a", ""], False),
        (["a", "_b"], False),
        (["a", "/b"], False),
        (["a", "b c"], False),
        (["a\nb"], False),
        (["é"], False),
        (["a:0"], False),
    ],
)
def test_the_names_of_a_graph_are_seen_to_be_good(names, are_good):
    built = graph(*(node(name, "NoOp") for name in names))
    kind = NodeKind("NoOp", None, ())
    assert BulkCheck(stored(built), lambda *_: kind).has_good_names is are_good


def test_nodes_that_are_alike_are_judged_once():
    built = graph(*(node(f"n{at}", "NoOp", k=at % 3) for at in range(9)))
    requested = []
    BulkCheck(stored(built), lambda *keys: requested.append(keys) or NodeKind("NoOp", None, ()))
    assert len(requested) == 3


# Releases and libraries


LISTED = release(ops="MatMul(x: float) -> (y: float) [grad_a: bool = false, bad: int = 0]\nNewOp() -> ()")
KNOWN = {"released": {"tensorflow@2.18.1": LISTED, "tensorflow@2.4.4": release()}.get}


def test_an_op_of_another_release_is_refused(tmp_path):
    audit = imported(tmp_path, node("y", "NewOp"), options=KNOWN)
    assert outcome(audit) == ("refused", "unknown_op", ["model_op_unknown"])
    assert "load it with TensorFlow 2.18.1 or later" in audit.findings[0].advice


@pytest.mark.parametrize(
    ("op", "library"),
    [
        ("ZeroOut", "a library or another build registers it"),
        ("Resampler", "tensorflow.contrib.resampler registers it"),
        ("Addons>ParseTime", "tensorflow_addons registers it"),
    ],
)
def test_an_op_of_a_library_cannot_be_judged(tmp_path, op, library):
    audit = imported(tmp_path, node("y", op), options=KNOWN)
    assert outcome(audit) == ("cannot_tell", "op_of_library", ["model_not_judged"])
    assert library in audit.findings[0].message
    assert "--library" in audit.findings[0].advice


def test_an_op_that_the_writer_did_not_have_either_is_refused(tmp_path):
    options = {**KNOWN, "producer_ops": LISTED}
    body = function("f", node("z", "ZeroOut"))
    call = node("y", "PartitionedCall", f=calls("f"), Tin=[], Tout=[])
    assert imported(tmp_path, node("y", "ZeroOut"), options=options).reason == "unknown_op"
    assert imported(tmp_path, call, functions=[body], options=options).reason == "unknown_op"
    assert imported(
        tmp_path, node("y", "ZeroOut"), options=KNOWN | {"producer_ops": release(ops="ZeroOut() -> ()")}
    ).reason == ("op_of_library")


@pytest.mark.parametrize(
    ("attrs", "expected"),
    [
        ({"bad": 0}, ("loads", None)),
        ({"bad": 1}, ("changed", "attr_ignored")),
        ({"grad_a": True}, ("loads", None)),  # no result depends on it
        ({"other": 1}, ("loads", None)),  # no release has it, so that no kernel reads it
    ],
)
def test_an_attr_that_is_ignored_changes_the_meaning_where_its_value_counts(tmp_path, attrs, expected):
    spec = release(ops=OPS + "MatMul(x: float) -> (y: float)\n")
    audit = imported(tmp_path, X, node("y", "MatMul", "x", **attrs), spec=spec, options=KNOWN)
    assert (audit.verdict, audit.reason) == expected


def test_advice_for_an_unknown_attr_depends_on_its_value(tmp_path):
    spec = release(producer=561, ops=OPS + "MatMul(x: float) -> (y: float)\n")
    at_default, elsewhere = (
        imported(tmp_path, X, node("y", "MatMul", "x", bad=value), spec=spec, options=KNOWN).findings[0].advice
        for value in (0, 1)
    )
    assert "strip_default_attrs" in at_default
    assert "strip_default_attrs" not in elsewhere
    assert "TensorFlow 2.18.1 or later" in elsewhere


def test_a_release_without_a_graph_version_is_given_what_is_missing(tmp_path):
    spec = release().replace(graph_versions=None)
    audit = imported(tmp_path, X, node("y", "Pool", "x", **POOL, extra=True), spec=spec)
    assert outcome(audit) == ("cannot_tell", "graph_version_unknown", ["model_not_judged"])
    assert "graph_versions" in audit.findings[0].advice


# Kernels


KERNELS = release(
    ops='Some() -> () [T: type = "float"] & {"cpu_kernels": {"T": ["float", "int32"]}}\n'
    'Many(args: Ts) -> () [Ts: list(type)] & {"cpu_kernels": {"Ts": ["float"]}}\n'
    'None() -> () [T: type = "float"] & {"cpu_kernels": {}}\n'
    'Any() -> () [T: type = "float"] & {"cpu_kernels": {"any types": []}}\n'
    'AccumulateNV2() -> () & {"cpu_kernels": {}}\n'
    "PartitionedCall(args: Tin) -> (output: Tout) [Tin: list(type), Tout: list(type), f: func]"
    ' & {"cpu_kernels": {"any types": []}}\n'
)
WITHOUT = ("fails_at_run", "kernel", ["model_cpu_kernel_missing"])
RUNS = ("loads", None, [])
DOUBLE = 2


def of_caller(into):
    into.placeholder = "T"


KERNEL_CASES = {
    "a type with a kernel": (node("n", "Some", T=INT32), RUNS),
    "a type without one": (node("n", "Some", T=DOUBLE), WITHOUT),
    "a default with a kernel": (node("n", "Some"), RUNS),
    "an op without kernels": (node("n", "None"), WITHOUT),
    "the types of the caller": (node("n", "Some", T=of_caller), RUNS),
    "all types": (node("n", "Any", T=DOUBLE), RUNS),
    "an empty list of types": (node("n", "Many", Ts=[]), RUNS),
    "another label": (node("n", "None", _kernel="mine"), RUNS),
    "compiled by XLA": (node("n", "None", _XlaMustCompile=True), RUNS),
    "on a GPU": (node("n", "None", device="/device:GPU:0"), RUNS),
    "on the CPU": (node("n", "None", device="/job:localhost/replica:0/task:0/device:CPU:0"), WITHOUT),
    "on any device": (node("n", "None", device="/cpu:0"), WITHOUT),
    "replaced by a pass": (node("n", "AccumulateNV2"), RUNS),
}


@pytest.mark.parametrize("case", KERNEL_CASES)
def test_a_node_without_a_kernel_for_the_cpu_fails_when_it_runs(tmp_path, case):
    made, expected = KERNEL_CASES[case]
    assert outcome(imported(tmp_path, made, spec=KERNELS)) == expected
    call = node("c", "PartitionedCall", Tin=[], Tout=[], f=calls("f"))
    assert outcome(imported(tmp_path, call, functions=[function("f", made)], spec=KERNELS)) == expected


def test_a_missing_kernel_names_the_types(tmp_path):
    (finding,) = imported(tmp_path, node("n", "Some", T=DOUBLE), spec=KERNELS).findings
    assert finding.message == "the release has no kernel that runs 'Some' on the CPU with T = double (node 'n')"


@pytest.mark.parametrize("mark", ["_XlaMustCompile", "api_implements", "forward_function_name"])
def test_a_function_that_may_never_run_needs_no_kernels_and_neither_does_what_it_calls(tmp_path, mark):
    inner = function("inner", node("n", "None"))
    outer = function("outer", node("c", "PartitionedCall", Tin=[], Tout=[], f=calls("inner")))
    call = node("c", "PartitionedCall", Tin=[], Tout=[], f=calls("outer"))
    assert outcome(imported(tmp_path, call, functions=[inner, outer], spec=KERNELS)) == WITHOUT
    outer.attr[mark].b = True
    assert outcome(imported(tmp_path, call, functions=[inner, outer], spec=KERNELS)) == RUNS


# Shape functions


def shaped(*sizes):
    def put(into):
        into.shape.SetInParent()
        for size in sizes:
            into.shape.dim.add(size=size)

    return put


def unknown_shape(into):
    into.shape.unknown_rank = True


RANKED = release(
    ops="Placeholder() -> (output: dtype) [dtype: type, shape: shape = {}]\n"
    "MatMul(a: float, b: float) -> (product: float)\nNoOp() -> ()\n"
    "TopKV2(input: float, k: int32) -> (values: float, indices: int32)\n"
)


@pytest.mark.parametrize(
    ("op", "shape", "producer", "verdict"),
    [
        ("MatMul", shaped(2, 3), 26, "loads"),
        ("MatMul", shaped(2), 26, "refused"),
        ("MatMul", shaped(2, 3, 4), 26, "refused"),
        ("MatMul", shaped(), 26, "refused"),
        ("MatMul", shaped(), 21, "loads"),  # of unknown shape for such a producer
        ("MatMul", unknown_shape, 26, "loads"),
        ("TopKV2", shaped(5, 5, 5), 26, "loads"),
        ("TopKV2", shaped(), 26, "refused"),
    ],
)
def test_a_placeholder_of_a_rank_that_the_shape_function_refuses(tmp_path, op, shape, producer, verdict):
    nodes = [placeholder("x", shape=shape), placeholder("b", 3 if op == "TopKV2" else FLOAT), node("y", op, "x:0", "b")]
    audit = imported(tmp_path, *nodes, spec=RANKED, producer=producer)
    assert outcome(audit) == ((verdict, None, []) if verdict == "loads" else (verdict, "shape", ["model_input_rank"]))


def test_a_rank_names_the_placeholder_and_ignores_control_inputs(tmp_path):
    nodes = [placeholder("x", shape=shaped(7)), placeholder("b"), node("y", "MatMul", "b", "x", "^x")]
    (finding,) = imported(tmp_path, *nodes, spec=RANKED).findings
    assert "input 1 of 'MatMul' has to be of rank 2, and 'x' is of rank 1" in finding.message
    assert (finding.node, finding.name) == ("y", "1")
