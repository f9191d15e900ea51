"""The entries of patch files that `check --fix` writes: the finding is gone, and the file keeps its form."""

from __future__ import annotations

import json

import pytest

from opspec_lint.fixes.files import Files
from opspec_lint.fixes.plan import plan
from opspec_lint.frameworks.paddle.extract.dialect import extraction
from opspec_lint.lint.check import check
from opspec_lint.lint.fixer import Sides, fix_step
from tests.support.repositories import Repository
from tests.support.trees.paddle_trees import Memory
from tests.support.trees.pir_trees import spec_of, tree

FOLDER = "paddle/fluid/pir/serialize_deserialize"
OPS = """
- op : f
  args : (Tensor x, Tensor y, int a = 1)
  output : Tensor(out)
- op : g
  args : (Tensor x, Tensor y, int a = 1)
  output : Tensor(out)
- op : first_name
  args : (Tensor x, bool only = false)
  output : Tensor(out)
"""
ADDED = OPS.replace("int a = 1)", "int a = 1, int b = 2, bool s = true)", 1)
CHANGES = {
    "attr added": (ADDED, {"attr_added_unpatched"}),
    "attrs of two ops": (OPS.replace("int a = 1)", "int a = 1, int b = 2)"), {"attr_added_unpatched"}),
    "attr of another type": (OPS.replace("int a = 1)", "float a = 1)", 1), {"attr_type_unpatched"}),
    "input removed": (OPS.replace("Tensor x, Tensor y", "Tensor y", 1), {"input_removed_unpatched"}),
    "op renamed": (OPS.replace("first_name", "first_names"), {"op_renamed_unpatched"}),
}
EDITED = ("CMakeLists.txt", "patch/0.yaml")
NOTHING_NEW = {"attr_added_with_default", "head_program_refused", "op_removed", "op_added", "change_patched"}
FILES = {
    "no file": (1, None),
    "an empty file": (0, ""),
    "an empty list": (0, "# none yet\nop_patches: []\n"),
    "nothing in the list": (0, "op_patches:\n# none yet"),
    "an entry": (0, "op_patches:\n- op_name: builtin.x\n  actions:\n  - action: delete_attr\n    object: b  # c\n"),
    "its own entry": (
        0,
        "op_patches :\n  - op_name : pd_op.f\n    actions :\n      - action : delete_attr\n        object : gone",
    ),
    "in braces": (0, "op_patches:\n  - {op_name: builtin.x, actions: [{action: delete_attr, object: b}]}\n"),
    "all in brackets": (0, "op_patches: [{op_name: pd_op.f, actions: [{action: delete_attr, object: b}]}]\n"),
    "windows": (
        0,
        "op_patches:\r\n  - op_name : builtin.x\r\n    actions:\r\n      - {action: delete_attr, object: b}\r\n",
    ),
}


def files(ops, develop, patch, folder=""):
    versions = {"DEVELOP": develop, "RELEASE": 1}
    made = {
        f"{FOLDER}/CMakeLists.txt": "".join(f"add_definitions(-D{k}_VERSION={v})\n" for k, v in versions.items()),
        f"{FOLDER}/src/patch_util.cc": 'auto new_name = action["default"].as<std::string>();\n',
        f"{FOLDER}/patch/1.yaml": "",
        **({} if patch is None else {f"{FOLDER}/patch/0.yaml": patch}),
    }
    return {f"{folder}{path}": text for path, text in tree(ops, "", made).items()}


def reported(base, head):
    """The findings between two trees that are errors or warnings, with their fixes, by rule."""
    specs = [spec_of(extraction.extract(Memory(side))) for side in (base, head)]
    base_files, head_files = (Files(lambda path, item=item: _bytes(item.get(path))) for item in (base, head))
    step = fix_step(Sides(base=base_files, head=head_files))
    return [step(finding) for finding in check(*specs).findings if finding.level != "note"]


def _bytes(text):
    return None if text is None else text.encode()


def fixed(head, findings):
    """A tree after the fixes of findings."""
    edits = plan(fix for finding in findings for fix in finding.fixes).edits
    return head | {file.path: file.with_edits(those).decode() for file, those in edits.items()}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("form", FILES)
def test_the_entry_is_written(change, form):
    ops, expected = CHANGES[change]
    develop, patch = FILES[form]
    base, head = files(OPS, develop, patch), files(ops, develop, patch)
    before = reported(base, head)
    assert expected <= {finding.rule for finding in before}
    after = fixed(head, before)
    left = {finding.rule for finding in reported(base, after)}
    assert left - NOTHING_NEW == {finding.rule for finding in before} - NOTHING_NEW - expected
    text, old = after[f"{FOLDER}/patch/0.yaml"], patch or ""
    kept = old.replace(" []", "").splitlines()
    lines = iter(text.splitlines())
    assert "[{" in old or all(line in lines for line in kept)
    assert ("\r\n" in text) is ("\r\n" in old)
    assert {path for path in after if after[path] != head.get(path)} <= {f"{FOLDER}/{name}" for name in EDITED}


@pytest.mark.parametrize(
    ("ops", "is_safe"), [(ADDED, True), (OPS.replace("int a = 1)", "int a = 1, int b)", 1), False)]
)
def test_a_fix_is_offered_only_if_it_is_safe(tmp_path, ops, is_safe):
    """The rule has a safe fix, but the value of an attr without a default value is a guess."""
    repository = Repository.make(tmp_path / "r", files(OPS, 1, None, "code/"))
    repository.write(files(ops, 1, None, "code/"))
    ran = repository.opspec("check", "paddle-pir-source:code", "--base", "HEAD")
    assert "attr_added_unpatched" in ran.stdout
    assert ("`opspec-lint check --fix`" in ran.stdout) is is_safe
    assert bool(repository.opspec("check", "paddle-pir-source:code", "--base", "HEAD", "--diff").stdout) is is_safe


def test_the_loader_applies_what_is_written(tmp_path):
    source = {"opspec-lint.toml": 'source = "paddle-pir-source:code"\n'}
    repository = Repository.make(tmp_path / "r", files(OPS, 1, None, "code/") | source)
    repository.write(files(ADDED, 1, None, "code/"))
    diff = repository.run("opspec-lint", "check", "--no-cache", "--diff").stdout
    repository.git("apply", "-", input=diff)
    rules = json.loads(repository.run("opspec-lint", "check", "--no-cache", "--format", "json").stdout)["findings"]
    assert "attr_added_unpatched" not in {rule["rule"] for rule in rules}
    assert (repository.top / f"code/{FOLDER}/patch/0.yaml").read_text() == (
        "op_patches:\n  - op_name : pd_op.f\n    actions:\n"
        "      - action : add_attr\n        object : b\n        type : pir::Int32Attribute\n        default : 2\n"
        "      - action : add_attr\n        object : s\n        type : pir::BoolAttribute\n        default : true\n"
    )
    assert "-DDEVELOP_VERSION=0)" in (repository.top / f"code/{FOLDER}/CMakeLists.txt").read_text()


def test_no_entry_is_made_up():
    head = files(OPS.replace("int a = 1)", "int a = 1, int b)", 1), 1, None)
    (finding,) = (finding for finding in reported(files(OPS, 1, None), head) if finding.rule == "attr_added_unpatched")
    assert finding.fixes == ()


@pytest.mark.parametrize("change", CHANGES)
def test_a_tree_that_does_not_state_its_versions_is_left_alone(change):
    ops, _ = CHANGES[change]
    base, head = ({**files(ops, 1, None), f"{FOLDER}/CMakeLists.txt": "# none\n"} for ops in (OPS, ops))
    assert [finding.fixes for finding in reported(base, head) if finding.fixes] == []


@pytest.mark.parametrize(
    "patch", ["op_patches: [", "- a: b: c", "\t", "op_patches: &a [*a]", "{}", "a", "op_patches: 1"]
)
def test_a_file_that_is_no_file_of_patches_is_left_alone(patch):
    base, head = files(OPS, 0, patch), files(ADDED, 0, patch)
    assert fixed(head, reported(base, head))[f"{FOLDER}/patch/0.yaml"].startswith(patch)
