from __future__ import annotations

import ast
import inspect
import json
import os
import re

import pytest

from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import INDEX, WORK_TREE, repository_around
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.kit import toml_text
from opspec_lint.kit.errors import UsageError
from opspec_lint.project import config
from opspec_lint.project.config import Config, SpecFiles, parse
from opspec_lint.project.profile_choice import ProfileChoice
from tests.support.events import schema_named
from tests.support.programs import run
from tests.support.projects import config as text
from tests.support.repositories import Repository

TOML = b"""
specs = ["specs/*.json", { file = "specs/ops.json", source = "paddle-runtime" }]
source = "paddle-runtime"
include = ["api"]
base = "origin/main"
against = ["specs/old.json", "v1.0:specs/ops.json"]
profile = "strict"
ignore = ["c_*"]
waivers = "waivers.yaml"
approvals = "of-head"
reviewers = { inference = ["ann", "Bob-2"], slim = ["robot[bot]"] }

[levels]
op_removed = "warning"
"""
YAML = b"""
specs:
- specs/*.json
- {file: specs/ops.json, source: paddle-runtime}
source: paddle-runtime
include: [api]
base: origin/main
against: [specs/old.json, "v1.0:specs/ops.json"]
profile: strict
ignore: [c_*]
waivers: waivers.yaml
approvals: of-head
reviewers:
  inference: [ann, Bob-2]
  slim: ["robot[bot]"]
levels:
  op_removed: warning
"""
FULL = Config(
    file="opspec-lint.toml",
    specs=(SpecFiles(pattern="specs/*.json"), SpecFiles(pattern="specs/ops.json", source="paddle-runtime")),
    source=("paddle-runtime",),
    include=("api",),
    base="origin/main",
    against=("specs/old.json", "v1.0:specs/ops.json"),
    profile=(ProfileChoice(profile="strict"),),
    levels={"op_removed": "warning"},
    ignore=("c_*",),
    waivers="waivers.yaml",
    reviewers={"inference": ("ann", "Bob-2"), "slim": ("robot[bot]",)},
    approvals="of-head",
)


def in_pyproject(data):
    return b"[tool.other]\nx = 1\n[tool.opspec-lint]\n" + data.replace(b"[levels]", b"[tool.opspec-lint.levels]")


def refused(data, file="opspec-lint.toml"):
    with pytest.raises(UsageError) as caught:
        parse(data, file)
    assert caught.value.exit_code == 2
    assert caught.value.advice
    return caught.value


# --- what a file says


@pytest.mark.parametrize(
    ("data", "file"),
    [
        (TOML, "opspec-lint.toml"),
        (YAML, "opspec-lint.yaml"),
        (YAML, "opspec-lint.yml"),
        (in_pyproject(TOML), "pyproject.toml"),
    ],
)
def test_every_form_states_the_same(data, file):
    assert parse(data, file) == FULL.replace(file=file)


@pytest.mark.parametrize("file", ["opspec-lint.toml", "opspec-lint.yaml"])
@pytest.mark.parametrize("data", [b"", b"\n", b"# nothing\n", b"specs = ['a']\n"])
def test_what_is_not_set_has_its_default(data, file):
    parsed = parse(data.replace(b" =", b":") if file.endswith(".yaml") else data, file)
    assert parsed.replace(specs=()) == Config(file=file)
    assert parsed.against == parsed.ignore == ()
    assert parsed.levels == {}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[project]\nname = 'x'\n",
        b"[tool.other]\nx = 1\n",
        b"tool = 3 # opspec-lint\n",
        b"# opspec-lint\n[tool]\n",
    ],
)
def test_a_pyproject_without_the_table_is_no_configuration(data):
    assert parse(data, "pyproject.toml") is None
    assert parse(data, "sub/pyproject.toml") is None


def test_a_pyproject_that_is_broken_elsewhere_and_has_no_table_is_not_our_business():
    assert parse(b"[tool.other\n", "pyproject.toml") is None
    assert "is not valid TOML" in refused(b"[tool.other\n[tool.opspec-lint]\n", "pyproject.toml").message


def test_a_table_with_an_underscore_is_not_passed_over():
    with pytest.raises(UsageError, match=r"^pyproject.toml: unknown table \[tool.opspec_lint\]$"):
        parse(b'[tool.opspec_lint]\nprofile = "strict"\n', "pyproject.toml")
    for data in (b'[tool.ruff]\nfirst-party = ["opspec_lint"]\n', b'["opspec_lint'):
        assert parse(data, "pyproject.toml") is None


def test_paths_are_from_the_folder_of_the_file():
    data = b'specs = ["./a.json", "../b/*.json"]\nagainst = ["old.json", "v1:./x.json"]\nwaivers = "w.yaml"\n'
    parsed = parse(data, "sub/opspec-lint.toml")
    assert [spec.pattern for spec in parsed.specs] == ["sub/a.json", "b/*.json"]
    assert parsed.against == ("sub/old.json", "v1:./x.json")
    assert parsed.waivers == "sub/w.yaml"


@pytest.mark.parametrize("path", ["..", "../x", "/etc/passwd", "a/../../x", "//x", "../"])
@pytest.mark.parametrize(
    "setting",
    ['specs = ["{}"]', 'specs = [{{ file = "{}", source = "a" }}]', 'waivers = "{}"', 'include = ["{}"]'],
)
def test_a_path_that_leads_out_is_refused(path, setting):
    error = refused(setting.format(path).encode())
    assert error.message == f"opspec-lint.toml: {path!r} leads out of the repository"


def test_a_release_that_leads_out_is_refused():
    assert "leads out" in refused(b'against = ["../x.json"]').message


@pytest.mark.parametrize(
    ("data", "message", "advice"),
    [
        ({"spec": ["a"]}, 'unknown key "spec"', "did you mean 'specs'?"),
        ({"profil": "strict"}, 'unknown key "profil"', "did you mean 'profile'?"),
        ({"reviewers": {"inferense": ["ann"]}}, "unknown team 'inferense'", "did you mean 'inference'?"),
        ({"levels": {"op_remove": "error"}}, "unknown rule 'op_remove'", "did you mean 'op_removed'?"),
        (
            {"levels": {"op_removed": "warn"}},
            'levels.op_removed: expected "off", "note", "warning", "error", found the string "warn"',
            "did you mean 'warning'?",
        ),
        (
            {"specs": [{"file": "a", "source": "b", "sourc": "c"}]},
            'specs[0]: unknown key "sourc"',
            "did you mean 'source'?",
        ),
        ({"specs": [{"file": "a"}]}, "specs[0]: the key 'source' is missing", "configuration.md"),
        ({"specs": []}, "specs: expected at least 1, found none", "configuration.md"),
        ({"specs": "a"}, 'specs: expected a list, found the string "a"', "configuration.md"),
        ({"specs": [1]}, "specs[0]: expected a string or a mapping, found 1", "configuration.md"),
        ({"base": 1}, "base: expected a string, found 1", "configuration.md"),
        ({"base": True}, "base: expected a string, found true", "configuration.md"),
        ({"profile": "strickt"}, "unknown profile 'strickt'", "did you mean 'strict'?"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(data, message, advice):
    for file in ("opspec-lint.yaml", "sub/opspec-lint.yml"):
        error = refused(json.dumps(data).encode(), file)
        assert error.message == f"{file}:1: {message}"
        assert (advice in error.advice, error.others) == (True, ())


def test_all_that_is_wrong_is_named_with_its_line():
    toml = """# A comment about levels = 1
profil = "strict"
specs = ["a", 1]
[reviewers]
slim = 3
[levels]
op_removed = "error"
op_remove = "error"
attr_removed = "warn"
"""
    yaml = """profil: strict
specs: [a, 1]
reviewers:
  slim: 3
levels:
  op_removed: error
  op_remove: error
  attr_removed: warn
"""
    for data, file, lines in ((toml, "opspec-lint.toml", (2, 3, 5, 9, 8)), (yaml, "opspec-lint.yaml", (1, 2, 4, 8, 7))):
        error = refused(data.encode(), file)
        messages = [item.message.removeprefix(f"{file}:") for item in (error, *error.others)]
        assert [int(item.partition(":")[0]) for item in messages] == list(lines)
        texts = ("unknown key", "specs[1]", "reviewers.slim", "levels.attr_removed", "unknown rule 'op_remove'")
        assert all(text in item for text, item in zip(texts, messages, strict=True))


def test_many_mistakes_are_counted():
    error = refused(json.dumps({f"k{n}": 1 for n in range(50)}).encode(), "opspec-lint.yaml")
    assert len(error.others) == 20
    assert error.others[-1].message == "opspec-lint.yaml: 30 more mistakes"


def test_the_program_prints_all_that_is_wrong(tmp_path, monkeypatch):
    made = Repository.make(tmp_path / "top", {"opspec-lint.yaml": "profil: strict\nbase: 1\n"})
    monkeypatch.chdir(made.top)
    ran = run("config")
    assert ran.code == 2
    errors = [line for line in ran.err.splitlines() if "error: " in line]
    assert len(errors) == ran.err.count("advice: ") == 2


def test_in_a_pyproject_the_place_names_the_table():
    assert refused(b"[tool.opspec-lint]\nbase = 1\n", "pyproject.toml").message == (
        "pyproject.toml:2: tool.opspec-lint.base: expected a string, found 1"
    )
    assert refused(b"[tool]\nopspec-lint = 1\n", "pyproject.toml").message == (
        "pyproject.toml: tool.opspec-lint: expected a mapping, found 1"
    )


@pytest.mark.parametrize("value", ["2026-05-15", "2026-05-15T10:00:00Z", "10:00:00"])
def test_a_date_of_toml_is_no_text(value):
    error = refused(f"base = {value}\n".encode())
    assert error.message.startswith("opspec-lint.toml:1: base: expected a string, found the date or time ")
    assert "unknown key" in refused(f"profil = {value}\n".encode()).message
    assert refused(f"[levels]\nop_removed = {value}\n".encode()).message.startswith(
        "opspec-lint.toml:2: levels.op_removed"
    )


def test_yaml_has_no_dates():
    assert parse(b"base: 2026-05-15\n", "opspec-lint.yaml").base == "2026-05-15"


@pytest.mark.parametrize(
    ("data", "file"),
    [
        (b"\xff", "opspec-lint.toml"),
        (b"a = [", "opspec-lint.toml"),
        (b"a = 1\na = 2\n", "opspec-lint.toml"),
        (b"a = " + b"1" * 5000, "opspec-lint.toml"),
        (b"a = 0x" + b"f" * 5000, "opspec-lint.toml"),
        (b"a = " + b"[" * 5000 + b"]" * 5000, "opspec-lint.toml"),
        (b".".join([b"base"] * 5000) + b" = 1", "opspec-lint.toml"),
        (b"\xff", "opspec-lint.yaml"),
        (b"a: [", "opspec-lint.yaml"),
        (b"base: a\nbase: b\n", "opspec-lint.yaml"),
        (b'{"base": "a", "base": "b"}', "opspec-lint.yaml"),
        (b"base: !!python/name:os.system x\n", "opspec-lint.yaml"),
        (b"[]", "opspec-lint.yaml"),
        (b"text", "opspec-lint.yaml"),
        (b'{"base": ' + b"[" * 5000 + b"]" * 5000 + b"}", "opspec-lint.yaml"),
    ],
    ids=range(15),
)
def test_a_file_that_cannot_be_read_is_a_single_message(data, file):
    error = refused(data, file)
    assert re.match(rf"{file}:(1:)? ", error.message)
    assert len(error.message) < 500


@pytest.mark.parametrize("file", ["opspec-lint.toml", "opspec-lint.yaml", "pyproject.toml"])
def test_a_byte_order_mark_is_no_part_of_it(file):
    data = b"\xef\xbb\xbf" + {"opspec-lint.toml": TOML, "opspec-lint.yaml": YAML}.get(file, in_pyproject(TOML))
    assert parse(data, file) == FULL.replace(file=file)


def test_what_is_wrong_with_a_configuration_does_not_speak_of_a_spec():
    assert "spec" not in refused(b"base: &a x\nprofile: *a\n", "c.yaml").message


def test_messages_call_the_file_what_they_are_given():
    with pytest.raises(UsageError, match=r"^main:sub/opspec-lint\.toml:1: unknown key"):
        parse(b"x = 1", "sub/opspec-lint.toml", display_name="main:sub/opspec-lint.toml")


def test_tomli_is_in_where_python_has_no_toml_of_its_own():
    guards = [
        node
        for node in ast.walk(ast.parse(inspect.getsource(toml_text)))
        if isinstance(node, ast.If) and ast.unparse(node.test) == "sys.version_info >= (3, 11)"
    ]
    assert [[ast.unparse(line) for line in (*guard.body, *guard.orelse)] for guard in guards] == [
        ["import tomllib", "import tomli as tomllib"]
    ]


def test_settings_are_json_values():
    assert {name: FULL.setting(name) for name in config.POLICY} == {
        "specs": ["specs/*.json", ["specs/ops.json", "paddle-runtime"]],
        "source": "paddle-runtime",
        "include": ["api"],
        "base": "origin/main",
        "against": ["specs/old.json", "v1.0:specs/ops.json"],
        "profile": "strict",
        "levels": {"op_removed": "warning"},
        "ignore": ["c_*"],
        "reviewers": {"inference": ["ann", "Bob-2"], "slim": ["robot[bot]"]},
        "approvals": "of-head",
    }
    assert {FULL.setting(name) is None for name in config.POLICY} == {False}
    assert {Config(file="x").setting(name) for name in config.POLICY} == {None}


def test_every_setting_of_the_schema_is_one_of_the_configuration():
    settings = set(Config._fields) - {"file", "named_trees"}
    assert set(schema_named("config")["properties"]) == settings
    assert set(config.POLICY) == settings - {"waivers", "history", "usage", "documentation"}


@pytest.mark.parametrize("address", ["ftp://example.org/docs", "javascript:alert(1)", "https://a.org/)x(", "docs"])
def test_the_documentation_is_an_address(address):
    with pytest.raises(UsageError, match="documentation"):
        parse(text(documentation=address).encode(), "opspec-lint.yaml")


def test_the_links_of_a_report_are_those_of_base(tmp_path, monkeypatch):
    file, old = "specs/ops.json", json.dumps({"f": {"Inputs": {}, "Outputs": {}, "Attrs": {}}})
    made = Repository.make(tmp_path / "top", {file: old, "opspec-lint.yaml": text(documentation="https://a.org/docs")})
    made.git("checkout", "-q", "-b", "topic")
    made.commit({file: old.replace('"f"', '"g"'), "opspec-lint.yaml": text(documentation="https://b.org/docs")})
    monkeypatch.chdir(made.top)
    assert "(https://a.org/docs/reference/rules/op_removed.md)" in run("check", "--format", "markdown").out
    assert "b.org" not in run("check", "--format", "sarif").out


def test_source_trees_among_the_spec_files():
    def parsed(**settings):
        return parse(text(**settings).encode(), "opspec-lint.yaml")

    both = parsed(specs=["a.json", "pytorch-source:.", {"file": "b.json", "source": "paddle-runtime"}])
    assert ([file.pattern for file in both.specs], both.trees) == (["a.json", "b.json"], ("pytorch-source:.",))
    assert both.setting("specs") == ["a.json", ["b.json", "paddle-runtime"], "pytorch-source:."]
    assert parsed(specs=["a.json"], source="paddle-source:.").trees == ()
    assert parsed(source="paddle-source:.").trees == ("paddle-source:.",)


# --- which file holds


@pytest.fixture
def repository(tmp_path):
    return Repository.make(tmp_path / "top", {"a/b/c.txt": "x", "README": "x"})


def find(repository, folder="", revision=WORK_TREE):
    result = repository_around(str(repository.top), repository.environment)
    objects = Objects(result)
    try:
        return config.find(Snapshot(result, objects, revision), folder)
    finally:
        objects.close()


def test_the_nearest_one_holds_from_the_folder_to_the_top(repository):
    assert find(repository, "a/b/") is None
    repository.write({"opspec-lint.yaml": text(base="top")})
    assert find(repository, "a/b/").base == find(repository).base == "top"
    repository.write({"a/opspec-lint.toml": 'base = "a"'})
    assert find(repository, "a/b/").base == find(repository, "a/").base == "a"
    assert find(repository).base == "top"
    repository.write({"a/b/pyproject.toml": "[tool.other]\n"})
    assert find(repository, "a/b/").base == "a"
    repository.write({"a/b/pyproject.toml": '[tool.opspec-lint]\nbase = "b"'})
    matches = find(repository, "a/b/")
    assert (matches.base, matches.file) == ("b", "a/b/pyproject.toml")


@pytest.mark.parametrize("revision", [INDEX, "HEAD"])
def test_it_is_read_where_the_tree_is(repository, revision):
    repository.commit({"opspec-lint.yaml": text(base="committed")})
    repository.write({"opspec-lint.yaml": text(base="written"), "a/opspec-lint.yaml": text(base="untracked")})
    assert find(repository, "a/", revision).base == "committed"
    repository.git("add", ".")
    assert find(repository, "a/", INDEX).base == "untracked"
    assert find(repository, "a/", "HEAD").base == "committed"


def test_two_in_a_single_folder_are_refused(repository):
    repository.write({"a/opspec-lint.yaml": text(), "a/pyproject.toml": "[tool.opspec-lint]\n"})
    with pytest.raises(UsageError, match=r"^a/opspec-lint.yaml and a/pyproject.toml are both configuration files$"):
        find(repository, "a/b/")
    repository.write({"a/pyproject.toml": ""})
    assert find(repository, "a/b/").file == "a/opspec-lint.yaml"


@pytest.mark.parametrize("target", ["outside.toml", "nothing.toml"])
def test_a_link_is_no_configuration(repository, tmp_path, target):
    (tmp_path / "outside.toml").write_text('base = "outside"')
    (repository.top / "opspec-lint.toml").symlink_to(tmp_path / target)
    with pytest.raises(UsageError, match=r"opspec-lint.toml: is not a regular file"):
        find(repository)


# --- one that is named by hand


def test_a_file_named_by_hand(repository, tmp_path):
    repository.write({"a/other.toml": 'specs = ["x.json"]', "a/b.yaml": text(specs=["../y.json"])})
    top = str(repository.top)
    assert config.read(f"{top}/a/other.toml", top).specs[0].pattern == "a/x.json"
    assert config.read(f"{top}/a/b.yaml", top).specs[0].pattern == "y.json"
    outside = tmp_path / "pyproject.toml"
    outside.write_text('[tool.opspec-lint]\nspecs = ["x.json"]')
    for within in (top, None):
        result = config.read(str(outside), within)
        assert (result.file, result.specs[0].pattern) == ("pyproject.toml", "x.json")


@pytest.mark.parametrize("name", ["nowhere.toml", "folder", "pyproject.toml"])
def test_a_file_named_by_hand_has_to_be_one(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    with pytest.raises(UsageError) as caught:
        config.read(os.path.join(tmp_path, name), None)
    assert name in caught.value.message
    assert caught.value.advice == "name a configuration file"


@pytest.mark.parametrize(
    "text",
    [
        b'profile = { "ops/*.json" = "paddle-2021", "paddle-pir-source:." = "strict" }',
        b'[profile]\n"ops/*.json" = "paddle-2021"\n"paddle-pir-source:." = "strict"\n',
    ],
)
def test_a_profile_for_every_source_and_spec_file(text):
    parsed = parse(text, "sub/opspec-lint.toml")
    assert parsed.profile == (
        ProfileChoice(where="sub/ops/*.json", profile="paddle-2021"),
        ProfileChoice(where="paddle-pir-source:.", profile="strict"),
    )
    assert parsed.setting("profile") == {"sub/ops/*.json": "paddle-2021", "paddle-pir-source:.": "strict"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b'profile = { a = "strickt" }', "opspec-lint.toml:1: unknown profile 'strickt'"),
        (b"profile = { a = 1 }", "opspec-lint.toml:1: profile.a: expected "),
        (b'profile = ["strict"]', "opspec-lint.toml:1: profile: expected "),
        (b'profile = { "../a" = "strict" }', "'../a' leads out of the repository"),
    ],
)
def test_a_wrong_profile_of_a_source(text, problem):
    assert problem in refused(text).message
