"""Source trees that are checked without a configuration: named on the command line, or recognised."""

from __future__ import annotations

import json

import pytest

from tests.support.projects import config, text
from tests.support.repositories import Repository
from tests.support.trees import pir_trees, tensorflow_trees, tflite_trees
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS

LIBRARY = '#include <torch/library.h>\nTORCH_LIBRARY(k, m) {{\n  m.def("scale({}) -> Tensor");\n  {}\n}}\n'
OPS = "ext/ops.cpp"
OLD, BROKEN = LIBRARY.format("Tensor x", ""), LIBRARY.format("Tensor x, int n", "")
GROWN = LIBRARY.format("Tensor x", 'm.def("mask(Tensor x) -> Tensor");')


@pytest.fixture
def repository(tmp_path):
    """A topic branch that breaks an op, and a main branch that has gained and lost others since they parted."""
    made = Repository.make(tmp_path / "top", {OPS: GROWN, "README": "x"})
    made.git("branch", "topic")
    made.commit({OPS: OLD, "README": "y"})
    made.git("checkout", "-q", "topic")
    made.commit({OPS: BROKEN.replace("}\n", '  m.def("mask(Tensor x) -> Tensor");\n}\n')})
    return made


def run(repository, *arguments, **options):
    """Return the rule and the op of each finding, and the name of base."""
    ran = repository.opspec("check", *arguments, "--format", "json", **options)
    assert ran.returncode in (0, 1), ran.stderr
    report = json.loads(ran.stdout)
    return [(finding["rule"], finding["op"]) for finding in report["findings"]], report.get("base")


def ops(result):
    return sorted({op for _, op in result[0]})


@pytest.mark.parametrize(
    "arguments",
    [
        ["pytorch-source:.@main..."],
        ["pytorch-source:ext@main..."],
        ["pytorch-source:.@main...topic"],
        ["pytorch-source:.@main...", "--staged"],
        ["pytorch-source:.@main...", "--head", "topic"],
        ["pytorch-source:.", "--base", "main"],
        ["pytorch-source", "--base", "main"],
        ["pytorch-source:."],
        ["--base", "main"],
        ["--base", "main", "--staged"],
        ["--base", "main", "--head", "topic"],
        [],
        ["pytorch-source:.@main...", "pytorch-source:."],
        ["pytorch-source:.@main...topic", "pytorch-source:.@topic"],
    ],
    ids=" ".join,
)
def test_a_branch_is_compared_with_the_merge_base(repository, arguments):
    assert ops(run(repository, *arguments)) == ["k::scale"]


def test_what_is_compared_with_the_tip_of_the_branch_is_more(repository):
    assert ops(run(repository, "pytorch-source:.@main", "pytorch-source:.")) == ["k::mask", "k::scale"]
    assert ops(run(repository, "pytorch-source:.", "--base", "main", "--exact")) == ["k::mask", "k::scale"]


def test_the_merge_base_is_named(repository):
    _, base = run(repository, "pytorch-source:.@main...")
    assert base.endswith("the merge base of HEAD and main")


def test_the_files_of_the_work_tree_are_head(repository):
    repository.write({OPS: GROWN})
    assert run(repository, "pytorch-source:.@main...")[0] == []
    assert ops(run(repository, "pytorch-source:.@main...topic")) == ["k::scale"]


def test_a_tree_in_another_folder(repository, tmp_path):
    elsewhere = Repository.make(tmp_path / "elsewhere")
    assert ops(run(elsewhere, f"pytorch-source:{repository.top}@main...")) == ["k::scale"]
    assert ops(run(elsewhere, f"pytorch-source:{repository.top}", "--base", "main")) == ["k::scale"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["pytorch-source:.@main"], 2, "`pytorch-source:.@main...` compares the merge base with the work tree"),
        (["pytorch-source:.@main...", "--base", "main"], 2, "--base and main... name the same side"),
        (["pytorch-source:.@main...topic", "--staged"], 2, "--staged and main...topic name the same side"),
        (["pytorch-source:nowhere"], 3, "there is no folder 'nowhere'"),
        (["pytorch-source:.@mian..."], 3, "did you mean 'main'?"),
        (["pytorch-source:.", "--base", "mainn"], 3, "did you mean 'main'?"),
        (["pytorch-runtime", "--base", "main"], 2, "BASE was given without HEAD"),
        (["onnx-source:.", "--base", "main"], 3, "onnx"),
    ],
)
def test_errors_of_the_command_line(repository, arguments, code, message):
    ran = repository.opspec("check", *arguments)
    assert (ran.returncode, message in ran.stderr) == (code, True), ran.stderr


def test_sources_and_spec_files_are_both_checked(repository):
    spec = "specs/ops.json"
    repository.git("checkout", "-q", "main")
    repository.commit({spec: text("f(X) -> (Out) [a: INT = 0]")})
    repository.git("checkout", "-q", "-b", "both")
    repository.commit({spec: text("f(X) -> (Out) [a: INT = 1]"), OPS: BROKEN})
    assert ops(run(repository)) == ["f", "k::scale"]
    repository.git("checkout", "-q", "main")
    repository.commit({"opspec-lint.yaml": config(specs=[spec, "pytorch-source:."])})
    repository.git("checkout", "-q", "both")
    repository.git("merge", "-q", "-m", "x", "main")
    assert ops(run(repository)) == ["f", "k::scale"]


def test_after_a_criss_cross_merge_every_base_counts(repository):
    main, topic = repository.git("rev-parse", "main"), repository.head
    repository.git("merge", "-q", "-s", "ours", "-m", "x", main)
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "-s", "ours", "-m", "x", topic)
    repository.git("checkout", "-q", "topic")
    repository.write({OPS: OLD})
    findings, base = run(repository, "--base", "main")
    assert "the merge bases of HEAD and main" in base
    assert sorted(op for _, op in findings) == ["k::mask", "k::scale"]


def test_a_tree_that_head_no_longer_has_was_removed(repository):
    repository.commit({OPS: None})
    assert run(repository, "--base", "main")[0] == [("spec_removed", None)]


def test_a_tree_of_litert_is_checked_with_its_schema(tmp_path):
    made = Repository.make(tmp_path / "litert", tflite_trees.TREE)
    made.git("checkout", "-q", "-b", "topic")
    schema = tflite_trees.TREE[tflite_trees.SCHEMA].replace("stride_w:int = 1", "stride_w:int = 2")
    kernels = tflite_trees.TREE[tflite_trees.KERNELS].replace("  AddBuiltin(BuiltinOperator_ADD,", "  //")
    made.commit({tflite_trees.SCHEMA: schema, tflite_trees.KERNELS: kernels})
    findings, _ = run(made, "--base", "main")
    assert {("slot_default_changed", "tflite.Conv2DOptions"), ("kernel_removed", "ADD")} <= set(findings), findings


@pytest.mark.parametrize("arguments", [["--base", "main"], ["paddle-source:.", "--base", "main"]], ids=" ".join)
def test_a_tree_of_paddle_is_checked_with_its_pir_ops(tmp_path, arguments):
    entry = "- op : round\n  args : (Tensor x, int decimals = 0)\n  output : Tensor\n"
    maker = CLASS.format(name="FOpMaker", body='AddInput("X", "x");')
    legacy = f"class FOp : public framework::OperatorWithKernel {{}};\n{maker}\nREGISTER_OPERATOR(f, FOp, FOpMaker);\n"
    made = Repository.make(tmp_path / "top", BASE | {f"{OPERATORS}/f_op.cc": legacy} | pir_trees.tree(entry))
    made.git("checkout", "-q", "-b", "topic")
    made.commit({f"{pir_trees.YAML}/ops.yaml": entry.replace("int decimals = 0", "str decimals")})
    assert ops(run(made, *arguments)) == ["pd_op.round"]


def test_a_sparse_checkout_lacks_a_recognised_tree(tmp_path):
    made = Repository.make(tmp_path / "top", tflite_trees.TREE | tensorflow_trees.TREE)
    made.git("checkout", "-q", "-b", "topic")
    made.git("sparse-checkout", "set", "--no-cone", "/tflite/", "/tensorflow/core/ops/")
    ran = made.opspec("check", "--base", "main")
    assert ran.returncode == 3
    assert "tensorflow-source:.: the sparse checkout leaves out" in ran.stderr
    assert "advice: add --staged, which reads the index, or --head HEAD, which reads the commit" in ran.stderr
    assert "or add tflite-source:. to the command, which checks that tree alone" in ran.stderr
    assert run(made, "tflite-source:.", "--base", "main")[0] == []
    for head in (("--staged",), ("--head", "HEAD")):
        assert run(made, "--base", "main", *head)[0] == []


@pytest.mark.parametrize("folder", ["", "vendor/litert/"])
def test_a_named_tree_of_litert_is_checked_with_its_schema(tmp_path, folder):
    """A default outside of the options of ops is a break of the schema, which the source does not read itself."""
    made = Repository.make(tmp_path / "top", {f"{folder}{path}": text for path, text in tflite_trees.TREE.items()})
    made.git("checkout", "-q", "-b", "topic")
    schema = tflite_trees.TREE[tflite_trees.SCHEMA]
    before = schema.replace(
        "table Conv2DOptions {", "table Tensor { is_variable:bool = false; }\n\ntable Conv2DOptions {"
    )
    assert before != schema
    path = f"{folder}{tflite_trees.SCHEMA}"
    made.commit({path: before})
    made.write({path: before.replace("is_variable:bool = false", "is_variable:bool = true")})
    findings, _ = run(made, f"tflite-source:{folder or '.'}", "--base", "HEAD")
    assert ("slot_default_changed", "tflite.Tensor") in findings


@pytest.mark.parametrize(
    ("reference", "advice"),
    [
        ("tflite-source:.@:index", "`tflite-source:. --staged` checks the index"),
        ("tflite-source:.@HEAD", "`tflite-source:. --head HEAD` checks the revision against its base"),
    ],
)
def test_a_single_revision_of_a_source_advises_a_comparison(tmp_path, reference, advice):
    made = Repository.make(tmp_path / "top", tflite_trees.TREE)
    ran = made.opspec("check", reference, "--base", "main")
    assert (ran.returncode, advice in ran.stderr) == (2, True)
    command = advice.split("`")[1].split()
    assert made.opspec("check", *command, "--base", "main").returncode == 0
