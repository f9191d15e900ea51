"""The files of base with which the ops of a new file are compared, and the number of comparisons."""

from __future__ import annotations

import pytest

from opspec_lint.project.moved_ops import OpsOfFile, find_origins
from opspec_lint.spec.notation import parse_spec

NAMES = ("f", "g", "h")


def file(number, *ops):
    spec = parse_spec("\n".join(ops))
    return OpsOfFile(number=number, spec=spec, names=spec.ops.keys())


def files(first, count, change):
    """Files of the same op names, each with declarations of its own."""
    return [
        file(first + number, *(f"{name}(X) -> () [a: INT = {number}, {change}: INT]" for name in NAMES))
        for number in range(count)
    ]


def comparisons(result):
    return [(new, old, name) for new, olds in result.items() for old, names in olds.items() for name in names]


@pytest.mark.parametrize("change", ["a2", "b"])
def test_the_comparisons_grow_with_the_number_of_files(change):
    counts = [
        len(comparisons(find_origins(files(0, count, "b"), files(count, count, change)))) for count in (100, 200, 400)
    ]
    assert counts == [counts[0], 2 * counts[0], 4 * counts[0]]
    assert counts[0] <= 8 * 100 * len(NAMES)


@pytest.mark.parametrize(("olds", "news"), [(1, 30), (30, 1), (30, 30), (40, 23), (23, 40), (5, 5)])
def test_nothing_that_left_and_nothing_that_came_is_without_a_comparison(olds, news):
    result = comparisons(find_origins(files(0, olds, "b"), files(olds, news, "c")))
    assert {(new, name) for new, _, name in result} == {(olds + new, name) for new in range(news) for name in NAMES}
    assert {(old, name) for _, old, name in result} == {(old, name) for old in range(olds) for name in NAMES}
    assert len(set(result)) == len(result)


def test_an_op_with_the_declaration_of_one_that_left_came_from_there():
    left = [file(0, "f(X) -> ()"), file(1, "f(Y) -> ()")]
    assert find_origins(left, [file(2, "f(Y) -> ()"), file(3, "f(X) -> ()")]) == {2: {1: ["f"]}, 3: {0: ["f"]}}


def test_a_decoy_hides_no_change():
    left = [file(0, "f(X) -> ()"), file(1, "f(Y) -> ()")]
    assert find_origins(left, [file(2, "f(X) -> ()"), file(3, "f(X, Z) -> ()")]) == {2: {0: ["f"]}, 3: {1: ["f"]}}
    assert find_origins(left, [file(2, "f(X) -> ()"), file(3, "f(X) -> ()")]) == {
        2: {0: ["f"], 1: ["f"]},
        3: {0: ["f"], 1: ["f"]},
    }
    assert find_origins(left[:1], [file(2, "f(X) -> ()"), file(3, "f(X, Z) -> ()")]) == {2: {0: ["f"]}, 3: {0: ["f"]}}


def test_ops_of_another_framework_did_not_come_from_there():
    spec = parse_spec("f(X) -> ()", framework="tensorflow")
    assert find_origins([file(0, "f(X) -> ()")], [OpsOfFile(number=1, spec=spec, names={"f"})]) == {}
