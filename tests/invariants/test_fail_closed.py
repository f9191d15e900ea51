"""A failure is never a pass: exit code 2 or 3, one line that states the problem, and no half report."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys

import pytest

from opspec_lint.cli import main
from opspec_lint.kit.errors import FAILED, FINDINGS, USAGE
from opspec_lint.lint import rulebook
from tests.support import signals
from tests.support.patience import PATIENCE
from tests.support.repositories import SPEC, Repository, spec

OPSPEC = (sys.executable, "-m", "opspec_lint")
BASE, GROWN, BROKEN = spec("relu", "gelu"), spec("relu", "gelu", "tanh"), spec("relu")


def big(count):
    return spec(*(f"op{number}" for number in range(count)))


class Checked(Repository):
    def check(self, *args, **options):
        return self.opspec("check", *args, **options)

    def fails(self, code, *output, texts=(), **options):
        """Make sure that a check ends with a code, says why in one error and nothing on standard output."""
        before = self.state()
        ran = self.check(*texts, **options)
        assert ran.returncode == code, ran.stdout + ran.stderr
        assert ran.stdout == ""
        assert ran.stderr.count("error: ") == 1
        assert "Traceback" not in ran.stderr
        for item in output:
            assert item in ran.stderr
        assert self.state() == before
        return ran.stderr


@pytest.fixture(scope="module")
def harmless(tmp_path_factory):
    """A repository with a harmless change that is staged; as it is, it passes."""
    made = Checked.make(tmp_path_factory.mktemp("harmless") / "top", {SPEC: BASE})
    made.stage({SPEC: GROWN})
    assert made.check("--staged").returncode == 0
    return made


@pytest.fixture
def repository(tmp_path, harmless):
    """A copy of the harmless repository, for one test."""
    return harmless.copy(tmp_path / "top")


# --- base


@pytest.mark.parametrize("revision", ["v9", "origin/release", "f" * 40, "HEAD~9", "-x", "a..b", "HEAD:specs"])
def test_a_base_revision_that_is_not_there(repository, revision):
    repository.fails(FAILED, "is not a revision of the repository", texts=(f"--base={revision}",))


@pytest.mark.parametrize(("content", "message"), [("", "empty"), ("[]", "expected"), ("rubbish", "expected")])
def test_a_base_that_cannot_be_read(repository, content, message):
    repository.commit({SPEC: content})
    repository.stage({SPEC: GROWN})
    ran = repository.check("--staged")
    assert (ran.returncode, ran.stderr) == (FINDINGS, "")
    assert all(part in ran.stdout for part in (SPEC, message, "base_unreadable"))


def test_a_base_without_ops(repository):
    repository.commit({SPEC: "{}"})
    repository.stage({SPEC: GROWN})
    repository.fails(FAILED, SPEC, "base has no ops")


def test_a_base_that_is_no_regular_file_is_no_base(repository):
    """A file that was a link at base is new at head, and is reported as new."""
    (repository.top / SPEC).unlink()
    (repository.top / SPEC).symlink_to("elsewhere.json")
    repository.commit({})
    repository.git("add", ".")
    repository.commit({})
    (repository.top / SPEC).unlink()
    repository.stage({SPEC: GROWN})
    assert "spec_added" in repository.check("--staged").stdout


# --- head


@pytest.mark.parametrize(
    "content",
    [BASE[: len(BASE) // 2], b"\x00\xff" * 100, b"\xff\xfe" + BASE.encode("utf-16-le"), b"", '{"a":' * 100_000],
    ids=["truncated", "binary", "UTF-16", "empty", "deep"],
)
@pytest.mark.parametrize("staged", [True, False])
def test_a_head_that_cannot_be_read(repository, content, staged):
    repository.write({SPEC: content})
    if staged:
        repository.git("add", SPEC)
    repository.fails(FAILED, SPEC, texts=["--staged"] if staged else [])


def test_a_head_that_is_a_folder(repository):
    repository.stage({SPEC: None})
    repository.write({f"{SPEC}/inner": "rubbish"})
    ran = repository.check()
    assert (ran.returncode, "spec_removed" in ran.stdout) == (1, True)


@pytest.mark.parametrize("staged", [True, False])
def test_a_head_that_is_a_link_out_of_the_repository(repository, tmp_path, staged):
    (tmp_path / "outside.json").write_text(GROWN)
    (repository.top / SPEC).unlink()
    (repository.top / SPEC).symlink_to(tmp_path / "outside.json")
    repository.git("add", SPEC)
    ran = repository.check(*(["--staged"] if staged else []))
    assert (ran.returncode, "spec_removed" in ran.stdout) == (1, True)


def test_a_head_in_a_folder_that_is_a_link_out_of_the_repository(repository, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "ops.json").write_text(GROWN)
    (repository.top / SPEC).unlink()
    (repository.top / "specs").rmdir()
    (repository.top / "specs").symlink_to(tmp_path / "outside")
    ran = repository.check()
    assert (ran.returncode, "tanh" in ran.stdout) in {(1, False), (3, False)}


def bound_by_permissions():
    """Give up the two capabilities by which root reads and writes whatever it likes (`man 7 capabilities`)."""
    for capability in (1, 2):
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)


def test_a_head_without_permission(repository):
    (repository.top / SPEC).chmod(0)
    if repository.run("cat", SPEC, preexec_fn=bound_by_permissions).returncode == 0:
        pytest.skip("nothing is unreadable here")
    ran = repository.run(*OPSPEC, "check", preexec_fn=bound_by_permissions)
    assert (ran.returncode, ran.stdout) == (FAILED, "")
    assert f"{SPEC}: cannot be read: Permission denied" in ran.stderr


def test_a_conflict_that_is_not_resolved(repository):
    repository.git("commit", "-qm", "grown")
    repository.git("checkout", "-q", "-b", "other", "HEAD~1")
    repository.commit({SPEC: spec("relu", "gelu", "sin")})
    assert repository.run("git", "merge", "main").returncode == 1
    repository.fails(FAILED, SPEC, texts=["--staged"])
    repository.fails(FAILED, SPEC)


# --- configuration and waivers

RELEASE = "a release that is not there"
WRONG = {
    "an unknown key": ("opspec-lint.toml", "profil = 'paddle'\n", "did you mean 'profile'?"),
    "a wrong type": ("opspec-lint.toml", "profile = 1\n", "profile"),
    "no TOML": ("opspec-lint.toml", "profile = \n", "not valid TOML"),
    "not UTF-8": ("opspec-lint.toml", b"profile = '\xff'\n", "UTF-8"),
    "no YAML": ("opspec-lint.yaml", "profile: [\n", "opspec-lint.yaml"),
    "an alias": ("opspec-lint.yaml", "specs: &a [x]\nignore: *a\n", "opspec-lint.yaml"),
    "an unknown rule": ("opspec-lint.toml", "levels.op_remved = 'note'\n", "did you mean 'op_removed'?"),
    "an unknown level": ("opspec-lint.toml", "levels.op_removed = 'fatal'\n", "levels.op_removed"),
    "an unknown profile": ("opspec-lint.toml", "profile = 'padle'\n", "did you mean 'paddle'?"),
    "a date": ("opspec-lint.toml", "profile = 2020-01-01\n", "opspec-lint.toml"),
    "a path out of the repository": ("opspec-lint.toml", "specs = ['../*.json']\n", "leads out of the repository"),
    "a pattern that matches nothing": ("opspec-lint.toml", "specs = ['spec/*.json']\n", "spec/*.json"),
    "an unknown source": ("opspec-lint.toml", "source = 'padle'\n", "padle"),
    "pyproject.toml": ("pyproject.toml", "[tool.opspec-lint]\nprofil = 1\n", "did you mean 'profile'?"),
    "a base that is not there": ("opspec-lint.toml", "base = 'v9'\n", "`git branch` and `git tag` list"),
    RELEASE: ("opspec-lint.toml", "against = ['specs/none.json']\n", "specs/none.json"),
}


@pytest.mark.parametrize(
    ("fault", "where"),
    # What is released, base says: a new release counts from the next change on.
    [(fault, where) for fault in WRONG for where in ("head", "both") if (fault, where) != (RELEASE, "head")],
)
def test_a_wrong_configuration(repository, fault, where):
    file, content, output = WRONG[fault]
    if where == "both":
        repository.commit({SPEC: BASE, file: content})
        repository.stage({SPEC: GROWN})
    else:
        repository.stage({file: content})
    code = FAILED if "not there" in fault and "base" in fault else USAGE
    repository.fails(code, output, texts=["--staged"])


def test_two_configurations(repository):
    repository.stage({"opspec-lint.toml": "", "opspec-lint.yaml": "{}\n"})
    repository.fails(USAGE, "opspec-lint.toml", "opspec-lint.yaml", texts=["--staged"])


def test_a_configuration_that_is_wrong_at_base_alone(repository):
    """It can be repaired: the settings of head are in force, which is said."""
    repository.commit({SPEC: BASE, "opspec-lint.toml": "profil = 'strict'\n"})
    repository.stage({SPEC: BROKEN, "opspec-lint.toml": "profile = 'strict'\n"})
    ran = repository.opspec("check", "--staged")
    assert (ran.returncode, "the configuration of base is invalid" in ran.stdout) == (1, True)


WAIVER = "version: 1\nwaivers:\n- rule: op_removed\n  op: gelu\n  reason: r\n  owner: o\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "opspec-waivers.yaml"),
        ("waivers: [\n", "opspec-waivers.yaml"),
        (WAIVER.replace("version: 1\n", ""), "version"),
        (WAIVER.replace("owner", "ownr"), "did you mean 'owner'?"),
        (WAIVER.replace("  rule", " rule").replace("gelu", "[1]"), "opspec-waivers.yaml"),
        (b"\xff\xff", "opspec-waivers.yaml"),
    ],
    ids=["empty", "no YAML", "no version", "an unknown key", "a wrong type", "binary"],
)
def test_a_wrong_file_of_waivers(repository, content, message):
    repository.stage({SPEC: BROKEN, "opspec-waivers.yaml": content})
    repository.fails(USAGE, message, texts=["--staged"])


@pytest.mark.parametrize(
    "fault",
    ["  owner: o\n", "  reason: r\n", "op_removed", "expires"],
    ids=["no owner", "no reason", "unknown rule", "expired"],
)
def test_a_waiver_that_is_not_in_order_waives_nothing(repository, fault):
    wrong = WAIVER + "  expires: 2020-01-01\n" if fault == "expires" else WAIVER.replace(fault, "op_" * ("op" in fault))
    repository.stage({SPEC: BROKEN, "opspec-waivers.yaml": WAIVER})
    assert repository.check("--staged").returncode == 0
    repository.stage({"opspec-waivers.yaml": wrong})
    ran = repository.check("--staged")
    assert (ran.returncode, "op_removed" in ran.stdout, "waiver_" in ran.stdout) == (1, True, True)


def test_a_file_of_waivers_that_is_named_and_not_there(repository):
    repository.stage({"opspec-lint.toml": "waivers = 'none.yaml'\n"})
    repository.fails(USAGE, "none.yaml", texts=["--staged"])
    repository.fails(USAGE, "missing.yaml", texts=["--waivers", "missing.yaml"])


# --- ourselves


@pytest.mark.parametrize(
    "error", [RuntimeError("boom"), RecursionError(), MemoryError(), AssertionError(), KeyError(1)]
)
@pytest.mark.parametrize("staged", [True, False])
def test_a_crash_inside_a_rule(repository, monkeypatch, capsys, error, staged):
    def crash(*_args, **_kwargs):
        raise error

    for name in repository.environment:
        monkeypatch.setenv(name, repository.environment[name])
    monkeypatch.chdir(repository.top)
    monkeypatch.setattr(rulebook, "rules_for_event", lambda event, _: (rulebook.load(event).replace(when=crash),))
    old = repository.top / "report.txt"
    old.write_text("old")
    texts = ["--staged"] if staged else [f"HEAD:{SPEC}", f":{SPEC}"]
    assert main.main(["check", *texts, "--format", f"json={old}", "--format", "text"]) == FAILED
    output = capsys.readouterr()
    assert output.out == ""
    assert f"internal error: {type(error).__name__}" in output.err
    assert old.read_text() == "old"


def report_to(repository, path, **options):
    return repository.check("--staged", "--format", f"json={path}", "--format", "text", **options)


@pytest.fixture
def old(repository):
    """An old report, and a change whose report is larger than a page."""
    repository.commit({SPEC: big(300)})
    repository.stage({SPEC: big(2)})
    (repository.top / "out").mkdir()
    path = repository.top / "out" / "report.json"
    path.write_text("old")
    return path


def is_intact(old):
    return old.read_text() == "old" and os.listdir(old.parent) == [old.name]


def test_a_device_that_is_full(repository, old):
    ran = report_to(repository, "/dev/full")
    assert (ran.returncode, ran.stdout) == (FAILED, "")
    assert "/dev/full: cannot be written: No space left on device" in ran.stderr
    with open("/dev/full", "w", encoding="utf-8") as full:
        ran = repository.check("--staged", stdout=full, stderr=subprocess.PIPE)
    assert ran.returncode == FAILED
    assert "standard output cannot be written: No space left on device" in ran.stderr
    assert is_intact(old)


@pytest.mark.parametrize("room", [0, 1, 4096])
def test_a_disk_that_is_full(repository, old, room):
    """No file may grow beyond `room` bytes, and the signal that would end us is off, as Python has it."""
    assert report_to(repository, old.parent / "whole.json").returncode == 1
    assert (old.parent / "whole.json").stat().st_size > 4096
    (old.parent / "whole.json").unlink()
    ran = report_to(repository, old, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    assert (ran.returncode, ran.stdout) == (FAILED, "")
    assert f"{old}: cannot be written: File too large" in ran.stderr
    assert is_intact(old)


KILLED = """\
import os, signal, sys
from opspec_lint.cli import main
real = getattr(os, sys.argv[1])
def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, sys.argv[1], die)
sys.exit(main.main(sys.argv[2:]))
"""


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_report_whose_writer_is_killed_half_way(repository, old, step):
    texts = ("check", "--staged", "--format", f"json={old}")
    ran = repository.run(sys.executable, "-c", KILLED, step, *texts)
    assert ran.returncode == -signal.SIGKILL
    assert old.read_text() == "old"
    assert os.listdir(old.parent) != [old.name]
    (old.parent / ".opspec-lint-settings").write_text("not ours")
    assert repository.opspec(*texts).returncode == 1
    assert sorted(os.listdir(old.parent)) == [".opspec-lint-settings", old.name]


def test_a_writer_that_is_interrupted_leaves_nothing_behind(repository, old):
    script = KILLED.replace("SIGKILL", "SIGINT")
    with signals.in_the_foreground():
        ran = repository.run(sys.executable, "-c", script, "fsync", "check", "--staged", "--format", f"json={old}")
    assert ran.returncode == 130
    assert is_intact(old)


def test_of_several_reports_one_cannot_be_written(repository, old):
    ran = repository.check("--staged", "--format", f"json={old}", "--format", f"sarif={__file__}/x")
    assert (ran.returncode, ran.stdout) == (FAILED, "")


@pytest.mark.usefixtures("old")
def test_nobody_reads_what_is_printed(repository):
    read, write = os.pipe()
    os.close(read)
    ran = repository.check("--staged", stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (ran.returncode, ran.stderr) == (FAILED, "")


# --- git


def test_there_is_no_git(repository, tmp_path):
    ran = repository.check("--staged", env={"PATH": str(tmp_path)})
    assert (ran.returncode, ran.stdout) == (FAILED, "")
    assert "git: cannot be run: No such file or directory" in ran.stderr
    assert "install git" in ran.stderr


def test_git_does_not_trust_the_owner_of_the_folder(repository):
    ran = repository.check("--staged", env={"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert (ran.returncode, ran.stdout) == (FAILED, "")
    assert "git: detected dubious ownership in repository" in ran.stderr


def test_there_is_no_repository(tmp_path):
    alone = Repository(tmp_path)
    (tmp_path / "specs").mkdir()
    (tmp_path / SPEC).write_text(BASE)
    ran = alone.opspec("check", env={"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)})
    assert (ran.returncode, ran.stdout) == (USAGE, "")
    assert "not a git repository" in ran.stderr


def test_there_is_nothing_to_check(tmp_path):
    made = Checked.make(tmp_path / "top", {"README": "one"})
    made.fails(USAGE, "there is no configuration, and no spec file under specs/")


@pytest.mark.parametrize("what", [f"HEAD:{SPEC}", f":{SPEC}", "HEAD^{tree}", "HEAD"])
@pytest.mark.parametrize("how", ["removed", "overwritten"])
def test_an_object_that_is_gone(repository, what, how):
    name = repository.git("rev-parse", what)
    path = repository.top / ".git" / "objects" / name[:2] / name[2:]
    path.chmod(0o644)
    if how == "removed":
        path.unlink()
    else:
        path.write_bytes(b"rubbish")
    ran = repository.check("--staged")
    assert (ran.returncode, ran.stdout) == (FAILED, ""), ran.stderr
    assert ran.stderr.count("error: ") == 1


@pytest.mark.parametrize(("what", "code"), [("HEAD", USAGE), ("config", FAILED), ("index", FAILED)])
def test_a_repository_that_is_damaged(repository, what, code):
    """Without a HEAD that it can read, git takes the folder for no repository."""
    (repository.top / ".git" / what).write_text("[rubbish\n")
    ran = repository.check("--staged")
    assert ran.returncode == code, ran.stdout
    assert ran.stdout == ""
    assert ran.stderr.count("error: ") == 1


@pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="there is no such signal")
def test_git_that_fails_where_the_end_of_children_is_ignored(repository):
    """Then the system keeps no exit code of a child, and Python says that it was 0."""
    tree = repository.git("rev-parse", "HEAD^{tree}")
    (repository.top / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with signals.ignored(signal.SIGCHLD):
        started = subprocess.Popen(
            [*OPSPEC, "check", "--staged"],
            cwd=repository.top,
            env=repository.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    out, err = started.communicate(timeout=PATIENCE)
    assert (started.returncode, out, err.count("error: ")) == (FAILED, "", 1)


def remote(repository):
    """Commit on main thrice, and branch off `topic` after the first."""
    first = repository.commit({SPEC: BASE})
    for number in range(2):
        repository.commit({"README": f"{number}"})
    repository.git("branch", "topic", first)
    return first


def advised(output):
    """Return the command that is advised."""
    command = output.partition("advice: ")[2].split("`")[1]
    assert command.startswith("git fetch ")
    return command.split()


@pytest.mark.parametrize("how", ["advice", "--fetch"])
def test_a_shallow_clone_without_the_base(repository, tmp_path, how):
    remote(repository)
    work = repository.clone(tmp_path / "clone", "--depth=1", "--single-branch", "-b", "topic")
    work.__class__ = Checked
    work.stage({SPEC: GROWN})
    output = work.fails(FAILED, "is not a revision", texts=("--staged", "--base", "origin/main"))
    if how == "advice":
        work.git(*advised(output)[1:])
        ran = work.check("--staged", "--base", "origin/main")
        if ran.returncode == FAILED:  # the tip is here now, and the history that leads to it is not
            work.git(*advised(ran.stderr)[1:])
            ran = work.check("--staged", "--base", "origin/main")
    else:
        ran = work.check("--staged", "--base", "origin/main", "--fetch")
    assert (ran.returncode, "op_added" in ran.stdout) == (0, True), ran.stderr
    work.stage({SPEC: BROKEN})
    again = ["--fetch"] if how == "--fetch" else []  # which writes no ref
    assert work.check("--staged", "--base", "origin/main", *again).returncode == 1


@pytest.mark.parametrize("way", ["base", "--fetch"])
def test_a_default_branch_that_is_not_here(repository, tmp_path, way):
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({SPEC: BROKEN})
    repository.git("checkout", "-q", "main")
    work = repository.clone(tmp_path / "clone", "--single-branch", "-b", "topic")
    work.__class__ = Checked
    work.fails(USAGE, "which branch changes are merged into", "--base", "--fetch", texts=["--staged"])
    ran = work.check("--staged", *(["--fetch"] if way == "--fetch" else ["--base", "origin/main", "--fetch"]))
    assert (ran.returncode, "op_removed" in ran.stdout) == (1, True), ran.stderr


def test_an_upstream_branch_that_is_gone_for_good_matters_to_nobody(repository, tmp_path):
    repository.git("branch", "topic")
    work = repository.clone(tmp_path / "clone", "-b", "topic")
    work.__class__ = Checked
    repository.git("branch", "-D", "topic")
    work.git("fetch", "-q", "--prune")
    work.stage({SPEC: BROKEN})
    assert work.check("--staged").returncode == 1


def test_histories_that_have_nothing_in_common(repository):
    repository.git("checkout", "-q", "--orphan", "other")
    repository.commit({SPEC: BROKEN})
    output = repository.fails(FAILED, "has no merge base", texts=["--staged", "--base", "main"])
    assert "--exact" in output
    assert repository.check("--staged", "--base", "main", "--exact").returncode == 1
