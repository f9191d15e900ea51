from __future__ import annotations

import json
import os
import subprocess

import pytest

from opspec_lint.cli import main
from opspec_lint.lint import rulebook
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.lint.rulebook import RULES
from opspec_lint.sources import recognise
from opspec_lint.spec import canonical

BASE = """\
include "kinds.fbs";
namespace m;
table Conv { pad:Pad; w:int; depth:int = 1; name:string; }
union Options { Conv }
table Node { options:Options; kind:m.Kind = B; }
table Model { version:uint; nodes:[Node]; at:Point; }
root_type Model;
file_identifier "MDL1";
"""
KINDS = "namespace m;\nenum Kind : ubyte { A, B }\nenum Pad : byte { SAME, VALID }\nstruct Point { x:int; y:int; }\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "base.fbs").write_text(BASE)
    (tmp_path / "kinds.fbs").write_text(KINDS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def repository(folder):
    """A repository with the schema below a folder, and a file that includes it from the top."""
    os.makedirs("schema/parts")
    os.rename("kinds.fbs", "schema/parts/kinds.fbs")
    (folder / "schema/model.fbs").write_text(BASE.replace("kinds.fbs", "parts/kinds.fbs"))
    (folder / "all.fbs").write_text('include "schema/model.fbs";\nroot_type m.Model;\n')
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "one")
    return folder


def git(*arguments):
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def run(capsys, *arguments):
    code = main.main(list(arguments))
    result = capsys.readouterr()
    return code, result.out, result.err


def findings(capsys, *arguments):
    code, out, err = run(capsys, "check", *arguments, "--format", "json")
    assert not err
    document = json.loads(out)
    return code, document["findings"], document["comparisons"][0]


def changed(folder, old, new, name="head.fbs"):
    """Write a schema that differs from base."""
    assert old in BASE
    (folder / name).write_text(BASE.replace(old, new))
    return name


def test_two_files_are_checked_with_their_lines(folder, capsys):
    head = changed(folder, "depth:int = 1", "depth:int = 2")
    code, result, comparison = findings(capsys, "base.fbs", head)
    assert (code, comparison["profile"], comparison["base"]["framework"]) == (1, "flatbuffers", "flatbuffers")
    (finding,) = result
    assert {key: finding[key] for key in ("rule", "level", "directions", "consequence", "op", "kind", "name")} == {
        "rule": "slot_default_changed",
        "level": "error",
        "directions": ["backward", "forward"],
        "consequence": "misread",
        "op": "m.Conv",
        "kind": "attr",
        "name": "depth",
    }
    assert (finding["field"], finding["old"], finding["new"]) == ("default_value", 1, 2)
    assert [finding[text]["line"] for text in ("base_origin", "head_origin")] == [3, 3]
    assert "without slot 2 meant 'depth' = 1" in finding["breaks"]


WITNESSES = {
    "slot_reassigned": (
        ("w:int; ", ""),
        "slot 1 (vtable offset 6) of 'm.Conv' in a file of base holds 'w', 4 bytes of int; head reads there 'depth'",
    ),
    "slot_type_changed": (
        ("w:int;", "w:uint;"),
        "slot 1 of 'm.Conv' in a file of base holds 'w', 4 bytes of int; head reads there 'w', 4 bytes of uint; fe",
    ),
    "file_identifier_changed": (("MDL1", "MDL2"), "bytes 4 to 7 of a file of base say MDL1"),
}


@pytest.mark.parametrize("rule", WITNESSES)
def test_a_witness_shows_what_the_bytes_were_and_are(folder, capsys, rule):
    (old, new), witness = WITNESSES[rule]
    _, result, _ = findings(capsys, "base.fbs", changed(folder, old, new))
    shown = next(finding for finding in result if finding["rule"] == rule)["breaks"]
    assert shown.startswith(witness)


def test_an_included_file_is_compared_with_its_own_lines(folder, capsys):
    (folder / "kinds2.fbs").write_text(KINDS.replace("A, B", "B, A"))
    head = changed(folder, "kinds.fbs", "kinds2.fbs")
    _, result, _ = findings(capsys, "base.fbs", head)
    assert {item["op"] for item in result} == {"m.Kind", "m.Node"}
    finding = next(item for item in result if item["op"] == "m.Kind")
    places = [finding[text] for text in ("base_origin", "head_origin")]
    assert [(os.path.basename(place["file"]), place["line"]) for place in places] == [
        ("kinds.fbs", 2),
        ("kinds2.fbs", 2),
    ]


def test_revisions_and_the_index_are_read_with_their_own_includes(repository, capsys):
    (repository / "schema/parts/kinds.fbs").write_text(KINDS.replace("x:int; y:int", "y:int; x:int"))
    git("add", ".")
    (repository / "schema/parts/kinds.fbs").write_text("garbage")
    for head in (":schema/model.fbs", ":all.fbs"):
        code, result, _ = findings(capsys, f"HEAD{head}", head)
        assert code == 1
        (finding,) = result
        assert (finding["rule"], finding["op"]) == ("struct_layout_changed", "m.Point")
        assert finding["head_origin"] == {"file": "schema/parts/kinds.fbs", "line": 4, "column": None}
    code, _, err = run(capsys, "check", "HEAD:all.fbs", "all.fbs")
    assert code == 3
    assert "schema/parts/kinds.fbs: line 1: expected a declaration" in err


@pytest.fixture
def apart(folder):
    """A repository whose schema includes a file that is not above it."""
    os.makedirs("api")
    os.makedirs("common/parts")
    os.rename("kinds.fbs", "common/parts/kinds.fbs")
    (folder / "api/model.fbs").write_text(BASE.replace("kinds.fbs", "parts/kinds.fbs"))
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "one")
    return folder


@pytest.mark.usefixtures("apart")
def test_included_files_are_looked_for_in_named_folders(capsys):
    code, _, err = run(capsys, "extract", "api/model.fbs")
    assert code == 3
    assert "api/model.fbs: line 1: includes 'parts/kinds.fbs', which is not in the tree: looked for api/parts" in err
    for command in (
        ("extract", "api/model.fbs", "--output", "spec.json"),
        ("validate", "api/model.fbs"),
        ("validate", ":api/model.fbs"),
        ("check", "HEAD:api/model.fbs", "api/model.fbs"),
        ("check", ":api/model.fbs", "HEAD:api/model.fbs"),
    ):
        assert run(capsys, *command, "-I", "common")[0] == 0, command
        assert run(capsys, *command, "--include", "nothing", "--include", "./common/")[0] == 0, command
        assert run(capsys, *command)[0] == 3, command


def test_a_named_folder_may_lie_outside_of_the_repository(apart, tmp_path_factory, capsys, monkeypatch):
    outside = tmp_path_factory.mktemp("outside")
    os.rename("common", outside / "common")
    os.symlink("/etc", outside / "common/etc")
    monkeypatch.chdir("api")
    assert run(capsys, "validate", "model.fbs", "-I", str(outside / "common"))[0] == 0
    assert run(capsys, "validate", "model.fbs", "-I", os.path.relpath(outside / "common"))[0] == 0
    (apart / "api/model.fbs").write_text('include "etc/hostname"; table T {}')
    code, out, _ = run(capsys, "validate", "model.fbs", "-I", str(outside / "common"))
    assert code == 3
    assert "includes 'etc/hostname', which is not in the tree" in out


def test_a_repository_names_the_folders_of_included_files(apart, capsys):
    (apart / "opspec-lint.toml").write_text('specs = ["api/*.fbs"]\ninclude = ["common"]\nbase = "main"\n')
    (apart / "api/model.fbs").write_text((apart / "api/model.fbs").read_text().replace("w:int", "w:uint"))
    code, out, _ = run(capsys, "check", "--base", "HEAD", "--format", "json")
    assert code == 1
    assert {finding["rule"] for finding in json.loads(out)["findings"] if finding["level"] == "error"} == {
        "slot_type_changed"
    }
    git("add", ".")
    assert run(capsys, "check", "--base", "HEAD", "--staged")[0] == 1
    git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "two")
    (apart / "opspec-lint.toml").write_text('specs = ["api/*.fbs"]\nbase = "main"\n')
    (apart / "api/model.fbs").write_text((apart / "api/model.fbs").read_text().replace("w:uint", "w:int"))
    code, _, err = run(capsys, "check", "--base", "HEAD")
    assert (code, "which is not in the tree" in err) == (3, True)
    code, out, _ = run(capsys, "check", "--base", "HEAD", "-I", "common", "--format", "json")
    changed = next(finding for finding in json.loads(out)["findings"] if finding["rule"] == "policy_changed")
    assert (code, changed["name"], changed["old"], changed["new"]) == (1, "include", ["common"], None)


def test_a_schema_and_its_canonical_file_are_the_same(folder, capsys):
    code, text, _ = run(capsys, "extract", "base.fbs")
    assert code == 0
    (folder / "base.json").write_text(text)
    for pair in (("base.fbs", "base.json"), ("base.json", "base.fbs"), ("base.json", "base.json")):
        assert findings(capsys, *pair)[:2] == (0, [])
    assert canonical.dumps(recognise.read("base.json").spec) == text
    assert run(capsys, "validate", "--canonical", "base.json")[0] == 0


def test_a_canonical_file_yields_the_findings_of_the_schema(folder, capsys):
    head = changed(folder, "w:int; ", "")
    for name in ("base.fbs", head):
        (folder / name.replace("fbs", "json")).write_text(run(capsys, "extract", name)[1])
    _, of_schemas, _ = findings(capsys, "base.fbs", head)
    _, of_files, _ = findings(capsys, "base.json", "head.json")
    keys = ("rule", "op", "name", "message", "breaks", "fingerprint")
    assert [[of_file[key] for key in keys] for of_file in of_schemas] == [
        [of_file[key] for key in keys] for of_file in of_files
    ]


def test_validate_and_explain_know_schemas(folder, capsys):
    assert run(capsys, "validate", "base.fbs")[:2] == (0, "1 file well-formed\n")
    (folder / "bad.fbs").write_text("table T {\n  a:Missing;\n}\n")
    code, out, _ = run(capsys, "validate", "bad.fbs")
    assert code == 3
    assert "error: bad.fbs: line 2: the type 'Missing' is not declared" in out
    code, out, _ = run(capsys, "explain", "slot_reassigned")
    assert code == 0
    assert "Breaks: backward and forward (misread silently)" in out
    assert "table T { a:int; b:int; }" in out


def test_only_one_declaration_can_be_checked(folder, capsys):
    (folder / "head.fbs").write_text(BASE.replace("w:int", "w:uint").replace("version:uint", "version:int"))
    _, result, _ = findings(capsys, "base.fbs", "head.fbs", "--op", "m.Model")
    assert {item["op"] for item in result} == {"m.Model"}


BAD = {
    "nothing": ("", r"head.fbs: line 1: is empty"),
    "garbage": ("\n\n\x01\x02 garbage", r"head.fbs: line 3: expected a declaration"),
    "no text": ("table T {}\n\0", r"head.fbs: line 2: is binary"),
    "json": ('{"a": 1}', r"head.fbs: line 1: the values in braces are of no root_type"),
    "comments alone": ("// table T {}", r"head.fbs: line 1: declares no table"),
    "cut": (BASE[:150], r"head.fbs: line 5: expected"),
    "an include of nothing": ('include "nothing.fbs";', r"head.fbs: line 1: includes 'nothing.fbs', which is not in"),
    "an include out of the tree": (
        'include "../kinds.fbs";',
        r"head.fbs: line 1: includes '../kinds.fbs', which is",
    ),
    "an include of another root": (
        'include "/etc/passwd";',
        r"head.fbs: line 1: includes '/etc/passwd', which is",
    ),
    "an include that is a folder": (
        'include "folder";',
        r"head.fbs: line 1: includes 'folder', which is not",
    ),
    "an include through a link": ('include "link.fbs";', r"head.fbs: line 1: includes 'link.fbs', which is not"),
    "10 MB": ("x" * 10_000_000, r"head.fbs: line 1: is larger than 4 MiB"),
    "nesting": ("table T { a:" + "[" * 50_000, r"head.fbs: line 1: expected"),
    "a number without end": (
        "enum E : int { A = " + "1" * 50_000 + " }",
        r"head.fbs: line 1: 'A': expected an",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_a_single_message_with_file_and_line(folder, capsys, name):
    text, message = BAD[name]
    (folder / "folder").mkdir()
    os.symlink("/etc/hostname", folder / "link.fbs")
    (folder / "head.fbs").write_text(text)
    code, out, err = run(capsys, "check", "base.fbs", "head.fbs")
    assert (code, out) == (3, "")
    assert err.startswith(f"opspec-lint: error: {message}")
    assert "Traceback" not in err
    assert len(err) < 500


def test_what_begins_like_a_schema_is_one_whatever_its_name(folder):
    for text in (BASE, "// words\n/* and */ " + BASE, "\ufeff" + BASE, "table T { }", 'include "kinds.fbs";'):
        (folder / "schema.txt").write_text(text)
        assert recognise.read("schema.txt").spec.provenance.framework == "flatbuffers"


@pytest.mark.parametrize(("name", "level"), [("flatbuffers", "warning"), ("tflite", "warning"), ("strict", "error")])
def test_a_field_is_retired_by_a_deprecation(name, level):
    policy = PROFILES.load(name)
    assert policy.level("slot_deprecated", rulebook.load("slot_deprecated").level) == level


@pytest.mark.parametrize("name", ["flatbuffers", "tflite"])
def test_what_only_new_files_hold_is_a_note(name):
    policy = PROFILES.load(name)
    for rule in ("declaration_added", "slot_added", "enum_value_added", "union_member_added"):
        assert policy.level(rule, rulebook.load(rule).level) == "note"


@pytest.mark.parametrize("name", [name for name in RULES.names() if rulebook.load(name).consequence])
def test_a_rule_with_a_consequence_states_in_which_direction(name):
    assert rulebook.load(name).directions


def test_a_schema_of_a_single_table_changes_names_without_a_break(folder):
    (folder / "a.fbs").write_text("namespace x; table T { a:U; }\ntable U { n:int; }\nroot_type T;")
    (folder / "b.fbs").write_text("namespace y.z; table Top { b:Unit; }\ntable Unit { m:int; }\nroot_type Top;")
    findings = check(recognise.read("a.fbs").spec, recognise.read("b.fbs").spec).findings
    assert {finding.level for finding in findings} == {"note"}
    assert {(finding.rule, finding.name, finding.new_name) for finding in findings} == {
        ("declaration_renamed", "x.T", "y.z.Top"),
        ("declaration_renamed", "x.U", "y.z.Unit"),
        ("slot_renamed", "a", "b"),
        ("slot_renamed", "n", "m"),
    }


def test_a_root_that_is_gone_is_an_error(folder, capsys):
    (folder / "head.fbs").write_text(KINDS)
    code, result, _ = findings(capsys, "base.fbs", "head.fbs")
    assert code == 1
    assert [(finding["rule"], finding["op"]) for finding in result if finding["level"] == "error"] == [
        ("possible_root_removed", "m.Model")
    ]
