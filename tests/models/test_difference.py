"""The comparison of two drawn models: which nodes match, and which matched nodes are equal."""

from __future__ import annotations

from opspec_lint.models.picture.difference import DrawnNode, compare_nodes


def drawn(*texts, graph=""):
    """Make a chain of nodes from texts `NAME OP ATTR`; a name `#3` is a place."""
    nodes = []
    for at, text in enumerate(texts):
        name, op, *attrs = text.split()
        content = tuple(("attr", "a", attr) for attr in attrs)
        givers = frozenset({at - 1} if at else ())
        nodes.append(DrawnNode(graph=graph, name=name, op=op, output="", content=content, givers=givers))
    return nodes


def test_equal_models_have_no_differences():
    nodes = drawn("a Relu", "b Conv 3", "c Relu")
    result = compare_nodes(nodes, nodes)
    assert (result.matches, result.changed, result.removed, result.added) == ({0: 0, 1: 1, 2: 2}, set(), set(), set())


def test_nodes_match_by_name_and_differ_in_ops_attrs_or_givers():
    result = compare_nodes(drawn("a Relu", "b Conv 3", "c Relu"), drawn("a Relu", "b Conv 5", "new Abs", "c Relu"))
    assert result.matches == {0: 0, 1: 1, 2: 3}
    # `c` takes from another node now.
    assert (result.changed, result.removed, result.added) == ({1, 2}, set(), {2})


def test_nodes_without_names_match_by_their_sequence():
    first = drawn("#0 Relu", "#1 Conv 3", "#2 Conv 4", "#3 Relu")
    second = drawn("#0 Abs", "#1 Relu", "#2 Conv 3", "#3 Conv 5", "#4 Relu")
    result = compare_nodes(first, second)
    assert result.matches == {0: 1, 1: 2, 2: 3, 3: 4}
    assert (result.changed, result.removed, result.added) == ({0, 2}, set(), {0})


def test_renamed_nodes_match_by_their_outputs():
    first, second = drawn("a Relu", "b Conv"), drawn("c Relu", "d Conv")
    first, second = ([node.replace(output=f"t{at}") for at, node in enumerate(nodes)] for nodes in (first, second))
    assert compare_nodes(first, second[::-1]).matches == {0: 1, 1: 0}


def test_nodes_of_different_graphs_do_not_match():
    result = compare_nodes(drawn("a Relu", graph="f"), drawn("a Relu", graph="g"))
    assert (result.matches, result.removed, result.added) == ({}, {0}, {0})
