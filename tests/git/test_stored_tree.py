"""The tree of a commit is read folder by folder; what it says is what git lists."""

from __future__ import annotations

import pytest

from opspec_lint.git.first_parents import PathChange
from opspec_lint.git.folder_tree import FolderTree
from opspec_lint.git.listing import blobs_and_links
from opspec_lint.git.moving_tree import MovingTree
from opspec_lint.git.repository import INDEX
from opspec_lint.git.stored_tree import CommitTree, index_tree
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.repositories import Repositories
from tests.support.repositories import Repository

FILES = {"a": "1", "b/c": "2", "b/d/e": "3", "b/d/ä b": "4", "b.x/f": "5", "b/d.x": "6"}


@pytest.fixture
def made(tmp_path):
    repository = Repository.make(tmp_path / "top", FILES)
    (repository.top / "b" / "link").symlink_to("c")
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "two")
    return repository


@pytest.fixture
def opened(made):
    with Repositories(made.environment) as every:
        yield every.at(str(made.top))


def tree(opened, revision="HEAD", prefix=""):
    if revision == INDEX:
        return index_tree("tree", opened, prefix)
    return CommitTree("tree", opened, opened.commit(revision), prefix)


@pytest.mark.parametrize("revision", ["HEAD", "HEAD~1", INDEX])
@pytest.mark.parametrize("folders", [("b",), ("b", "b.x"), ("b/d",), ("none",), ("b", "none/at/all")])
def test_a_listing_is_what_git_lists(opened, revision, folders):
    result = tree(opened, revision)
    expected = blobs_and_links(opened.repository, revision and opened.commit(revision), folders)
    assert (result.blobs(folders), result.links) == expected


@pytest.mark.parametrize("read", ["HEAD", INDEX, "folder", "moving"])
def test_the_files_directly_in_a_folder_are_those_of_any_ending(made, opened, read):
    if read == "folder":
        result = FolderTree("tree", str(made.top), (".cc",))
    elif read == "moving":
        result = MovingTree("tree", opened, opened.commit("HEAD"), "")
    else:
        result = tree(opened, read)
    folders = ("b", "none", "b/d")
    listed = blobs_and_links(opened.repository, opened.commit("HEAD"), folders)[0]
    expected = {path: blob for path, blob in listed.items() if path.rpartition("/")[0] in folders}
    assert expected
    assert result.direct_files(folders) == expected
    if read == "moving":
        accessed = [PathChange(path=path, mode="100644", blob="0") for path in ("b/new", "b/d/new", "b/x/new", "new")]
        assert [result.accessed.concerns([change]) for change in accessed] == [True, True, False, False]


@pytest.mark.parametrize("revision", ["HEAD", INDEX])
def test_a_prefix_is_the_root(opened, revision):
    result = tree(opened, revision, "b/")
    assert sorted(result.blobs(("d",))) == ["d/e", "d/ä b"]
    assert result.read(["d/e", "c", "a", "b/c", "../a", ""]) == {
        "d/e": b"3", "c": b"2", "a": None, "b/c": None, "../a": None, "": None
    }  # fmt: skip


@pytest.mark.parametrize("revision", ["HEAD", INDEX])
def test_what_is_no_file_has_no_content(opened, revision):
    result = tree(opened, revision).read(["a", "b", "b/link", "b/d", "c/d", "a/b", "b/d/", "b//c", "a\n"])
    assert {path for path, data in result.items() if data is not None} == {"a"}


def test_folders_have_ids_and_links_have_none(made, opened):
    actual = tree(opened).identify(["b", "b/d", "b/c", "b/link", "none"])
    names = {path: made.git("rev-parse", f"HEAD:{path}").strip() for path in ("b", "b/d", "b/c")}
    assert actual == names | {"b/link": "", "none": ""}


def test_what_is_known_of_folders_is_not_read(made, opened):
    first = tree(opened)
    first.blobs(("b",))
    kept = first.read_folders()
    for item in kept:
        (made.top / ".git" / "objects" / item[:2] / item[2:]).unlink()
    with Repositories(made.environment) as again:
        second = tree(again.at(str(made.top)))
        second.folders.update(kept)
        assert second.blobs(("b",)) == first.blobs(("b",))
        assert second.read_folders() == kept


@pytest.mark.parametrize("path", ["", "b", "b/d"])
def test_a_folder_that_is_missing_is_named(made, opened, path):
    identity = made.git("rev-parse", f"HEAD:{path}").strip()
    result = tree(opened)
    (made.top / ".git" / "objects" / identity[:2] / identity[2:]).unlink()
    with pytest.raises(InputError, match=rf"lacks the object {identity} \({path}\)"):
        result.blobs(("b",))


def test_ids_of_sha256_are_read_in_full(tmp_path):
    made = Repository.make(tmp_path / "top", FILES, GIT_DEFAULT_HASH="sha256")
    with Repositories(made.environment) as every:
        result = tree(every.at(str(made.top)))
        assert result.read(["b/d/e"]) == {"b/d/e": b"3"}
        assert {len(item) for item in result.read_folders()} == {64}
