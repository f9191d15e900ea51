"""The check of a source tree of Paddle has the translation as a third contract: base's ops against head's PIR ops."""

from __future__ import annotations

import pytest

from opspec_lint.cli.main import main
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec import canonical
from tests.support.projects import check, config
from tests.support.repositories import Repository
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS
from tests.support.trees.pir_trees import YAML, tree

COMPAT = """\
- op : dropout
  backward : dropout_grad
  inputs :
    {x : X, seed_tensor : Seed}
  outputs :
    out : Out
    mask : Mask
  attrs :
    p : dropout_prob
    mode : dropout_implementation
- op : sum (reduce_sum)
  inputs :
    x : X
  attrs :
    axis : dim
  outputs :
    out : Out
  int_array :
    axis :
      data_type : int
      tensor_name : DimTensor
"""
OPS = """\
- op : dropout
  args : (Tensor x, Tensor seed_tensor, float p, str mode)
  output : Tensor(out), Tensor(mask)
  kernel : {func : dropout}
  infer_meta : {func : DropoutInferMeta}
  optional : seed_tensor
- op : sum
  args : (Tensor x, IntArray axis = {})
  output : Tensor(out)
  kernel : {func : sum}
  infer_meta : {func : SumInferMeta}
"""
DROPOUT = """
    AddInput("X", "");
    AddInput("Seed", "").AsDispensable().AsExtra();
    AddOutput("Out", "");
    AddOutput("Mask", "");
    AddAttr<float>("dropout_prob", "");
    AddAttr<std::string>("dropout_implementation", "");
"""
SUM = """
    AddInput("X", "");
    AddInput("DimTensor", "").AsDispensable();
    AddOutput("Out", "");
    AddAttr<std::vector<int>>("dim", "").SetDefault({0});
    AddAttr<bool>("keep_dim", "").SetDefault(false);
"""


def cpp(body, name, maker):
    head = "class FOp : public framework::OperatorWithKernel {};\n"
    return f"{head}{CLASS.format(name=maker, body=body)}\nREGISTER_OPERATOR({name}, ops::FOp, ops::{maker});\n"


FILES = (
    BASE
    | tree(OPS, COMPAT)
    | {
        f"{OPERATORS}/dropout_op.cc": cpp(DROPOUT, "dropout", "DropoutOpMaker"),
        f"{OPERATORS}/sum_op.cc": cpp(SUM, "reduce_sum", "SumOpMaker"),
    }
)
BOTH = ["paddle-source:.", "paddle-pir-source:."]


@pytest.fixture
def repository(tmp_path):
    return Repository.make(tmp_path / "paddle", FILES | {"opspec-lint.yaml": config(source=BOTH)})


def changed(old, new, text=COMPAT):
    assert text.count(old) == 1
    return text.replace(old, new)


def of_translation(report):
    (result,) = [comparison for comparison in report.comparisons if comparison.profile == "paddle-translation"]
    return result


EDITS = {
    "an attr": ("    p : dropout_prob\n", "", ("translation_attr_absent", "dropout", "p")),
    "an input": ("x : X, ", "", ("translation_input_absent", "dropout", "x")),
    "an input that may be left out": (", seed_tensor : Seed", "", ("translation_argument_dropped", "dropout", "Seed")),
    "an output": ("    mask : Mask\n", "", ("translation_output_absent", "dropout", "mask")),
    "an op": ("sum (reduce_sum)", "sum", ("translation_op_missing", "reduce_sum", "reduce_sum")),
    "a tensor": (
        "      tensor_name : DimTensor\n",
        "",
        ("translation_argument_dropped", "reduce_sum", "DimTensor"),
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_entry_of_op_compat_that_goes_is_an_error(repository, edit):
    old, new, expected = EDITS[edit]
    repository.write({f"{YAML}/op_compat.yaml": changed(old, new)})
    (finding,) = of_translation(check(repository)).findings
    assert (finding.rule, finding.op, finding.name) == expected
    assert finding.level == "error"
    assert finding.head_origin.file == f"{YAML}/op_compat.yaml"


def test_arguments_that_change_places_are_an_error_each(repository):
    swapped = changed("p : dropout_prob\n    mode : drop", "mode : dropout_prob\n    p : drop")
    repository.write({f"{YAML}/op_compat.yaml": swapped})
    findings = of_translation(check(repository)).findings
    assert {finding.rule for finding in findings} == {"translation_attr_type"}
    swapped = changed("out : Out\n    mask : Mask", "out : Mask\n    mask : Out")
    repository.write({f"{YAML}/op_compat.yaml": swapped})
    findings = of_translation(check(repository)).findings
    assert {(finding.rule, finding.name, finding.level) for finding in findings} == {
        ("translation_argument_rebound", "Out", "error"),
        ("translation_argument_rebound", "Mask", "error"),
    }


def test_what_base_did_not_translate_either_is_not_reported(repository):
    repository.commit({f"{YAML}/op_compat.yaml": changed("    p : dropout_prob\n", "")})
    without_x = changed("x : X, ", "", changed("    p : dropout_prob\n", ""))
    repository.write({f"{YAML}/op_compat.yaml": without_x})
    assert of_translation(check(repository)).findings == ()
    repository.write({f"{YAML}/op_compat.yaml": COMPAT})
    assert of_translation(check(repository)).findings == ()


def test_an_attr_of_pir_that_programs_do_not_have_is_an_error(repository):
    more = changed("str mode)", "str mode, int times = 1)", OPS)
    repository.write({f"{YAML}/ops.yaml": more})
    (finding,) = of_translation(check(repository)).findings
    assert (finding.rule, finding.name) == ("translation_attr_absent", "times")
    assert finding.head_origin.file == f"{YAML}/ops.yaml"


def test_an_input_of_pir_that_is_renamed_with_its_entry_is_translated_as_before(repository):
    repository.write(
        {
            f"{YAML}/ops.yaml": changed("Tensor x, Tensor seed", "Tensor data, Tensor seed", OPS),
            f"{YAML}/op_compat.yaml": changed("{x : X,", "{data : X,"),
        }
    )
    assert of_translation(check(repository)).findings == ()


def test_where_no_pir_op_changed_there_is_nothing_to_compare(repository):
    repository.write({f"{OPERATORS}/sum_op.cc": cpp(SUM + 'AddInput("Y", "");', "reduce_sum", "SumOpMaker")})
    assert [comparison.profile for comparison in check(repository).comparisons] == ["paddle", "paddle-pir"]


@pytest.mark.parametrize("source", BOTH)
def test_a_single_source_of_a_tree_is_checked_with_the_other(repository, source, monkeypatch, capsys):
    repository.commit({"opspec-lint.yaml": config(source=source)})
    repository.write({f"{YAML}/op_compat.yaml": changed("    p : dropout_prob\n", "")})
    (finding,) = of_translation(check(repository)).findings
    assert finding.rule == "translation_attr_absent"
    monkeypatch.chdir(repository.top)
    assert main(["check", f"{source}@HEAD", source]) == 1
    assert "translation_attr_absent" in capsys.readouterr().out


def test_a_name_of_op_compat_that_changed_is_a_fact_on_the_pir_op_as_well(repository):
    repository.write({f"{YAML}/op_compat.yaml": changed("    p : dropout_prob\n", "")})
    (finding,) = [finding for finding in check(repository).findings if finding.rule == "legacy_name_changed"]
    assert (finding.op, finding.name, finding.level) == ("pd_op.dropout", "p", "warning")
    assert (finding.old, finding.new) == ("dropout_prob", None)
    assert finding.head_origin.file == f"{YAML}/op_compat.yaml"
    assert finding.base_origin.line == 9


def test_what_is_wrong_with_a_patch_file_is_no_fact_on_the_translation(repository):
    folder = "paddle/fluid/pir/serialize_deserialize"
    versions = "add_definitions(-DDEVELOP_VERSION=1)\nadd_definitions(-DRELEASE_VERSION=1)\n"
    repository.commit({f"{folder}/CMakeLists.txt": versions, f"{folder}/patch/1.yaml": ""})
    entry = "op_patches:\n  - {op_name: pd_op.sum, actions: [{action: delete_attr, object: a}]}\n"
    repository.write({f"{folder}/patch/0.yaml": entry, f"{YAML}/ops.yaml": changed("str mode)", "str modes)", OPS)})
    report = check(repository)
    assert [finding.rule for finding in report.findings if finding.rule == "patch_not_applied"] == ["patch_not_applied"]
    assert {finding.rule for finding in of_translation(report).findings} == {"translation_attr_absent"}


def extracted(repository, source):
    reading = Reading(environment=repository.environment, caches=False)
    return canonical.dumps(references.resolve(f"{source}:{repository.top}", reading).spec)


def test_spec_files_of_both_frameworks_are_compared_alike(repository):
    files = {f"specs/{source}.json": extracted(repository, source) for source in ("paddle-source", "paddle-pir-source")}
    repository.commit({**files, "opspec-lint.yaml": None})
    repository.write({f"{YAML}/op_compat.yaml": changed("    p : dropout_prob\n", "")})
    repository.write({"specs/paddle-pir-source.json": extracted(repository, "paddle-pir-source")})
    report = check(repository)
    (finding,) = of_translation(report).findings
    assert (finding.rule, finding.op, finding.spec) == (
        "translation_attr_absent",
        "dropout",
        "specs/paddle-pir-source.json",
    )
    assert report.unchanged == ("specs/paddle-source.json",)


def test_a_release_that_must_stay_compatible_is_translated_as_well(repository):
    repository.commit({"release.json": extracted(repository, "paddle-source")})
    repository.commit({"opspec-lint.yaml": config(source="paddle-pir-source:.", against=["release.json"])})
    repository.commit({f"{OPERATORS}/dropout_op.cc": None})
    repository.write({f"{YAML}/op_compat.yaml": changed("    p : dropout_prob\n", "")})
    (finding,) = [finding for finding in check(repository).findings if finding.rule.startswith("translation")]
    assert (finding.rule, finding.op) == ("translation_attr_absent", "dropout")


@pytest.mark.parametrize(
    ("only", "expected"), [("dropout", 1), ("pd_op.dropout", 1), ("drop*", 1), ("reduce_sum", 0), ("pd_op.s*", 0)]
)
def test_only_some_ops_by_either_name(repository, only, expected):
    repository.write({f"{YAML}/op_compat.yaml": changed("    p : dropout_prob\n", "")})
    report = check(repository, only=(only,))
    assert len([finding for finding in report.findings if finding.rule == "translation_attr_absent"]) == expected


def test_what_of_head_cannot_be_read_is_reported_and_not_taken_for_removed(repository):
    repository.write({f"{YAML}/ops.yaml": OPS.replace("args : (Tensor x, Tensor seed_tensor", "args : Tensor x, (")})
    findings = of_translation(check(repository)).findings
    assert {(finding.rule, finding.op) for finding in findings} == {("op_unresolved", "pd_op.dropout")}


def test_what_is_legacy_is_not_read_where_no_pir_op_changed(repository, monkeypatch):
    repository.commit({"opspec-lint.yaml": config(source="paddle-pir-source:.")})
    repository.write({f"{YAML}/ops.yaml": f"# a comment\n{OPS}"})
    monkeypatch.setitem(SOURCES._loaded, "paddle-source", None)
    assert check(repository).findings == ()
