"""A reading of a tree for one op has the same declarations of this op as a reading for all ops."""

from __future__ import annotations

import random

import pytest

from opspec_lint.frameworks.paddle.extract.tree import extraction
from opspec_lint.frameworks.paddle.sources.source import SOURCE
from opspec_lint.kit.errors import NothingThereError
from opspec_lint.sources.cache import MemoryStore
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.trees import OpenTree
from opspec_lint.spec.identity import without_build
from opspec_lint.spec.model import UNKNOWN
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS, Memory
from tests.support.trees.paddle_yaml import TREE, YAML, entry

OP = "class FOp : public framework::OperatorWithKernel {};\n"
MACROS = f"{OPERATORS}/macros.h"
HEADER = f"""
#define REGISTER_IT(name, maker) REGISTER_OPERATOR(name, ops::FOp, ops::maker)
#define REGISTER_PAIR(base, maker) \\
  REGISTER_OPERATOR(base, ops::FOp, ops::maker); REGISTER_OPERATOR(base##_v2, ops::FOp, ops::maker)
#define REGISTER_JOINED(first, second, maker) REGISTER_OPERATOR(first##second, ops::FOp, ops::maker)
#define REGISTER_HIDDEN(maker) REGISTER_OPERATOR(secret, ops::FOp, ops::maker)
{OP}
"""
NAMES = ("relu", "relu_v2", "relu_grad", "re", "secret", "elu", "sparse_relu", "legacy_relu")
REGISTERED = {
    "relu": ("REGISTER_OPERATOR(relu, ops::FOp, ops::{});", "REGISTER_IT(relu, {});", "REGISTER_JOINED(re, lu, {});"),
    "relu_v2": ("REGISTER_OPERATOR(relu_v2, ops::FOp, ops::{});", "REGISTER_PAIR(relu, {});"),
    "relu_grad": ("REGISTER_OPERATOR(relu_grad, ops::FOp);//{}", "REGISTER_JOINED(relu, _grad, {});"),
    "re": ("REGISTER_OPERATOR(re, ops::FOp, ops::{});", "REGISTER_OPERATOR(r\\\ne, ops::FOp, ops::{});"),
    "secret": ("REGISTER_HIDDEN({});", "#ifdef PADDLE_WITH_CUDA\nREGISTER_IT(secret, {});\n#endif\n"),
    "elu": ("REGISTER_OPERATOR(elu, ops::FOp, ops::{});", "REGISTER_OPERATOR( /* elu */ elu , ops::FOp, ops::{});"),
}
VERSION = """
REGISTER_OP_VERSION({op}).AddCheckpoint("note", paddle::framework::compatible::OpVersionDesc()
    .NewAttr("axis", "new", {value}));
"""
COMPAT = """- op : {plain} ({op})
  inputs :
    x : X
"""


def source_of(chance, ops):
    """Return a source that registers some ops, each in one of its ways."""
    code = f'#include "{MACROS}"\n' if chance.random() < 0.8 else OP
    for op in ops:
        value = chance.choice(["1", "2", "2", "Unknown()"])
        maker = f"{op.title().replace('_', '')}Maker"
        code += CLASS.format(name=maker, body=f'AddInput("X", ""); AddAttr<int>("axis", "").SetDefault({value});')
        code += "\n" + chance.choice(REGISTERED[op]).format(maker) + "\n"
        if chance.random() < 0.3:
            code += VERSION.format(op=op, value=value)
    return code


def yaml_of(chance):
    """Return YAML files in which some of the ops have other names than in programs, and some have gradients."""
    plain = {"f": "relu", "relu": "relu", "g": "legacy_relu", "re": "secret"}
    chosen = [name for name in plain if chance.random() < 0.5]
    args = ("(Tensor x)", "(Tensor x, int axis = 1)", "(Tensor x, int axis = 2)", "(Unknown)")
    sparse = [entry("relu", chance.choice(args))] if chance.random() < 0.5 else []
    return TREE | {
        f"{YAML}/ops.yaml": "".join(
            entry(name, chance.choice(args), more=chance.choice(["", f"  backward : {name}_grad"])) for name in chosen
        ),
        f"{YAML}/op_compat.yaml": "".join(
            COMPAT.format(plain=name, op=plain[name]) for name in chosen if chance.random() < 0.6
        ),
        f"{YAML}/sparse_ops.yaml": "".join(sparse),
    }


def tree_of(chance):
    """Return the files of a tree: each op in one of two files, in both or in none; perhaps YAML files."""
    files = {f"{OPERATORS}/{name}_op.cc": [op for op in REGISTERED if chance.random() < 0.25] for name in "ab"}
    tree = {path: source_of(chance, ops) for path, ops in files.items() if ops or chance.random() < 0.5}
    if chance.random() < 0.8:
        tree[MACROS] = HEADER
    if chance.random() < 0.2:
        tree[f"{OPERATORS}/a_op.cc"] = f'{OP}#include "paddle/fluid/operators/a.inc"\n'
        tree[f"{OPERATORS}/a.inc"] = source_of(chance, ["elu"])
    return BASE | tree | (yaml_of(chance) if chance.random() < 0.5 else {})


def read(files, store, **options):
    """Return the spec of a tree, or the message why it has none."""
    try:
        return SOURCE.tree.read(OpenTree(files=Memory(files)), "tree", Reading(**options), store)
    except NothingThereError as error:
        return error.message


def declarations(spec, op):
    """Return the facts about one op: its forms with their places, its versions, and why it is unresolved."""
    if isinstance(spec, str):
        return spec
    versions = {} if spec.op_versions is UNKNOWN else spec.op_versions
    unresolved = [remark for remark in spec.remarks if remark.op == op and remark.event == "op_unresolved"]
    forms = {name: (made, made.origin, made.attrs) for name, made in spec.ops.items() if without_build(name) == op}
    return forms, versions.get(op), unresolved


@pytest.mark.parametrize("seed", range(20))
def test_an_op_read_alone_is_the_op_among_all(seed):
    chance = random.Random(seed)  # noqa: S311 - no secret
    stores = {op: MemoryStore() for op in NAMES}
    whole_store, compared, resolved = MemoryStore(), 0, 0
    for _ in range(6):
        files = tree_of(chance)
        whole = read(files, whole_store)
        for op in NAMES:
            expected = declarations(whole, op)
            assert declarations(read(files, stores[op], only=op), op) == expected
            compared += 1
            resolved += bool(expected[0]) and not isinstance(expected, str)
    assert compared == 6 * len(NAMES)
    assert resolved


def test_the_samples_have_all_ops_and_trees_without_ops():
    chance = random.Random(0)  # noqa: S311 - no secret
    specs = [read(tree_of(chance), MemoryStore()) for _ in range(80)]
    assert {op for spec in specs if not isinstance(spec, str) for op in spec.ops} >= {*NAMES} - {"relu_grad"}
    assert any(isinstance(spec, str) for spec in specs)


def test_a_file_that_cannot_declare_the_op_is_not_evaluated(monkeypatch):
    from opspec_lint.frameworks.paddle.extract.fluid import registrations

    evaluated = []
    original = registrations.declarations
    monkeypatch.setattr(registrations, "declarations", lambda *args: evaluated.append(args[1]) or original(*args))
    chance = random.Random(0)  # noqa: S311 - no secret
    files = BASE | {f"{OPERATORS}/{op}_op.cc": OP + source_of(chance, [op]) for op in ("relu", "elu", "re")}
    files = {
        path: text.replace("REGISTER_IT(relu,", "REGISTER_OPERATOR(relu, ops::FOp,") for path, text in files.items()
    }
    extraction.extract_op(Memory(files), "cpu", "elu")
    assert evaluated == [f"{OPERATORS}/elu_op.cc"]


def test_the_results_of_a_single_op_are_not_taken_for_those_of_all():
    chance = random.Random(1)  # noqa: S311 - no secret
    files, store = tree_of(chance), MemoryStore()
    read(files, store, only="elu")
    assert read(files, store) == read(files, MemoryStore())


def test_an_op_whose_name_is_no_identifier_is_searched_among_all():
    files = BASE | {f"{OPERATORS}/a_op.cc": OP + "REGISTER_OPERATOR(a##b, ops::FOp);"}
    assert [remark.name for remark in read(files, MemoryStore(), only="a##b").remarks] == ["a##b"]
