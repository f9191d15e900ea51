from __future__ import annotations

import json
import os

import pytest

from opspec_lint.project import config
from tests.support.events import schema_named
from tests.support.programs import run
from tests.support.projects import FILE, text
from tests.support.repositories import Repository

OPS = text("f(X) -> (Out)")
TOML = """\
# the policy
profile = "strict"  # base
base = "main"
ignore = ["c_*"]
waivers = "w.yaml"

[levels]
op_added = "error"
"""


@pytest.fixture
def there(tmp_path, monkeypatch):
    """Return a function that makes a repository of some files on the branch `mine`, and goes there."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "PRE_COMMIT"))]:
        monkeypatch.delenv(name)

    def make(files):
        made = Repository.make(tmp_path / "top", {FILE: OPS, **files})
        made.git("switch", "-qc", "mine")
        monkeypatch.chdir(made.top)
        return made

    return make


def shown(*args):
    """Return each setting with its value, and where that comes from as `side`, or `side file:line`."""
    ran = run("config", "--show", "--format", "json", *args)
    assert (ran.code, ran.err) == (0, "")
    document = json.loads(ran.out)
    return document, {
        name: (
            setting["value"],
            [
                " ".join(filter(None, (first["side"], first["file"] and f"{first['file']}:{first['line']}")))
                for first in setting["from"]
            ],
        )
        for name, setting in document["settings"].items()
    }


def test_without_a_configuration_everything_is_the_default(there):
    repository = there({})
    result, settings = shown()
    assert settings.keys() == set(schema_named("config")["properties"])
    assert {tuple(places) for _, places in settings.values()} == {("default",)}
    assert settings["specs"][0] == ["specs/**"]
    assert settings["waivers"][0] == "opspec-waivers.yaml"
    assert result["base"]["config"] is None
    assert result["base"]["revision"] == repository.head


def test_every_setting_is_shown_with_its_file_and_line(there):
    there({"opspec-lint.toml": TOML, "w.yaml": "version: 1\nwaivers: []\n"})
    result, settings = shown()
    assert settings["profile"] == ("strict", ["base opspec-lint.toml:2"])
    assert settings["base"] == ("main", ["base opspec-lint.toml:3"])
    assert settings["ignore"] == (["c_*"], ["base opspec-lint.toml:4"])
    assert settings["waivers"] == ("w.yaml", ["head opspec-lint.toml:5"])
    assert settings["levels"] == ({"op_added": "error"}, ["base opspec-lint.toml:7"])
    assert settings["against"] == (None, ["default"])
    assert (result["base"]["config"], result["head"]["config"]) == ("opspec-lint.toml", "opspec-lint.toml")


def test_what_could_loosen_the_check_is_that_of_base(there):
    repository = there({"opspec-lint.toml": 'base = "main"\nspecs = ["specs/*.json"]\nprofile = "strict"\n'})
    head = 'specs = ["specs/ops.json"]\nwaivers = "new.yaml"\nprofile = "paddle"\nbase = "mine"\n'
    repository.write({"opspec-lint.toml": head, "new.yaml": "version: 1\nwaivers: []\n"})
    _, settings = shown()
    assert settings["profile"] == ("strict", ["base opspec-lint.toml:3"])
    assert settings["base"] == ("main", ["base opspec-lint.toml:1"])
    assert settings["waivers"] == ("new.yaml", ["head opspec-lint.toml:2"])
    assert settings["specs"] == (
        ["specs/*.json", "specs/ops.json"],
        ["base opspec-lint.toml:2", "head opspec-lint.toml:1"],
    )


def test_what_the_base_branch_has_set_since_is_in_force(there):
    repository = there({"opspec-lint.toml": 'profile = "paddle"\nbase = "main"\n'})
    repository.git("switch", "-q", "main")
    repository.commit({"opspec-lint.toml": 'base = "main"\nprofile = "strict"\nignore = ["c_*"]\n'})
    repository.git("switch", "-q", "mine")
    _, settings = shown()
    assert settings["profile"] == ("strict", ["base opspec-lint.toml:2"])
    assert settings["ignore"] == (["c_*"], ["base opspec-lint.toml:3"])


def test_a_configuration_that_is_new_is_not_in_force_yet(there):
    repository = there({})
    repository.write({"opspec-lint.toml": 'profile = "strict"\nbase = "main"\n'})
    _, settings = shown()
    assert settings["profile"] == ("paddle", ["default"])
    assert settings["base"] == ("main", ["head opspec-lint.toml:2"])
    ran = run("config", "--show")
    assert "base has no configuration; of opspec-lint.toml of head, only the settings below that are marked" in ran.out


def test_the_command_line_takes_the_place_of_a_setting(there):
    there({"opspec-lint.toml": TOML, "w.yaml": "version: 1\nwaivers: []\n", "v.yaml": "version: 1\nwaivers: []\n"})
    _, settings = shown("--profile", "paddle", "--base", "HEAD", "--waivers", "v.yaml")
    assert settings["profile"] == ("paddle", ["command line"])
    assert settings["base"] == ("HEAD", ["command line"])
    assert settings["waivers"] == ("v.yaml", ["command line"])


def test_a_file_named_by_hand_holds_at_both_ends(there):
    there({"opspec-lint.toml": TOML, "other.toml": '\nprofile = "paddle"\n', "w.yaml": "version: 1\nwaivers: []\n"})
    _, settings = shown("--config", "other.toml")
    assert settings["profile"] == ("paddle", ["--config other.toml:2"])


def test_the_index_and_a_revision_are_ends(there):
    repository = there({"opspec-lint.toml": 'base = "main"\n'})
    repository.stage({"opspec-lint.toml": 'waivers = "x.yaml"\nbase = "main"\n'})
    repository.write({"opspec-lint.toml": 'base = "main"\n'})
    assert shown("--staged")[1]["waivers"] == ("x.yaml", ["head opspec-lint.toml:1"])
    assert shown("--head", "HEAD")[1]["waivers"] == ("opspec-waivers.yaml", ["default"])
    assert shown()[0]["head"] == {"revision": None, "title": "the work tree", "config": "opspec-lint.toml"}


def test_the_text_has_what_the_json_has(there):
    there({"opspec-lint.toml": TOML, "w.yaml": "version: 1\nwaivers: []\n"})
    ran = run("config", "--show")
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["profile", '"strict"', "opspec-lint.toml:2", "of", "base"] in lines
    assert ["against", "-", "default"] in lines
    assert "policy  that of opspec-lint.toml of base\n" in ran.out
    assert ran.out.startswith("base    ")


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        ('profile = "strict"\n', 0, "opspec-lint.toml is in order"),
        ('profil = "strict"\n', 2, "did you mean 'profile'?"),
        ('specs = ["no.json"]\n', 2, "there is no file 'no.json'"),
        ('base = "gone"\n', 3, "gone: is not a revision"),
        ("profile = \n", 2, "is not valid TOML"),
    ],
)
def test_without_show_it_states_whether_the_configuration_is_in_order(there, content, code, message):
    repository = there({})
    repository.write({"opspec-lint.toml": content})
    ran = run("config")
    assert (ran.code, message in ran.out + ran.err) == (code, True), ran.err


def test_where_there_is_none_it_reports_it(there):
    there({})
    ran = run("config")
    assert (ran.code, ran.out.startswith("there is no configuration; ")) == (0, True)


def test_a_format_without_show_is_refused(there):
    there({})
    assert run("config", "--format", "json").code == 2


def test_a_name_in_the_configuration_steers_no_terminal(there):
    there({"opspec-lint.toml": 'ignore = ["\\u001b[31m"]\n'})
    ran = run("config", "--show")
    assert (ran.code, "\x1b" in ran.out) == (0, False)


@pytest.mark.parametrize(
    ("file", "content", "line"),
    [
        ("opspec-lint.toml", '# base = "x"\nprofile = "strict"\nbase = "x"\n', 3),
        ("opspec-lint.toml", 'ignore = ["""\nbase = "y"\n"""]\n"base" = "x"\n', 4),
        ("opspec-lint.toml", '[levels]\nop_added = "error"\n', None),
        ("opspec-lint.yaml", "ignore: [base]\nbase: x\n", 2),
        ("pyproject.toml", '[tool.other]\nbase = "x"\n[tool.opspec-lint]\nbase = "x"\n', 4),
        ("pyproject.toml", '[tool]\nopspec-lint.base = "x"\n', 2),
        ("pyproject.toml", '[tool]\nopspec-lint = { base = "x" }\n', 2),
        ("pyproject.toml", "[tool.other]\nbase = 1\n", None),
        ("opspec-lint.toml", '\ufeffbase = "x"\n', 1),
        ("opspec-lint.toml", '"\\u0062ase" = "x"\n', None),
        ("opspec-lint.toml", 'base."x" = 1\r\n', 1),
        ("opspec-lint.yaml", '# base:\n"base": x\n', 2),
        ("opspec-lint.yaml", "{profile: strict,\n base: x}\n", 2),
    ],
)
def test_the_line_of_a_setting(file, content, line):
    assert config.line_of(content.encode(), file, "base") == line


@pytest.mark.parametrize("line", ['"the base of {}",', '"base = {}",'])
def test_looking_for_a_line_takes_few_readings_of_the_file(line, monkeypatch):
    """Each reading is as long as the file, so one for every line that mentions the setting would be its square."""
    many = "\n".join(line.format(number) for number in range(500))
    data = f'ignore = [\n{many}\n]\nbase = "x"\n'.encode()
    read, readings = config._table, []
    monkeypatch.setattr(config, "_table", lambda *given: (readings.append(1), read(*given))[1])
    actual = config.line_of(data, "opspec-lint.toml", "base")
    assert len(readings) < 50
    assert actual in (503, None)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('waivers = "no.yaml"\n', "waivers: there is no file 'no.yaml'"),
        ('waivers = "bad.yaml"\n', "bad.yaml"),
        ('against = ["no.json"]\n', "against: there is no file 'no.json'"),
    ],
)
def test_what_a_check_would_refuse_is_not_in_order(there, content, message):
    repository = there({"opspec-lint.toml": content, "bad.yaml": "waivers: 3\n"})
    ran, check = run("config"), run("check")
    assert repository.head
    assert (ran.code, check.code) == (2, 2)
    assert message in ran.err
    assert ran.err == check.err
    assert run("config", "--show").code == 0


def test_a_release_that_the_change_names_is_looked_at_before_it_is_in_force(there):
    repository = there({})
    repository.write({"opspec-lint.toml": 'against = ["no.json"]\n'})
    ran = run("config")
    assert (ran.code, "against: there is no file 'no.json'" in ran.err) == (2, True)
    repository.write({"no.json": OPS})
    assert run("config").code == 0
