from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opspec_lint
from opspec_lint.cli import main
from opspec_lint.cli.command import COMMANDS
from opspec_lint.documents import schema
from opspec_lint.kit.command_line import Arguments
from opspec_lint.lint import rulebook
from opspec_lint.lint.profile import PROFILES
from opspec_lint.lint.rule_levels import levels
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import recognise
from opspec_lint.spec import canonical
from tests.support import paths
from tests.support.events import schema_named
from tests.support.mutations import GARBAGE, mutated
from tests.support.patience import PATIENCE
from tests.support.programs import on_a_terminal, run, spawn
from tests.support.repositories import SPEC, Repository

EXAMPLES = int(os.environ.get("OPSPEC_LINT_EXAMPLES", "25"))
"""Random documents, each of which goes through every command and format."""

ROOT = paths.TOP
SPECS = os.path.join(ROOT, "specs")
DATA = paths.DATA / "paddle"
CASE = os.path.join(DATA, "cases", "34b43555d0.graph_send_recv")
RULES = rulebook.RULES.names()

BASE = {"relu": {"Inputs": {"X": {"dispensable": False}}, "Outputs": {}, "Attrs": {"a": {"type": 0}}}}
NOTED = {**BASE, "gelu": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}
BROKEN = {"relu": {**BASE["relu"], "Inputs": {}}}
SMALL = {
    "opspec": 1,
    "provenance": {"framework": "paddle"},
    "knows": {"attrs": ["type", "extra"]},
    "ops": {"relu": {"attrs": [{"name": "a", "type": "INT"}, {"name": "b", "unknown": ["extra"]}]}},
    "op_versions": {"relu": [{"updates": [{"action": "new", "kind": "attr", "name": "gone"}]}]},
}


def in_a_shell(line):
    return subprocess.run(["sh", "-c", line], capture_output=True, timeout=PATIENCE, cwd=ROOT, check=False)


@pytest.fixture
def write(tmp_path):
    def put(name, content):
        file = tmp_path / name
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(file)

    return put


@pytest.fixture
def base(write):
    return write("base.json", BASE)


@pytest.fixture
def broken(write):
    return write("broken.json", BROKEN)


def release(version):
    return os.path.join(SPECS, f"paddle-{version}.json")


# --- exit codes


def test_0_where_nothing_breaks(base, write):
    for head in (base, write("noted.json", NOTED)):
        ran = run("check", base, head)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out


def test_1_where_something_does(base, broken):
    ran = run("check", base, broken)
    assert (ran.code, ran.err) == (1, "")
    assert "input_removed" in ran.out


@pytest.mark.parametrize("format_", REPORTERS.names())
def test_the_exit_code_is_the_same_in_every_format(base, broken, format_):
    assert run("check", base, broken, "--format", format_).code == 1
    assert run("check", base, base, "--format", format_).code == 0


def test_an_empty_head_is_bad_news_and_legal(base, write):
    ran = run("check", base, write("empty.json", "{}"))
    assert ran.code == 1
    assert "op_removed" in ran.out


def test_3_for_an_empty_base(base, write):
    ran = run("check", write("empty.json", "{}"), base)
    assert (ran.code, ran.out) == (3, "")
    assert "empty.json: base has no ops" in ran.err


def test_3_for_two_frameworks(base, write):
    written = write("other.json", {**SMALL, "provenance": {"framework": "tensorflow"}})
    ran = run("check", base, written)
    assert (ran.code, ran.out) == (3, "")
    assert "other.json: is a spec of tensorflow, but base" in ran.err


def test_a_spec_comes_through_a_pipe(base, broken):
    check = f"{sys.executable} -m opspec_lint check"
    by_file = in_a_shell(f"{check} {base} {broken}")
    by_pipe = in_a_shell(f"cat {base} | {check} /dev/stdin {broken}")
    assert (by_pipe.returncode, by_pipe.stderr) == (1, b"")
    assert by_pipe.stdout == by_file.stdout.replace(base.encode(), b"/dev/stdin")


def test_as_a_program_of_its_own():
    done = spawn("check", "specs/paddle-2.6.2.json", "specs/paddle-3.0.0.json")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"paddle 2.6.2 -> paddle 3.0.0" in done.stdout
    assert spawn("check", "specs/paddle-3.0.0.json", "specs/paddle-3.0.0.json").returncode == 0
    assert spawn("check", "nowhere.json", "specs/paddle-3.0.0.json").returncode == 3
    assert spawn("chekc").returncode == 2


# --- usage


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chek"], "unknown command 'chek'\nopspec-lint: advice: did you mean 'check'?"),
        (["--profile", "x", "check"], "unknown option '--profile'\nopspec-lint: advice: the command comes first"),
        (["--versoin"], "unknown option '--versoin'\nopspec-lint: advice: did you mean '--version'?"),
        (
            ["xyzzy"],
            "unknown command 'xyzzy'\nopspec-lint: advice: expected one of: --help, --version, action, audit, blame",
        ),
        (["explain", "atr_removed"], "unknown rule 'atr_removed'\nopspec-lint: advice: did you mean 'attr_removed'?"),
        (
            ["check", "a", "b", "--profil", "x"],
            "unknown option '--profil'\nopspec-lint: advice: did you mean '--profile'?",
        ),
        (["check", "a", "b", "--profil=x"], "unknown option '--profil'"),
        (["check", "a", "b", "--profile", "padle"], "unknown profile 'padle'; did you mean 'paddle'?"),
        (["check", "a", "b", "--profile=strickt"], "unknown profile 'strickt'; did you mean 'strict'?"),
        (["check", "a", "b", "--format", "jsn"], "unknown format 'jsn'; did you mean 'json'?"),
        (["rules", "--format", "txt"], "unknown format 'txt'; did you mean 'text'?"),
        (["check", "a"], "BASE was given without HEAD\nopspec-lint: advice: name two specs, `check BASE HEAD`"),
        (["check", "--head-op-versions", "a"], "--head-op-versions needs BASE and HEAD"),
        (["check", "a", "b", "--base", "main"], "--base applies to a repository, not to BASE and HEAD"),
        (["check", "a", "b", "--staged"], "--staged applies to a repository, not to BASE and HEAD"),
        (["check", "a", "b", "--head", "main"], "--head applies to a repository, not to BASE and HEAD"),
        (["check", "a", "b", "--exact"], "--exact applies to a repository, not to BASE and HEAD"),
        (["check", "--staged", "--head", "main"], "--staged and --head name two heads"),
        (["check", "--head", ""], "argument --head: the value is empty; check that its variable is set"),
        (["check", "--base="], "argument --base: the value is empty"),
        (["check", "--waivers", ""], "argument --waivers: the value is empty"),
        (["check", "--op", ""], "argument --op: the value is empty"),
        (["check", "a", "b", "c"], "unexpected argument 'c'"),
        (["check", "a", "b", "--output"], "argument --output: expected one argument"),
        (["validate"], "the following arguments are required: SPEC"),
        (["extract"], "the following arguments are required: SOURCE"),
        (["explain"], "the following arguments are required: RULE"),
    ],
)
def test_2_for_what_is_unknown_with_the_nearest_name(arguments, message):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("opspec-lint: error: ")
    assert message in ran.err
    assert "advice: " in ran.err


def test_2_for_an_op_that_neither_side_has(base):
    ran = run("check", base, base, "--op", "rellu")
    assert (ran.code, ran.out) == (2, "")
    assert "unknown op 'rellu'\nopspec-lint: advice: did you mean 'relu'?" in ran.err


def test_errors_are_a_single_line_whatever_was_requested():
    ran = run("check", "a\n\x1b[31mb", "c")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.count("\n") == 2
    assert "\x1b" not in ran.err


# --- help


def test_no_command_is_wrong_usage():
    ran = run()
    assert (ran.code, ran.out) == (2, "")
    assert "no command was given" in ran.err


@pytest.mark.parametrize("arguments", [["--help"], ["-h"]])
def test_help_lists_the_commands(arguments):
    ran = run(*arguments)
    assert (ran.code, ran.err) == (0, "")
    for name in COMMANDS.names():
        assert f"\n  {name} " in ran.out
    assert "Exit codes: 0" in ran.out


@pytest.mark.parametrize("command", COMMANDS.names())
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_explains_itself(command, flag):
    ran = run(command, flag)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: opspec-lint {command}")
    assert COMMANDS.load(command).SUMMARY


@pytest.mark.parametrize("command", ["check", "extract"])
def test_help_lists_what_a_source_can_be(command):
    assert "\n  paddle-runtime " in run(command, "--help").out


def test_help_lists_what_there_is_to_choose_from():
    text = "".join(run("check", "--help").out.split())  # a line may end at the hyphen of a name
    assert ",".join(PROFILES.names()) in text
    assert ",".join(REPORTERS.names()) in text


@pytest.mark.parametrize("program", ["print_op_desc", "check_op_desc"])
def test_the_replays_explain_themselves(program):
    ran = run("--help", program=getattr(main, program))
    assert ran.code == 0
    assert ran.out.startswith(f"usage: {program} ")


def test_version():
    assert run("--version").out == run("-V").out == f"opspec-lint {opspec_lint.__version__}\n"
    assert spawn("--version").stdout.decode() == f"opspec-lint {opspec_lint.__version__}\n"


# --- check


def test_output_goes_to_the_file(base, broken, tmp_path):
    report = tmp_path / "report.json"
    ran = run("check", base, broken, "--format", "json", "--output", report)
    assert (ran.code, ran.out, ran.err) == (1, "", f"opspec-lint: 1 error: {report}\n")
    document = json.loads(report.read_text())
    assert schema.faults(document, schema_named("report")) == []
    assert document["summary"]["error"] == 1


def test_only_the_ops_requested(write):
    both = dict.fromkeys("abc", BASE["relu"])
    none = dict.fromkeys("abc", BROKEN["relu"])
    written, two = write("one.json", both), write("two.json", none)
    ops = [finding["op"] for finding in json.loads(run("check", written, two, "--format", "json").out)["findings"]]
    assert ops == ["a", "b", "c"]
    some = run("check", written, two, "--format", "json", "--op", "a", "--op", "c")
    assert [finding["op"] for finding in json.loads(some.out)["findings"]] == ["a", "c"]
    assert run("check", written, written, "--op", "a").code == 0


@pytest.mark.parametrize(("name", "code"), [("paddle", 0), ("paddle-2021", 0), ("strict", 1)])
def test_the_profile_sets_the_level(name, code, base, write):
    ran = run("check", base, write("noted.json", NOTED), "--profile", name, "--format", "json")
    assert ran.code == code
    assert json.loads(ran.out)["comparisons"][0]["profile"] == name


def test_op_versions_of_either_side():
    sides = [f"{CASE}.base.json", f"{CASE}.pr.json"]
    versions = [
        *("--base-op-versions", f"{CASE}.base.opversions.json", "--head-op-versions", f"{CASE}.pr.opversions.json")
    ]

    def rules(*arguments):
        ran = run("check", *sides, "--profile", "paddle-2021", "--format", "json", *arguments)
        return [finding["rule"] for finding in json.loads(ran.out)["findings"]]

    assert rules().count("op_version_unknown") == 1
    assert "op_version_unknown" not in rules(*versions)
    assert rules(*versions[2:]) != rules(*versions)


def test_a_raw_and_a_canonical_spec_of_the_same_release_are_the_same():
    raw = os.path.join(DATA, "paddle-3.0.0.json")
    versions = os.path.join(DATA, "paddle-3.0.0.opversions.json")
    fit = [name for name in PROFILES.names() if PROFILES.framework_of(name) in ("", "paddle")]
    assert {"paddle", "strict"} <= {*fit}
    for profile_ in fit:
        ran = run(
            "check", raw, release("3.0.0"), "--base-op-versions", versions, "--profile", profile_, "--format", "json"
        )
        assert [finding["rule"] for finding in json.loads(ran.out)["findings"]] == ["source_kind_changed"]
        assert ran.code == 0


# --- extract


@pytest.mark.parametrize("version", ["1.8.5", "2.6.2"])
def test_extract_writes_a_canonical_spec(version, tmp_path):
    raw, target = os.path.join(DATA, f"paddle-{version}.json"), tmp_path / "spec.json"
    ran = run("extract", raw, "--op-versions", os.path.join(DATA, f"paddle-{version}.opversions.json"))
    assert (ran.code, ran.err) == (0, "")
    written = run(
        *("extract", raw, "--output", target, "--op-versions", os.path.join(DATA, f"paddle-{version}.opversions.json"))
    )
    assert (written.code, written.out) == (0, "")
    assert f"{len(recognise.read(raw).spec.ops)} ops" in written.err
    assert target.read_text(encoding="utf-8") == ran.out
    again = run("extract", target)
    assert again.out == ran.out
    assert run("validate", target).out.endswith("1 file well-formed\n")


def test_extract_and_the_released_spec_state_the_same():
    raw = os.path.join(DATA, "paddle-2.6.2.json")
    ran = run("extract", raw, "--op-versions", os.path.join(DATA, "paddle-2.6.2.opversions.json"))
    with open(release("2.6.2"), encoding="utf-8") as stream:
        released = stream.read().splitlines()
    made = ran.out.splitlines()
    assert [line for line in made if "provenance" not in line] == [
        re.sub(', "support_tensor"(: true)?', "", line) for line in released if "provenance" not in line
    ]


def test_extract_of_a_bad_source_leaves_the_old_file(write, tmp_path):
    target = tmp_path / "spec.json"
    target.write_text("old")
    assert run("extract", write("bad.json", "[]"), "--output", target).code == 3
    assert target.read_text() == "old"


# --- validate


def test_validate_lists_every_fault(write):
    bad = json.loads(json.dumps(BASE))
    bad["relu"]["Inputs"]["X"] = {"dispensible": True, "extra": 1}
    bad["relu"]["Attrs"]["a"]["type"] = 99
    bad["gelu"] = {"Inputs": {}}
    text = json.dumps(bad)[:-1] + ', "relu": ' + json.dumps(bad["relu"]) + "}"
    path = write("bad.json", text)
    ran = run("validate", path)
    assert (ran.code, ran.err) == (3, "")
    *faults, verdict = ran.out.splitlines()
    twice = 'the key "relu" occurs twice in one object; it is undefined which of the two counts (remove one of the two)'
    assert sorted(faults) == sorted(
        [
            f"error: {path}: relu.Inputs.X: unknown key \"dispensible\" (did you mean 'dispensable'?)",
            f"error: {path}: relu.Inputs.X.extra: expected true or false, found 1",
            f"error: {path}: relu.Attrs.a.type: expected at most 17, found 99",
            f"error: {path}: gelu: the key 'Outputs' is missing",
            f"error: {path}: gelu: the key 'Attrs' is missing",
            f"error: {path}: relu: {twice}",
        ]
    )
    assert verdict == "1 malformed file"


def test_validate_shows_a_fault_of_the_whole_file(write):
    path = write("bad.json", {**SMALL, "opversions": {}})
    ran = run("validate", path)
    assert ran.out.splitlines()[0] == f"error: {path}: unknown key \"opversions\" (did you mean 'op_versions'?)"


def test_validate_takes_several_files(write, base):
    bad, worse = write("bad.json", "[]"), write("worse.json", "{")
    ran = run("validate", base, bad, release("3.0.0"), worse, "nowhere.json")
    assert ran.code == 3
    errors = [line for line in ran.out.splitlines() if line.startswith("error: ")]
    assert [line.split(": ")[1] for line in errors] == [bad, worse, "nowhere.json"]
    assert ran.out.endswith("3 malformed files\n")
    assert run("validate", base, base).out == "2 files well-formed\n"


def test_validate_warns_of_standing_faults_of_the_histories(write):
    path = write("spec.json", canonical.dumps(recognise.read(write("small.json", SMALL)).spec))
    ran = run("validate", path)
    assert ran.code == 0
    assert ran.out.count("warning: ") == 1
    assert "op_versions.relu: " in ran.out
    assert "gone" in ran.out
    real = run("validate", release("2.6.2"))
    assert real.code == 0
    assert real.out.count("warning: ") >= 17
    assert "canonical" not in real.out


def test_check_is_silent_of_standing_faults():
    ran = run("check", release("2.6.2"), release("2.6.2"), "--format", "json")
    assert json.loads(ran.out)["findings"] == []


def test_validate_warns_of_a_file_that_is_not_canonical(write):
    path = write("spec.json", SMALL)
    ran = run("validate", path)
    assert ran.code == 0
    assert f"warning: {path}: is not in canonical form" in ran.out
    assert run("extract", path, "--output", path).code == 0
    assert "canonical" not in run("validate", path).out


def test_validate_can_insist_on_the_canonical_form(write, base):
    path, worse = write("spec.json", SMALL), write("worse.json", "{")
    ran = run("validate", "--canonical", path, base)
    assert (ran.code, ran.err) == (1, "")
    assert (
        f"error: {path}: is not in canonical form (`opspec-lint extract {path} --output {path}` rewrites it)" in ran.out
    )
    assert ran.out.endswith("2 files well-formed, 1 of them not in canonical form\n")
    malformed = run("validate", "--canonical", path, worse)
    assert (malformed.code, malformed.out.count("error: ")) == (3, 2)
    assert run("extract", path, "--output", path).code == 0
    again = run("validate", "--canonical", path, base)
    assert (again.code, again.out.rpartition("warning")[2].splitlines()[-1]) == (0, "2 files well-formed")


@pytest.mark.parametrize("change", [str.upper, lambda text: text + "\n", lambda text: text.replace("\n", "\r\n")])
def test_the_canonical_form_is_one_to_the_byte(write, tmp_path, change):
    """Also where the change is in what JSON passes over."""
    spec_ = canonical.dumps(recognise.read(write("small.json", SMALL)).spec)
    path = tmp_path / "spec.json"
    path.write_bytes((change(spec_) if change is not str.upper else spec_.replace(" ", "  ", 1)).encode())
    assert run("validate", "--canonical", path).code == 1
    path.write_bytes(spec_.encode())
    assert run("validate", "--canonical", path).code == 0


def test_the_canonical_form_is_queried_of_our_own_json_alone(write):
    yaml = write("spec.yaml", "opspec: 1\nprovenance: {framework: paddle}\nknows: {}\nops: {}\n")
    assert run("validate", "--canonical", yaml, write("raw.json", BASE)).code == 0


def test_validate_explains_duplicate_and_later_formats(write):
    later = run("validate", write("later.json", {**SMALL, "opspec": 2}))
    assert later.code == 3
    assert "is of version 2 of the spec format" in later.out
    assert "upgrade opspec-lint" in later.out


# --- rules and explain


JUDGING = [name for name in PROFILES.names() if not PROFILES.load(name).is_shared]
"""The profiles that have levels of their own."""


def test_rules_lists_every_rule_with_its_levels():
    ran = run("rules")
    assert ran.code == 0
    head, *lines = ran.out.splitlines()
    assert head.split() == ["rule", *JUDGING]
    assert [line.split()[0] for line in lines] == RULES


def test_rules_as_json():
    records = json.loads(run("rules", "--format", "json").out)
    assert [record["id"] for record in records] == RULES
    for record in records:
        assert set(record["levels"]) == set(JUDGING)
        assert record["title"]
        assert record["flagged"]
        assert record["passes"]


def test_rules_of_a_profile_and_a_subject():
    head, *lines = run("rules", "--profile", "paddle", "--subject", "attrs").out.splitlines()
    assert head.split() == ["rule", "paddle"]
    names = [line.split()[0] for line in lines]
    assert "attr_removed" in names
    assert {rulebook.subject_of(name) for name in names} == {"attrs"}
    records = json.loads(run("rules", "--subject", "onnx", "--format", "json").out)
    assert {record["id"] for record in records} == {name for name in RULES if rulebook.subject_of(name) == "onnx"}
    shared = run("rules", "--profile", "saved-model", "--subject", "ops").out
    assert shared.split("\n")[0].split()[1:] == [name for name in JUDGING if name.endswith("-saved-model")]
    none = [name for name in RULES if levels(rulebook.load(name))["paddle"] == "off"]
    assert not {*none} & {line.split()[0] for line in run("rules", "--profile", "paddle").out.splitlines()}
    assert run("rules", "--subject", "nothing").code == 2


@pytest.mark.parametrize("name", sorted({*COMMANDS.names()} - {"action"}))
def test_the_help_of_a_command_ends_with_examples_that_it_takes(name):
    module = COMMANDS.load(name)
    shown = run(name, "--help").out
    assert shown.rstrip().endswith("\n  ".join(["examples:", *module.EXAMPLES]))
    for example in module.EXAMPLES:
        program, command, *texts = shlex.split(example.split(" > ")[0])
        declared = Arguments()
        module.configure(declared)
        assert (program, command) == ("opspec-lint", name)
        assert declared.parse(texts) is not None, example


# --- failures


@pytest.fixture
def crash(monkeypatch):
    def fail(*_args, **_kwargs):
        raise KeyError("two\nlines")

    from opspec_lint.api import comparing

    monkeypatch.setattr(comparing, "check", fail)


@pytest.mark.usefixtures("crash")
def test_3_for_a_crash_and_no_traceback(base, broken):
    ran = run("check", base, broken)
    assert (ran.code, ran.out) == (3, "")
    first, second = ran.err.splitlines()
    assert first.startswith("opspec-lint: error: internal error: KeyError: ")
    assert "test_cli.py:" in first
    assert "report" in second


@pytest.mark.usefixtures("crash")
def test_a_traceback_for_those_who_ask(base, broken, monkeypatch):
    monkeypatch.setenv("OPSPEC_LINT_TRACEBACK", "1")
    ran = run("check", base, broken)
    assert (ran.code, ran.out) == (3, "")
    assert "Traceback (most recent call last)" in ran.err
    assert "internal error: KeyError" in ran.err


def test_3_for_a_crash_inside_a_rule(base, broken, monkeypatch):
    faulty = rulebook.load("input_removed").replace(message="{no_such_fact}")
    monkeypatch.setattr(rulebook, "rules_for_event", lambda *_: (faulty,))
    ran = run("check", base, broken)
    assert (ran.code, ran.out) == (3, "")
    assert "input_removed.py: a template uses 'no_such_fact', a word that the fact does not have" in ran.err


def test_an_interrupt_is_no_verdict(base, monkeypatch):
    def interrupt(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(recognise, "read", interrupt)
    ran = run("check", base, base)
    assert (ran.code, ran.out, ran.err) == (130, "", "")


def test_a_reader_that_has_seen_enough():
    command = f'"{sys.executable}" -m opspec_lint check specs/paddle-2.6.2.json specs/paddle-3.0.0.json --format json'
    done = in_a_shell(f"({command}; echo $? >&2) | head -1")
    assert done.stdout == b"{\n"
    assert done.stderr.strip() in (b"1", b"3")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "command", ["opspec_lint.cli.main.entry()", "sys.exit(opspec_lint.cli.main.check_op_desc(['a']))"]
)
def test_3_where_standard_output_is_full(command):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", f"import sys, opspec_lint.cli.main; sys.argv[1:] = ['rules']; {command}"],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 3
    assert b"standard output cannot be written: No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_the_exit_code_speaks_where_standard_error_does_not():
    with open("/dev/full", "wb") as full:
        assert spawn("check", "nowhere", "x", capture_output=False, stdout=subprocess.PIPE, stderr=full).returncode == 3


@pytest.mark.parametrize(("closed", "arguments", "code"), [(1, "rules", 3), (2, "check nowhere x", 3), (2, "rules", 0)])
def test_closed_streams(closed, arguments, code):
    done = in_a_shell(f'"{sys.executable}" -m opspec_lint {arguments} {closed}>&-')
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


# --- terminals and encodings


def test_colour_on_a_terminal_alone(base, broken):
    assert b"\x1b[1;38;5;161m" in on_a_terminal("check", base, broken)
    assert b"\x1b" not in spawn("check", base, broken).stdout


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_it_is_not_requested(base, broken, environment):
    text = on_a_terminal("check", base, broken, **environment)
    assert b"input_removed" in text
    assert b"\x1b" not in text


def test_an_empty_no_color_states_nothing(base, broken):
    assert b"\x1b" in on_a_terminal("check", base, broken, NO_COLOR="")


def test_no_colour_in_a_file(base, broken, tmp_path):
    on_a_terminal("check", base, broken, "--output", str(tmp_path / "report"))
    assert b"\x1b" not in (tmp_path / "report").read_bytes()


@pytest.mark.parametrize(
    ("environment", "format_"),
    [
        *(({"PYTHONIOENCODING": "ascii"}, name) for name in REPORTERS.names()),
        ({"LC_ALL": "C", "PYTHONUTF8": "0"}, "text"),
        ({}, "text"),
    ],
)
def test_names_that_the_terminal_cannot_show(write, environment, format_):
    odd = {"größe \ud800 🙂": BASE["relu"]}
    written, two = write("one.json", odd), write("two.json", "{}")
    done = spawn("check", written, two, "--format", format_, env={**os.environ, **environment})
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"gr" in done.stdout or format_ == "statistics"
    done.stdout.decode("utf-8")
    missing = spawn("check", "größe.json", two, env={**os.environ, **environment})
    assert missing.returncode == 3
    assert b"Traceback" not in missing.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_name_that_is_no_text(tmp_path):
    file = os.path.join(os.fsencode(tmp_path), b"b\xfcse.json")
    with open(file, "w", encoding="utf-8") as stream:
        json.dump(BASE, stream)
    for format_ in REPORTERS.names():
        command = [sys.executable, "-m", "opspec_lint", "check", file, file, "--format", format_]
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


# --- the replays


@pytest.mark.parametrize("content", ["", "[]", "{", "a: 1\n", '{"a": 1}', '{"a": {}, "a": {}}', "\0"])
@pytest.mark.parametrize("side", [0, 1, 2])
def test_check_op_desc_of_unreadable_input(write, base, content, side):
    arguments = [base, base, write("versions.json", "{}")]
    arguments[side] = write("bad.json", content)
    ran = run(*arguments[:2], "--op-versions", arguments[2], program=main.check_op_desc)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("check_op_desc: error: ")
    assert "bad.json" in ran.err
    assert ran.err.count("error: ") == 1


def test_check_op_desc_of_a_missing_file(base):
    ran = run(base, "nowhere.json", program=main.check_op_desc)
    assert (ran.code, ran.out) == (3, "")
    assert "nowhere.json" in ran.err


@pytest.mark.parametrize("count", [0, 1, 3])
def test_check_op_desc_with_the_wrong_count_prints_usage_as_the_original(base, count):
    ran = run(*[base] * count, program=main.check_op_desc)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Usage: ")


def test_check_op_desc_with_findings_is_0_as_the_original(base, broken, write):
    ran = run(base, broken, program=main.check_op_desc)
    assert (ran.code, ran.err) == (0, "")
    assert " * The Input 'X' is deleted.\n" in ran.out
    last = run(base, broken, "--op-versions", write("versions.json", "{}"), program=main.check_op_desc)
    assert "Operator registration error" in last.out
    assert run(base, base, program=main.check_op_desc).out == ""


@pytest.mark.parametrize("depth", [100, 900, 980])
def test_check_op_desc_of_deep_values(write, depth):
    def deep(inside):
        op = {"Inputs": {}, "Outputs": {}, "Attrs": {"a": {"default_value": "deep"}}}
        return json.dumps({"relu": op}).replace('"deep"', "[" * depth + inside + "]" * depth)

    ran = run(write("one.json", deep("1")), write("two.json", deep("2")), program=main.check_op_desc)
    assert ran.code in (0, 3)
    assert "internal error" not in ran.err
    assert bool(ran.out) is (ran.code == 0)


def test_print_op_desc_without_a_paddle(tmp_path):
    for python in ("/nowhere/python", str(tmp_path)):
        ran = run("--python", python, program=main.print_op_desc)
        assert (ran.code, ran.out) == (3, "")
        assert ran.err.startswith("print_op_desc: error: ")


# --- anything at all


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as path:
        yield path


def never_crashes(folder, data):
    base, odd = os.path.join(folder, "base.json"), os.path.join(folder, "odd")
    with open(base, "w", encoding="utf-8") as stream:
        json.dump(BASE, stream)
    with open(odd, "wb") as stream:
        stream.write(data)
    for format_ in REPORTERS.names():
        for arguments in (["check", base, odd], ["check", odd, base], ["check", odd, odd]):
            ran = run(*arguments, "--format", format_, "--profile", "strict")
            assert ran.code in (0, 1, 3)
            assert (ran.code == 3) is bool(ran.err)
            assert "internal error" not in ran.err
            if ran.code == 1:
                assert ran.out
    for arguments in (["extract", odd], ["validate", odd], ["check", base, base, "--head-op-versions", odd]):
        ran = run(*arguments)
        assert ran.code in (0, 3)
        assert "internal error" not in ran.err
    ran = run(base, odd, program=main.check_op_desc)
    assert ran.code in (0, 3)
    assert "internal error" not in ran.err


@settings(max_examples=EXAMPLES)
@given(st.binary(max_size=60) | st.text('{}[]",: \nabc01-&*!|>?', max_size=30).map(str.encode))
def test_random_bytes_never_crash_it(folder, data):
    never_crashes(folder, data)


@settings(max_examples=EXAMPLES)
@given(GARBAGE | mutated(BASE) | mutated(NOTED) | mutated(SMALL))
def test_random_documents_never_crash_it(folder, document):
    never_crashes(folder, json.dumps(document).encode())


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ("--format", "json=a.json", "--output", "b.txt"),
            "every format names its own file, so --output has no effect",
        ),
        (("--format", "json=a", "--format", "text=./a"), "the formats json and text go to the same place"),
        (("--format", "json", "--format", "text"), "the formats json and text go to the same place"),
        (("--format", "json=a", "--format", "text", "--output", "a"), "the formats json and text go to the same place"),
        (("--format", "json="), "the format json names no file"),
    ],
)
def test_no_report_is_lost_between_formats(base, broken, arguments, problem, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    ran = run("check", base, broken, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("arguments", [("check", "--halp"), ("check", "--profil", "x"), ("explain", "--foo")])
def test_an_unknown_flag_is_named_before_a_missing_argument(arguments):
    ran = run(*arguments)
    assert ran.code == 2
    assert f"unknown option '{arguments[1]}'" in ran.err


def test_the_report_states_when_it_looked_at_some_ops_alone(base, broken):
    name = next(iter(json.loads(json.dumps(BASE))))
    assert f"no findings: head and base declare {name} alike" in run("check", base, base, "--op", name).out
    document = json.loads(run("check", base, broken, "--op", name, "--format", "json").out)
    assert document["comparisons"][0]["only"] == [name]


def test_validate_knows_a_file_of_op_versions(write):
    good = {"f": {"version_id": 1, "checkpoints": [{"note": "n", "updates": [{"type": "kNewAttr", "name": "a"}]}]}}
    path = write("good.json", json.dumps(good))
    assert run("validate", path).out == "1 file well-formed\n"
    bad = json.dumps(good).replace("kNewAttr", "kNewAttribute").replace('"note": "n"', '"note": 1')
    ran = run("validate", write("bad.json", bad))
    assert ran.code == 3
    assert "f.checkpoints[0].note: expected a string, found 1" in ran.out
    assert "f.checkpoints[0].updates[0].type: expected" in ran.out


# --- a repository


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Two commits, a third state that is staged, and a fourth in the work tree; we are there."""
    made = Repository.make(tmp_path / "top", {SPEC: json.dumps(NOTED)})
    made.git("branch", "first")
    made.commit({SPEC: json.dumps(BASE)})
    made.stage({SPEC: json.dumps({**BASE, "staged": BASE["relu"]})})
    made.write({SPEC: json.dumps({**BASE, "written": BASE["relu"]})})
    for name in [name for name in os.environ if name.startswith(("GIT_", "PRE_COMMIT"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(made.top)
    return made


def ops_reported(*arguments):
    ran = run("check", "--format", "json", *arguments)
    assert ran.code in (0, 1), ran.err
    return [
        (finding["rule"], finding["op"]) for finding in json.loads(ran.out)["findings"] if finding["op"] is not None
    ]


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), [("op_added", "written")]),
        (("--staged",), [("op_added", "staged")]),
        (("--head", "HEAD"), []),
        (("--base", "first", "--exact"), [("op_removed", "gelu"), ("op_added", "written")]),
        (("--base", "first", "--exact", "--staged"), [("op_removed", "gelu"), ("op_added", "staged")]),
        (("--base", "first", "--head", "HEAD"), [("op_removed", "gelu")]),
        (("--base", "HEAD", "--head", "first"), []),
        (("--base", "HEAD", "--head", "first", "--exact"), [("op_added", "gelu")]),
    ],
)
def test_what_is_compared_with_what(arguments, expected):
    assert ops_reported(*arguments) == expected


def test_pre_commit_between_two_revisions_checks_those(repository, monkeypatch):
    for name, revision in (("FROM", "first"), ("TO", "HEAD")):
        monkeypatch.setenv(f"PRE_COMMIT_{name}_REF", revision)
    assert ops_reported("--staged") == [("op_removed", "gelu")]
    assert ops_reported() == [("op_added", "written")]
    assert ops_reported("--staged", "--base", "HEAD") == [("op_added", "staged")]
    assert repository.git("diff", "--name-only") == SPEC


def test_configuration_and_waivers_by_hand(repository, write, base, broken):
    settings_ = write("other.yaml", {"levels": {"input_removed": "warning"}})
    assert run("check", base, broken, "--config", settings_).code == 0
    assert run("check", "--config", settings_).code == 0
    assert run("check", base, broken, "--config", "nowhere.toml").code == 2
    entry = {"rule": "input_removed", "op": "relu", "reason": "r", "owner": "o"}
    held = write("w.json", {"version": 1, "waivers": [entry]})
    assert run("check", base, broken, "--waivers", held).code == 0
    assert run("check", base, broken, "--waivers", "nowhere.yaml").code == 2
    assert run("check", base, broken).code == 1
    ran = run("check", base, broken, "--waivers", held, "--op", "rellu")
    assert (ran.code, ran.out) == (2, "")
    assert repository.head


@pytest.mark.parametrize("zone", ["UTC0", "UTC-14", "UTC+12"])
def test_the_day_is_that_of_the_clock_in_utc(base, broken, write, monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    main.time.tzset()
    entry = {"rule": "input_removed", "op": "relu", "reason": "r", "owner": "o", "expires": "2026-05-15"}
    held = write("w.json", {"version": 1, "waivers": [entry]})
    for day, code in (("2026-05-15", 0), ("2026-05-16", 1)):
        monkeypatch.setattr(
            main.time, "strftime", lambda _, moment, day=day: day if not moment.tm_gmtoff else "9999-99-99"
        )
        assert run("check", base, broken, "--waivers", held).code == code
    monkeypatch.undo()
    main.time.tzset()


# Standard input and output, and what a check comes to


def test_a_single_spec_may_be_standard_input(base, broken):
    for texts, data in ((["check", "-", broken], base), (["check", base, "-"], broken)):
        done = spawn(*texts, "--format", "sarif", input=Path(data).read_bytes())
        assert (done.returncode, done.stderr) == (1, b"")
        assert json.loads(done.stdout)["runs"][0]["results"]
    both = spawn("check", "-", "-", input=b"")
    assert (both.returncode, b"both standard input" in both.stderr) == (2, True)
    empty = spawn("check", base, "-", input=b"")
    assert (empty.returncode, b"standard input: is empty" in empty.stderr) == (3, True)


def test_a_minus_is_standard_output(base, broken, tmp_path):
    plain = spawn("check", base, broken).stdout
    for texts in (["--output", "-"], ["--format", "text=-"], ["--format", "text", "--output", "-"]):
        assert spawn("check", base, broken, *texts, cwd=tmp_path).stdout == plain
    assert not (tmp_path / "-").exists()
    twice = spawn("check", base, broken, "--format", "json=-", "--format", "text=-")
    assert (twice.returncode, b"the same place" in twice.stderr) == (2, True)


def test_the_folder_of_a_report_is_made(base, broken, tmp_path):
    for at, texts in enumerate((["--output", "a/b.txt"], ["--format", "json=c/d.json"])):
        assert spawn("check", base, broken, *texts, cwd=tmp_path).returncode == 1
        assert (tmp_path / ("a/b.txt", "c/d.json")[at]).is_file()


def test_standard_output_is_utf_8_with_line_feeds(base, broken):
    done = spawn("check", base, broken, "--format", "markdown", env={**os.environ, "PYTHONIOENCODING": "cp1252"})
    assert done.stdout.decode("utf-8").encode() == done.stdout
    assert b"\r" not in done.stdout


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 0), ("note", 1)])
def test_the_level_from_which_a_check_fails(write, level, code):
    written, two = write("one.json", BASE), write("two.json", {**BASE, "more": BASE["relu"]})
    assert spawn("check", written, two, "--fail-on", level).returncode == code
    assert spawn("check", written, two, f"--fail-on={level}", "--format", "json").returncode == code


def test_quiet_prints_only_what_fails(base, broken, write):
    more = write("more.json", {**BASE, "more": BASE["relu"]})
    assert (spawn("check", base, more, "--quiet").stdout, spawn("check", base, base, "--quiet").stdout) == (b"", b"")
    assert spawn("check", base, broken, "--quiet").stdout == spawn("check", base, broken).stdout


def test_a_quiet_failure_prints_no_notes(base, write):
    both = write("both.json", {**BROKEN, "more": BASE["relu"]})
    lines = spawn("check", base, both).stdout.decode().splitlines()
    assert ("more" in lines, "1 error, 1 note in 2 ops" in lines) == (True, True)
    quiet = spawn("check", base, both, "--quiet").stdout.decode().splitlines()
    assert ("more" in quiet, "1 error in 1 op" in quiet) == (False, True)


def test_when_there_are_colors(base, broken):
    assert b"\x1b[" in spawn("check", base, broken, "--color", "always").stdout
    assert b"\x1b" not in spawn("check", base, broken, "--color", "auto").stdout
    assert b"\x1b" not in on_a_terminal("check", base, broken, "--color", "never")
    assert b"\x1b[" in on_a_terminal("check", base, broken, "--color", "always", NO_COLOR="1")


def test_the_text_fits_the_terminal(base, broken):
    widest = {}
    for columns in (40, 60, 200):
        text = on_a_terminal("check", base, broken, "--color", "never", COLUMNS=str(columns)).decode()
        folded = [line for line in text.replace("\r", "").splitlines() if line.startswith("   ") and "[" not in line]
        widest[columns] = max(len(line) for line in folded if len(line.split()) > 1)
        assert widest[columns] <= columns
    assert widest[40] < widest[60] < widest[200]


def test_ops_are_chosen_by_patterns(write):
    every = dict.fromkeys(("conv2d", "conv3d", "pool [gpu]", "pool"), BASE["relu"])
    written, two = write("one.json", every), write("two.json", {"other": BASE["relu"]})

    def removed(*args):
        findings = json.loads(spawn("check", written, two, "--format", "json", *args).stdout)["findings"]
        return sorted(finding["op"] for finding in findings if finding["rule"] == "op_removed")

    assert removed("--op", "conv*") == ["conv2d", "conv3d"]
    assert removed("--op", "conv?d", "--op", "pool") == ["conv2d", "conv3d", "pool"]
    assert removed("--op", "*") == sorted(every)
    none = spawn("check", written, two, "--op", "nothing*")
    assert (none.returncode, b"nothing*" in none.stderr) == (2, True)


def test_a_build_that_no_source_has_is_refused_for_every_input():
    ran = run("extract", "paddle@3.0.0", "--build", "xpuu")
    assert (ran.code, ran.out) == (2, "")
    assert "unknown build 'xpuu'; did you mean 'xpu'?" in ran.err


@pytest.mark.parametrize("command", ["--version", "rules", "check paddle@2.6.2 paddle@3.0.0"])
def test_python_without_docstrings_is_reported(command):
    ran = subprocess.run(
        [sys.executable, "-OO", "-m", "opspec_lint", *command.split()], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert "python -OO" in ran.stderr
    assert ran.stdout == ""
