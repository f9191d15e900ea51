"""A profile for each source and each spec file; one for another framework is refused."""

from __future__ import annotations

import json

import pytest

from opspec_lint.kit.errors import UsageError
from opspec_lint.project.profile_choice import ProfileChoice, as_setting, check_choices, choose_profile, parse_choice
from tests.support.programs import run
from tests.support.projects import FILE, check, config, text
from tests.support.repositories import Repository
from tests.support.trees import pir_trees
from tests.support.trees.paddle_trees import BASE as TREE
from tests.support.trees.paddle_trees import CLASS, OPERATORS

OP = f"{OPERATORS}/f_op.cc"
SOURCE = CLASS.format(name="FOpMaker", body='AddInput("X", "x"); AddAttr<int>("axis", "a").SetDefault({axis});')
ENTRY = "- op : round\n  args : (Tensor x, int decimals = {value})\n  output : Tensor\n"
FLUID, PIR = "paddle-source:.", "paddle-pir-source:."
CONFIG = "opspec-lint.yaml"


def tree(value):
    maker = SOURCE.replace("{axis}", str(value))
    kernel = "class FOp : public framework::OperatorWithKernel {};"
    op = f"{kernel}\n{maker}\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
    return TREE | pir_trees.tree(ENTRY.format(value=value)) | {OP: op}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    made = Repository.make(tmp_path / "top", tree(1))
    made.git("checkout", "-q", "-b", "topic")
    monkeypatch.chdir(made.top)
    return made


def changed(repository, **settings):
    """Commit a configuration to main, and change a default value of both contracts."""
    repository.git("checkout", "-q", "main")
    repository.commit({CONFIG: config(source=[FLUID, PIR], **settings)})
    repository.git("checkout", "-q", "-B", "topic")
    repository.commit(tree(2))
    return repository


def profiles(report):
    """The profile of each contract that a source declares."""
    return {
        comparison.head.provenance.framework: comparison.profile
        for comparison in report.comparisons
        if comparison.base.provenance.framework == comparison.head.provenance.framework
    }


def choices(*args):
    return {"profiles": tuple(map(parse_choice, args))}


DEFAULT = {"paddle": "paddle", "paddle-pir": "paddle-pir"}


@pytest.mark.parametrize(
    ("setting", "texts", "expected"),
    [
        (None, (), DEFAULT),
        ({FLUID: "paddle-2021"}, (), DEFAULT | {"paddle": "paddle-2021"}),
        (
            {PIR: "paddle-pir-saved-model", FLUID: "paddle-2021"},
            (),
            {"paddle": "paddle-2021", "paddle-pir": "paddle-pir-saved-model"},
        ),
        ("strict", (), {"paddle": "strict", "paddle-pir": "strict"}),
        ("saved-model", (), {"paddle": "paddle-saved-model", "paddle-pir": "paddle-pir-saved-model"}),
        ({PIR: "strict"}, (f"{FLUID}=paddle-2021",), {"paddle": "paddle-2021", "paddle-pir": "strict"}),
        ({PIR: "strict"}, (f"{PIR}=paddle-pir",), DEFAULT),
        ({PIR: "strict"}, (f"{FLUID}=paddle-2021", "strict"), {"paddle": "paddle-2021", "paddle-pir": "strict"}),
        ({FLUID: "paddle-2021"}, ("strict",), {"paddle": "strict", "paddle-pir": "strict"}),
        ({"paddle-*:.": "strict"}, (), {"paddle": "strict", "paddle-pir": "strict"}),
    ],
)
def test_every_source_has_its_own(repository, setting, texts, expected):
    changed(repository, **({} if setting is None else {"profile": setting}))
    assert profiles(check(repository, **choices(*texts))) == expected


@pytest.mark.parametrize(
    ("setting", "texts", "problem"),
    [
        (
            "paddle-2021",
            (),
            "the profile 'paddle-2021' is for specs of paddle, and paddle-pir-source:. is one of paddle-pir",
        ),
        (None, ("paddle-2021",), "the profile 'paddle-2021' is for specs of paddle"),
        (None, ("tensorflow",), "the profile 'tensorflow' is for specs of tensorflow"),
        ({PIR: "paddle"}, (), "the profile 'paddle' is for specs of paddle"),
        (None, (f"{FLUID}=paddle-pir",), "the profile 'paddle-pir' is for specs of paddle-pir"),
    ],
)
def test_a_profile_of_another_framework_is_refused(repository, setting, texts, problem):
    changed(repository, **({} if setting is None else {"profile": setting}))
    with pytest.raises(UsageError) as caught:
        check(repository, **choices(*texts))
    assert caught.value.message.startswith(problem)
    assert "SOURCE=PROFILE" in caught.value.advice


def test_the_command_line_states_it_as_well(repository):
    changed(repository)
    ran = run("check", "--profile", f"{FLUID}=paddle-2021", "--profile", f"{PIR}=strict", "--format", "json")
    used = {comparison["head"]["file"]: comparison["profile"] for comparison in json.loads(ran.out)["comparisons"]}
    assert (used[FLUID], used[PIR]) == ("paddle-2021", "strict")
    assert run("check", "--profile", "paddle-2021").code == 2
    shown = json.loads(run("config", "--show", "--format", "json", f"--profile={FLUID}=paddle-2021").out)
    assert shown["settings"]["profile"]["value"] == {FLUID: "paddle-2021"}
    for wrong in (f"{FLUID}=strickt", "=", f"{FLUID}="):
        ran = run("check", f"--profile={wrong}")
        assert (ran.code, "unknown profile" in ran.err) == (2, True)


@pytest.mark.parametrize("texts", [("nowhere.json=strict",), ("paddle-source:=strict",)])
def test_a_profile_for_nothing_is_refused(repository, texts):
    changed(repository)
    with pytest.raises(UsageError, match=r"^profile: there is no source and no spec file '") as caught:
        check(repository, **choices(*texts))
    assert caught.value.advice


def test_a_profile_for_nothing_is_refused_in_a_configuration_of_head_alone(repository):
    changed(repository, profile={"gone.json": "strict"})
    with pytest.raises(UsageError, match=r"no spec file 'gone\.json'"):
        check(repository)
    repository.commit({CONFIG: config(source=[FLUID, PIR])})
    assert profiles(check(repository)) == DEFAULT


def test_every_spec_file_has_its_own(tmp_path):
    another = "ops/other.json"
    old, new = text("f(X) -> () [a: INT = 1]"), text("f(X) -> () [a: INT = 1, b: INT = 2]")
    setting = {"profile": {"specs/*": "strict", another: "paddle-2021"}, "specs": [FILE, another]}
    made = Repository.make(tmp_path / "top", {FILE: old, another: old, CONFIG: config(**setting)})
    made.stage({FILE: new, another: new})
    used = {comparison.head.file: comparison.profile for comparison in check(made).comparisons}
    assert used == {FILE: "strict", another: "paddle-2021"}
    made.git("mv", FILE, "ops/moved.json")
    made.stage({CONFIG: config(specs=["ops/*.json"])})
    used = {comparison.head.file: comparison.profile for comparison in check(made).comparisons}
    assert used == {"ops/moved.json": "strict", another: "paddle-2021"}


@pytest.mark.parametrize(
    ("texts", "code", "profile"),
    [
        (("--profile", "paddle-2021"), 1, "paddle-2021"),
        (("--profile", "paddle@3.0.0=paddle-2021"), 1, "paddle-2021"),
        (("--profile", "paddle@2.6.2=paddle-2021", "--profile", "strict"), 1, "paddle-2021"),
        (("--profile", "tensorflow"), 2, None),
        (("--profile", "paddle-pir"), 2, None),
        (("--profile", "other.json=strict"), 2, None),
    ],
)
def test_two_specs_that_are_named(texts, code, profile):
    ran = run("check", "paddle@2.6.2", "paddle@3.0.0", "--format", "json", *texts)
    assert ran.code == code
    if profile is not None:
        assert [comparison["profile"] for comparison in json.loads(ran.out)["comparisons"]] == [profile]


@pytest.mark.parametrize(
    ("name", "code"), [("paddle-translation", 1), ("strict", 1), ("paddle", 2), ("paddle-pir", 1), ("tensorflow", 2)]
)
def test_what_is_loaded_as_the_ops_of_another_framework(name, code):
    ran = run("check", "paddle@2.6.2", "paddle-pir@3.0.0", "--op", "cast", "--op", "dropout", "--profile", name)
    assert (ran.code == 2) == (code == 2)


def test_prove_refuses_it_as_well():
    assert run("prove", "paddle@2.6.2", "paddle@3.0.0", "--op", "relu", "--profile", "tensorflow").code == 2


def test_the_first_choice_counts():
    every, some = ProfileChoice(profile="strict"), ProfileChoice(where="a/*.json", profile="paddle")
    assert choose_profile([some, every], ("a/b.json",)) == "paddle"
    assert choose_profile([every, some], ("a/b.json",)) == "strict"
    assert choose_profile([some], ("a/b/c.json", "x")) is None
    assert choose_profile([some], ()) is None
    assert as_setting([some, every]) == {"a/*.json": "paddle", "**": "strict"}
    assert as_setting([every, some]) == "strict"
    assert as_setting([]) is None
    check_choices([every], iter(()))
    assert parse_choice("a=b=c") == ProfileChoice(where="a=b", profile="c")
