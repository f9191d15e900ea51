"""Changes that add invalid settings, and changes that repair the settings of base."""

from __future__ import annotations

import pytest

from opspec_lint.kit.errors import InputError, OpspecError, UsageError
from tests.support.projects import FILE, check, config, facts, text
from tests.support.repositories import Repository
from tests.support.trees.paddle_trees import BASE, OPERATORS, maker_file

SETTINGS = "opspec-lint.yaml"
SPEC = text("f(X) -> (Out) [a: INT = 0]")
GONE = f"v9.9:{FILE}"


def project(tmp_path, settings):
    """Return a repository with some settings at base, on another branch."""
    made = Repository.make(tmp_path / "top", {FILE: SPEC, SETTINGS: settings})
    made.git("checkout", "-q", "-b", "topic")
    return made


@pytest.mark.parametrize("before", [config(specs=[FILE]), None])
@pytest.mark.parametrize(
    ("name", "error"), [(GONE, InputError), ("releases/1.0.json", UsageError), ("paddle@9.9", InputError)]
)
def test_a_release_that_cannot_be_read_fails_the_change_that_adds_it(tmp_path, before, name, error):
    made = project(tmp_path, config(specs=[FILE]))
    if before is None:
        made.git("checkout", "-q", "main")
        made.commit({SETTINGS: None})
        made.git("checkout", "-q", "-B", "topic")
    made.commit({SETTINGS: config(specs=[FILE], against=[name])})
    with pytest.raises(error):
        check(made)


@pytest.mark.parametrize(
    ("broken", "repaired", "name"),
    [
        (config(against=[GONE]), config(against=[f"main:{FILE}"]), "against"),
        (config(against=["releases/1.0.json"]), config(against=[]), "against"),
        (config(base="nowhere"), config(base="main"), "base"),
        (config(base="nowhere"), config(), "base"),
        (config(profle="strict"), config(profile="strict"), "configuration"),
        ("{", config(), "configuration"),
        (config(profle="strict"), None, "configuration"),
    ],
)
def test_a_repair_is_checked_with_the_settings_of_head(tmp_path, broken, repaired, name):
    made = project(tmp_path, broken)
    made.commit({"README": "x"})
    with pytest.raises(OpspecError, match=r"revision|releases/1\.0|opspec-lint\.yaml"):
        check(made)
    made.commit({SETTINGS: repaired})
    report = check(made)
    assert ("warning", "base_setting_invalid", name) in facts(report)
    assert not report.failed
    made.commit({FILE: text("f(X) -> (Out) [a: INT = 1]")})
    assert check(made).failed


def test_the_message_names_the_file_and_the_revision_of_a_base_that_is_missing(tmp_path):
    made = project(tmp_path, config(base="mainn"))
    with pytest.raises(InputError, match=r"^opspec-lint\.yaml: base: mainn: is not a revision") as caught:
        check(made)
    assert caught.value.advice == "did you mean 'main'?"
    made.commit({SETTINGS: config(base="main")})
    assert not check(made).failed
    made.git("checkout", "-q", "main")
    made.commit({SETTINGS: config(base="other")})
    made.git("checkout", "-q", "topic")
    made.commit({SETTINGS: config(base="other", specs=[FILE])})
    with pytest.raises(InputError, match=r"opspec-lint\.yaml: base: other"):
        check(made)


BROKEN = '{"ops": '
TREE = "paddle-source:."
MAKER = f"{OPERATORS}/f_op.cc"


def maker(default):
    return maker_file(f'AddInput("X", "x"); AddAttr<int>("a", "an attr").SetDefault({default});')


def test_a_change_that_repairs_a_spec_file_of_base_is_checked_against_releases_only(tmp_path):
    made = Repository.make(tmp_path / "top", {FILE: SPEC, SETTINGS: config(against=[f"v1:{FILE}"])})
    made.git("tag", "v1")
    made.commit({FILE: BROKEN})
    made.git("checkout", "-q", "-b", "topic")
    made.commit({"README": "x"})
    made.commit({FILE: SPEC})
    assert facts(check(made)) == [("error", "base_unreadable", FILE)]
    made.commit({FILE: text("f(X) -> (Out) [a: INT = 1]")})
    assert ("error", "attr_default_changed", "f") in facts(check(made))
    made.commit({FILE: BROKEN + " "})
    with pytest.raises(InputError, match="JSON"):
        check(made)
    made.commit({FILE: None, "specs/other.json": SPEC})
    assert ("error", "spec_removed", FILE) in facts(check(made))


def test_a_branch_that_starts_where_the_spec_was_unreadable_is_compared_with_the_tip(tmp_path):
    made = Repository.make(tmp_path / "top", {FILE: BROKEN})
    made.git("branch", "topic")
    made.commit({FILE: SPEC})
    made.git("checkout", "-q", "topic")
    made.commit({FILE: text("f(X) -> (Out) [a: INT = 1]")})
    report = facts(check(made, base="main"))
    assert report == [("error", "attr_default_changed", "f"), ("error", "base_unreadable", FILE)]


@pytest.mark.parametrize("damage", ["removed", "overwritten"])
@pytest.mark.parametrize("checked", ["a spec file", "a source tree"])
def test_a_repository_without_an_object_of_base_is_no_fault_that_a_change_repairs(tmp_path, checked, damage):
    path, old, new, more = {
        "a spec file": (FILE, SPEC, text("f(X) -> (Out) [a: INT = 1]"), {}),
        "a source tree": (MAKER, maker(1), maker(2), BASE | {SETTINGS: config(source=TREE)}),
    }[checked]
    made = Repository.make(tmp_path / "top", {**more, path: old})
    blob = made.git("rev-parse", f"HEAD:{path}").strip()
    made.git("checkout", "-q", "-b", "topic")
    made.commit({path: new})
    stored = made.top / ".git" / "objects" / blob[:2] / blob[2:]
    stored.chmod(0o644)
    if damage == "removed":
        stored.unlink()
    else:
        stored.write_bytes(b"rubbish")
    with pytest.raises(InputError, match=r"missing here|lacks the object"):
        check(made)


def test_a_source_of_base_that_is_nowhere_is_replaced_by_that_of_head(tmp_path):
    made = Repository.make(tmp_path / "top", BASE | {MAKER: maker(1), SETTINGS: config(source="paddle-source:gone")})
    made.git("checkout", "-q", "-b", "topic")
    made.commit({"README": "x"})
    with pytest.raises(InputError, match="gone"):
        check(made)
    made.commit({SETTINGS: config(source=TREE)})
    report = facts(check(made))
    assert ("warning", "base_setting_invalid", "source") in report
    assert not any(level == "error" for level, *_ in report)
    made.commit({MAKER: maker(2)})
    assert ("error", "attr_default_changed", "f") in facts(check(made))
