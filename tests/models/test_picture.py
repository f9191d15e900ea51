"""The graph as a picture: what is folded, which arrows there are, and that nothing is lost or made up."""

from __future__ import annotations

import random

import pytest

from opspec_lint.frameworks.tflite.saved.codes import BUILTINS
from opspec_lint.models.model import Node, Signature, Tensor
from opspec_lint.models.picture import page as page_module
from opspec_lint.models.picture.arrows import count_arrows
from opspec_lint.models.picture.box import Box, node_counts
from opspec_lint.models.picture.build import ModelPicture, build_picture
from opspec_lint.models.picture.facts import node_facts
from opspec_lint.models.picture.fold import FEW, MANY, Folding
from opspec_lint.models.picture.labels import column_count, cut_middle
from opspec_lint.models.picture.page import pages_of
from opspec_lint.models.picture.unfold import unfold
from opspec_lint.models.recognise import read_model
from opspec_lint.models.view import ShownModel
from tests.support.models import onnx_models as onnx
from tests.support.models import pir_models as pir
from tests.support.models import pytorch_models as pytorch
from tests.support.models import tflite_models as tflite
from tests.support.models.paddle_programs import node as paddle_node
from tests.support.models.paddle_programs import program as paddle_program
from tests.support.models.paddle_programs import writable_message_class as paddle_message
from tests.support.models.tensorflow_models import calls, function, graph, node, placeholder, write

X = placeholder()


def drawn(tmp_path, *nodes, functions=(), marks=()):
    return build_picture(read_model(write(tmp_path / "graph.pb", graph(*nodes, functions=functions))), marks)


def labels(box):
    return [(child.kind, child.label) for child in box.children]


def arrows_between(picture, box):
    """The number of tensors that go from one child of a box to another."""
    inside = {inner: child for child in box.children for inner in child.walk()}
    result = {}
    for (source, target), count in picture.wires.items():
        ends = inside.get(source), inside.get(target)
        if None not in ends and ends[0] is not ends[1]:
            result[ends] = result.get(ends, 0) + count
    return result


def arrows(picture, box):
    return {(source.label, target.label): count for (source, target), count in arrows_between(picture, box).items()}


def layers(number, length=1, scope="net/layer_{}"):
    """Layers in a row; each takes the output of the layer before."""
    nodes, before = [X], "x"
    for at in range(number):
        inside = scope.format(at)
        for step in range(length):
            weights = node(f"{inside}/w{step}", "Const")
            nodes += [weights, node(f"{inside}/mm{step}", "MatMul", before, weights.name)]
            before = nodes[-1].name
    return nodes


def test_a_small_graph_is_not_folded(tmp_path):
    result = drawn(tmp_path, *layers(2))
    (main,) = result.whole.children
    assert labels(main) == [("node", "x"), ("scope", "net")]
    assert arrows(result, main) == {("x", "net"): 1}
    (net,) = main.children[1:]
    assert labels(net) == [("scope", "layer_0"), ("scope", "layer_1")]
    assert arrows(result, net) == {("layer_0", "layer_1"): 1}
    assert arrows(result, net.children[0]) == {("w0", "mm0"): 1}


def test_a_scope_with_a_single_thing_in_it_is_that_thing(tmp_path):
    result = drawn(
        tmp_path, X, node("a/b/c/d", "Relu", "x"), node("a/b/c/e", "Relu", "a/b/c/d"), node("f/g", "Relu", "x")
    )
    assert labels(result.whole.children[0]) == [("node", "x"), ("scope", "a/b/c"), ("node", "f/g")]


def test_scopes_that_are_alike_are_a_single_box(tmp_path):
    result = drawn(tmp_path, *layers(48, length=3))
    net = result.whole.children[0].children[1]
    (block,) = net.children
    assert (block.kind, block.label, block.times) == ("alike", "layer_0 … layer_47", 48)
    assert labels(block)[:2] == [("node", "w0"), ("node", "mm0")]
    assert [result.names[number] for number in block.children[1].members][:2] == ["net/layer_0/mm0", "net/layer_1/mm0"]
    # What leads from a layer to the next does not lead backwards in the one that is drawn.
    assert arrows(result, block) == {(f"w{at}", f"mm{at}"): 48 for at in range(3)} | {
        (f"mm{at}", f"mm{at + 1}"): 48 for at in range(2)
    }


def test_scopes_of_different_names_or_different_content_stay_apart(tmp_path):
    nodes = [
        *layers(FEW + 1, scope="layer_{}"),
        *layers(1, length=2, scope="layer_99")[1:],
        *layers(1, scope="head")[1:],
    ]
    (main,) = drawn(tmp_path, *nodes).whole.children
    assert labels(main) == [
        ("node", "x"),
        ("alike", f"layer_0 … layer_{FEW}"),
        ("scope", "layer_99"),
        ("scope", "head"),
    ]


def test_what_repeats_in_a_row_is_a_single_box(tmp_path):
    nodes, before = [X], "x"
    for at in range(20):
        for op in ("Conv2D", "BiasAdd", "Relu"):
            nodes.append(node(f"{op}_{at}", op, before))
            before = nodes[-1].name
    result = drawn(tmp_path, *nodes, node("last", "Softmax", before))
    (main,) = result.whole.children
    assert labels(main) == [("node", "x"), ("alike", "Conv2D_0 … Relu_19"), ("node", "last")]
    assert [child.op for child in main.children[1].children] == ["Conv2D", "BiasAdd", "Relu"]
    assert main.children[1].times == 20
    assert arrows(result, main)["Conv2D_0 … Relu_19", "last"] == 1


def test_constants_of_a_single_op_are_a_single_box_where_there_are_too_many(tmp_path):
    ops = [f"Op{at}" for at in range(MANY)]
    nodes = [item for at, op in enumerate(ops) for item in (node(f"c{at}", "Const"), node(f"n{at}", op, f"c{at}"))]
    (main,) = drawn(tmp_path, *nodes).whole.children
    everything = [box for box in main.walk() if box.kind == "kin"]
    assert [(box.op, len(box.members)) for box in everything] == [("Const", MANY)]


def test_no_box_has_more_in_it_than_can_be_taken_in_and_no_node_is_lost(tmp_path):
    choice = random.Random(3)  # noqa: S311 - no secret
    nodes = [X]
    for at in range(5000):
        takes = [choice.choice(nodes[-9:]).name for _ in range(2)]
        nodes.append(node(f"{choice.choice(('', 'a/', 'a/b/', 'c/'))}n{at}", f"Op{choice.randrange(30)}", *takes))
    result = drawn(tmp_path, *nodes)
    assert max(len(box.children) for box in result.whole.walk()) <= MANY
    assert sorted(number for box in result.whole.walk() for number in box.members) == list(range(5001))
    assert node_counts(result.whole)[result.whole] == 5001
    inside = 10_000 - sum(result.wires.values())
    assert 0 <= inside < 2000  # between nodes that are one box


def test_functions_are_boxes_and_calls_lead_to_them(tmp_path):
    call = node("c", "PartitionedCall", f=calls("f"))
    result = drawn(
        tmp_path, X, call, functions=[function("f", node("n", "NoOp"), node("d", "PartitionedCall", f=calls("g")))]
    )
    assert labels(result.whole) == [("graph", "main graph"), ("graph", "f")]
    assert [list(box.calls) for box in result.whole.walk() if box.calls] == [["f"], ["g"]]
    assert set(result.graphs) == {"", "f"}
    seen = unfold(result, 50)
    assert [(source.label, target.label) for source, target in seen.calls] == [("c", "f")]


def test_functions_that_are_alike_are_a_single_box(tmp_path):
    bodies = [function(f"body_{at}", node("n", "NoOp"), node("m", "NoOp", "^n")) for at in range(20)]
    caller = node("c", "PartitionedCall", f=calls("body_7"))
    result = drawn(tmp_path, X, caller, functions=bodies)
    assert labels(result.whole) == [("graph", "main graph"), ("alike", "body_0 … body_19")]
    assert result.graphs["body_7"].label == "body_0 … body_19"
    assert [target.label for _, target in unfold(result, 50).calls] == ["body_0 … body_19"]


def test_findings_are_marked_at_their_nodes(tmp_path):
    result = drawn(tmp_path, *layers(20), marks=[(4, "", "net/layer_3/mm0"), (5, "", "gone"), (6, "f", "x")])
    assert [(box.label, box.marks) for box in result.whole.walk() if box.marks] == [("mm0", [4])]
    around = {result.whole.label, "main graph", "net", "layer_0 … layer_19", "mm0"}
    assert {box.label for box in unfold(result, 3).marks} == around


def test_so_many_boxes_are_open_as_requested(tmp_path):
    result = drawn(tmp_path, *layers(6, length=4))
    for most in (1, 2, 8, 30, 100):
        seen = unfold(result, most)
        closed = [box for box in result.whole.walk() if box not in seen.opened and (box.parent in seen.opened)]
        assert len(closed) <= most
        assert sum(seen.sizes[box] for box in closed) == len(result.names)
        assert all(source in closed and target in closed for source, target in seen.arrows)


def test_of_equal_boxes_the_first_in_the_file_is_open():
    leaves = [[Box("a", "node"), Box("b", "node")] for _ in range(20)]
    boxes = [Box(f"scope {number}", "scope", children=inner) for number, inner in enumerate(leaves)]
    # The opposite of the order in memory, in which they were made.
    boxes.sort(key=id, reverse=True)
    main = Box("main graph", "graph", children=boxes)
    whole = Box("", "whole", children=[main])
    main.parent = whole
    for box in boxes:
        box.parent = main
        for number, leaf in enumerate(box.children):
            leaf.parent, leaf.members = box, [number]
    picture = ModelPicture(whole=whole, names=["a", "b"], graphs={"": main}, wires={})
    assert [box for box in boxes if box in unfold(picture, 26).opened] == boxes[:2]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("a" * 30, "a" * 30),
        ("a" * 20 + "b" * 20, "a" * 14 + "…" + "b" * 14),
        ("\u5c64" * 15, "\u5c64" * 15),
        ("\u5c64" * 16, "\u5c64" * 7 + "…" + "\u5c64" * 7),
    ],
)
def test_a_text_is_cut_by_its_columns(text, cut):
    assert cut_middle(text) == cut
    assert column_count(cut) <= 30


def first_graph(page):
    return page.data["graphs"][page.data["start"]]["label"], page.data["signature"]


def test_the_picture_begins_with_what_a_serving_signature_calls(tmp_path):
    wrapper = function("wrapper", node("c", "PartitionedCall", f=calls("inner")), node("i", "Identity", "c:output:0"))
    inner = function("inner", *[node(f"n{at}", "Relu", "x" if at == 0 else f"n{at - 1}:y:0") for at in range(6)])
    nodes = [X, node("serve", "StatefulPartitionedCall", "x", f=calls("wrapper")), node("save", "SaveV2", "x")]
    text = write(tmp_path / "m.pb", graph(*nodes, functions=[function("first", node("n", "NoOp")), wrapper, inner]))
    model = read_model(text)
    main = model.meta_graphs[0]
    keys = {"__saved_model_init_op": "save", "serving_default": "serve:0", "other": "save:0"}
    named = tuple(Signature(key=key, outputs={"y": Tensor(name=name)}) for key, name in keys.items())
    served = model.replace(meta_graphs=(main.replace(signatures=named),))
    (page,) = pages_of([ShownModel(model=served)])
    assert first_graph(page) == ("inner", "signature serving_default")
    (page,) = pages_of([ShownModel(model=model)])
    assert first_graph(page) == ("main graph", "")


def test_the_picture_begins_with_the_called_graph_where_its_wrapper_is_like_another(tmp_path):
    def wrapper(name, inner):
        return function(name, node("c", "PartitionedCall", f=calls(inner)), node("i", "Identity", "c:output:0"))

    bodies = [
        function(f"body{op}", *[node(f"n{at}", op, "x" if at == 0 else f"n{at - 1}:y:0") for at in range(6)])
        for op in ("Relu", "Tanh", "Sin", "Cos", "Exp", "Log", "Abs", "Neg")
    ]
    served = [wrapper(f"wrapper_{at}", body.signature.name) for at, body in enumerate(bodies)]
    nodes = [X, node("serve", "StatefulPartitionedCall", "x", f=calls("wrapper_3"))]
    model = read_model(write(tmp_path / "m.pb", graph(*nodes, functions=[*served, *bodies])))
    signature = Signature(key="serving_default", outputs={"y": Tensor(name="serve:0")})
    main = model.meta_graphs[0].replace(signatures=(signature,))
    (page,) = pages_of([ShownModel(model=model.replace(meta_graphs=(main,)))])
    assert first_graph(page)[0] == "bodyCos"


def test_wrappers_that_call_each_other_end(tmp_path):
    ring = [
        function(name, node("c", "PartitionedCall", f=calls(another))) for name, another in (("f", "g"), ("g", "f"))
    ]
    nodes = [X, node("serve", "StatefulPartitionedCall", "x", f=calls("f"))]
    model = read_model(write(tmp_path / "m.pb", graph(*nodes, functions=ring)))
    signature = Signature(key="serving_default", outputs={"y": Tensor(name="serve:0")})
    main = model.meta_graphs[0].replace(signatures=(signature,))
    (page,) = pages_of([ShownModel(model=model.replace(meta_graphs=(main,)))])
    assert page.data["signature"] == "signature serving_default"


def boxes_of(page, *kinds):
    """The boxes of some kinds in the data of a page."""
    return [box for box in page.data["boxes"] if box.get("kind", "") in kinds]


def wires_of(page):
    """The wires of a page as texts: giver, taker, and the type of the tensor."""
    texts = [box.get("label") or box.get("op") for box in page.data["boxes"]]
    return [(texts[giver], texts[taker], text) for giver, taker, text, *_ in page.data["wires"]]


def test_the_data_of_a_node_has_its_outputs(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(pir.program(*pir.whole()[:3]))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    assert [box["op"] for box in boxes_of(page, "")] == ["builtin.parameter", "pd_op.data", "pd_op.matmul"]
    assert boxes_of(page, "")[0]["facts"] == [["output", "", "%1, w: float32[3, 4]"]]
    assert sorted(wires_of(page)) == [("#0", "#2", "3\u00d74"), ("#1", "#2", "?\u00d73")]


def test_every_node_of_a_box_states_its_outputs(tmp_path):
    weights = [pir.parameter(f"w{at}", at + 1, (at, 4)) for at in range(300)]
    path = tmp_path / "m.json"
    path.write_bytes(pir.program(*weights, pir.op("1.concat", list(range(1, 301)), [999])))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    (kin,) = boxes_of(page, "kin")
    assert (kin["op"], kin["label"], len(kin["names"])) == ("builtin.parameter", "#0 … #299", 300)
    assert kin["facts"][:2] == [["output", "#0", "%1, w0: float32[0, 4]"], ["output", "#1", "%2, w1: float32[1, 4]"]]


def test_inputs_outputs_and_weights_are_boxes(tmp_path):
    weight = onnx.weight("w", (3, 4))
    nodes = [onnx.node("MatMul", ["x", "w"], ["mid"]), onnx.node("Relu", ["mid"], ["y"])]
    main = onnx.graph(nodes, inputs=[onnx.value("x", 1, ["n", 3])], outputs=[onnx.value("y", 9, [])], weights=[weight])
    path = tmp_path / "m.onnx"
    path.write_bytes(onnx.model(main))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    assert [box["label"] for box in boxes_of(page, "input")] == ["x"]
    assert [box["label"] for box in boxes_of(page, "output")] == ["y"]
    assert [box["label"] for box in boxes_of(page, "weight")] == ["w"]
    assert boxes_of(page, "")[0]["weights"] == [["w", "3\u00d74"]]
    ends = [wire for wire in wires_of(page) if {"x", "y", "w"} & set(wire[:2])]
    assert ends == [("x", "#0", "?\u00d73"), ("w", "#0", "3\u00d74"), ("#1", "y", "scalar bool")]


def test_attrs_with_common_values_are_not_on_the_box_of_a_node(tmp_path):
    axes = [onnx.attr("axis", i=1), onnx.attr("keepdims", i=1), onnx.attr("alpha", f=0.5)]
    nodes = [onnx.node("Concat", ["x"], ["a"], *axes), onnx.node("Split", ["a"], ["y"], onnx.attr("alpha", f=0.5))]
    path = tmp_path / "m.onnx"
    path.write_bytes(onnx.model(onnx.graph(nodes, inputs=[onnx.value("x", 1, [3])])))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    # `alpha` is the same in all nodes, and 1 switches nothing on; an axis is always of interest.
    assert boxes_of(page, "")[0]["card"] == [("axis", "1")]


def test_a_weight_that_a_few_nodes_share_is_a_box_and_no_line_on_them(tmp_path):
    weights = [onnx.weight(name, (3,)) for name in ("own", "shared", "everywhere")]
    takes = [("own", "shared"), ("shared",), *[()] * 4]
    nodes = [onnx.node("Sum", ["x", *names, "everywhere"], [f"y{at}"]) for at, names in enumerate(takes)]
    path = tmp_path / "m.onnx"
    path.write_bytes(onnx.model(onnx.graph(nodes, inputs=[onnx.value("x", 1, [3])], weights=weights)))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    assert [box["label"] for box in boxes_of(page, "weight") if "shared" in box] == ["shared"]
    assert boxes_of(page, "")[0]["weights"] == [["own", "3"], ["shared", "3", 1], ["everywhere", "3"]]


def test_the_namespace_of_most_ops_is_left_out(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(pir.program(*pir.whole()[:3]))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    assert page.data["prefix"] == "pd_op."
    (page,) = pages_of([ShownModel(model=read_model(write(tmp_path / "m.pb", graph(X, node("y", "Relu", "x")))))])
    assert page.data["prefix"] == ""


def test_types_are_named_where_attrs_have_their_numbers(tmp_path):
    nodes = [
        onnx.node("Cast", ["x"], ["a"], onnx.attr("to", i=7)),
        onnx.node("Shape", ["a"], ["y"], onnx.attr("end", i=7)),
    ]
    (tmp_path / "m.onnx").write_bytes(onnx.model(onnx.graph(nodes, inputs=[onnx.value("x", 1, [3])])))
    cast = paddle_node("cast", ["X"], in_dtype=("INT", 5), out_dtype=("INT", 3), axis=("INT", 3))
    (tmp_path / "m.pdmodel").write_bytes(paddle_program(cast, variables=["x"]))
    pages = [next(pages_of([ShownModel(model=read_model(str(tmp_path / name)))])) for name in ("m.onnx", "m.pdmodel")]
    assert [[tuple(line) for line in box["card"]] for page in pages for box in boxes_of(page, "")] == [
        [("to", "int64")],
        [("end", "7")],
        [("axis", "3"), ("in_dtype", "float32"), ("out_dtype", "int64")],
    ]


def test_nodes_of_tflite_have_their_options_and_the_names_of_their_inputs(tmp_path):
    options = {1: ("int", 2), 2: ("int", 3), 3: ("byte", 1)}
    conv = tflite.Table({0: ("uint", 0), 1: [0, 1, -1], 2: [2], 3: ("ubyte", 1), 4: tflite.Table(options)})
    shape = tflite.Table(
        {0: ("uint", 1), 1: [2], 2: [3], 3: ("ubyte", 17), 4: tflite.Table({0: tflite.Scalars("int", [1, -1])})}
    )
    pad = tflite.Table(
        {0: ("uint", 2), 1: [3], 2: [3], 11: ("ubyte", 10), 12: tflite.Table({1: tflite.Scalars("long", [4])})}
    )
    newer = tflite.Table({0: ("uint", 2), 1: [3], 2: [3], 3: ("ubyte", 250), 4: tflite.Table({})})
    graph = tflite.subgraph([tflite.tensor(name) for name in "xwyz"], [0], [3], [conv, shape, pad, newer])
    path = tmp_path / "m.tflite"
    codes = [tflite.code(BUILTINS.index(op)) for op in ("CONV_2D", "RESHAPE", "STABLEHLO_PAD")]
    path.write_bytes(tflite.model(codes, [graph]))
    nodes = read_model(str(path)).meta_graphs[0].graphs[0].nodes
    assert nodes[0].inputs == (("input", ("x",)), ("filter", ("w",)), ("bias", ("",)))
    assert dict(nodes[0].attrs) == {
        "padding": "SAME",
        "stride_w": 2,
        "stride_h": 3,
        "fused_activation_function": "RELU",
        "dilation_w_factor": 1,
        "dilation_h_factor": 1,
        "quantized_bias_type": "FLOAT32",
    }
    assert [dict(node.attrs) for node in nodes[1:]] == [{"new_shape": [1, -1]}, {"edge_padding_high": [4]}, {}]


def test_damaged_options_of_a_node_state_where_they_are(tmp_path):
    path = tmp_path / "m.tflite"
    # The vector begins at the end of the file.
    shape = tflite.Table({0: ("uint", 0), 3: ("ubyte", 17), 4: tflite.Table({0: ("uint", 100_000)})})
    path.write_bytes(tflite.model([tflite.code(22)], [tflite.subgraph(operators=[shape])]))
    ((name, text),) = read_model(str(path)).meta_graphs[0].graphs[0].nodes[0].attrs.items()
    assert name == "options"
    assert "points outside the file" in text


def test_the_wire_of_a_control_input_has_its_mark(tmp_path):
    nodes = [X, node("a", "Relu", "x"), node("b", "Add", "^a", "a"), node("c", "NoOp", "^b")]
    (page,) = pages_of([ShownModel(model=read_model(write(tmp_path / "m.pb", graph(*nodes))))])
    assert [tensor for _, _, _, tensor, *_ in page.data["wires"]] == ["x", "a", "^b"]


def test_a_changed_attr_is_on_the_box_whatever_its_value(tmp_path):
    paths = [write(tmp_path / f"{at}.pb", graph(X, node("y", "Op", "x", k=at, same=7))) for at in (0, 1)]
    pages = list(pages_of(ShownModel(model=read_model(path), is_compared=True) for path in paths))
    assert [[list(line) for line in boxes_of(page, "")[-1]["card"]] for page in pages] == [
        [["k", value], ["same", "7"]] for value in ("0", "1")
    ]


def test_a_graph_of_less_than_300_nodes_is_drawn_whole_and_a_larger_graph_by_its_repeated_parts(tmp_path):
    def page(blocks):
        nodes, before = [X], "x"
        for at in range(blocks):
            for op in ("Conv2D", "BiasAdd", "Relu"):
                nodes.append(node(f"{op}_{at}", op, before))
                before = nodes[-1].name
        (made,) = pages_of([ShownModel(model=read_model(write(tmp_path / "m.pb", graph(*nodes))))])
        return made

    small, large = page(99), page(100)
    assert (len(boxes_of(small, "")), boxes_of(small, "alike")) == (298, [])
    assert [box["times"] for box in boxes_of(large, "alike")] == [100]
    assert len(boxes_of(large, "")) == 4


def test_a_model_without_arrows_between_nodes_still_has_the_arrows_of_its_inputs(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(onnx.model(onnx.graph([onnx.node("Relu", ["x"], ["y"])], inputs=[onnx.value("x", 1, [3])])))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    assert page.has_arrows


def test_branches_are_run_by_their_node(tmp_path):
    bodies = [onnx.graph([onnx.node(op, ["x"], ["b"])], outputs=[onnx.value("b", 1, [3])]) for op in ("Neg", "Abs")]
    branches = [onnx.attr(f"{name}_branch", g=body) for name, body in zip(("then", "else"), bodies, strict=True)]
    main = onnx.graph([onnx.node("If", ["c"], ["y"], *branches)], inputs=[onnx.value("c", 9, [])])
    path = tmp_path / "m.onnx"
    path.write_bytes(onnx.model(main))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    (holder,) = [box for box in boxes_of(page, "") if box["op"] == "If"]
    assert [page.data["graphs"][at]["label"] for at in holder["calls"]] == ["If#0.then_branch", "If#0.else_branch"]


@pytest.mark.parametrize(
    ("giver", "taker", "is_drawn"),
    [((0, 0), (0, 0), True), ((0, 0), (1, 0), False), ((0, 0), (0, 1), False), ((0, 1), (1, 1), False)],
)
def test_an_arrow_between_copies_of_a_box_in_copies_of_another_is_left_out(giver, taker, is_drawn):
    """The places are those in the inner and in the outer merged box."""
    first, second = Box("a", "node"), Box("b", "node")
    outer = Box("outer", "alike", children=[Box("inner", "alike", children=[first, second])])
    outer.set_parents()
    counts, _ = count_arrows({0: first, 1: second}, {0: giver, 1: taker}, [(0, 1, "t")])
    assert bool(counts) == is_drawn


def test_a_scope_and_its_feeder_have_no_arrows_in_both_directions(tmp_path):
    nodes = [
        X,
        node("s/a", "Relu", "x"),
        node("mid", "Tanh", "s/a"),
        node("s/w", "Const"),
        node("s/b", "Add", "mid", "s/w"),
    ]
    nodes += [node("s/c", "Relu", "s/b"), node("end", "Neg", "s/c")]
    (main,) = drawn(tmp_path, *nodes).whole.children
    assert labels(main) == [
        ("node", "x"),
        ("node", "s (1 of 2)/a"),
        ("node", "mid"),
        ("scope", "s (2 of 2)"),
        ("node", "end"),
    ]
    assert labels(main.children[3]) == [("node", "w"), ("node", "b"), ("node", "c")]


def test_no_scopes_of_a_graph_without_loops_are_in_a_circle(tmp_path):
    choice = random.Random(5)  # noqa: S311 - no secret
    nodes = [X]
    for at in range(600):
        takes = [choice.choice(nodes[-9:]).name for _ in range(2)]
        nodes.append(
            node(f"{choice.choice(('', 'a/', 'a/b/', 'c/', 'c/d/'))}n{at}", f"Op{choice.randrange(3)}", *takes)
        )
    model = read_model(write(tmp_path / "m.pb", graph(*nodes)))
    pictures = [build_picture(model, folds_small=folds_small) for folds_small in (True, False)]
    boxes = [(box, set(arrows_between(picture, box))) for picture in pictures for box in picture.whole.walk()]
    assert sum(len(pairs) for _, pairs in boxes) > 600
    assert [box.label for box, pairs in boxes if has_circle(pairs)] == []


def has_circle(pairs):
    """Return whether arrows lead from a box back to it: whether some are left without an end that has no arrow."""
    while pairs:
        last = {target for _, target in pairs} - {source for source, _ in pairs}
        if not last:
            return True
        pairs = {pair for pair in pairs if pair[1] not in last}
    return False


def test_the_page_states_first_what_the_model_is_takes_and_gives(tmp_path):
    path = tmp_path / "m.tflite"
    path.write_bytes(tflite.whole())
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    assert page.summary == "TFLite's or LiteRT's model, 4 nodes, 3 different ops"
    assert (page.takes, page.gives) == (("in: float32[?, 4]",), ("out: float32[1, 4]",))


def test_what_is_known_of_a_node():
    made = Node(
        name="mm",
        op="MatMul",
        inputs=(("X", ("x", "w")),),
        outputs=(("Out", ("y",)),),
        attrs={
            "T": {"type": "DT_FLOAT"},
            "shape": {"shape": {"dim": [{"size": 3}, {"size": 2}]}},
            "list": {"list": {}},
        },
    )
    known = {"w": Tensor(name="w", dtype="float32", shape=(-1, 3)), "y": Tensor(name="y", dtype="int8")}
    assert [(node_fact.role, node_fact.name, node_fact.text) for node_fact in node_facts(made, known)] == [
        ("input", "X", "x"),
        ("input", "X", "w: float32[?, 3]"),
        ("output", "Out", "y: int8"),
        ("attr", "T", '"DT_FLOAT"'),
        ("attr", "list", "[]"),
        ("attr", "shape", "[3, 2]"),
    ]
    (long,) = node_facts(made.replace(inputs=(), outputs=(), attrs={"a": "b" * 500}), {})
    assert (len(long.text), len(long.whole)) == (100, 502)


def tensors_shown(path, graph=0):
    """The texts of the page about the tensors of the last node of a graph."""
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    boxes = page.data["boxes"]
    box = boxes[[entry for entry in page.data["graphs"] if entry["nodes"]][graph]["box"]]
    while box.get("inner"):
        nodes = [boxes[at] for at in box["inner"] if boxes[at].get("kind") not in ("input", "output", "weight")]
        box = nodes[-1]
    return [f"{role} {text}" for role, _, text in box["facts"] if role != "attr"]


def test_of_tflite_every_tensor_has_type_and_shape_as_its_own_subgraph_has_them(tmp_path):
    main = tflite.subgraph(
        tensors=[tflite.tensor("x", (1, 4), signature=(-1, 4)), tflite.tensor("w", (4,), 9), tflite.tensor("", (2,))],
        operators=[tflite.operator(0, [0, 1, -1], [2])],
    )
    branch = tflite.subgraph(tensors=[tflite.tensor("x", (7,), 2)], operators=[tflite.operator(0, [0], [0])], name="b")
    path = tmp_path / "m.tflite"
    path.write_bytes(tflite.model([tflite.code(0)], [main, branch]))
    assert tensors_shown(path) == ["input x: float32[?, 4]", "input w: int8[4]", "input ", "output %2: float32[2]"]
    assert tensors_shown(path, 1) == ["input x: int32[7]", "output x: int32[7]"]


def test_of_two_tensors_of_the_same_name_nothing_is_reported(tmp_path):
    tensors = [tflite.tensor("x", (1,)), tflite.tensor("x", (2,)), tflite.tensor("y", (3,)), tflite.tensor("y", (3,))]
    path = tmp_path / "m.tflite"
    graph = tflite.subgraph(tensors=tensors, operators=[tflite.operator(0, [0, 1], [2])])
    path.write_bytes(tflite.model([tflite.code(0)], [graph]))
    assert tensors_shown(path) == ["input x", "input x", "output y: float32[3]"]


def test_of_a_program_every_variable_has_type_and_shape_as_its_own_block_has_it(tmp_path):
    inner = paddle_program(paddle_node("relu", {"X": ["x", "y"]}), variables=["x", "out"], shapes={"x": [7]}, dtype=3)
    whole = paddle_program(paddle_node("mul", ["X", "Y"]), shapes={"x": [-1, 4]}, variables=["x", "y"])
    (block,) = paddle_message("ProgramDesc").FromString(inner).blocks
    body = b"\x08\x01\x10\x00" + block.SerializeToString()
    path = tmp_path / "m.pdmodel"
    path.write_bytes(whole + b"\x0a" + bytes([len(body)]) + body)
    assert tensors_shown(path) == ["input x: float32[?, 4]", "input y: float32[2, 3]", "output out"]
    assert tensors_shown(path, 1) == ["input x: int64[7]", "input y: float32[2, 3]", "output out: int64[2, 3]"]


def test_of_a_pir_program_every_value_has_type_and_shape(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(pir.program(*pir.whole()[:3]))
    assert tensors_shown(path) == ["input %2: float32[?, 3]", "input %1, w: float32[3, 4]", "output %3: float32[?, 4]"]
    inner = pir.op("1.relu", [2], [5])
    path.write_bytes(pir.program(*pir.whole()[:3], pir.op("1.if", [3], [4], regions=pir.regions(inner))))
    assert tensors_shown(path, 1) == ["input %2: float32[?, 3]", "output %5: float32[?, 3]"]


def test_of_onnx_what_is_stated_within_a_graph_is_reported_and_what_is_stated_around_it(tmp_path):
    body = onnx.graph([onnx.node("Neg", ["mid"], ["b"])], outputs=[onnx.value("b", 7, [5])])
    nodes = [onnx.node("Relu", ["x"], ["mid"]), onnx.node("If", ["mid"], ["y"], onnx.attr("then_branch", g=body))]
    main = onnx.graph(nodes, inputs=[onnx.value("x", 1, ["n", 3])])
    path = tmp_path / "m.onnx"
    path.write_bytes(onnx.model(main + onnx.message((13, onnx.value("mid", 9, [])))))
    assert tensors_shown(path) == ["input mid: bool[]", "output y"]
    assert tensors_shown(path, 1) == ["input mid: bool[]", "output b: int64[5]"]


def test_of_an_exported_program_the_graph_states_its_values(tmp_path):
    path = tmp_path / "m.pt2"
    given = {"self": pytorch.tensor("x"), "other": pytorch.tensor("p_w")}
    path.write_bytes(pytorch.exported(pytorch.program(pytorch.node("torch.ops.aten.add.Tensor", given))))
    assert tensors_shown(path) == ["input x: float32[?, 4]", "input p_w: bfloat16[3]", "output y"]


def test_blocks_of_a_program_and_the_variables_between_its_ops(tmp_path):
    data = paddle_program(
        paddle_node("scale", {"X": ["x"]}, ["Tmp"]),
        paddle_node("relu", {"X": ["tmp"]}, ["X"]),
        paddle_node("tanh", {"X": ["x"]}),
        paddle_node("while", {"X": ["out"]}, sub_block=("BLOCK", 1)),
    )
    inner = paddle_message("BlockDesc")(ops=[paddle_node("relu", {"X": ["out"]})]).SerializeToString()
    inner = b"\x08\x01\x10\x00" + inner
    path = tmp_path / "m.pdmodel"
    path.write_bytes(data + b"\x0a" + bytes([len(inner)]) + inner)
    result = build_picture(read_model(str(path)))
    main, block = result.whole.children
    assert (main.label, block.label) == ("main graph", "block 1")
    # `x` is given again by relu, and what tanh takes is that one.
    assert arrows(result, main) == {("scale#0", "relu#1"): 1, ("relu#1", "tanh#2"): 1, ("tanh#2", "while#3"): 1}
    assert [list(box.calls) for box in main.children] == [[], [], [], ["block 1"]]


def test_what_is_next_to_each_other_is_in_as_few_boxes_as_fit_a_picture():
    root = Box("file", "whole", children=[Box(f"n{at}", "node", f"op{at}") for at in range(10 * MANY)])
    Folding(root)
    assert [(child.kind, len(child.children)) for child in root.children] == [("run", 10)] * MANY
    assert [node.label for node in root.walk() if not node.children] == [f"n{at}" for at in range(10 * MANY)]


def test_a_model_with_too_many_nodes_is_not_compared_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.setattr(page_module, "_MAX_FACTS", 3)
    paths = [
        write(tmp_path / f"{count}.pb", graph(*(node(f"n{at}", "Relu") for at in range(count)))) for count in (2, 4)
    ]
    pages = list(pages_of(ShownModel(model=read_model(path), is_compared=True) for path in paths))
    assert [(page.nodes, page.changes, page.too_large) for page in pages] == [((), (), ("4.pb",))] * 2
    monkeypatch.setattr(page_module, "_MAX_FACTS", 4)
    pages = list(pages_of(ShownModel(model=read_model(path), is_compared=True) for path in paths))
    assert [(len(page.nodes), len(page.changes), page.too_large) for page in pages] == [(2, 0, ()), (4, 2, ())]
