from __future__ import annotations

import hashlib
import os

import pytest

from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.notation import parse_spec
from tests.support.programs import run
from tests.support.projects import FILE, config, text
from tests.support.repositories import Repository

LINES = ("f(X) -> (Out)", "g() -> ()")
SAME, ANOTHER = text(*LINES), text("f(X) -> (Out)", "g(Y) -> ()")
SETTINGS = {"specs": [{"file": FILE, "source": "paddle-runtime"}]}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository whose spec file is what its source yields; no interpreter is asked."""
    fake = SOURCES.load("paddle-runtime").replace(extract=lambda *_: parse_spec("\n".join(LINES)))
    monkeypatch.setitem(SOURCES._loaded, "paddle-runtime", fake)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    made = Repository.make(tmp_path / "top", {FILE: SAME, "opspec-lint.yaml": config(**SETTINGS)})
    monkeypatch.chdir(made.top)
    return made


@pytest.mark.parametrize("settings", [SETTINGS, {"specs": [FILE], "source": "paddle-runtime"}])
def test_what_is_the_same_is_clean(repository, settings):
    repository.write({"opspec-lint.yaml": config(**settings)})
    for staged in ([], ["--staged"]):
        ran = run("sync", *staged)
        assert (ran.code, ran.out, ran.err) == (0, f"{FILE} is up to date with paddle-runtime\n", "")


LAST = SAME.count("\n") + 1
CHANGED = next(number for number, line in enumerate(ANOTHER.split("\n"), 1) if line not in SAME.split("\n"))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (ANOTHER, CHANGED),
        (SAME + "\n", LAST),
        (SAME.replace("\n", "\r\n"), 1),
        (SAME[:-1], LAST - 1),
        (SAME + " ", LAST),
        ("", 1),
    ],
)
def test_what_differs_by_a_byte_is_named_with_what_mends_it(repository, content, line):
    repository.write({FILE: content})
    ran = run("sync")
    assert (ran.code, ran.err) == (1, "")
    mending = f"opspec-lint extract paddle-runtime --output {FILE}"
    assert ran.out == f"{FILE} differs from paddle-runtime from line {line} on; run `{mending}`\n"
    assert run("extract", "paddle-runtime", "--output", FILE).code == 0
    assert run("sync").code == 0


def test_what_is_staged_counts_where_it_is_requested(repository):
    repository.stage({FILE: ANOTHER})
    repository.write({FILE: SAME})
    assert (run("sync").code, run("sync", "--staged").code) == (0, 1)


def test_a_missing_file_is_named(repository):
    repository.write({FILE: None})
    ran = run("sync")
    assert ran.code == 1
    assert f"{FILE} is missing; run `opspec-lint extract paddle-runtime --output {FILE}`" in ran.out


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "no configuration names the source of the spec files"),
        ({"specs": [FILE]}, "no configuration names the source of the spec files"),
        ({"source": "paddle-runtime"}, "`source` applies to one spec file, but there are 0"),
        ({"source": "paddle-runtime", "specs": [FILE, "x"]}, "`source` applies to one spec file, but there are 2"),
        ({"source": "paddle-runtime", **SETTINGS}, "`source` applies to one spec file, but there are 1"),
        ({"source": "paddle-runtime", "specs": ["specs/*"]}, "'specs/*' is a pattern; a source belongs to one file"),
        ({"spec": []}, "unknown key"),
    ],
)
def test_a_configuration_that_does_not_state_is_wrong_usage(repository, settings, message):
    repository.write({"opspec-lint.yaml": config(**settings)})
    ran = run("sync")
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.usefixtures("repository")
def test_a_configuration_that_is_named(tmp_path):
    (tmp_path / "other.yaml").write_text(config(specs=[{"file": "x.json", "source": "paddle-runtime"}]))
    ran = run("sync", "--config", tmp_path / "other.yaml")
    assert (ran.code, "x.json is missing" in ran.out) == (1, True)


def test_no_repository_is_wrong_usage(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    ran = run("sync")
    assert (ran.code, ran.out) == (2, "")
    assert "this is not a git repository" in ran.err


def test_a_source_that_cannot_be_queried_is_a_failure(repository):
    repository.write({"opspec-lint.yaml": config(specs=[{"file": FILE, "source": "paddle-runtim"}])})
    ran = run("sync")
    assert (ran.code, ran.out) == (3, "")
    assert "did you mean 'paddle-runtime'?" in ran.err


EXPORT = "export/ops.json"
OF_A_FILE = {"specs": [{"file": FILE, "source": EXPORT}]}


@pytest.fixture
def exporting(tmp_path, monkeypatch):
    """A repository whose spec file is extracted from another file of it."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    made = Repository.make(tmp_path / "top", {FILE: SAME, EXPORT: SAME, "opspec-lint.yaml": config(**OF_A_FILE)})
    monkeypatch.chdir(made.top)
    return made


def test_the_staged_source_is_compared_with_the_staged_file(exporting):
    exporting.write({EXPORT: ANOTHER})
    assert (run("sync").code, run("sync", "--staged").code) == (1, 0)
    exporting.git("add", EXPORT)
    exporting.write({EXPORT: SAME})
    ran = run("sync", "--staged")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        f"{FILE} differs from {EXPORT} (staged) from line {CHANGED} on; "
        f"run `opspec-lint extract :{EXPORT} --output {FILE}`\n"
    )
    assert run("extract", f":{EXPORT}", "--output", FILE).code == 0
    exporting.git("add", FILE)
    assert run("sync", "--staged").code == 0


def test_a_staged_source_may_be_gone_from_the_work_tree(exporting):
    exporting.write({EXPORT: None})
    assert (run("sync").code, run("sync", "--staged").code) == (3, 0)


def test_a_source_that_git_does_not_track_is_read_from_the_work_tree(exporting):
    exporting.git("rm", "-q", "--cached", EXPORT)
    ran = run("sync", "--staged")
    assert (ran.code, ran.out) == (0, f"{FILE} is up to date with {EXPORT}\n")


def test_a_source_counts_from_the_top_of_the_repository(exporting, monkeypatch):
    monkeypatch.chdir(exporting.top / "export")
    assert (run("sync").code, run("sync", "--staged").code) == (0, 0)


def test_a_staged_folder_of_op_lists_is_read_as_a_whole(exporting):
    lists = {"export/all/a.pbtxt": 'op { name: "A" }\n', "export/all/b.pbtxt": 'op { name: "B" }\n'}
    exporting.stage({**lists, "opspec-lint.yaml": config(specs=[{"file": FILE, "source": "export/all"}])})
    assert run("extract", "export/all", "--output", FILE).code == 0
    exporting.git("add", FILE)
    exporting.write({"export/all/b.pbtxt": 'op { name: "C" }\n'})
    assert (run("sync").code, run("sync", "--staged").code) == (1, 0)
    exporting.git("add", "export/all/b.pbtxt")
    assert run("sync", "--staged").code == 1


def test_the_content_of_a_staged_pointer_of_git_lfs_is_read(exporting):
    data = ANOTHER.encode()
    name = hashlib.sha256(data).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{name}\nsize {len(data)}\n"
    exporting.stage({EXPORT: pointer})
    exporting.write({EXPORT: SAME})
    ran = run("sync", "--staged")
    assert (ran.code, ran.out) == (3, "")
    assert f":{EXPORT}: is a pointer of git-lfs" in ran.err
    stored = exporting.top / ".git/lfs/objects" / name[:2] / name[2:4] / name
    stored.parent.mkdir(parents=True)
    stored.write_bytes(data)
    assert run("sync", "--staged").code == 1
    exporting.stage({FILE: ANOTHER})
    assert run("sync", "--staged").code == 0


@pytest.mark.parametrize("content", [ANOTHER, SAME.replace("\n", "\r\n"), "", None, "\ufeff" + SAME])
def test_what_differs_is_written(repository, content):
    repository.write({FILE: content})
    diff = run("sync", "--diff")
    assert (diff.code, (repository.top / FILE).exists()) == (1, content is not None)
    ran = run("sync", "--fix")
    assert (ran.code, ran.out, (repository.top / FILE).read_bytes()) == (0, f"{FILE} is written\n", SAME.encode())
    if content:
        repository.write({FILE: content})
        (repository.top.parent / "diff").write_bytes(diff.out.encode())
        repository.git("apply", "--whitespace=nowarn", "../diff")
        assert (repository.top / FILE).read_bytes() == SAME.encode()
    assert run("sync", "--fix").out == f"{FILE} is up to date with paddle-runtime\n"


@pytest.mark.usefixtures("repository")
def test_what_is_staged_is_not_written():
    assert run("sync", "--fix", "--staged").code == 2
