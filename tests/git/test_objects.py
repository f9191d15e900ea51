from __future__ import annotations

import fcntl
import subprocess

import pytest

from opspec_lint.git import objects
from opspec_lint.git.listing import blobs
from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import INDEX, repository_around
from opspec_lint.kit.errors import InputError
from tests.support.repositories import Repository, environment

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


ENVIRONMENT = environment()


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return Repository.make(tmp_path_factory.mktemp("objects") / "top", FILES)


@pytest.fixture
def store(repository):
    made = Objects(repository_around(str(repository.top), repository.environment))
    yield made
    made.close()


@pytest.mark.parametrize("revision", ["HEAD", INDEX, "HEAD^{tree}"])
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
@pytest.mark.parametrize("revision", ["HEAD", INDEX])
def test_what_is_no_file_is_none(store, revision, path):
    assert store.read(revision, path) is None
    assert store.read(revision, "a") == b"one\n"


@pytest.mark.parametrize("revision", ["nowhere", "HEAD~5", "--all"])
def test_a_revision_that_is_not_there_has_no_files(store, revision):
    assert store.read(revision, "a") is None


def test_the_index_is_what_is_staged(repository, store):
    repository.write({"a": "two\n"})
    try:
        assert store.read(INDEX, "a") == b"one\n"
    finally:
        repository.git("checkout", "a")


def test_what_is_larger_than_any_spec_is_refused(store, monkeypatch):
    monkeypatch.setattr(objects, "MAX_BYTES", 1000)
    with pytest.raises(InputError, match="large: is larger than"):
        store.read("HEAD", "large")


def test_a_process_that_ended_is_a_single_message(store):
    store.read("HEAD", "a")
    store._process.kill()
    store._process.wait()
    with pytest.raises(InputError, match="a: git stopped while opspec-lint read it"):
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
    store = Objects(repository_around(str(made.top), made.environment))
    with pytest.raises(
        InputError, match=r"^folder/b c: (is listed at HEAD, but missing here|git stopped while)"
    ) as caught:
        store.read("HEAD", "folder/b c")
    assert caught.value.exit_code == 3
    store.close()
    store = Objects(repository_around(str(made.top), made.environment))
    assert store.read("HEAD", "a") == b"one\n"
    assert store.read("HEAD", "folder2/b c") is None
    store.close()


def test_without_git_there_is_a_single_message(repository):
    result = repository_around(str(repository.top), repository.environment)
    with pytest.raises(InputError, match=r"^git: cannot be run: "):
        Objects(result.replace(folder=str(repository.top / "nowhere"))).read("HEAD", "a")
    assert Objects(result).close() is None


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A repository of 702 files, which tests only read."""
    top = tmp_path_factory.mktemp("many")
    (top / "a" / "b").mkdir(parents=True)
    for number in range(700):
        (top / "a" / f"{number}.txt").write_text(f"{number}\n" * number)
    (top / "a" / "b" / "ä b.txt").write_text("deep")
    (top / "a" / "link").symlink_to("0.txt")
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *arguments], cwd=top, env=ENVIRONMENT, check=True)
    return repository_around(str(top), ENVIRONMENT)


def test_many_objects_through_a_single_process(many):
    reader = Objects(many)
    names = [f"HEAD:a/{number}.txt" for number in range(700)]
    result = list(reader.read_many(names, 10_000))
    assert [data for _, _, data in result] == [f"{number}\n".encode() * number for number in range(700)]
    assert all(len(blob) == 40 for _, blob, _ in result)
    reader.close()
    reader.close()


def test_what_is_missing_no_file_or_too_large_has_no_content(many):
    reader = Objects(many)
    names = ["HEAD:none with spaces", "HEAD:a", "HEAD:a/699.txt", "HEAD:a/1.txt"]
    rows = [(name, bool(blob), data) for name, blob, data in reader.read_many(names, 100)]
    assert rows == [(names[0], False, None), (names[1], True, None), (names[2], True, None), (names[3], True, b"1\n")]
    reader.close()


@pytest.mark.parametrize("revision", ["HEAD", INDEX])
def test_listings_leave_links_out(many, revision):
    result = blobs(many, revision, ["a"])
    assert len(result) == 701
    assert "a/b/ä b.txt" in result
    assert "a/link" not in result


def test_names_longer_than_a_pipe_hang_nobody(many):
    reader = Objects(many)
    names = [f"HEAD:{number}{'/x' * 2000}" for number in range(300)] + ["HEAD:" + "y" * 200_000, "HEAD:a/1.txt"]
    assert [data for _, _, data in reader.read_many(names, 100)] == [None] * 301 + [b"1\n"]
    reader.close()


@pytest.mark.skipif(not hasattr(fcntl, "F_SETPIPE_SZ"), reason="only Linux says how large a pipe is")
def test_names_and_answers_that_fill_the_smallest_pipes_hang_nobody(many):
    """A user who has many pipes open gets small ones."""
    reader = Objects(many)
    assert next(reader.read_many(["HEAD:a/1.txt"], 100))[2] == b"1\n"
    for pipe in objects._pipes(reader._process):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 4096)
    names = [f"HEAD:a/{number}.txt" for number in range(100, 700)] * 3
    result = list(reader.read_many(names, 10_000))
    assert [len(data) for _, _, data in result] == [4 * number for number in range(100, 700)] * 3
    reader.close()


def test_a_name_with_a_line_break_is_no_second_request(many):
    reader = Objects(many)
    names = ["HEAD:a/1.txt\nHEAD:a/2.txt", "HEAD:a/2.txt"]
    assert [data for _, _, data in reader.read_many(names, 100)] == [b"2\n2\n"]
    reader.close()


def test_answers_that_nobody_read_are_not_those_of_the_next_question(many):
    reader = Objects(many)
    abandoned = reader.read_many(["HEAD:a/1.txt", "HEAD:a/2.txt", "HEAD:a/3.txt"], 100)
    assert next(abandoned)[2] == b"1\n"
    assert reader.read("HEAD", "a/5.txt") == b"5\n" * 5
    assert reader.read("HEAD", "a/2.txt") == b"2\n" * 2
    reader.close()


@pytest.mark.parametrize(
    "revision", ["HEAD", "HEAD~1", "main", "HEAD^{tree}", "HEAD:a", "^HEAD", "nowhere", "a b", "\n"]
)
def test_a_commit_is_what_rev_parse_states(many, revision):
    reader = Objects(many)
    assert reader.commit(revision) == many.commit(revision)
    reader.close()
