from __future__ import annotations

import pytest

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs import (
    bulk_check,
    cycles,
    importer,
    node_columns,
    node_spans,
    stored,
    wiring,
)
from opspec_lint.kit.errors import InputError
from opspec_lint.models.audit import audit
from opspec_lint.models.byte_source import ByteSource, FileBytes
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.models.recognise import read_model
from tests.support.models.tensorflow_models import (
    FLOAT,
    INT32,
    audited,
    calls,
    function,
    graph,
    node,
    outcome,
    placeholder,
    release,
    write,
)

X = placeholder()


def pool(name, *inputs, k=2, **attrs):
    return node(name, "Pool", *inputs, T=FLOAT, k=k, **attrs)


def halves(name, taken):
    return node(name, "Halve", taken, T=FLOAT)


def weights(count):
    def put(into):
        into.tensor.dtype = FLOAT
        into.tensor.tensor_shape.dim.add(size=count)
        into.tensor.tensor_content = bytes(range(256)) * (count // 64)

    return put


def chain(count):
    """Return nodes of which each takes what the one before it gives."""
    return [X, *(pool(f"n{at}", f"n{at - 1}" if at else "x", k=2 + at % 3) for at in range(count))]


@pytest.fixture(params=[(1 << 18, 1 << 13, 2000), (300, 100, 7), (40, 8, 1)], ids=["usual", "small", "tiny"])
def _sizes(request, monkeypatch):
    """Spans, batches, and tables of recent nodes, of several sizes."""
    most, large, batch = request.param
    monkeypatch.setattr(node_spans, "_MOST", most)
    monkeypatch.setattr(node_spans, "_LEAST", min(most, 2 * large))
    for module in (node_spans, stored):
        monkeypatch.setattr(module, "LARGE", large)
    monkeypatch.setattr(stored, "_BATCH", batch)
    monkeypatch.setattr(bulk_check, "_MIN_NEARBY", batch)
    monkeypatch.setattr(bulk_check, "_MAX_NEARBY", batch)


def as_read(nodes):
    """Return names, inputs, and what else they say, of nodes that are read one by one."""
    result = [message("RawNodeDef").FromString(node) for node in nodes]
    return [(item.name, list(item.input), item.op, item.device, list(item.attr)) for item in result]


def as_columns(nodes):
    """Return the same from columns."""
    result = node_columns.read_columns(nodes)
    inputs = iter(result.inputs)
    rest = [message("RawNodeDef").FromString(key) for key in result.keys]
    return [
        (name, list(iter(inputs.__next__, result.terminator)), item.op, item.device, list(item.attr))
        for name, item in zip(result.names, rest, strict=True)
    ]


PLAIN = pool("a", "x", "^c", device="/cpu:0").SerializeToString()
ODD = {
    "no name": node("", "NoOp").SerializeToString(),
    "nothing at all": b"",
    "an empty input": node("b", "NoOp", "", "x").SerializeToString(),
    "an empty name": b"\n\0" + PLAIN,
    "two names": PLAIN + b"\n\1z",
    "two ops": PLAIN + b"\x12\4NoOp",
    "inputs behind attrs": PLAIN + b"\x1a\1w",
    "its op first": b"\x12\4NoOp\n\1b",
    "a field that nobody knows": PLAIN + b"\x7a\2ab" + b"\x58\5",
    "debug info": PLAIN + b"\x32\3\n\1q",
    "a name that is a number": b"\x08\5" + PLAIN,
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_columns_are_what_nodes_state_in_turn(odd):
    for nodes in ([odd], [PLAIN, odd, PLAIN], [odd, odd, PLAIN], [PLAIN, odd + b"\n\0\x1a\0"]):
        assert as_columns(nodes) == as_read(nodes)


def test_a_node_that_takes_in_what_is_behind_it_is_none():
    from google.protobuf.message import DecodeError

    with pytest.raises(DecodeError):
        node_columns.read_columns([PLAIN, b"\n\1b\x12\x20NoOp", PLAIN])


@pytest.mark.usefixtures("_sizes")
def test_a_stored_graph_has_the_nodes_of_its_bytes():
    made = graph(*chain(40), node("w", "Const", dtype=FLOAT, value=weights(4096)), function_call := pool("z", "w"))
    function_call.input.append("^w")
    data = made.SerializeToString()
    stored_graph = stored.StoredGraph(ByteSource(data), "g")
    expected = list(message("RawGraphDef").FromString(data).node)
    assert list(stored_graph.node) == expected
    assert [stored_graph.node[at] for at in range(-3, 3)] == [expected[at] for at in range(-3, 3)]
    assert stored_graph.node[1:4] == expected[1:4]
    assert len(stored_graph.node) == len(expected)
    with pytest.raises(IndexError):
        stored_graph.node[len(expected)]
    named = [name for column in stored_graph.node.columns() for name in column.names]
    assert named == [item.name for item in expected]


@pytest.mark.usefixtures("_sizes")
def test_what_a_graph_states_besides_is_put_together():
    first = graph(*chain(20), producer=7, functions=[function("F", pool("q", "x"))])
    second = graph(*chain(3), producer=9, functions=[function("G" * 400, pool("q", "x"))])
    data = b"\x3b\x08\1\x3c".join((first.SerializeToString(), second.SerializeToString()))  # a group between them
    stored_graph = stored.StoredGraph(ByteSource(data), "g")
    expected = message("RawGraphDef").FromString(data)
    assert stored_graph.versions == expected.versions
    assert stored_graph.library == expected.library
    assert list(stored_graph.node) == list(expected.node)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_large_node_is_a_span_of_its_own_wherever_it_is(at):
    nodes = [node("a", "NoOp"), node("b", "NoOp")]
    nodes.insert(at, node("w", "Const", dtype=FLOAT, value=weights(1 << 18)))
    spans, _ = node_spans.find_spans(ByteSource(message("GraphDef")(node=nodes).SerializeToString()))
    assert sum(span.nodes for span in spans) == len(nodes)
    (large,) = [span for span in spans if span.is_large]
    assert large.end - large.begin > 1 << 18


def test_large_tensors_are_left_out_of_columns(tmp_path):
    path = write(tmp_path / "g.pb", graph(node("w", "Const", dtype=FLOAT, value=weights(1 << 18)), node("n", "NoOp")))
    (column,) = stored.StoredGraph(FileBytes(str(path)), "g").node.columns()
    assert max(map(len, column.keys)) < 100
    assert list(column.names) == ["w", "n"]


@pytest.mark.usefixtures("_sizes")
@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        (chain(40), ("loads", None, [])),
        ([*chain(40), pool("y", "n3:0", "^n7")], ("loads", None, [])),
        ([*chain(40), pool("y", "n3", "^gone")], ("refused", "input_missing", ["model_wiring"])),
        ([*chain(40), pool("y", "n3:1")], ("refused", "output_index", ["model_wiring"])),
        ([*chain(40), pool("y")], ("refused", "input_count", ["model_input_count"])),
        ([pool("y", "n3", "n4"), *chain(40)], ("refused", "input_count", ["model_input_count"])),
        ([*chain(20), pool("y", "n3", "n4"), pool("q"), pool("z", "n3")], ("refused", "input_count", None)),
        ([*chain(40), pool("y", "y")], ("refused", "cycle", ["model_wiring"])),
        ([X, pool("a", "b"), pool("b", "x", "^c"), pool("c", "x")], ("loads", None, [])),
        ([X, pool("a", "x", "^c"), *chain(40)[1:], pool("c", "a")], ("refused", "cycle", ["model_wiring"])),
        ([X, pool("a", "x", "^q"), pool("b", "x", "^a")], ("refused", "input_missing", ["model_wiring"])),
        ([X, pool("a", "x"), pool("b", "^a", "x")], ("refused", "control_order", ["model_wiring"])),
        ([X, pool("a", "x", "^x"), pool("b", "^a")], ("refused", "input_count", ["model_input_count"])),
        ([pool("a", "n39"), *chain(40)], ("loads", None, [])),
        ([placeholder("i", INT32), *chain(40), pool("y", "i")], ("refused", "input_type", ["model_input_type"])),
        ([*chain(40), X], ("refused", "duplicate_node", None)),
        ([*chain(40), halves("y", "n3"), pool("z", "y:1")], ("loads", None, [])),
        ([halves("y", "n3"), *chain(40), pool("z", "y:1")], ("loads", None, [])),
        ([pool("z", "y:1"), *chain(40), halves("y", "n3")], ("loads", None, [])),
        ([pool("z", "y:2"), *chain(40), halves("y", "n3")], ("refused", "output_index", ["model_wiring"])),
        ([*chain(40), pool("z", "n3:")], ("refused", "input_missing", ["model_wiring"])),
        ([X, pool("a", "x", "^b"), *chain(40)[1:], pool("b", "n39", "^c"), pool("c", "x")], ("loads", None, [])),
        ([*chain(40)[1:], pool("a", "x", "^b"), pool("b", "x", "^n7"), X], ("loads", None, [])),
        ([X, pool("a", "b"), pool("b", "c"), *chain(40)[1:], pool("c", "a")], ("refused", "cycle", ["model_wiring"])),
    ],
)
def test_wires_are_judged_alike_however_many_nodes_are_looked_at_together(tmp_path, nodes, expected):
    result = audited(write(tmp_path / "g.pb", graph(*nodes)), "import_graph_def")
    verdict, reason, rules = outcome(result)
    assert (verdict, reason) == expected[:2]
    assert expected[2] is None or rules == expected[2]


def test_control_inputs_and_wires_from_behind_need_no_look_at_every_node(tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("a node was looked at by itself")

    monkeypatch.setattr(bulk_check.BulkCheck, "_check_nodes_separately", refuse)
    monkeypatch.setattr(wiring, "_inputs_fit", refuse)
    nodes = [X, pool("a", "b"), pool("b", "x", "^x", "^c"), pool("c", "x", "^x")]
    assert audited(write(tmp_path / "g.pb", graph(*nodes)), "import_graph_def").verdict == "loads"


def test_a_node_in_front_of_the_one_it_takes_from_is_in_no_cycle_if_that_one_does_not_wait(tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("a cycle was looked for")

    monkeypatch.setattr(cycles, "_unsortable_nodes", refuse)
    nodes = [X, *(item for at in range(20) for item in (pool(f"a{at}", f"b{at}", "^x"), pool(f"b{at}", "x")))]
    path = write(tmp_path / "g.pb", graph(*nodes))
    assert audited(path, "import_graph_def").verdict == "loads"
    with pytest.raises(AssertionError, match="a cycle was looked for"):
        audited(write(tmp_path / "h.pb", graph(*nodes, pool("y", "z"), pool("z", "y"))), "import_graph_def")


@pytest.mark.usefixtures("_sizes")
def test_the_inputs_of_some_nodes_are_read_alone(tmp_path):
    nodes = [*chain(30), node("w", "Const", "^n3", dtype=FLOAT, value=weights(1 << 12)), pool("y", "w", "^n29")]
    path = write(tmp_path / "g.pb", graph(*nodes))
    result = stored.StoredGraph(FileBytes(str(path)), "g").node
    places = [0, 1, 7, 29, 31, 32]
    assert result.inputs_of(places) == {at: list(nodes[at].input) for at in places}


@pytest.mark.usefixtures("_sizes")
def test_nodes_are_detected_by_words(tmp_path):
    nodes = [*chain(30), node("w", "Const", dtype=FLOAT, value=weights(1 << 12))]
    result = stored.StoredGraph(FileBytes(str(write(tmp_path / "g.pb", graph(*nodes)))), "g").node
    assert [item.name for item in result.mentioning(("n29", "Const"))] == ["n29", "w"]
    assert list(result.mentioning(("nowhere",))) == []


def test_constants_that_differ_in_their_elements_alone_are_judged_once(tmp_path, monkeypatch):
    made = []
    check = importer.nodes.check_node
    monkeypatch.setattr(importer.nodes, "check_node", lambda *of: made.append(of) or check(*of))

    def value(at):
        def put(into):
            into.tensor.dtype = FLOAT
            into.tensor.float_val.append(at)

        return put

    constants = [node(f"c{at}", "Const", dtype=FLOAT, value=value(at)) for at in range(50)]
    result = audited(write(tmp_path / "g.pb", graph(*constants)), "import_graph_def")
    assert result.verdict == "loads"
    assert len(made) == 1


@pytest.mark.parametrize("loader", [None, "import_graph_def"])
def test_a_node_that_is_damaged_makes_a_graph_unreadable(tmp_path, loader):
    data = bytearray(graph(*chain(40)).SerializeToString())
    at = data.index(b"\x12\4Pool", 300)
    data[at + 1] = 90
    path = tmp_path / "g.pb"
    path.write_bytes(data)
    expected = [] if loader is None else [LOADERS.load(loader)]
    (result,) = audit(str(path), [("spec", release())], expected, LoadOptions())
    assert (result.verdict, result.reason, result.loader) == ("unreadable", "parse", loader)
    with pytest.raises(InputError, match="is no GraphDef: its bytes cannot be decoded"):
        list(read_model(str(path)).content.node)


def test_functions_are_reached_from_a_stored_graph(tmp_path):
    made = graph(X, node("y", "PartitionedCall", "x", f=calls("F")), functions=[function("F", node("q", "Gone"))])
    result = audited(write(tmp_path / "g.pb", made), "import_graph_def")
    assert result.verdict == "refused"
