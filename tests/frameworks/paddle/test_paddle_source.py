from __future__ import annotations

import os
import subprocess

import pytest

from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from tests.support.repositories import environment
from tests.support.trees.paddle_trees import BASE, CLASS, FRAMEWORK, OPERATORS

OP = "class FOp : public framework::OperatorBase {};\n"
FILE = f"{OPERATORS}/f_op.cc"
ENVIRONMENT = environment()
READING = Reading(environment=ENVIRONMENT, caches=False)


def op(body, name="f"):
    return f"{OP}{CLASS.format(name='FOpMaker', body=body)}REGISTER_OPERATOR({name}, FOp, FOpMaker);\n"


def run(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write(folder, files):
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


@pytest.fixture
def tree(tmp_path):
    """A repository with two commits, something else staged, and something else again in the work tree."""
    folder = tmp_path / "paddle@home"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "develop")
    write(folder, BASE | {FILE: op('AddAttr<int>("a", "").SetDefault(1);')})
    run(folder, "add", "-A")
    run(folder, "commit", "-qm", "one")
    for value in (2, 3):
        write(folder, {FILE: op(f'AddAttr<int>("a", "").SetDefault({value});')})
        run(folder, "add", "-A")
        if value == 2:
            run(folder, "commit", "-qm", "two")
    write(folder, {FILE: op('AddAttr<int>("a", "").SetDefault(4);')})
    return folder


def default(spec):
    return next(attr.default_value for attr in spec.ops["f"].attrs if attr.name == "a")


def extract(argument, **more):
    return SOURCES.load("paddle-source").spec(argument, READING.replace(**more))


@pytest.mark.parametrize(
    ("revision", "expected"),
    [("@HEAD~1", 1), ("@HEAD", 2), ("@develop", 2), ("@:index", 3), ("", 4), ("@HEAD@{1}", 1), ("@develop@{0}", 2)],
)
def test_every_way_to_name_a_tree(tree, revision, expected):
    spec = extract(f"{tree}{revision}")
    assert default(spec) == expected
    assert spec.provenance.framework == "paddle"
    assert spec.file == f"paddle-source:{tree}{revision}"


def test_a_bare_repository_will_do(tree, tmp_path):
    run(tmp_path, "clone", "-q", "--bare", str(tree), "bare")
    assert default(extract(f"{tmp_path / 'bare'}@develop~1")) == 1


def test_the_commit_is_reported(tree):
    assert extract(f"{tree}@HEAD~1").provenance.commit == run(tree, "rev-parse", "HEAD~1")


def test_a_tree_that_is_no_root_of_its_repository(tmp_path):
    run(tmp_path, "init", "-q")
    write(tmp_path, {f"third_party/paddle/{path}": text for path, text in (BASE | {FILE: op("")}).items()})
    run(tmp_path, "add", "-A")
    run(tmp_path, "commit", "-qm", "one")
    assert list(extract(f"{tmp_path / 'third_party/paddle'}@HEAD").ops) == ["f"]
    assert list(extract(f"{tmp_path / 'third_party/paddle'}@:index").ops) == ["f"]


@pytest.mark.parametrize(
    ("argument", "problem"),
    [
        ("{tree}@nowhere", "is not a revision"),
        ("{tree}/none", "there is no folder"),
        ("{tree}/none@HEAD", "there is no folder"),
        ("{tree}/paddle/fluid", "it has no op sources"),
    ],
)
def test_what_is_no_tree_is_reported_to_be_none(tree, argument, problem):
    with pytest.raises(InputError, match=problem):
        extract(argument.format(tree=tree))


def test_a_build_that_is_none(tree):
    with pytest.raises(UsageError, match="unknown build 'tpu'"):
        extract(f"{tree}@HEAD", build="tpu")


def test_an_object_that_is_missing_is_named(tree):
    blob = run(tree, "rev-parse", f"HEAD:{FILE}")
    (tree / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(InputError, match=rf"lacks the object {blob} \({FILE}\)"):
        extract(f"{tree}@HEAD")


@pytest.mark.parametrize("path", [f"{FRAMEWORK}/framework.proto", "paddle/phi/ops/yaml/ops.yaml"])
def test_an_object_that_is_missing_where_no_op_sources_are_is_named(tree, path):
    build = f"{OPERATORS}/generator"
    ops = "paddle/phi/ops/yaml/ops.yaml"
    call = f"execute_process(COMMAND python generate_op.py --ops_yaml_path ${{CMAKE_SOURCE_DIR}}/{ops})"
    files = {f"{build}/CMakeLists.txt": call, f"{build}/generate_op.py": "", ops: "- op : g"}
    write(tree, files)
    run(tree, "add", "-A")
    run(tree, "commit", "-qm", "three")
    blob = run(tree, "rev-parse", f"HEAD:{path}")
    (tree / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(InputError, match=rf"lacks the object {blob} \({path}\)"):
        extract(f"{tree}@HEAD")


def test_a_partial_clone_states_what_it_lacks(tree, tmp_path):
    header = f"{OPERATORS}/f_op.h"
    write(tree, {header: 'constexpr char kX[] = "X";', FILE: f'#include "{header}"\n' + op('AddInput(kX, "");')})
    run(tree, "add", "-A")
    run(tree, "commit", "-qm", "three")
    run(tree, "config", "uploadpack.allowFilter", "true")
    run(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{tree}", "partial")
    with pytest.raises(InputError, match="lacks the object") as caught:
        extract(f"{tmp_path / 'partial'}@HEAD")
    assert "git fetch --refetch" in caught.value.advice


def test_the_variables_of_a_hook_do_not_lead_elsewhere(tree, tmp_path):
    elsewhere = ENVIRONMENT | {"GIT_DIR": str(tmp_path / "none"), "GIT_WORK_TREE": "/", "GIT_INDEX_FILE": "/none"}
    assert default(extract(f"{tree}@HEAD", environment=elsewhere)) == 2


def test_nothing_of_the_repository_is_touched(tree):
    before = {path: path.stat().st_mtime_ns for path in tree.rglob("*") if path.is_file()}
    for revision in ("@HEAD", "@:index", ""):
        extract(f"{tree}{revision}")
    assert {path: path.stat().st_mtime_ns for path in tree.rglob("*") if path.is_file()} == before


def test_a_change_is_reported_with_both_its_lines(tree):
    report = check(extract(f"{tree}@HEAD~1"), extract(f"{tree}@HEAD"))
    (finding,) = [finding for finding in report.findings if finding.level == "error"]
    assert (finding.rule, finding.old, finding.new) == ("attr_default_changed", 1, 2)
    for origin in (finding.base_origin, finding.head_origin):
        text = run(tree, "show", f"HEAD:{origin.file}").splitlines()[origin.line - 1]
        assert 'AddAttr<int>("a"' in text
        assert text[origin.column - 1 :].startswith("AddAttr")


def test_an_op_that_cannot_be_evaluated_is_an_error_where_it_is_new_and_else_a_note(tree):
    write(tree, {f"{OPERATORS}/g_op.cc": op('AddInput(name(), "");', "g")})
    spec = extract(str(tree))
    new = check(extract(f"{tree}@HEAD"), spec)
    (finding,) = [finding for finding in new.findings if finding.op == "g"]
    assert (finding.rule, finding.level, finding.head_origin.file) == ("op_unresolved", "error", f"{OPERATORS}/g_op.cc")
    write(tree, {f"{OPERATORS}/h_op.cc": op("", "h")})
    (same,) = [finding for finding in check(spec, extract(str(tree))).findings if finding.op == "g"]
    assert (same.rule, same.level) == ("op_still_unresolved", "note")
    write(tree, {f"{OPERATORS}/g_op.cc": op('AddInput(other(), "");', "g")})
    (changed,) = [finding for finding in check(spec, extract(str(tree))).findings if finding.op == "g"]
    assert (changed.rule, changed.level) == ("op_unresolved", "error")


def test_an_op_that_can_no_longer_be_evaluated_is_not_stated_to_be_removed(tree):
    write(tree, {FILE: op('AddInput(name(), "");'), f"{OPERATORS}/g_op.cc": op("", "g")})
    base = extract(f"{tree}@HEAD")
    there = extract(str(tree))
    assert [finding.rule for finding in check(base, there).findings] == ["op_unresolved", "op_added"]
    assert [finding.rule for finding in check(there, base).findings] == ["op_removed"]


def test_a_removed_argument_is_anchored_next_to_where_it_stood(tree):
    before = 'AddInput("X", "");\n    AddInput("Y", "");\n    AddAttr<int>("a", "").SetDefault(1);'
    write(tree, {FILE: op(before)})
    base = extract(str(tree))
    write(tree, {FILE: op('AddInput("X", "");\n    AddAttr<int>("a", "").SetDefault(1);')})
    (finding,) = check(base, extract(str(tree))).findings
    assert (finding.rule, finding.base_origin.line, finding.head_origin.line) == ("input_removed", 7, 6)


def test_a_removed_op_is_anchored_in_its_file_or_where_the_next_op_is(tree):
    write(tree, {FILE: op("") + "REGISTER_OPERATOR(g, FOp, FOpMaker);\n", f"{OPERATORS}/z_op.cc": op("", "z")})
    base = extract(str(tree))
    write(tree, {FILE: op("")})
    (finding,) = check(base, extract(str(tree))).findings
    assert (finding.rule, finding.head_origin.file) == ("op_removed", FILE)
    (tree / FILE).unlink()
    findings = check(base, extract(str(tree))).findings
    assert {finding.head_origin.file for finding in findings} == {f"{OPERATORS}/z_op.cc"}


def test_a_form_for_a_build_that_came_is_compared_with_the_plain_op(tree):
    write(tree, {FILE: op('AddInput("X", "");')})
    base = extract(str(tree))
    write(tree, {FILE: op('\n#ifndef PADDLE_WITH_CUDA\n    AddInput("X", "");\n#endif\n')})
    (finding,) = check(base, extract(str(tree))).findings
    assert (finding.op, finding.rule, finding.level) == ("f [gpu]", "input_removed", "error")


def test_a_form_for_a_build_that_nobody_releases_is_a_warning_at_most(tree):
    write(tree, {FILE: op('\n#ifdef PADDLE_WITH_MLU\n    AddInput("X", "");\n#endif\n')})
    base = extract(str(tree))
    write(tree, {FILE: op("")})
    (finding,) = check(base, extract(str(tree))).findings
    assert (finding.op, finding.rule, finding.level) == ("f [mlu]", "input_removed", "warning")


def test_a_source_is_resolved_as_any_other(tree):
    spec = references.resolve(f"paddle-source:{tree}@HEAD", READING).spec
    assert default(spec) == 2
    assert references.source_at_revision(f"paddle-source:{tree}", "abc") == f"paddle-source:{os.path.relpath(tree)}@abc"
    assert references.source_at_revision("paddle-source:", INDEX, ".") == "paddle-source:.@:index"
    assert references.source_at_revision("paddle-source:.", WORK_TREE) == "paddle-source:."


def test_progress_is_reported_and_wiped(tree):
    output = []
    extract(str(tree), progress=output.append)
    assert output[0] == "reading the sources"
    assert output[-1] == ""


@pytest.mark.parametrize("revision", ["@HEAD", "@:index", ""])
def test_many_long_includes_do_not_hang(tree, revision):
    """Git answers each name that it does not know with the name: both pipes may be full before all is asked."""
    includes = "".join(f'#include "{"x" * 200}/{"y" * 3500}{number}.h"\n' for number in range(256))
    write(tree, {FILE: includes + op('AddAttr<int>("a", "").SetDefault(5);')})
    run(tree, "commit", "-qam", "many")
    assert default(extract(f"{tree}{revision}")) == 5


GPU = "#ifdef PADDLE_WITH_CUDA\n{}\n#endif\n"
CMAKE = f"{OPERATORS}/CMakeLists.txt"
ONLY_GPU = "register_operators(EXCLUDES f_op)\nif(WITH_GPU)\n  op_library(f_op)\nendif()\n"


def with_registration(form):
    plain = op('AddInput("X", "");')
    return plain.replace("REGISTER_OPERATOR(f, FOp, FOpMaker);", form.format("REGISTER_OPERATOR(f, FOp, FOpMaker);"))


@pytest.mark.parametrize(
    ("files", "lost"),
    [
        ({FILE: with_registration(GPU)}, "cpu, xpu"),
        ({FILE: with_registration("#ifndef PADDLE_WITH_XPU\n{}\n#endif\n")}, "xpu"),
        ({FILE: GPU.format(op('AddInput("X", "");'))}, "cpu, xpu"),
        ({CMAKE: ONLY_GPU}, "cpu, xpu"),
        ({CMAKE: "if(WITH_XPU)\n  register_operators()\nendif()\n"}, "cpu, gpu"),
        ({CMAKE: "register_operators(EXCLUDES f_op)\n"}, "cpu, gpu, xpu"),
    ],
)
def test_an_op_that_leaves_a_build_is_an_error_and_the_converse_a_note(tree, files, lost):
    everywhere = {FILE: with_registration("{}"), CMAKE: "register_operators()\n"}
    specs = []
    for item in (everywhere, everywhere | files):
        write(tree, item)
        specs.append(extract(f"{tree}"))
    (finding,) = check(*specs).findings
    assert (finding.rule, finding.level, finding.op) == ("builds_lost", "error", "f")
    assert f"no longer have the op 'f': {lost};" in finding.message
    assert finding.head_origin.file == FILE
    (finding,) = check(*specs[::-1]).findings
    assert (finding.rule, finding.level) == ("builds_gained", "note")
    assert finding.message.endswith(f": {lost}")


def test_a_build_for_which_an_op_cannot_be_evaluated_did_not_lose_it(tree):
    everywhere = {FILE: op('AddInput("X", "");')}
    body = '#ifdef PADDLE_WITH_CUDA\nAddInput("X", "");\n#else\nAddInput(name(), "");\n#endif\n'
    specs = []
    for finding in (everywhere, {FILE: op(body)}):
        write(tree, finding)
        specs.append(extract(f"{tree}"))
    assert {finding.rule for finding in check(*specs).findings} == {"op_unresolved"}


def test_a_symbolic_link_to_an_op_source_is_named(tree):
    target = tree / "elsewhere" / "g_op.cc"
    write(tree, {"elsewhere/g_op.cc": op("", "g"), f"{OPERATORS}/g_op.md": ""})
    (tree / OPERATORS / "g_op.cc").symlink_to(target)
    (tree / OPERATORS / "g_op.txt").symlink_to(target)
    (tree / OPERATORS / "more").symlink_to(target.parent)
    run(tree, "add", "-A")
    run(tree, "commit", "-qm", "three")
    for revision in ("", "@:index", "@HEAD"):
        spec = extract(f"{tree}{revision}")
        assert [(remark.event, remark.name, remark.origin.file) for remark in spec.remarks] == [
            ("op_unresolved", path, path) for path in (f"{OPERATORS}/g_op.cc", f"{OPERATORS}/more")
        ]
        assert "symbolic link" in spec.remarks[0].facts["reason"]
        assert list(spec.ops) == ["f"]


def test_line_ends_of_windows_change_nothing(tree):
    body = 'AddAttr<int>("a", "").SetDefault(4); AddComment(R"DOC(\nlong\n)DOC");'
    macro = "#define R(NAME) \\\n  REGISTER_OPERATOR( \\\n      NAME, FOp, FOpMaker)\nR(f);\n"
    text = f"{OP}{CLASS.format(name='FOpMaker', body=body)}{macro}"
    write(tree, {FILE: text})
    unix = extract(f"{tree}")
    (tree / FILE).write_bytes(text.replace("\n", "\r\n").encode())
    windows = extract(f"{tree}")
    assert [*windows.ops] == [*unix.ops] == ["f"]
    assert windows.ops["f"] == unix.ops["f"]
    assert windows.remarks == unix.remarks == ()


UNBUILT = {CMAKE: "register_operators(EXCLUDES f_op)\n"}


@pytest.mark.parametrize("files", [{FILE: None}, {FILE: op("")}, {FILE: op('AddInput("X", "");', "g")}])
@pytest.mark.parametrize("profile", ["paddle", "paddle-2021", "paddle-saved-model"])
def test_a_change_of_an_op_that_no_build_has_is_a_note(tree, files, profile):
    write(tree, UNBUILT | {FILE: op('AddInput("X", "");'), f"{OPERATORS}/z_op.cc": op("", "z")})
    base = extract(str(tree))
    assert base.ops["f"].builds == ("none",)
    for name, text in files.items():
        write(tree, {name: text}) if text is not None else (tree / name).unlink()
    findings = check(base, extract(str(tree)), PROFILES.load(profile)).findings
    assert findings
    assert {finding.level for finding in findings if finding.op == "f"} == {"note"}


def test_what_no_build_has_is_an_error_under_the_strict_profile_and_where_head_reports_it(tree):
    write(tree, UNBUILT | {FILE: op('AddInput("X", "");')})
    without = extract(str(tree))
    write(tree, {FILE: op("")})
    assert "error" in {
        finding.level for finding in check(without, extract(str(tree)), PROFILES.load("strict")).findings
    }
    write(tree, {CMAKE: "register_operators()\n", FILE: op('AddInput("X", "");')})
    built = extract(str(tree))
    write(tree, UNBUILT | {FILE: op("")})
    assert {finding.rule for finding in check(built, extract(str(tree))).findings if finding.level == "error"} == {
        "builds_lost",
        "input_removed",
    }
