from __future__ import annotations

import pytest
from repositories import Repository

from opspec_lint import git, objects
from opspec_lint.errors import InputError
from opspec_lint.objects import Objects

LARGE = b"0123456789abcdef\n" * 200_000
FILES = {
    "a": b"one\n",
    "folder/b c": b"no newline",
    "empty": b"",
    "binary": b"\0\xff\n\n",
    "größe": b"u",
    "x blob": b"its name ends like an answer of git",
    "large": LARGE,
    "0:a": b"a colon",
    "new\nline": b"n",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return Repository.make(tmp_path_factory.mktemp("objects") / "top", FILES)


@pytest.fixture
def store(repository):
    made = Objects(git.find(str(repository.top), repository.environment))
    yield made
    made.close()


@pytest.mark.parametrize("revision", ["HEAD", git.INDEX, "HEAD^{tree}"])
@pytest.mark.parametrize("path", FILES)
def test_every_file_comes_back_byte_for_byte(store, revision, path):
    assert store.read(revision, path) == FILES[path]


def test_any_number_in_a_row_in_any_order(store):
    for path in [*FILES, "missing", "folder", *reversed(FILES), "a", "a"]:
        assert store.read("HEAD", path) == FILES.get(path)


@pytest.mark.parametrize(
    "path",
    ["missing", "folder", "folder/", "a/b", "", "missing blob", "missing blob 3", "b tree", "x missing", "a\n", "a\nb"],
)
@pytest.mark.parametrize("revision", ["HEAD", git.INDEX])
def test_what_is_no_file_is_none(store, revision, path):
    assert store.read(revision, path) is None
    assert store.read(revision, "a") == b"one\n"


@pytest.mark.parametrize("revision", ["nowhere", "HEAD~5", "--all"])
def test_a_revision_that_is_not_there_has_no_files(store, revision):
    assert store.read(revision, "a") is None


def test_the_index_is_what_is_staged(repository, store):
    repository.write({"a": "two\n"})
    try:
        assert store.read(git.INDEX, "a") == b"one\n"
    finally:
        repository.git("checkout", "a")


def test_what_is_larger_than_any_spec_is_refused(store, monkeypatch):
    monkeypatch.setattr(objects, "MAX_BYTES", 1000)
    with pytest.raises(InputError, match="large: is larger than"):
        store.read("HEAD", "large")


def test_a_process_that_ended_is_one_message(store):
    store._process.kill()
    store._process.wait()
    with pytest.raises(InputError, match="a: git broke off while it was read"):
        store.read("HEAD", "a")


@pytest.mark.parametrize("what", ["HEAD:folder/b c", "HEAD:folder"])
@pytest.mark.parametrize("how", ["gone", "cut off"])
def test_a_file_whose_object_is_not_here_is_not_taken_for_none(tmp_path, what, how):
    """A configuration that cannot be read must not pass for one that is not there."""
    made = Repository.make(tmp_path / "top", {"folder/b c": b"x" * 1000, "folder/other": b"", "a": b"one\n"})
    identity = made.git("rev-parse", what)
    file = made.top / ".git" / "objects" / identity[:2] / identity[2:]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:10]) if how == "cut off" else file.unlink()
    store = Objects(git.find(str(made.top), made.environment))
    with pytest.raises(InputError, match=r"^folder/b c: (is listed at HEAD, but is not here|git broke off)") as caught:
        store.read("HEAD", "folder/b c")
    assert caught.value.exit_code == 3
    store.close()
    store = Objects(git.find(str(made.top), made.environment))
    assert store.read("HEAD", "a") == b"one\n"
    assert store.read("HEAD", "folder2/b c") is None
    store.close()


def test_without_git_there_is_one_message(repository):
    found = git.find(str(repository.top), repository.environment)
    with pytest.raises(InputError, match=r"^git: cannot be run: "):
        Objects(found.but(folder=str(repository.top / "nowhere")))
    assert Objects(found).close() is None
