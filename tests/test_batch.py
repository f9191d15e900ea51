from __future__ import annotations

import os
import subprocess

import pytest

from opspec_lint import batch, git

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    for number in range(700):
        (tmp_path / "a" / f"{number}.txt").write_text(f"{number}\n" * number)
    (tmp_path / "a" / "b" / "ä b.txt").write_text("deep")
    (tmp_path / "a" / "link").symlink_to("0.txt")
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, env=ENVIRONMENT, check=True)
    return git.find(str(tmp_path), ENVIRONMENT)


def test_many_objects_through_one_process(repository):
    reader = batch.Batch(repository)
    names = [f"HEAD:a/{number}.txt" for number in range(700)]
    found = list(reader.read(names, 10_000))
    assert [data for _, _, data in found] == [f"{number}\n".encode() * number for number in range(700)]
    assert all(len(blob) == 40 for _, blob, _ in found)
    reader.close()
    reader.close()


def test_what_is_missing_no_file_or_too_large_has_no_content(repository):
    reader = batch.Batch(repository)
    names = ["HEAD:none with spaces", "HEAD:a", "HEAD:a/699.txt", "HEAD:a/1.txt"]
    found = [(name, bool(blob), data) for name, blob, data in reader.read(names, 100)]
    assert found == [(names[0], False, None), (names[1], True, None), (names[2], True, None), (names[3], True, b"1\n")]
    reader.close()


@pytest.mark.parametrize("revision", ["HEAD", git.INDEX])
def test_listings_leave_links_out(repository, revision):
    found = batch.blobs(repository, revision, ["a"])
    assert len(found) == 701
    assert "a/b/ä b.txt" in found
    assert "a/link" not in found


def test_a_listing_of_folders_alone(repository):
    assert len(batch.blobs(repository, "HEAD", ["a"], deep=False)) == 700
    assert not repository.is_partial()
