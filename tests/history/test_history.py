"""A history has the spec of each revision, and can be continued whatever happens to it or to the branch."""

from __future__ import annotations

import json
import os
import random
import sqlite3

import pytest

from opspec_lint.frameworks.paddle.extract.fluid import registrations
from opspec_lint.history import store, walk
from tests.support.histories import DEFAULT, build, dumped, extracted, of_specs, tree
from tests.support.programs import run
from tests.support.projects import FILE, text
from tests.support.repositories import Repository

PADDLE = "paddle-source"
VERSIONS = (
    ["f(X) -> (Out) [axis: INT = 1]"],
    ["f(X) -> (Out) [axis: INT = 2]", "g(X) -> ()"],
    ["f(X, Y) -> (Out) [axis: INT = 2]"],
    ["f(X, Y) -> (Out) [axis: INT = 1, names: STRINGS = ['a']]", "g(X) -> ()"],
)
VERSIONS = tuple([line.replace("'", '"') for line in version] for version in VERSIONS)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder outside of every repository, and we are there."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_history_of_a_spec_file_has_each_of_its_revisions(here, monkeypatch):
    repository, commits = of_specs(here / "top", *VERSIONS)
    monkeypatch.chdir(repository.top)
    build(FILE, here / "h")
    for commit in commits:
        assert extracted(f"history:{here / 'h'}@{commit}") == extracted(f"{commit}:{FILE}")
    assert extracted(f"history:{here / 'h'}") == extracted(FILE)


def test_a_spec_file_is_followed_through_renames(here, monkeypatch):
    repository, commits = of_specs(here / "top", *VERSIONS[:2])
    repository.git("mv", FILE, "specs/new.json")
    renamed = repository.commit({})
    last = repository.commit({"specs/new.json": text(*VERSIONS[2])})
    monkeypatch.chdir(repository.top)
    build("specs/new.json", here / "h")
    for commit, path in [
        *((commit, FILE) for commit in commits),
        (renamed, "specs/new.json"),
        (last, "specs/new.json"),
    ]:
        assert extracted(f"history:{here / 'h'}@{commit}") == extracted(f"{commit}:{path}")


def random_tree(chance):
    """A tree of some ops, one of which may not be resolved."""
    bodies = {op: DEFAULT.format(chance.randrange(3)) for op in "abcd" if chance.random() < 0.8}
    if chance.random() < 0.3:
        bodies["e"] = DEFAULT.format("Unknown()")
    elif chance.random() < 0.8:
        bodies["e"] = DEFAULT.format(chance.randrange(2))
    return tree(**bodies)


@pytest.mark.parametrize("seed", range(3))
def test_a_history_of_a_tree_equals_its_extractions(here, seed):
    chance = random.Random(seed)  # noqa: S311 - no secret
    repository = Repository.make(here / "top")
    commits = []
    for _ in range(8):
        files = random_tree(chance)
        present = repository.git("ls-files").splitlines()
        commits.append(repository.commit({**dict.fromkeys(set(present) - files.keys()), **files}))
    build(f"{PADDLE}:{repository.top}", here / "h")
    for commit in commits:
        mine, result = run("extract", f"history:h@{commit}"), run("extract", f"{PADDLE}:{repository.top}@{commit}")
        assert mine.out == result.out
        assert mine.err.count("cannot be evaluated") == result.err.count("cannot be evaluated")


def test_what_cannot_be_resolved_for_a_while_did_not_change(here):
    repository = Repository.make(here / "top", tree(f=DEFAULT.format(1), g=DEFAULT.format(1)))
    first = repository.head
    repository.commit(tree(f=DEFAULT.format("Unknown()")))
    repository.commit(tree(f=DEFAULT.format(1)))
    build(f"{PADDLE}:{repository.top}", "h")
    assert first[:10] in run("blame", "h", "f").out
    assert repository.head[:10] not in "\n".join(run("blame", "h", "f").out.splitlines()[1:])
    out = run("log", "h", "--rule", "op_removed", "--rule", "op_added").out
    assert out == "0 commits, 0 findings\n"


def test_a_revision_that_cannot_be_read_is_no_change(here, monkeypatch):
    repository, _ = of_specs(here / "top", VERSIONS[0])
    broken = repository.commit({FILE: "{"})
    repository.commit({"other": ""})
    healed = repository.commit({FILE: text(*VERSIONS[0])})
    monkeypatch.chdir(repository.top)
    build(FILE, here / "h")
    for commit in (broken, f"{healed}^"):
        ran = run("extract", f"history:{here / 'h'}@{commit}")
        assert ran.code == 3
        assert "could not be read" in ran.err
    assert extracted(f"history:{here / 'h'}@{healed}") == extracted(FILE)
    assert run("log", here / "h").out.endswith("\n0 commits, 0 findings\n")


@pytest.mark.parametrize("content", ["{", None])
def test_a_gap_is_reported_and_starts_no_new_since(here, monkeypatch, content):
    repository, (first,) = of_specs(here / "top", VERSIONS[0])
    monkeypatch.chdir(repository.top)
    gap = [repository.commit({FILE: content}), repository.commit({"other": ""})]
    back = repository.commit({FILE: text(*VERSIONS[0])})
    remarks = build(FILE, here / "h")
    blamed = json.loads(run("blame", here / "h", "f", "--format", "json").out)
    logged = json.loads(run("log", here / "h", "--format", "json").out)
    assert {field["since"]["commit"] for field in blamed["fields"]} == {first}
    assert logged["commits"] == []
    for unread in (blamed["unread"], logged["unread"]):
        assert [(gap_["from"], gap_["to"], gap_["revisions"]) for gap_ in unread] == [(*gap, 2)]
    line = f"{gap[0][:10]} to {logged_date(repository, gap[1])} {gap[1][:10]}, 2 revisions: {unread[0]['reason']}"
    for text_ in (
        remarks,
        run("log", here / "h").out,
        run("log", here / "h", "--format", "sarif").err,
        run("blame", here / "h", "f").out,
    ):
        assert line in text_
    assert json.loads(run("log", here / "h", f"{back}..", "--format", "json").out)["unread"] == []
    assert "2 revisions" not in run("history", FILE, "--output", here / "h").err


def logged_date(repository, commit):
    """Return the day on which a revision was committed, in UTC."""
    return repository.git("log", "-1", "--format=%cs", commit).strip()


def test_a_source_that_begins_later_has_no_gap_before(here, monkeypatch):
    repository = Repository.make(here / "top")
    repository.commit({"other": ""})
    repository.commit({FILE: text(*VERSIONS[0])})
    monkeypatch.chdir(repository.top)
    assert "not read" not in build(FILE, here / "h")


def test_a_history_that_fails_leaves_no_file(here, monkeypatch):
    repository, _ = of_specs(here / "top", VERSIONS[0])
    monkeypatch.chdir(repository.top)
    unrelated = repository.git("commit-tree", "HEAD^{tree}", "-m", "unrelated").strip()
    ran = run("history", FILE, "--since", unrelated, "--output", here / "h")
    assert ran.code == 2
    assert not (here / "h").exists()


def test_a_history_is_not_written_through_a_link_out_of_the_current_folder(here, monkeypatch):
    repository, _ = of_specs(here / "top", VERSIONS[0])
    monkeypatch.chdir(repository.top)
    (here / "elsewhere").mkdir()
    os.symlink(here / "elsewhere", "link")
    for output, problem in (("link/h", "symbolic link"), ("missing/h", "No such file or directory")):
        ran = run("history", FILE, "--output", output)
        assert ran.code == 3
        assert f"{output}: cannot be written: " in ran.err
        assert problem in ran.err
    assert os.listdir(here / "elsewhere") == []


def test_a_history_without_revisions_is_refused(here):
    with store.open_history_to_write(str(here / "h")):
        pass
    for command in (("log", here / "h"), ("blame", here / "h", "f"), ("extract", f"history:{here / 'h'}")):
        ran = run(*command)
        assert ran.code == 3
        assert "has no revision" in ran.err


def test_a_history_begins_where_it_is_queried_to(here, monkeypatch):
    repository, commits = of_specs(here / "top", *VERSIONS)
    monkeypatch.chdir(repository.top)
    build(FILE, here / "h", "--since", commits[1])
    assert "Change 1" not in run("log", here / "h").out
    assert "Change 2" in run("log", here / "h").out
    assert extracted(f"history:{here / 'h'}@{commits[1]}") == extracted(f"{commits[1]}:{FILE}")
    ran = run("extract", f"history:{here / 'h'}@{commits[0]}")
    assert (ran.code, ran.err.count("advice: ")) == (3, 1)
    ran = run("history", FILE, "--since", commits[0], "--output", here / "h")
    assert (ran.code, ran.err.count("advice: ")) == (2, 1)


def test_a_history_that_was_interrupted_equals_one_that_was_not(here, monkeypatch):
    repository, _ = of_specs(here / "top", *VERSIONS * 5)
    monkeypatch.chdir(repository.top)
    monkeypatch.setattr(walk, "_PORTION", 3)
    build(FILE, here / "whole")
    going = walk._Walk._add
    for stop in (1, 5, 8):
        count = iter(range(100))

        def add(self, *args, stop=stop, count=count):
            if next(count) == stop:
                raise KeyboardInterrupt
            return going(self, *args)

        monkeypatch.setattr(walk._Walk, "_add", add)
        run("history", FILE, "--output", here / "h")
        monkeypatch.setattr(walk._Walk, "_add", going)
    build(FILE, here / "h")
    assert dumped(here / "h") == dumped(here / "whole")


def test_new_commits_are_added(here, monkeypatch):
    repository, _ = of_specs(here / "top", *VERSIONS[:2])
    monkeypatch.chdir(repository.top)
    assert "2 revisions added" in build(FILE, here / "h")
    assert "0 revisions added" in build(FILE, here / "h")
    repository.commit({FILE: text(*VERSIONS[2])})
    assert "1 revision added" in build(FILE, here / "h")
    build(FILE, here / "whole")
    assert dumped(here / "h") == dumped(here / "whole")
    build(f"HEAD~2:{FILE}", here / "h")
    assert dumped(here / "h") == dumped(here / "whole")


def test_a_branch_that_was_rewritten_loses_what_is_gone(here, monkeypatch):
    repository, commits = of_specs(here / "top", *VERSIONS)
    monkeypatch.chdir(repository.top)
    build(FILE, here / "h")
    repository.git("reset", "-q", "--hard", commits[1])
    repository.commit({FILE: text(*VERSIONS[3])})
    assert "2 revisions behind" in build(FILE, here / "h")
    build(FILE, here / "whole")
    assert dumped(here / "h") == dumped(here / "whole")
    assert run("extract", f"history:{here / 'h'}@{commits[2]}").code == 3


def test_a_shallow_clone_has_the_history_from_its_cut_on(here, monkeypatch):
    repository, commits = of_specs(here / "top", *VERSIONS)
    clone = repository.clone(here / "clone", "--depth", "2")
    monkeypatch.chdir(clone.top)
    assert "shallow" in build(FILE, here / "h")
    assert extracted(f"history:{here / 'h'}@{commits[2]}") == extracted(f"{commits[2]}:{FILE}")
    assert run("extract", f"history:{here / 'h'}@{commits[1]}").code == 3


def test_a_merge_counts_for_all_that_it_merges(here, monkeypatch):
    repository, _ = of_specs(here / "top", VERSIONS[0])
    repository.git("checkout", "-q", "-b", "side")
    for version in VERSIONS[1:]:
        repository.commit({FILE: text(*version)}, "on the side")
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-ff", "-m", "Merge pull request #7 from me/side", "side")
    monkeypatch.chdir(repository.top)
    assert "2 revisions added" in build(FILE, here / "h")
    out = run("log", here / "h").out
    assert "Merge pull request #7" in out
    assert "on the side" not in out
    assert "#7" in run("blame", here / "h", "f").out


def test_a_folder_that_was_renamed_has_the_history_since_then(here):
    repository = Repository.make(here / "top", {f"old/{path}": item for path, item in tree(f="").items()})
    before = repository.head
    repository.git("mv", "old", "new")
    renamed = repository.commit({})
    build(f"{PADDLE}:{repository.top}/new", "h")
    assert extracted(f"history:h@{renamed}") == extracted(f"{PADDLE}:{repository.top}/new@{renamed}")
    ran = run("extract", f"history:h@{before}")
    assert (ran.code, "no ops at this revision" in ran.err) == (3, True)
    assert run("log", "h").out == "0 commits, 0 findings\n"


def test_a_full_disk_is_a_single_message_and_the_file_is_continued(here, monkeypatch):
    repository, _ = of_specs(here / "top", *VERSIONS * 5)
    monkeypatch.chdir(repository.top)
    build(FILE, here / "whole")
    monkeypatch.setattr(walk, "_PORTION", 3)
    opened = sqlite3.connect
    pages = (here / "whole").stat().st_size // 4096

    def small(*args, **options):
        database = opened(*args, **options)
        database.execute(f"PRAGMA max_page_count = {pages - 1}")
        return database

    monkeypatch.setattr(sqlite3, "connect", small)
    ran = run("history", FILE, "--output", here / "h")
    assert (ran.code, ran.err.count("error: "), ran.err.count("advice: ")) == (3, 1, 1)
    assert "full" in ran.err
    monkeypatch.setattr(sqlite3, "connect", opened)
    build(FILE, here / "h")
    assert dumped(here / "h") == dumped(here / "whole")


def test_two_processes_do_not_write_at_once(here, monkeypatch):
    repository, _ = of_specs(here / "top", *VERSIONS)
    monkeypatch.chdir(repository.top)
    build(f"HEAD~1:{FILE}", here / "h")
    before = dumped(here / "h")
    with sqlite3.connect(here / "h", isolation_level=None) as another:
        another.execute("BEGIN IMMEDIATE")
        ran = run("history", FILE, "--output", here / "h")
    assert ran.code == 3
    assert "another process writes it" in ran.err
    assert dumped(here / "h") == before


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0 and no more", b"text"], ids=["empty", "torn", "text"])
def test_another_file_is_no_history(here, content):
    (here / "h").write_bytes(content)
    for texts in (("extract", "history:h@HEAD"), ("log", "h"), ("blame", "h", "f")):
        ran = run(*texts)
        assert ran.code in (2, 3)
        assert ran.err.count("error: ") == 1
    if content:
        ran = run("history", f"{PADDLE}:.", "--output", "h")
        assert ran.code in (2, 3)
        assert (here / "h").read_bytes() == content


def test_a_history_of_something_else_is_not_continued(here, monkeypatch):
    repository, _ = of_specs(here / "top", *VERSIONS)
    repository.commit({"specs/other.json": text(*VERSIONS[0])})
    monkeypatch.chdir(repository.top)
    build(FILE, here / "h")
    ran = run("history", "specs/other.json", "--output", here / "h")
    assert ran.code == 3
    assert "is the history of" in ran.err


@pytest.mark.parametrize("source", ["paddle-runtime", "nothing.json", "paddle-source:."])
def test_what_has_no_revisions_has_no_history(here, source):  # noqa: ARG001 - we are there
    ran = run("history", source, "--output", "h")
    assert ran.code in (2, 3)
    assert ran.err.count("advice: ") == 1
    assert not os.path.exists("h")


def test_a_history_goes_on_with_what_the_cache_knows(here, monkeypatch):
    """The parts that were read are handed over at the end, so that new commits do not begin with a whole tree."""
    bodies = {"f": DEFAULT.format(1), "g": DEFAULT.format(2)}
    repository = Repository.make(here / "top", tree(**bodies))
    build(f"{PADDLE}:{repository.top}", "h")
    repository.commit(tree(**bodies | {"f": DEFAULT.format(3)}))
    read = []
    declarations = registrations.declarations
    monkeypatch.setattr(
        registrations, "declarations", lambda space, path: read.append(path) or declarations(space, path)
    )
    build(f"{PADDLE}:{repository.top}", "h")
    assert {path.rpartition("/")[2] for path in read} == {"f_op.cc"}
    assert extracted(f"history:h@{repository.head}") == extracted(f"{PADDLE}:{repository.top}@{repository.head}")
