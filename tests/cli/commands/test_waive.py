from __future__ import annotations

import json
import os

import pytest

from tests.support import zoo
from tests.support.nasty import TEXTS
from tests.support.programs import run
from tests.support.projects import FILE, WAIVERS, config, text, waivers
from tests.support.repositories import Repository

BASE = text("f(X, Y) -> ()", "g() -> ()")
BROKEN = text("f() -> ()", "g() -> ()")
WHY = ("--reason", "nobody uses it", "--owner", "ops team")


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Two errors in the work tree, and we are there."""
    made = Repository.make(tmp_path / "top", {FILE: BASE})
    made.write({FILE: BROKEN})
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(made.top)
    return made


def reported(*arguments):
    ran = run("check", "--format", "json", *arguments)
    assert ran.code in (0, 1), ran.err
    return {finding["name"]: finding for finding in json.loads(ran.out)["findings"] if finding["kind"] != "waiver"}


def fails(code, *arguments):
    ran = run("waive", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.count("error: ") == ran.err.count("advice: ") == 1
    assert not os.path.exists(WAIVERS)
    return ran.err


@pytest.mark.usefixtures("repository")
def test_a_finding_is_waived_by_its_fingerprint():
    fingerprint = reported()["X"]["fingerprint"]
    ran = run("waive", fingerprint, *WHY, "--expires", "2099-12-31")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{fingerprint}  input_removed f\n{WAIVERS}: 1 waiver added\n"
    assert {name: bool(item.get("waived")) for name, item in reported().items()} == {"X": True, "Y": False}
    assert reported()["X"]["waived"]["expires"] == "2099-12-31"
    assert run("check").code == 1
    again = run("waive", fingerprint, *WHY)
    assert (again.code, again.out) == (0, "nothing to waive: 1 finding waived already\n")
    assert run("waive", *(finding["fingerprint"][:6].upper() for finding in reported().values()), *WHY).code == 0
    assert run("check").code == 0


def test_a_baseline_waives_every_error_and_the_check_is_clean(repository):
    repository.write({"specs/other.json": BASE})
    repository.git("add", "specs/other.json")
    repository.git("commit", "-qm", "other")
    (repository.top / "specs/other.json").unlink()
    ran = run("waive", "--baseline", "--owner", "ops team")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith(f"{WAIVERS}: 3 waivers added\n")
    assert "spec_removed specs/other.json" in ran.out
    checked = run("check")
    assert checked.code == 0
    assert "found when opspec-lint was adopted" in (repository.top / WAIVERS).read_text()
    assert run("waive", "--baseline", "--owner", "x").out == "nothing to waive: 3 findings waived already\n"


def test_a_finding_of_two_files_is_waived_in_each(repository):
    repository.commit({FILE: BASE, "specs/other.json": BASE})
    repository.write({FILE: BROKEN, "specs/other.json": BROKEN})
    fingerprint = reported()["X"]["fingerprint"]
    ran = run("waive", fingerprint, *WHY)
    assert ran.out.endswith(f"{WAIVERS}: 2 waivers added\n")
    assert run("check", "--op", "f").out.count("waived") >= 2
    again = run("waive", fingerprint, *WHY)
    assert again.out == "nothing to waive: 2 findings waived already\n"


def test_after_a_baseline_only_what_a_change_breaks_is_listed(repository):
    released = text("f(X, Y) -> ()", "g() -> ()", *(f"old{n}() -> ()" for n in range(100)))
    repository.commit({"old.json": released, "opspec-lint.yaml": config(against=["old.json"]), FILE: BASE})
    assert run("waive", "--baseline", "--owner", "ops team").out.endswith(f"{WAIVERS}: 100 waivers added\n")
    repository.commit({WAIVERS: (repository.top / WAIVERS).read_text()})
    passes = run("check").out.splitlines()
    assert passes[-3] == "100 waived"
    assert len(passes) <= 10
    repository.write({FILE: text("f(X) -> ()", "g() -> () [a: INT = 1]", "h() -> ()")})
    fails = run("check").out
    assert f"\n            fingerprint: {reported()['Y']['fingerprint']}\n" in fails
    assert f"\n            head {FILE}:" in fails
    assert len(fails.splitlines()) <= 40  # three lines for each waiver would be 300


def test_a_new_setting_against_is_committed_before_a_baseline(repository):
    repository.commit({"old.json": text("f(X, Y) -> ()", "old() -> ()"), FILE: BASE})
    repository.write({"opspec-lint.yaml": config(against=["old.json"])})
    pending = "the setting 'against' is not in force before base has it"
    assert run("waive", "--baseline", "--owner", "ops team").out.startswith(pending)
    os.unlink(WAIVERS)
    repository.commit({"opspec-lint.yaml": config(against=["old.json"])})
    ran = run("waive", "--baseline", "--owner", "ops team")
    assert ("op_removed" in ran.out, pending in ran.out) == (True, False)


def test_the_reason_of_a_baseline_between_two_specs_names_them(repository):
    repository.write({"a.json": BASE, "b.json": BROKEN})
    assert run("waive", "--baseline", "--owner", "o", "--between", "a.json", "b.json").code == 0
    assert "found when a.json and b.json were compared" in (repository.top / WAIVERS).read_text()


def test_a_baseline_of_a_clean_repository_is_nothing(repository):
    repository.write({FILE: BASE})
    ran = run("waive", "--baseline", "--owner", "x")
    assert (ran.code, ran.out) == (0, "nothing to waive: there is no error and no warning\n")
    assert not os.path.exists(WAIVERS)


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("0123456789abcdef", "--owner", "o"), "--reason is missing"),
        (("0123456789abcdef", "--reason", " ", "--owner", "o"), "--reason is missing"),
        (("0123456789abcdef", "--reason", "r"), "--owner is missing"),
        (("--baseline",), "--owner is missing"),
        (WHY, "expected fingerprints, --baseline, or --import FILE"),
        (("--baseline", "0123456789abcdef", *WHY), "expected fingerprints, --baseline, or --import FILE"),
        (("0123456789abcdef", *WHY), "'0123456789abcdef' does not match any current finding"),
        (("", *WHY), "'' is too short"),
        (("0123456789abcdef", *WHY, "--expires", "31.12.2026"), "--expires is '31.12.2026'"),
        (("0123456789abcdef", *WHY, "--expires", "2026-02-30"), "--expires is '2026-02-30'"),
        (("0123456789abcdef", *WHY, "--expires", "2020-12-31"), "--expires is '2020-12-31', which is in the past"),
        (("0123456789abcdef", *WHY, "--expires", "20261231"), "--expires is '20261231'"),
        (("0123456789abcdef", "--reason", "r\udcff", "--owner", "o"), "--reason is not UTF-8 text"),
    ],
)
def test_what_is_missing_or_unknown_is_wrong_usage(arguments, message):
    assert message in fails(2, *arguments)


@pytest.mark.usefixtures("repository")
def test_too_little_of_a_fingerprint_names_none():
    fingerprint = reported()["X"]["fingerprint"]
    assert "is too short\nopspec-lint: advice: give at least 6 digits" in fails(2, fingerprint[:5], *WHY)
    assert run("waive", fingerprint[:6], *WHY).code == 0


def test_findings_of_an_audit_are_waived_by_its_report(tmp_path, monkeypatch):
    """A finding of a JSON report is waived by its fingerprint, in a file that the audit accepts."""
    monkeypatch.chdir(tmp_path)
    zoo.program(tmp_path / "net.pdmodel", "no_such_op")
    audit = ("audit", "net.pdmodel", "--against", "paddle@3.0.0", "--loader", "legacy_executor")
    (tmp_path / "audit.json").write_text(run(*audit, "--format", "json").out, encoding="utf-8")
    ((verdict,)) = json.loads((tmp_path / "audit.json").read_text(encoding="utf-8"))["audits"]
    (finding,) = (finding for finding in verdict["findings"] if finding["level"] == "error")
    of_audit = ("--audit", "audit.json", "--waivers", "accepted.yaml", *WHY)
    assert fails(2, "000000", *of_audit).endswith("`opspec-lint audit --format json` has the fingerprints\n")
    assert "--audit needs --waivers FILE" in fails(2, finding["fingerprint"], "--audit", "audit.json", *WHY)
    assert "--base has no effect with --audit" in fails(2, finding["fingerprint"], *of_audit, "--base", "main")
    ran = run("waive", finding["fingerprint"][:8], *of_audit)
    assert (ran.code, "accepted.yaml: 1 waiver added" in ran.out) == (0, True), ran.err
    assert run(*audit).code == 1
    assert run(*audit, "--waivers", "accepted.yaml").code == 0
    again = run("waive", "--baseline", *of_audit)
    assert (again.code, again.out) == (0, "nothing to waive: 1 finding waived already\n")


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"audits": [{"findings": [{}]}]}'])
def test_a_file_that_is_no_audit_is_named(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "audit.json").write_text(content, encoding="utf-8")
    ran = run("waive", "--baseline", "--audit", "audit.json", "--waivers", "w.yaml", *WHY)
    assert (ran.code in (2, 3), ran.err.startswith("opspec-lint: error: audit.json: ")) == (True, True)
    assert "opspec-lint audit --format json" in ran.err


@pytest.mark.usefixtures("repository")
def test_the_error_for_an_unknown_fingerprint_names_the_option_for_audits():
    assert "for a finding of `audit`, name its results with --audit FILE" in fails(2, "0123456789abcdef", *WHY)


def test_of_several_that_begin_alike_one_has_to_be_named(repository):
    ops = [f"op{number}" for number in range(6000)]
    repository.commit({FILE: text(*(f"{op}() -> ()" for op in ops))})
    repository.write({FILE: text("op0() -> ()")})
    from opspec_lint.cli.commands import waive

    every = [finding["fingerprint"] for finding in reported().values()]
    beginnings = [fingerprint[: waive._SHORTEST - 2] for fingerprint in every]
    twice = next(beginning for beginning in beginnings if beginnings.count(beginning) > 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waive, "_SHORTEST", waive._SHORTEST - 2)
        assert "matches several findings" in fails(2, twice, *WHY)


def test_the_configured_file_and_one_that_is_named(repository):
    repository.commit({FILE: BASE})
    repository.write({FILE: BROKEN})
    first, second = (finding["fingerprint"] for finding in json_findings())
    repository.commit({"opspec-lint.yaml": config(waivers="w/all.yaml")})
    assert run("waive", first, *WHY).out.endswith("w/all.yaml: 1 waiver added\n")
    assert [bool(value.get("waived")) for value in reported().values()].count(True) == 1
    ran = run("waive", second, *WHY, "--waivers", "mine.yaml")
    assert ran.out.endswith("mine.yaml: 1 waiver added\n")
    assert run("waive", second, *WHY, "--waivers", "mine.yaml").out.startswith("nothing to waive")
    assert [bool(value.get("waived")) for value in reported("--waivers", "mine.yaml").values()].count(True) == 1


def json_findings(*arguments):
    return list(reported(*arguments).values())


def test_a_file_that_cannot_be_added_to_stays_as_it_is(repository):
    repository.write(
        {WAIVERS: "version: 1\nwaivers:\n- {fingerprint: 0123456789abcdef, reason: r, owner: o}\n# x: [\n"}
    )
    assert run("waive", "--baseline", *WHY).code == 0
    repository.write({WAIVERS: "waivers:\n- {fingerprint: 0123456789abcdef, reason: r, owner: o}\nversion: 1\n"})
    ran = run("waive", "--baseline", *WHY)
    assert (ran.code, ran.out) == (2, "")
    assert "an entry cannot be appended" in ran.err
    repository.write({WAIVERS: "rubbish"})
    assert run("waive", "--baseline", *WHY).code == 2
    assert (repository.top / WAIVERS).read_text() == "rubbish"


@pytest.mark.usefixtures("repository")
def test_two_specs_instead_of_a_repository(tmp_path, monkeypatch):
    (tmp_path / "alone").mkdir()
    monkeypatch.chdir(tmp_path / "alone")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for name, content in (("base.json", BASE), ("head.json", BROKEN)):
        (tmp_path / "alone" / name).write_text(content)
    ran = run("waive", "--baseline", "--owner", "o", "--between", "base.json", "head.json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith(f"{WAIVERS}: 2 waivers added\n")
    assert run("check", "base.json", "head.json").code == 1
    assert run("check", "base.json", "head.json", "--waivers", WAIVERS).code == 0
    again = run("waive", "--baseline", "--owner", "o", "--between", "base.json", "head.json")
    assert again.out == "nothing to waive: 2 findings waived already\n"


def test_an_expired_waiver_is_written_anew(repository):
    fingerprint = reported()["X"]["fingerprint"]
    repository.write({WAIVERS: waivers({"fingerprint": fingerprint, "expires": "2020-01-01"})})
    assert run("waive", fingerprint, *WHY).code == 0
    assert reported()["X"]["waived"]["reason"] == "nobody uses it"
    assert "waiver_expired" in run("check").out


@pytest.mark.parametrize("name", [text for text in TEXTS if text.strip()])
def test_nasty_names_stay_on_their_line(repository, name):
    ops = {name: {"Inputs": {}, "Outputs": {}, "Attrs": {}}, "g": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}
    repository.commit({FILE: json.dumps(ops)})
    repository.write({FILE: json.dumps({"g": ops["g"]})})
    ran = run("waive", "--baseline", "--owner", "o")
    assert (ran.code, ran.err) == (0, "")
    first, last, end = ran.out.split("\n")
    assert first.isprintable()
    assert (last, end) == (f"{WAIVERS}: 1 waiver added", "")
    assert run("check").code == 0


@pytest.mark.parametrize("target", ["elsewhere.yaml", "../outside.yaml", "nowhere"])
@pytest.mark.parametrize("is_named", [False, True])
def test_a_file_that_is_a_link_is_not_written_through(repository, target, is_named):
    (repository.top.parent / "outside.yaml").write_text(waivers())
    (repository.top / "elsewhere.yaml").write_text(waivers())
    (repository.top / WAIVERS).symlink_to(target)
    named = ("--waivers", WAIVERS) if is_named else ()
    ran = run("waive", "--baseline", "--owner", "ops team", *named)
    assert (ran.code, ran.out, "is a symbolic link" in ran.err) == (3, "", True)
    assert (repository.top.parent / "outside.yaml").read_text() == waivers()
    assert (repository.top / "elsewhere.yaml").read_text() == waivers()
    assert not (repository.top / "nowhere").exists()


def test_a_link_on_the_way_that_a_configuration_names_is_not_followed(repository):
    (repository.top.parent / "outside").mkdir()
    (repository.top / "link").symlink_to("../outside")
    repository.write({"opspec-lint.yaml": config(waivers="link/w.yaml")})
    ran = run("waive", "--baseline", "--owner", "ops team")
    assert ran.code in (2, 3)
    assert list((repository.top.parent / "outside").iterdir()) == []
