"""The graph as a picture: what is folded, which arrows there are, and that nothing is lost or made up."""

from __future__ import annotations

import random
import re
from itertools import combinations

import pytest

from opspec_lint.models.model import Node, Signature, Tensor
from opspec_lint.models.picture.box import Box, node_counts
from opspec_lint.models.picture.build import ModelPicture, build_picture
from opspec_lint.models.picture.facts import node_facts
from opspec_lint.models.picture.fold import FEW, MANY, Folding
from opspec_lint.models.picture.labels import column_count, cut_middle
from opspec_lint.models.picture.layout import HEIGHT, layout
from opspec_lint.models.picture.page import pages_of
from opspec_lint.models.picture.unfold import unfold
from opspec_lint.models.recognise import read_model
from opspec_lint.models.view import ShownModel
from opspec_lint.models.views.html import render
from tests.support.models import onnx_models as onnx
from tests.support.models import pir_models as pir
from tests.support.models import pytorch_models as pytorch
from tests.support.models import tflite_models as tflite
from tests.support.models.paddle_programs import message_class as paddle_message
from tests.support.models.paddle_programs import node as paddle_node
from tests.support.models.paddle_programs import program as paddle_program
from tests.support.models.tensorflow_models import calls, function, graph, node, placeholder, write

X = placeholder()


def drawn(tmp_path, *nodes, functions=(), marks=()):
    return build_picture(read_model(write(tmp_path / "graph.pb", graph(*nodes, functions=functions))), marks)


def labels(box):
    return [(child.kind, child.label) for child in box.children]


def arrows(box):
    return {(source.label, target.label): count for (source, target), count in box.arrows.items()}


def layers(number, length=1, scope="net/layer_{}"):
    """Layers in a row, of which each takes what the one before gives."""
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
    assert arrows(main) == {("x", "net"): 1}
    (net,) = main.children[1:]
    assert labels(net) == [("scope", "layer_0"), ("scope", "layer_1")]
    assert arrows(net) == {("layer_0", "layer_1"): 1}
    assert arrows(net.children[0]) == {("w0", "mm0"): 1}


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
    assert arrows(net) == {("layer_0 … layer_47", "layer_0 … layer_47"): 47}
    assert arrows(block) == {(f"w{at}", f"mm{at}"): 48 for at in range(3)} | {
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
    (main,) = drawn(tmp_path, *nodes, node("last", "Softmax", before)).whole.children
    assert labels(main) == [("node", "x"), ("alike", "Conv2D_0 … Relu_19"), ("node", "last")]
    assert [child.op for child in main.children[1].children] == ["Conv2D", "BiasAdd", "Relu"]
    assert main.children[1].times == 20
    assert arrows(main)["Conv2D_0 … Relu_19", "last"] == 1


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
    total = sum(sum(box.arrows.values()) for box in result.whole.walk())
    inside = 10_000 - total
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


def placed(box):
    return layout(box.children, box.arrows, {child: [child.label] for child in box.children})


def points(path):
    """Points of a path of `M x y`, `C x1 y1 x2 y2 x y` and `V y`, in short steps."""
    x = y = 0.0
    for letter, text in re.findall(r"([MCV])([^MCV]*)", path):
        numbers = [float(part) for part in text.split()]
        if letter == "M":
            x, y = numbers
        elif letter == "V":
            yield from ((x, y + (numbers[0] - y) * at / 20) for at in range(21))
            y = numbers[0]
        else:
            ends = [(x, y), *zip(numbers[::2], numbers[1::2], strict=True)]
            for at in (index / 20 for index in range(21)):
                weights = ((1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at**2 * (1 - at), at**3)
                yield tuple(sum(w * end[axis] for w, end in zip(weights, ends, strict=True)) for axis in (0, 1))
            x, y = ends[-1]


GRAPHS = {
    "all after all": {(a, b) for b in range(8) for a in range(b)},
    "one to many": {(0, b) for b in range(1, 30)},
    "many to one": {(a, 29) for a in range(29)},
    "a chain and a leap": {(a, a + 1) for a in range(12)} | {(0, 12), (3, 9)},
    "circles": {(a, (a + 1) % 7) for a in range(7)} | {(5, 2), (6, 0)},
    "nothing": set(),
}


@pytest.mark.parametrize("arrows", GRAPHS.values(), ids=GRAPHS)
def test_no_arrow_runs_behind_a_box_and_no_box_is_on_another(arrows):
    boxes = [
        Box(f"a box of number {at}" * (at % 3), "node") for at in range(max((b for _, b in arrows), default=3) + 1)
    ]
    result = layout(boxes, {(boxes[a], boxes[b]): 1 for a, b in arrows}, {box: [box.label] for box in boxes})
    frames = [(box.x, box.y, box.x + box.width, box.y + HEIGHT) for box in result.boxes]
    for left, top, right, bottom in frames:
        assert 0 <= left < right <= result.width
        assert 0 <= top < bottom <= result.height
    for first, second in combinations(frames, 2):
        assert first[2] < second[0] or second[2] < first[0] or first[3] < second[1] or second[3] < first[1]
    assert len(result.lines) == len(arrows)
    for line in result.lines:
        for x, y in points(line.path):
            assert 0 <= x <= result.width
            behind = [frame for frame in frames if frame[0] < x < frame[2] and frame[1] + 1 < y < frame[3] - 1]
            assert behind == [], line.path


def test_arrows_lead_down(tmp_path):
    (main,) = drawn(
        tmp_path, *[node(f"n{at}", "Op", *(f"n{index}" for index in range(at))) for at in range(8)]
    ).whole.children
    result = placed(main)
    rows = {box.box.label: box.y for box in result.boxes}
    assert [rows[f"n{at}"] for at in range(8)] == sorted(set(rows.values()))
    assert len(result.lines) == 28
    assert not any(line.is_back for line in result.lines)


def test_what_takes_nothing_is_right_above_what_it_leads_to(tmp_path):
    nodes = [X, node("a", "Op", "x"), node("b", "Op", "a"), node("c", "Op", "b", "w"), node("w", "Const")]
    (main,) = drawn(tmp_path, *nodes).whole.children
    rows = {box.box.label: box.y for box in placed(main).boxes}
    assert rows["w"] == rows["b"] < rows["c"]


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
    assert (page.graphs[0].label, page.start) == ("inner", "signature serving_default")
    (page,) = pages_of([ShownModel(model=model)])
    assert (page.graphs[0].label, page.start) == ("main graph", "")


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
    assert "wrapper_0 … wrapper_7" in [graph.label for graph in page.graphs]
    assert page.graphs[0].label == "bodyCos"
    assert render([ShownModel(model=model)]).count("wrapper_0 … wrapper_7") > 1


def test_wrappers_that_call_each_other_end(tmp_path):
    ring = [
        function(name, node("c", "PartitionedCall", f=calls(another))) for name, another in (("f", "g"), ("g", "f"))
    ]
    nodes = [X, node("serve", "StatefulPartitionedCall", "x", f=calls("f"))]
    model = read_model(write(tmp_path / "m.pb", graph(*nodes, functions=ring)))
    signature = Signature(key="serving_default", outputs={"y": Tensor(name="serve:0")})
    main = model.meta_graphs[0].replace(signatures=(signature,))
    (page,) = pages_of([ShownModel(model=model.replace(meta_graphs=(main,)))])
    assert page.start == "signature serving_default"


def test_a_node_without_a_name_of_its_own_shows_its_number_and_what_it_gives(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(pir.program(*pir.whole()[:3]))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    assert [item.lines for item in page.graphs[0].inner] == [
        ("builtin.parameter", "#0 float32[3, 4]"),
        ("pd_op.data", "#1 float32[?, 3]"),
        ("pd_op.matmul", "#2 float32[?, 4]"),
    ]
    assert [fact.text for fact in page.graphs[0].inner[0].facts] == ["%1, w: float32[3, 4]"]


def test_of_nodes_in_a_single_box_each_states_what_it_gives(tmp_path):
    weights = [pir.parameter(f"w{at}", at + 1, (at, 4)) for at in range(30)]
    path = tmp_path / "m.json"
    path.write_bytes(pir.program(*weights, pir.op("1.concat", list(range(1, 31)), [99])))
    (page,) = pages_of([ShownModel(model=read_model(str(path)))])
    kin = page.graphs[0].inner[0]
    assert (kin.kind, kin.lines) == ("kin", ("builtin.parameter, 30 nodes", "#0 … #29"))
    assert [(fact.role, fact.name, fact.text) for fact in kin.facts[:2]] == [
        ("output", "#0", "%1, w0: float32[0, 4]"),
        ("output", "#1", "%2, w1: float32[1, 4]"),
    ]


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
    """Return the text of the page on the tensors of the last node of a graph of a model."""
    model = read_model(str(path))
    (page,) = pages_of([ShownModel(model=model)])
    graphs = [graph for graph in page.graphs if graph.inner or graph.facts]
    box = graphs[graph]
    while box.inner:
        box = box.inner[-1]
    return [f"{fact.role} {fact.text}" for fact in box.facts if fact.role != "attr"]


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


def test_an_arrow_between_graphs_counts_the_calls(tmp_path):
    nodes = [node(f"c{at}", "PartitionedCall", f=calls("f")) for at in range(3)]
    result = drawn(
        tmp_path, X, *nodes, functions=[function("f", node("n", "NoOp"), node("m", "PartitionedCall", f=calls("f")))]
    )
    seen = ShownModel(model=read_model(str(tmp_path / "graph.pb")))
    (page,) = pages_of([seen])
    assert [(line.count, line.is_back) for line in page.drawing.lines] == [(3, False)]
    assert len(page.drawing.boxes) == len(result.whole.children) == 2


def test_a_circle_is_drawn_as_well(tmp_path):
    nodes = [node(f"n{at}", "Op", f"n{(at + 1) % 5}") for at in range(5)]
    (main,) = drawn(tmp_path, *nodes).whole.children
    result = placed(main)
    assert [line.is_back for line in result.lines].count(True) == 1


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
    assert arrows(main) == {("scale#0", "relu#1"): 1, ("relu#1", "tanh#2"): 1, ("tanh#2", "while#3"): 1}
    assert [list(box.calls) for box in main.children] == [[], [], [], ["block 1"]]


def test_what_is_next_to_each_other_is_in_as_few_boxes_as_fit_a_picture():
    root = Box("file", "whole", children=[Box(f"n{at}", "node", f"op{at}") for at in range(10 * MANY)])
    Folding(root)
    assert [(child.kind, len(child.children)) for child in root.children] == [("run", 10)] * MANY
    assert [node.label for node in root.walk() if not node.children] == [f"n{at}" for at in range(10 * MANY)]
