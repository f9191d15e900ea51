from __future__ import annotations

import pytest

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs import importer, node_spans, stored
from opspec_lint.frameworks.tensorflow.saved.graphs.colocation import Colocation
from tests.support.models.tensorflow_models import FLOAT, audited, graph, node, outcome, placeholder, write

X = placeholder()
FORMS = {
    "one": [b"loc:@x"],
    "two": [b"loc:@x", b"loc:@y"],
    "long": [b"loc:@x" + b"y" * 150],
    "of another kind": [b"x"],
    "without a name": [b"loc:@"],
    "none": [],
}


def said(*texts):
    def put(into):
        into.list.SetInParent()
        into.list.s.extend(texts)

    return put


def entry(key, *texts):
    value = message("AttrValue")()
    said(*texts)(value)
    return message("RawEntry")(key=key, value=value.SerializeToString()).SerializeToString()


def bare(*entries, op="NoOp"):
    return message("RawNodeDef")(op=op, attr=entries).SerializeToString()


@pytest.mark.parametrize("texts", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(("before", "behind"), [((), ()), (("a",), ()), ((), ("z",)), (("a",), ("z",))])
def test_the_attr_is_cut_out_wherever_it_is(texts, before, behind):
    rest = [[entry(item, b"v" * 300) for item in side] for side in (before, behind)]
    key = bare(*rest[0], entry("_class", *texts), *rest[1])
    assert Colocation().strip([key], [0]) == [bare(*rest[0], *rest[1])]


def test_it_is_left_where_it_is_a_part_of_another_attr():
    key = bare(entry("doc", b"\x2a\x1a\x0a\x06_class\x12\x10\x0a\x0e\x12\x0cloc:@nothing"))
    assert Colocation().strip([key, bare()], [0, 1]) == [key, bare()]


@pytest.mark.parametrize("texts", [FORMS["one"], FORMS["two"], FORMS["long"], FORMS["without a name"]])
def test_a_node_that_is_not_there_is_named(texts):
    nodes = [message("RawNodeDef").FromString(bare(entry("_class", *texts)))]
    colocation = Colocation()
    colocation.strip([nodes[0].SerializeToString()], [0])
    names = tuple(text.removeprefix(b"loc:@").decode() for text in texts)
    assert colocation.missing_colocations(nodes, {"q"}) == {0: names}
    assert colocation.missing_colocations(nodes, set(names)) == {}


@pytest.mark.parametrize("together", [2000, 2])
def test_only_nodes_that_are_next_to_none_are_faults(tmp_path, monkeypatch, together):
    monkeypatch.setattr(node_spans, "_MOST", 64 * together)
    monkeypatch.setattr(node_spans, "_LEAST", 64 * together)
    monkeypatch.setattr(stored, "_BATCH", together)
    nodes = [X, *(node(f"n{at}", "NoOp", _class=said(b"loc:@" + (b"x" if at % 3 else b"gone"))) for at in range(6))]
    result = audited(write(tmp_path / "g.pb", graph(*nodes)), "import_graph_def")
    assert outcome(result) == ("refused", "colocation", ["model_device"])
    assert [name for _, name in next(iter(result.nodes.values()))] == ["n0", "n3"]


def test_nodes_that_differ_in_it_alone_are_judged_once(tmp_path, monkeypatch):
    made = []
    make = importer.Importer._make_kind
    monkeypatch.setattr(importer.Importer, "_make_kind", lambda self, key: made.append(key) or make(self, key))
    others = [node(f"p{at}", "Pool", "x", T=FLOAT, k=2, _class=said(b"loc:@x", b"loc:@n%d" % at)) for at in range(9)]
    nodes = [X, *(node(f"n{at}", "NoOp", _class=said(b"loc:@n%d" % (at // 2))) for at in range(50)), *others]
    assert audited(write(tmp_path / "g.pb", graph(*nodes)), "import_graph_def").verdict == "loads"
    assert len(made) == 3
