"""`check --fix` and `check --diff` in repositories: what is written, what is left alone, and the exit codes."""

from __future__ import annotations

import json
import os
import re

import pytest

from tests.support.repositories import Repository

SCHEMA = """namespace a;

enum E : byte { A, B, C }

union U { T, V }

table V { y:int; }

table T {
  a:int;   // the first one
  c:E = B;
  b:string;
}
root_type T;
"""
BROKEN = (
    SCHEMA.replace("A, B, C", "A, X, B, C").replace("T, V }", "T }").replace("  b:string;\n", "").replace("B;", "C;", 0)
)
FIXED = SCHEMA.replace("A, B, C", "A, X = 3, B = 1, C").replace("b:string;", "b:string (deprecated);")
CONFIG = 'specs = ["specs/m.fbs"]\n'
WAIVERS = """# accepted
version: 1
waivers:
# why
- rule: op_removed
  op: x
  reason: |
    a long
    reason
  owner: me

- {rule: op_removed, op: y, reason: r, owner: me, expires: 2020-01-01}
"""


@pytest.fixture
def repository(tmp_path):
    return Repository.make(tmp_path / "r", {"specs/m.fbs": SCHEMA, "opspec-lint.toml": CONFIG})


def check(repository, *args, **more):
    return repository.opspec("check", *args, **more)


def fixes(repository, *args):
    """The fixes of each finding that has some, by its rule and name."""
    findings = json.loads(check(repository, "--format", "json", *args).stdout)["findings"]
    return {(finding["rule"], finding["name"]): finding["fixes"] for finding in findings if finding["fixes"]}


def test_a_schema_is_restored(repository):
    repository.write({"specs/m.fbs": BROKEN})
    before = repository.state()
    assert check(repository).returncode == 1
    ran = check(repository, "--fix")
    assert (ran.returncode, (repository.top / "specs/m.fbs").read_text()) == (0, FIXED)
    assert "fixed specs/m.fbs: put 'V' = 2 back into 'a.U'" in ran.stderr
    after = repository.state()
    assert [after[text] for text in ("head", "index")] == [before[text] for text in ("head", "index")]
    again = check(repository, "--fix")
    assert (again.returncode, (repository.top / "specs/m.fbs").read_text()) == (0, FIXED)
    assert "nothing to fix" in again.stderr


def test_a_field_of_base_gets_its_slot_back_from_a_new_union(repository):
    table = "table W { a:int; b:string (required); }\n"
    repository.commit({"specs/m.fbs": SCHEMA + table})
    repository.write({"specs/m.fbs": SCHEMA + "table W { u:U; b:string (required); }\n"})
    ran = check(repository, "--fix")
    restored = "table W { a:int (deprecated, id: 0); u:U (id: 3); b:string (required, id: 1); }\n"
    assert (ran.returncode, (repository.top / "specs/m.fbs").read_text()) == (0, SCHEMA + restored)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  c:E = B;", "  c:E = C;"),
        ("  c:E = B;", "  c:E;"),
        ("  a:int;", "  a:int = 3;"),
        ("  a:int;", "  a:long;"),
        ("  a:int;", "  a:[int];"),
        ("  b:string;", "  b:[ubyte] (required);"),
        ("table V { y:int; }", "table V { y:short = 7; }"),
    ],
)
def test_the_type_and_the_default_of_a_field_are_restored(repository, old, new):
    repository.write({"specs/m.fbs": SCHEMA.replace(old, new)})
    assert check(repository).returncode == 1
    ran = check(repository, "--fix")
    left = (repository.top / "specs/m.fbs").read_text()
    assert (ran.returncode, re.sub(r" \((?:deprecated|required)\)", "", left)) == (0, SCHEMA)


def test_the_diff_is_what_a_fix_does(repository):
    repository.write({"specs/m.fbs": BROKEN})
    before = repository.state()
    ran = check(repository, "--diff")
    assert (ran.returncode, repository.state()) == (1, before)
    repository.git("apply", "-", input=ran.stdout)
    assert (repository.top / "specs/m.fbs").read_text() == FIXED


def test_a_finding_has_the_edits_in_json(repository):
    repository.write({"specs/m.fbs": BROKEN})
    (fix,) = fixes(repository)["union_member_removed", "V"]
    place = {"line": 5, "column": 12}
    edit = {"file": "specs/m.fbs", "start": place, "end": place, "text": ", V"}
    assert fix == {"description": "put 'V' = 2 back into 'a.U'", "safety": "safe", "edits": [edit]}


@pytest.mark.parametrize("texts", [["--staged"], ["--head", "HEAD"], ["HEAD:specs/m.fbs", "HEAD:specs/m.fbs"]])
def test_only_the_work_tree_is_fixed(repository, texts):
    repository.stage({"specs/m.fbs": BROKEN})
    before = repository.state()
    ran = check(repository, "--fix", *texts)
    assert (ran.returncode, repository.state()) == (2, before)
    assert "--fix changes files of the work tree" in ran.stderr


@pytest.mark.parametrize("texts", [["--staged"], ["HEAD:specs/m.fbs", "specs/m.fbs"]])
def test_the_diff_of_another_head(repository, texts):
    repository.stage({"specs/m.fbs": BROKEN})
    ran = check(repository, "--diff", *texts)
    assert (ran.returncode, "+  b:string (deprecated);" in ran.stdout) == (1, True)


def test_two_specs_that_are_named(repository):
    repository.write({"specs/m.fbs": BROKEN})
    ran = check(repository, "HEAD:specs/m.fbs", "m.fbs", "--fix", folder="specs")
    assert (ran.returncode, (repository.top / "specs/m.fbs").read_text()) == (0, FIXED)


def test_files_outside_of_a_repository(tmp_path):
    for name, text in (("old.fbs", SCHEMA), ("new.fbs", BROKEN)):
        (tmp_path / name).write_text(text)
    ran = check(Repository(tmp_path), "old.fbs", "new.fbs", "--fix")
    assert (ran.returncode, (tmp_path / "new.fbs").read_text()) == (0, FIXED)


def test_an_unknown_safety_is_refused(repository):
    assert check(repository, "--fix=always").returncode == 2


def test_a_check_of_some_ops_keeps_the_waivers_of_the_rest(repository):
    """Deleting them would break the next check of all ops."""
    repository.commit({"opspec-waivers.yaml": WAIVERS.replace(", expires: 2020-01-01", "")})
    ran = check(repository, "--op", "a.T", "--fix")
    assert (ran.returncode, "unused" in ran.stdout) == (0, False)
    assert not repository.git("status", "--porcelain")


def test_waivers_are_deleted_and_the_rest_stays(repository):
    repository.commit({"opspec-waivers.yaml": WAIVERS})
    assert check(repository).returncode == 1
    assert check(repository, "--fix").returncode == 0
    assert (repository.top / "opspec-waivers.yaml").read_text() == "# accepted\nversion: 1\nwaivers: []\n# why\n\n"
    assert check(repository).returncode == 0


@pytest.mark.parametrize(
    "text",
    [
        '{"version": 1, "waivers": [%s]}\n',
        '{"version": 1, "waivers": [\n  %s\n ]}',
        "version: 1\nwaivers: [%s]\n",
    ],
)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_waivers_in_brackets(repository, text, count):
    entry = '{"rule": "op_removed", "op": "%s", "reason": "r", "owner": "me"}'
    repository.commit({"opspec-waivers.yaml": text % ",\n  ".join(entry % op for op in "xyz"[:count])})
    check(repository, "--fix")
    report = json.loads(check(repository, "--format", "json").stdout)
    assert report["findings"] == []


def test_what_is_waived_is_not_fixed(repository):
    repository.write({"specs/m.fbs": SCHEMA.replace("T, V }", "T }")})
    waiver = {"rule": "union_member_removed", "op": "a.U", "name": "V", "reason": "r", "owner": "me"}
    repository.write({"opspec-waivers.yaml": json.dumps({"version": 1, "waivers": [waiver]})})
    before = repository.files()
    assert (check(repository, "--fix").returncode, repository.files()) == (0, before)


def test_line_breaks_and_a_last_line_without_one_stay(repository):
    schema = SCHEMA.replace("\n", "\r\n").removesuffix("\r\n").encode()
    repository.commit({"specs/m.fbs": schema})
    repository.write({"specs/m.fbs": schema.replace(b"  b:string;\r\n", b"").replace(b"T, V }", b"T }")})
    assert check(repository, "--fix").returncode == 0
    assert (repository.top / "specs/m.fbs").read_bytes() == schema.replace(b"b:string;", b"b:string (deprecated);")


def test_a_read_only_file_is_left(repository):
    repository.write({"specs/m.fbs": BROKEN})
    (repository.top / "specs/m.fbs").chmod(0o444)
    ran = check(repository, "--fix")
    assert (ran.returncode, (repository.top / "specs/m.fbs").read_text()) == (1, BROKEN)
    assert "not changed: " in ran.stderr
    assert "is read-only" in ran.stderr


def test_no_file_is_written_through_a_link(repository, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "m.fbs").write_text(BROKEN)
    (repository.top / "specs/m.fbs").unlink()
    (repository.top / "specs").rmdir()
    (repository.top / "specs").symlink_to(outside)
    ran = check(repository, "HEAD:specs/m.fbs", "specs/m.fbs", "--fix")
    assert (ran.returncode in {1, 3}, (outside / "m.fbs").read_text()) == (True, BROKEN)


def test_a_released_spec_is_never_edited(repository):
    repository.commit({"opspec-lint.toml": 'specs = ["specs/m.fbs"]\nagainst = ["specs/m.fbs"]\n'})
    repository.write({"specs/m.fbs": BROKEN})
    assert check(repository, "--fix").returncode == 1
    assert (repository.top / "specs/m.fbs").read_text() == BROKEN


def test_permissions_stay(repository):
    repository.write({"specs/m.fbs": BROKEN})
    (repository.top / "specs/m.fbs").chmod(0o640)
    check(repository, "--fix")
    assert os.stat(repository.top / "specs/m.fbs").st_mode & 0o777 == 0o640


def test_the_hook_prints_the_command_that_fixes(repository):
    repository.stage({"specs/m.fbs": BROKEN})
    assert "`opspec-lint check --fix`" in check(repository, "--staged").stdout
    repository.stage({"specs/m.fbs": SCHEMA.replace("root_type T;", "root_type V;")})
    assert "--fix" not in check(repository, "--staged").stdout


ENUM = "enum E : byte { A, B, C }"


@pytest.mark.parametrize(
    ("change", "is_offered"),
    [
        pytest.param((ENUM, "enum E : byte { B, C }"), True, id="a removed value"),
        pytest.param(("  b:string;\n", ""), True, id="a removed field"),
        pytest.param(("root_type T;", "root_type V;"), False, id="a rule without a fix"),
    ],
)
@pytest.mark.parametrize("ends", [(), ("base.fbs", "specs/m.fbs"), ("HEAD:specs/m.fbs", "specs/m.fbs")])
def test_a_fix_is_offered_where_it_writes_something(repository, change, is_offered, ends):
    repository.write({"base.fbs": SCHEMA, "specs/m.fbs": SCHEMA.replace(*change)})
    before = check(repository, *ends)
    assert before.returncode == 1
    written = check(repository, *ends, "--diff").stdout != ""
    assert ("`opspec-lint check --fix`" in before.stdout) is written is is_offered


def test_what_cannot_be_checked_is_taken_back(repository):
    """A fix whose result is no schema: the files are what they were, and the exit code is that of a failure."""
    repository.write({"specs/m.fbs": BROKEN})
    (repository.top / "sitecustomize.py").write_text(
        "import opspec_lint.lint.fixers.fbs as f\n"
        "f._Restoration._restores = lambda *_: True\n"
        "f._Restoration._insertions = lambda self, *_: [self._head.file.edit(0, 0, 'table {')]\n"
    )
    ran = repository.run("opspec-lint", "check", "--fix", env={"PYTHONPATH": str(repository.top)})
    assert (ran.returncode, (repository.top / "specs/m.fbs").read_text()) == (3, BROKEN)
    assert "the fixes were taken back" in ran.stderr
