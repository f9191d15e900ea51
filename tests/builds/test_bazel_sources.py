"""The sources that the BUILD files of a tree compile."""

from __future__ import annotations

import pytest

from opspec_lint.builds.build_files import BuildFiles
from opspec_lint.spec.condition import show
from tests.support.build_trees import KINDS, SOURCE
from tests.support.dict_tree import DictTree

CASES = [
    pytest.param(tree, id=f"{kind} {number}") for kind, trees in KINDS.items() for number, tree in enumerate(trees)
]


@pytest.mark.parametrize("tree", CASES)
def test_the_rules_of_a_tree_decide_whether_a_source_is_compiled(tree):
    builds = BuildFiles(DictTree(tree.files), sources=[SOURCE, "p/b.cc"])
    assert show(builds.compiles(SOURCE)) == tree.verdict
    remarks = [(remark.origin.place, remark.facts["reason"]) for remark in builds.remarks()]
    if tree.doubt is None:
        assert remarks == []
    else:
        place, reason = tree.doubt
        assert [(place, reason in text, f"`{SOURCE}` is taken for compiled" in text) for place, text in remarks] == [
            (place, True, True)
        ]


CHAINS = {
    "groups": 'filegroup(name = "n{0}", srcs = [":n{1}"])\n',
    "libraries": 'cc_library(name = "n{0}", deps = [":n{1}"], visibility = ["//visibility:private"])\n',
}
ENDS = {
    "groups": 'filegroup(name = "n3000", srcs = ["a.cc"])\ncc_library(name = "k", srcs = [":n0"])',
    "libraries": 'cc_library(name = "n3000", srcs = ["a.cc"], visibility = ["//visibility:private"])\n'
    'cc_binary(name = "k", deps = [":n0"])',
}


@pytest.mark.parametrize("kind", CHAINS)
def test_a_chain_of_thousands_of_rules_compiles_its_source_in_doubt(kind):
    chain = "".join(CHAINS[kind].format(number, number + 1) for number in range(3000))
    builds = BuildFiles(DictTree({"p/BUILD": chain + ENDS[kind]}), sources=[SOURCE])
    assert show(builds.compiles(SOURCE)) == "always"
    assert [remark.name for remark in builds.remarks()] == ["p/BUILD"]


def test_a_label_without_a_name_names_the_rule_of_its_package():
    library = 'cc_library(name = "p", srcs = ["a.cc"], visibility = ["//visibility:private"])\n'
    files = {"p/BUILD": library + 'cc_binary(name = "x", deps = ["//p"])'}
    assert show(BuildFiles(DictTree(files)).compiles(SOURCE)) == "always"
