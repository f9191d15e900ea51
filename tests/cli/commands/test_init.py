from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from opspec_lint.project import config, starter
from opspec_lint.project.starter import CONFIG, HOOKS, WORKFLOW
from tests.support import paths
from tests.support.events import schema_named
from tests.support.models import onnx_models
from tests.support.programs import run
from tests.support.repositories import Repository, environment, spec
from tests.support.trees import pir_trees, tensorflow_trees, tflite_trees
from tests.support.trees.paddle_trees import BASE as TREE
from tests.support.trees.paddle_trees import CLASS, OPERATORS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = paths.TOP
COMMIT = "0123456789abcdef0123456789abcdef01234567"
FROM = f"https://github.com/some-team/opspec-lint@{COMMIT}"
OPLIST = 'op {\n  name: "Abs"\n}\nop {\n  name: "Ceil"\n}\n'
GRAPH = 'node {\n  name: "x"\n  op: "Abs"\n}\n'
MAKER = CLASS.format(name="FOpMaker", body='AddInput("X", "x"); AddAttr<int>("axis", "a").SetDefault({axis});')
SOURCE = (
    f"class FOp : public framework::OperatorWithKernel {{}};\n{MAKER}\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
)
PADDLE = TREE | {f"{OPERATORS}/f_op.cc": SOURCE.replace("{axis}", "1")}
MADE = {CONFIG, HOOKS, WORKFLOW}


@pytest.fixture
def there(tmp_path, monkeypatch):
    """Return a function that makes a repository of some files, and goes there."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def make(files=None, name="top"):
        made = Repository.make(tmp_path / name, files)
        monkeypatch.chdir(made.top)
        return made

    return make


def settings(repository):
    """Return the settings that `init` wrote, without the address that follows from `--from`."""
    written = tomllib.loads((repository.top / CONFIG).read_text(encoding="utf-8"))
    return {name: value for name, value in written.items() if name != "documentation"}


def hooks_of(repository):
    (entry,) = yaml.safe_load((repository.top / HOOKS).read_text(encoding="utf-8"))["repos"]
    return {hook["id"]: hook.get("files") for hook in entry["hooks"]}


def starts(repository, hook, path):
    """Tell whether a change of a path starts a hook, by what it says itself or by what we say of it."""
    own = {item["id"]: item for item in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    files = hooks_of(repository)[hook]
    return bool(own[hook].get("always_run")) or re.search(files or own[hook]["files"], path) is not None


# --- what is found


@pytest.mark.parametrize(
    ("files", "specs", "shown"),
    [
        ({"specs/ops.json": spec("abs")}, None, "specs/ops.json (1 op of paddle)"),
        ({"OP_DESC.spec": spec("abs", "cos")}, ["OP_DESC.spec"], "OP_DESC.spec (2 ops of paddle)"),
        ({"a/1.json": spec("abs"), "a/2.json": spec("abs")}, ["a/*.json"], "a/1.json (1 op of paddle)"),
        ({"a/1.json": spec("abs"), "a/package.json": "{}"}, ["a/1.json"], "a/1.json (1 op of paddle)"),
        ({"ops/ops.pbtxt": OPLIST, "ops/graph.pbtxt": GRAPH}, ["ops/ops.pbtxt"], "ops.pbtxt (2 ops of tensorflow)"),
        ({"specs/ops.pbtxt": OPLIST}, ["specs/ops.pbtxt"], "specs/ops.pbtxt (2 ops of tensorflow)"),
        ({"specs/a.json": spec("abs"), "ops.json": spec("abs")}, None, "specs/a.json (1 op of paddle)"),
        (
            {
                "x.yaml": "opspec: 1\nprovenance: {framework: paddle}\nknows: {}\nops: {f: {}}\n",
                "ci.yaml": "on: push\n",
            },
            ["x.yaml"],
            "x.yaml (1 op of paddle)",
        ),
        ({"ops.json": spec("abs"), "tests/data/x.json": spec("abs")}, ["ops.json"], "ops.json (1 op of paddle)"),
        ({'a "b".json': spec("abs")}, ['a "b".json'], 'a "b".json (1 op of paddle)'),
    ],
)
def test_spec_files_are_detected_and_then_checked(there, files, specs, shown):
    repository = there(files)
    ran = run("init", "--from", FROM)
    assert (ran.code, ran.err) == (0, "")
    assert shown in ran.out
    assert settings(repository) == ({} if specs is None else {"specs": specs}) | {"base": "main"}
    paths = [path for path in files if path in config_specs(repository)]
    assert paths
    assert starts(repository, "opspec-lint", "src/main.py")
    assert all(starts(repository, "opspec-lint-validate", path) for path in paths)
    assert not starts(repository, "opspec-lint-validate", CONFIG)
    assert run("check").code == 0
    assert run("validate", *paths).code == 0


def config_specs(repository):
    from opspec_lint.project.spec_files import spec_set

    return spec_set([config.read(str(repository.top / CONFIG), str(repository.top))])


def test_what_breaks_is_detected_after_it(there):
    repository = there({"OP_DESC.spec": spec("abs", "cos")})
    run("init")
    repository.write({"OP_DESC.spec": spec("abs")})
    ran = run("check")
    assert (ran.code, "[op_removed" in ran.out) == (1, True)


def test_a_tree_of_paddle_with_pir_ops_has_two_contracts(there):
    entry = "- op : round\n  args : (Tensor x, int decimals = 0)\n  output : Tensor\n"
    repository = there(PADDLE | pir_trees.tree(entry))
    ran = run("init")
    assert (ran.code, ran.err) == (0, "")
    assert "found  paddle-source:. (1 op of paddle)\nfound  paddle-pir-source:. (1 op of paddle-pir)\n" in ran.out
    assert settings(repository) == {"source": ["paddle-source:.", "paddle-pir-source:."], "base": "main"}
    repository.write({f"{pir_trees.YAML}/ops.yaml": entry.replace("int decimals = 0", "str decimals")})
    repository.git("add", "-A")
    ran = run("check", "--staged")
    assert ran.code == 1
    assert "pd_op.round" in ran.out
    assert "pir::StrAttribute" in ran.out


@pytest.mark.parametrize("folder", ["", "framework/"])
def test_a_source_tree_of_paddle_is_checked_itself(there, folder):
    repository = there({f"{folder}{path}": text for path, text in PADDLE.items()})
    ran = run("init")
    place = folder.rstrip("/") or "."
    assert (ran.code, ran.err) == (0, "")
    assert f"found  paddle-source:{place} (1 op of paddle)\n" in ran.out
    assert settings(repository) == {"source": f"paddle-source:{place}", "base": "main"}
    assert hooks_of(repository).keys() == {"opspec-lint"}
    assert run("check").code == 0
    repository.write({f"{folder}{OPERATORS}/f_op.cc": SOURCE.replace("{axis}", "2")})
    repository.git("add", "-A")
    ran = run("check", "--staged")
    assert (ran.code, "changed from 1 to 2" in ran.out) == (1, True), ran.err


def test_saved_models_are_audited_before_every_commit(there):
    repository = there()
    (repository.top / "models").mkdir()
    for name in ("models/a.onnx", "models/b.onnx"):
        (repository.top / name).write_bytes(onnx_models.whole())
    (repository.top / "models/c.onnx").write_bytes(b"not a model")
    ran = run("init", "--from", FROM)
    assert (ran.code, ran.err) == (0, "")
    assert "found  2 saved models of onnx, such as models/a.onnx" in ran.out
    assert not (repository.top / CONFIG).exists()
    (entry,) = yaml.safe_load((repository.top / HOOKS).read_text(encoding="utf-8"))["repos"]
    ((name, against),) = [(hook["id"], hook["args"]) for hook in entry["hooks"]]
    assert name == "opspec-lint-audit"
    assert run("audit", *against, "models/a.onnx").code in (0, 1)
    assert run("init", "--from", FROM).out.startswith("found  2 saved models")
    assert "and has the hook" in run("init", "--from", FROM).out


def test_models_next_to_specs_are_audited_too(there):
    repository = there({"specs/ops.json": spec("abs"), "m.onnx": ""})
    (repository.top / "m.onnx").write_bytes(onnx_models.whole())
    assert run("init", "--from", FROM).code == 0
    assert list(hooks_of(repository)) == ["opspec-lint", "opspec-lint-validate", "opspec-lint-audit"]


def test_spec_files_and_a_source_tree_are_both_checked(there):
    repository = there(PADDLE | {"specs/ops.json": spec("abs")})
    run("init")
    assert settings(repository) == {"base": "main", "specs": ["specs/ops.json", "paddle-source:."]}
    repository.write({"specs/ops.json": spec("cos"), f"{OPERATORS}/f_op.cc": SOURCE.replace("{axis}", "2")})
    ran = run("check")
    assert ran.code == 1
    assert "[op_removed" in ran.out
    assert "[attr_default_changed" in ran.out


@pytest.mark.parametrize(
    "files", [{"README": "x"}, {"package.json": "{}"}, {"ops.pbtxt": GRAPH}, {"tests/a.json": spec("a")}]
)
def test_where_there_is_nothing_it_states_what_to_do_and_writes_nothing(there, files):
    repository = there(files)
    ran = run("init")
    assert (ran.code, ran.out) == (2, "")
    assert "found nothing to check" in ran.err
    assert "opspec-lint extract SOURCE --output specs/NAME.json" in ran.err
    assert repository.files().keys() == files.keys()


def test_outside_of_a_repository_it_reports_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    ran = run("init")
    assert (ran.code, "`git init`" in ran.err) == (2, True)


def test_a_wrong_spec_under_specs_is_reported_and_left_out(there):
    repository = there({"specs/ops.json": spec("abs"), "specs/bad.json": "[]"})
    ran = run("init")
    assert (ran.code, "specs/bad.json" in ran.err) == (0, True)
    assert settings(repository)["specs"] == ["specs/ops.json"]
    assert run("check").code == 0


def test_from_a_folder_below_the_top_it_is_the_same(there, monkeypatch):
    repository = there({"a/b/ops.json": spec("abs")})
    monkeypatch.chdir(repository.top / "a" / "b")
    assert run("init").code == 0
    assert settings(repository)["specs"] == ["a/b/ops.json"]
    assert repository.files().keys() == {"a/b/ops.json", *MADE}


@pytest.mark.parametrize("name", ["opspec-lint.toml", "opspec-lint.yaml"])
def test_a_configuration_that_names_no_specs_leaves_what_is_detected_to_the_hooks(there, name):
    text = 'profile = "strict"\n' if name.endswith("toml") else "profile: strict\n"
    repository = there({name: text, "a/ops.json": spec("abs"), "a/b.txt": "x"})
    ran = run("init")
    assert (ran.code, "found  a/ops.json (1 op of paddle)" in ran.out) == (0, True)
    assert "base   main" in ran.out
    assert starts(repository, "opspec-lint-validate", "a/ops.json")
    assert not starts(repository, "opspec-lint-validate", "a/b.txt")


def test_what_a_configuration_states_is_checked_is_what_the_hooks_look_at(there):
    text = 'specs = ["b/*.json"]\nwaivers = "w.yaml"\n'
    repository = there({CONFIG: text, "a/ops.json": spec("abs"), "b/ops.json": spec("abs")})
    ran = run("init")
    assert (ran.code, f"found  {CONFIG}, which says what is checked" in ran.out) == (0, True)
    assert "base " not in ran.out
    assert starts(repository, "opspec-lint-validate", "b/ops.json")
    assert not starts(repository, "opspec-lint-validate", "a/ops.txt")


# --- the base


def test_the_base_is_the_branch_that_origin_calls_its_head(there, tmp_path, monkeypatch):
    upstream = there({"specs/ops.json": spec("abs")}, "upstream")
    upstream.git("branch", "-m", "develop")
    clone = upstream.clone(tmp_path / "clone")
    clone.git("switch", "-qc", "mine")
    monkeypatch.chdir(clone.top)
    run("init")
    assert settings(clone)["base"] == "origin/develop"
    assert run("check").code == 0


@pytest.mark.parametrize(("branch", "base"), [("main", "main"), ("master", "master"), ("trunk", "trunk")])
def test_without_a_remote_the_base_is_a_branch_that_there_is(there, branch, base):
    repository = there({"specs/ops.json": spec("abs")})
    repository.git("branch", "-m", branch)
    run("init")
    assert settings(repository).get("base") == base


def test_a_remote_that_another_clone_need_not_have_is_no_base(there, tmp_path, monkeypatch):
    origin = there({"specs/ops.json": spec("abs")}, "origin")
    clone = origin.clone(tmp_path / "clone")
    clone.git("remote", "add", "upstream", origin.top.as_uri())
    clone.git("fetch", "-q", "upstream")
    monkeypatch.chdir(clone.top)
    run("init")
    assert settings(clone)["base"] == "origin/main"


def test_before_the_first_commit_there_is_no_base(there):
    repository = there()
    repository.write({"specs/ops.json": spec("abs")})
    assert run("init").code == 0
    assert settings(repository) == {}


# --- nothing is overwritten


@pytest.mark.parametrize("kept", sorted(MADE))
@pytest.mark.parametrize("is_link", [False, True])
def test_a_file_that_is_there_is_left_as_it_is(there, kept, is_link):
    repository = there({"specs/ops.json": spec("abs")})
    if is_link:
        (repository.top / kept).parent.mkdir(parents=True, exist_ok=True)
        (repository.top / kept).symlink_to("nowhere")
    else:
        repository.write({kept: "# mine\n"})
    before = repository.files()
    ran = run("init", "--from", FROM)
    if is_link and kept == CONFIG:  # what cannot be read as a configuration holds for no check
        assert (ran.code, repository.files()) == (2, before)
        assert f"{CONFIG}: is not a regular file" in ran.err
        return
    assert ran.code == 0
    assert f"left   {kept} already exists and stays unchanged" in ran.out
    after = repository.files()
    assert {path: after[path] for path in before} == before
    assert after.keys() == before.keys() | MADE


def test_placeholders_are_named_where_they_are(there):
    """An existing file is left as it is: the entry that is printed for it has the placeholders."""
    there({"specs/ops.json": spec("abs"), HOOKS: "repos: []\n"})
    out = run("init").out
    assert f"replace OWNER and COMMIT with opspec-lint's repository and a commit, in: the entry for {HOOKS}" in out


def test_a_second_run_changes_nothing(there):
    repository = there({"specs/ops.json": spec("abs")})
    run("init")
    before = repository.files()
    ran = run("init")
    assert (ran.code, "wrote" in ran.out, "nothing: the setup is complete" in ran.out) == (0, False, False)
    assert f"replace OWNER and COMMIT with opspec-lint's repository and a commit, in: {HOOKS}" in ran.out
    assert repository.files() == before
    for path in (HOOKS, ".github/workflows/opspec-lint.yml"):
        text = (repository.top / path).read_text()
        (repository.top / path).write_text(text.replace("OWNER", "us").replace("COMMIT", "0" * 40))
    assert "nothing: the setup is complete" in run("init").out


def test_the_entry_for_an_existing_file_of_hooks_is_printed_as_it_belongs_there(there):
    repository = there({"ops.json": spec("abs"), HOOKS: "repos: []\n"})
    ran = run("init", "--from", FROM)
    printed = "\n".join(line.removeprefix("       ") for line in ran.out.splitlines() if line.startswith("       "))
    (entry,) = yaml.safe_load(printed)
    assert (entry["repo"], entry["rev"]) == tuple(FROM.split("@"))
    assert [hook["id"] for hook in entry["hooks"]] == ["opspec-lint", "opspec-lint-validate"]
    assert (repository.top / HOOKS).read_text() == "repos: []\n"


@pytest.mark.parametrize(
    ("text", "has_hook"),
    [
        ("repos:\n  - repo: x\n    rev: y\n    hooks:\n      - id: opspec-lint\n", True),
        ("repos:\r\n  - repo: x\r\n    rev: y\r\n    hooks:\r\n      - id: opspec-lint\r\n", True),
        ("\ufeffrepos:\n- repo: x\n  rev: y\n  hooks:\n  - files: a\n    'id': \"opspec-lint\" # ours", True),
        ("{repos: [{repo: x, rev: y, hooks: [{id: opspec-lint}]}]}", True),
        ('{"repos": [{"repo": "x", "rev": "y", "hooks": [{"files": "a", "id": "opspec-lint"}]}]}', True),
        ("repos: # - id: opspec-lint\n# - id: opspec-lint\n  # {id: opspec-lint}\n", False),
        ("repos:\n- repo: x\n  rev: y\n  hooks:\n  - id: opspec-lint-validate\n  - id: not-opspec-lint", False),
        ("repos:\n- repo: local\n  hooks: [{id: a, name: id opspec-lint, entry: opspec-lint}]", False),
        ("repos:\n\t- repo: x", False),
        ("\xff".encode("latin-1"), False),
        (b"", False),
    ],
    ids=range(11),
)
def test_hooks_in_any_style_stay_to_the_byte_and_are_looked_at_for_ours(there, text, has_hook):
    repository = there({"specs/ops.json": spec("abs"), HOOKS: text})
    before = repository.files()[HOOKS]
    ran = run("init", "--from", FROM)
    assert ran.code == 0
    assert (f"left   {HOOKS} already exists and stays unchanged, and has the hook\n" in ran.out) == has_hook
    assert ("         - id: opspec-lint\n" in ran.out) != has_hook
    assert ("next   add the entry" in ran.out) != has_hook
    assert repository.files()[HOOKS] == before


def folder(path):
    path.mkdir()


def pipe(path):
    os.mkfifo(path)


def unreadable(path):
    path.write_text("repos: []\n")
    path.chmod(0)


def loop(path):
    path.symlink_to(path.name)


def device(path):
    path.symlink_to("/dev/zero")


def endless(path):
    path.touch()
    os.truncate(path, 1 << 40)


@pytest.mark.parametrize("make", [folder, pipe, unreadable, loop, device, endless], ids=lambda make: make.__name__)
@pytest.mark.parametrize("path", sorted(MADE))
def test_what_is_no_readable_file_is_neither_read_nor_touched(there, path, make):
    repository = there({"specs/ops.json": spec("abs")})
    (repository.top / path).parent.mkdir(parents=True, exist_ok=True)
    make(repository.top / path)
    before = (repository.top / path).lstat()
    ran = repository.opspec("init", "--from", FROM)
    after = (repository.top / path).lstat()
    assert (after.st_mode, after.st_ino, after.st_size) == (before.st_mode, before.st_ino, before.st_size)
    if path == CONFIG:  # a configuration that cannot be read holds for no check
        assert (ran.returncode in (2, 3), ran.stdout) == (True, "")
        assert f"{CONFIG}: " in ran.stderr
        return
    assert ran.returncode == 0, ran.stderr
    assert f"left   {path} already exists" in ran.stdout
    assert all((repository.top / path).is_file() for path in MADE - {path})


@pytest.mark.parametrize("taken", [".github", ".github/workflows"])
def test_a_file_in_place_of_a_folder_stays_and_the_rest_is_written(there, taken):
    repository = there({"specs/ops.json": spec("abs"), taken: "mine\n"})
    ran = run("init", "--from", FROM)
    assert (ran.code, ran.err) == (0, "")
    assert f"left   {WORKFLOW} is not written: {taken} is not a folder\n" in ran.out
    assert repository.files().keys() == {"specs/ops.json", taken, CONFIG, HOOKS}


@pytest.mark.parametrize("present", ["pyproject.toml", "opspec-lint.yaml", "opspec-lint.toml"])
def test_a_configuration_that_is_there_states_what_the_hooks_are_for(there, present):
    text = {
        "pyproject.toml": '[tool.opspec-lint]\nspecs = ["ops/**/x?.json"]\nwaivers = "ci/w.yaml"\n',
        "opspec-lint.yaml": 'specs: ["ops/**/x?.json"]\nwaivers: ci/w.yaml\n',
        "opspec-lint.toml": 'specs = ["ops/**/x?.json"]\nwaivers = "ci/w.yaml"\n',
    }[present]
    repository = there({"ops/deep/x1.json": spec("abs"), present: text})
    ran = run("init")
    assert (ran.code, f"left   {present} already exists" in ran.out) == (0, True)
    assert repository.files().keys() == {"ops/deep/x1.json", present, HOOKS, WORKFLOW}
    assert all(starts(repository, "opspec-lint-validate", path) for path in ("ops/deep/x1.json", "ops/x2.json"))
    assert not starts(repository, "opspec-lint-validate", "ops/deep/y.txt")


def test_a_wrong_configuration_is_named(there):
    there({"specs/ops.json": spec("abs"), CONFIG: 'profil = "strict"\n'})
    ran = run("init")
    assert (ran.code, "did you mean 'profile'?" in ran.err) == (2, True)


def test_nothing_is_written_where_a_link_leads_out(there, tmp_path):
    repository = there({"specs/ops.json": spec("abs")})
    (tmp_path / "outside").mkdir()
    (repository.top / ".github").symlink_to(tmp_path / "outside")
    ran = run("init")
    assert (ran.code, "a symbolic link is on the way" in ran.out) == (0, True)
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_dry_run_shows_what_the_real_one_writes_and_writes_nothing(there):
    repository = there({"specs/ops.json": spec("abs")})
    before = repository.state()
    dry = run("init", "--dry-run", "--from", FROM)
    assert (dry.code, repository.state()) == (0, before)
    run("init", "--from", FROM)
    for path in MADE:
        shown = "\n".join(f"       {line}".rstrip() for line in (repository.top / path).read_text().splitlines())
        assert f"would write  {path}\n{shown}\n" in dry.out


# --- the files


def test_every_setting_is_in_the_configuration_and_holds_once_it_is_no_comment():
    text = starter.config(starter.Setup())
    lines = [re.sub(r"^# (?=\w+ = |\[levels\])", "", line) for line in text.splitlines()]
    document = tomllib.loads("\n".join(lines))
    assert document.keys() == set(schema_named("config")["properties"])
    assert config.parse("\n".join(lines).encode(), CONFIG) is not None
    assert tomllib.loads(text) == {}


@pytest.mark.parametrize(
    "name", ['a"b', "a\\b", "a'b", "größe", "a\x7fb", "a\x85b", "\U000e0001", "a: #b", "x" * 120, "{y}"]
)
def test_any_name_can_be_quoted(name):
    setup = starter.Setup(patterns=(name, "b"), files=(name, "b"))
    assert tomllib.loads(starter.config(setup))["specs"] == [name, "b"]
    (entry,) = yaml.safe_load(starter.hooks(setup, starter.Tool()))["repos"]
    check, validate = (hook.get("files") for hook in entry["hooks"])
    assert check is None
    assert re.search(validate, name)
    assert not re.search(validate, f"{name}c")


def test_placeholders_are_named_until_somebody_states_what_represents_them(there):
    repository = there({"specs/ops.json": spec("abs")})
    ran = run("init")
    assert f"replace OWNER and COMMIT with opspec-lint's repository and a commit, in: {HOOKS}, {WORKFLOW}" in ran.out
    assert "OWNER/opspec-lint@COMMIT" in (repository.top / WORKFLOW).read_text()


@pytest.mark.parametrize("url", ["https://github.com/a/b", "https://github.com/a/b.git", "git@github.com:a/b.git"])
def test_hook_and_workflow_name_the_same_revision(there, url):
    repository = there({"specs/ops.json": spec("abs")})
    ran = run("init", "--from", f"{url}@{COMMIT}")
    assert (ran.code, "OWNER" in ran.out) == (0, False)
    written = tomllib.loads((repository.top / CONFIG).read_text())
    assert written["documentation"] == f"https://github.com/a/b/blob/{COMMIT}/docs"
    (entry,) = yaml.safe_load((repository.top / HOOKS).read_text())["repos"]
    assert (entry["repo"], entry["rev"]) == (url, COMMIT)
    steps = yaml.safe_load((repository.top / WORKFLOW).read_text())["jobs"]["operators"]["steps"]
    assert steps[-1] == {"uses": f"a/b@{COMMIT}"}


def test_what_github_does_not_have_is_no_action(there):
    repository = there({"specs/ops.json": spec("abs")})
    ran = run("init", "--from", f"https://git.example.org/a/b@{COMMIT}")
    assert (ran.code, f"left   {WORKFLOW} is not written" in ran.out) == (0, True)
    assert not (repository.top / WORKFLOW).exists()
    assert (repository.top / HOOKS).exists()
    assert "\ndocumentation" not in (repository.top / CONFIG).read_text()


@pytest.mark.parametrize(
    "text", ["@", "https://github.com/a/b", "a/b@", "git@github.com:a/b", "a b@c", "x@-f", "x@a\nb"]
)
def test_another_form_of_from_is_refused(there, text):
    there({"specs/ops.json": spec("abs")})
    ran = run("init", f"--from={text}")
    assert (ran.code, "name a repository and a revision" in ran.err) == (2, True)


def test_the_workflow_may_do_nothing_that_it_need_not(there):
    repository = there({"specs/ops.json": spec("abs")})
    run("init", "--from", FROM)
    zizmor = Path(sys.executable).parent / "zizmor"
    command = (zizmor, "--offline", "--quiet", "--pedantic", WORKFLOW)
    checked = subprocess.run(
        command, cwd=repository.top, capture_output=True, text=True, check=False, env=environment()
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_workflow_checks_out_as_our_own_do():
    own = (ROOT / ".github" / "workflows" / "opspec-lint.yml").read_text(encoding="utf-8")
    assert f"- uses: {starter.CHECKOUT}\n" in own


def test_what_starts_the_validation_by_itself_is_known_here():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (own,) = (hook["files"] for hook in hooks if hook["id"] == "opspec-lint-validate")
    for path in ("specs/a.json", "x/specs/b/c.yml", "specs/a.pb", "a.json", "specs/a.spec", "myspecs/a.json"):
        assert bool(re.search(own, path)) == bool(starter._STARTS_VALIDATE.search(path))


def test_init_reads_untracked_files(there):
    repository = there()
    repository.write({"ext/ops.cpp": 'TORCH_LIBRARY(k, m) { m.def("scale(Tensor x) -> Tensor"); }\n'})
    ran = run("init")
    assert (ran.code, "found  pytorch-source:. (1 op of pytorch)" in ran.out) == (0, True), ran.err
    assert settings(repository)["source"] == "pytorch-source:."


def test_trees_that_a_sparse_checkout_cuts_are_named(there):
    repository = there(tflite_trees.TREE | PADDLE | {"other/README": "x"})
    repository.git("sparse-checkout", "set", "--no-cone", "/tflite/core/", "/other/", "/cmake/")
    ran = run("init")
    assert ran.code == 2
    assert f"tflite-source:.: the sparse checkout leaves out {tflite_trees.SCHEMA}" in ran.err
    assert "paddle-source:.: the sparse checkout leaves out" in ran.err
    assert "then run `opspec-lint init` again" in ran.err
    repository.write({"specs/ops.json": spec("abs")})
    ran = run("init", "--dry-run")
    assert (ran.code, "found  specs/ops.json (1 op of paddle)" in ran.out) == (0, True)
    assert ran.err.count("the sparse checkout leaves out") == 2


@pytest.mark.parametrize(
    ("files", "kept", "message"),
    [
        (tensorflow_trees.TREE, "/tensorflow/core/public/", "the sparse checkout leaves out"),
        ({}, None, "the repository has no files"),
        ({".gitignore": "specs\n", "specs/a.json": spec("abs")}, None, "which ignores specs/a.json"),
        (PADDLE | {".gitignore": "paddle\n"}, None, "which ignores paddle-source:."),
    ],
)
def test_init_states_what_it_did_not_look_at(there, files, kept, message):
    repository = there() if kept is None else there(files)
    repository.write(files if kept is None else {})
    if kept is not None:
        repository.git("sparse-checkout", "set", "--no-cone", kept)
    ran = run("init")
    assert (ran.code, message in ran.err) == (2, True), ran.err


def test_every_tree_of_a_repository_is_named(there):
    extension = '#include <torch/library.h>\nTORCH_LIBRARY(k, m) { m.def("scale(Tensor x) -> Tensor"); }\n'
    repository = there(PADDLE | tflite_trees.TREE | {"ext/ops.cpp": extension})
    ran = run("init")
    assert ran.code == 0, ran.err
    assert all(f"found  {name}:." in ran.out for name in ("paddle-source", "pytorch-source", "tflite-source"))
    sources = ["paddle-source:.", "pytorch-source:.", "tflite-source:."]
    assert settings(repository)["specs"] == [tflite_trees.SCHEMA, *sources]
