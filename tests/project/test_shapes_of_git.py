"""A break that a branch holds is found wherever one stands in git, without a configured base."""

from __future__ import annotations

import pytest

from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import InputError, UsageError
from tests.support.projects import FILE, check, facts, text
from tests.support.repositories import Repository

BASE, BROKEN, GROWN = (
    text("f(X) -> ()", "g() -> ()"),
    text("f() -> ()", "g() -> ()"),
    text("f(X) -> ()", "g() -> ()", "h() -> ()"),
)
THE_BREAK = [("error", "input_removed", "f")]
ONLY_ADDED = [("note", "op_added", "h")]


@pytest.fixture
def origin(tmp_path):
    made = Repository.make(tmp_path / "origin", {FILE: BASE})
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return made


def topic_of(work, name="topic"):
    """Start a branch with a commit that breaks something, and one that does not."""
    work.git("checkout", "-q", "-b", name)
    work.commit({FILE: BROKEN})
    work.commit({"README": "more"})
    return work


def cloned(origin, tmp_path, *flags):
    return origin.clone(tmp_path / "work", *flags)


# --- where the break is found, and against what


def a_clone(origin, tmp_path):
    return topic_of(cloned(origin, tmp_path)), "origin/main"


def pushed(origin, tmp_path):
    work, name = a_clone(origin, tmp_path)
    work.git("push", "-q", "-u", "origin", "topic")
    return work, name


def pushed_under_another_name(origin, tmp_path):
    work, name = a_clone(origin, tmp_path)
    work.git("push", "-q", "-u", "origin", "topic:me/topic")
    return work, name


def without_the_head_of_origin(origin, tmp_path):
    work, name = pushed(origin, tmp_path)
    work.git("remote", "set-head", "origin", "--delete")
    return work, name


def renamed_default(origin, tmp_path):
    origin.git("branch", "-m", "main", "develop")
    return topic_of(cloned(origin, tmp_path)), "origin/develop"


def default_renamed_later(origin, tmp_path):
    """The HEAD of origin leads nowhere since the old branch was pruned."""
    origin.git("branch", "-m", "main", "trunk")
    work = cloned(origin, tmp_path)
    origin.git("branch", "-m", "trunk", "main")
    work.git("fetch", "-q", "--prune")
    return topic_of(work), "origin/main"


def master(origin, tmp_path):
    origin.git("branch", "-m", "main", "master")
    return topic_of(cloned(origin, tmp_path)), "origin/master"


def second_remote(origin, tmp_path):
    return topic_of(cloned(origin, tmp_path, "-o", "github")), "github/main"


def fork(origin, tmp_path):
    """The fork is behind what it was forked from, which has an error of its own by now."""
    fork = origin.clone(tmp_path / "fork", "--bare")
    origin.commit({FILE: text("f(X) -> ()")})
    work = Repository(tmp_path / "work", **origin.environment)
    fork.git("clone", "-q", fork.top.as_uri(), work.top)
    work.git("remote", "add", "upstream", origin.top.as_uri())
    work.git("fetch", "-q", "upstream")
    work.git("checkout", "-q", "--no-track", "-b", "topic", "upstream/main")
    work.commit({FILE: text("f() -> ()")})
    work.git("push", "-q", "-u", "origin", "topic")
    return work, "upstream/main"


def main_of_a_fork(origin, tmp_path):
    """The commits of the fork's own default branch are not those that changes are merged into."""
    work, _ = fork(origin, tmp_path)
    work.git("checkout", "-q", "main")
    work.commit({FILE: BROKEN})
    work.git("push", "-q", "origin", "main")
    return work, "upstream/main"


def fork_of_a_renamed_default(origin, tmp_path):
    """Only the fork's remote says what the default branch is called."""
    origin.git("branch", "-m", "main", "develop")
    work, _ = fork_at(origin, tmp_path, "develop")
    return work, "upstream/develop"


def fork_at(origin, tmp_path, name):
    fork = origin.clone(tmp_path / "fork", "--bare")
    work = Repository(tmp_path / "work", **origin.environment)
    fork.git("clone", "-q", fork.top.as_uri(), work.top)
    work.git("remote", "add", "upstream", origin.top.as_uri())
    work.git("fetch", "-q", "upstream")
    work.git("checkout", "-q", "--no-track", "-b", "topic", f"upstream/{name}")
    return topic_of(work, "mine"), f"upstream/{name}"


def fork_whose_upstream_is_not_fetched(origin, tmp_path):
    work, name = pushed(origin, tmp_path)
    work.git("remote", "add", "upstream", "https://example.org/none")
    return work, name


def no_remote(origin, _tmp_path):
    return topic_of(origin), "main"


def no_remote_and_master(origin, _tmp_path):
    origin.git("branch", "-m", "main", "master")
    return topic_of(origin), "master"


def a_remote_without_branches(origin, _tmp_path):
    origin.git("remote", "add", "origin", "https://example.org/none")
    return topic_of(origin), "main"


def tracking_a_local_branch(origin, tmp_path):
    """The upstream branch of the branch is one that holds the break as well."""
    work, name = a_clone(origin, tmp_path)
    work.git("checkout", "-q", "-b", "second", "--track", "topic")
    work.commit({"README": "second"})
    return work, name


def linked_work_tree(origin, tmp_path):
    work = cloned(origin, tmp_path)
    work.git("worktree", "add", "-q", "-b", "topic", tmp_path / "linked", "origin/main")
    linked = Repository(tmp_path / "linked", **origin.environment)
    linked.commit({FILE: BROKEN})
    return linked, "origin/main"


def submodule(origin, tmp_path):
    outer = Repository.make(tmp_path / "outer", {"README": "outer"})
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", origin.top, "inner")
    return topic_of(Repository(outer.top / "inner", **outer.environment)), "origin/main"


def detached(origin, tmp_path):
    work, name = a_clone(origin, tmp_path)
    work.git("checkout", "-q", "--detach")
    return work, name


def unpushed_on_the_default_branch(origin, tmp_path):
    work = cloned(origin, tmp_path)
    work.commit({FILE: BROKEN})
    work.commit({"README": "more"})
    return work, "origin/main"


def rebasing(origin, tmp_path):
    """In a rebase no branch is checked out."""
    work, name = a_clone(origin, tmp_path)
    work.git("rebase", "-q", "-i", "HEAD~1", env={"GIT_SEQUENCE_EDITOR": "sed -i 1s/pick/edit/"})
    return work, name


def set_up_before_the_first_commit(_origin, tmp_path):
    """`init` on a branch without commits can name no base."""
    work = Repository.make(tmp_path / "work")
    work.write({FILE: BASE})
    ran = work.run("opspec-lint", "init")
    assert ran.returncode == 0, ran.stderr
    work.git("add", ".")
    work.git("commit", "-qm", "first")
    return topic_of(work), "main"


def only_branch_of_another_name(origin, _tmp_path):
    """Without a remote, the only branch is the one that changes are merged into, unless it is checked out itself."""
    origin.git("branch", "-m", "main", "trunk")
    origin.git("checkout", "-q", "--detach")
    origin.commit({FILE: BROKEN})
    return origin, "trunk"


SHAPES = [
    a_clone,
    pushed,
    pushed_under_another_name,
    without_the_head_of_origin,
    renamed_default,
    default_renamed_later,
    master,
    second_remote,
    fork,
    main_of_a_fork,
    fork_of_a_renamed_default,
    fork_whose_upstream_is_not_fetched,
    no_remote,
    no_remote_and_master,
    a_remote_without_branches,
    tracking_a_local_branch,
    linked_work_tree,
    submodule,
    detached,
    unpushed_on_the_default_branch,
    rebasing,
    set_up_before_the_first_commit,
    only_branch_of_another_name,
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_a_committed_break_is_detected(origin, tmp_path, shape):
    work, name = shape(origin, tmp_path)
    for head in (WORK_TREE, INDEX, "HEAD"):
        report = check(work, head=head)
        assert facts(report) == THE_BREAK
        assert report.base.endswith(f", the merge base of HEAD and {name}")


# --- on the default branch


@pytest.mark.parametrize("shape", ["clone", "alone"])
@pytest.mark.parametrize("head", [WORK_TREE, INDEX])
def test_on_the_default_branch_what_is_not_committed_is_compared_with_head(origin, tmp_path, shape, head):
    work = cloned(origin, tmp_path) if shape == "clone" else origin
    name = {"clone": "origin/main", "alone": "main"}[shape]
    report = check(work, head=head)
    assert (facts(report), report.failed) == ([], False)
    assert report.base == f"HEAD ({work.head[:10]}), a commit of {name}"
    work.stage({FILE: BROKEN})
    assert facts(check(work, head=head)) == THE_BREAK
    work.stage({FILE: GROWN})
    assert facts(check(work, head=head)) == ONLY_ADDED


def test_the_only_branch_is_not_its_own_base(origin):
    """Its own earlier breaks would never be reported."""
    origin.git("branch", "-m", "main", "trunk")
    origin.commit({FILE: BROKEN})
    origin.write({"README": "more"})
    ran = origin.run("opspec-lint", "check")
    assert (ran.returncode, "--base HEAD checks what is not committed" in ran.stderr) == (2, True)
    origin.stage({FILE: BASE})
    assert facts(check(origin, base="HEAD")) != []


def test_nothing_changed_is_a_single_line(origin):
    ran = origin.run("opspec-lint", "check")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(ran.stdout.splitlines()) == 1
    ran = origin.run("opspec-lint", "check", env={"CI": "true"})
    assert (ran.returncode, "nothing_compared" in ran.stdout) == (1, True)
    origin.git("checkout", "-q", "--detach")
    ran = origin.run("opspec-lint", "check")
    assert (ran.returncode, "nothing_compared" in ran.stdout) == (1, True)


def test_what_was_pushed_to_the_default_branch_is_compared_no_more(origin, tmp_path):
    origin.git("config", "receive.denyCurrentBranch", "ignore")
    work = cloned(origin, tmp_path)
    work.commit({FILE: BROKEN})
    assert facts(check(work)) == THE_BREAK
    work.git("push", "-q")
    assert facts(check(work)) == []
    assert facts(check(work, is_ci=True)) == [("error", "nothing_compared", "base")]


def test_what_the_default_branch_did_since_is_not_ours(origin, tmp_path):
    work = cloned(origin, tmp_path)
    work.git("checkout", "-q", "-b", "topic")
    work.commit({FILE: GROWN})
    origin.commit({FILE: text("f(X) -> ()")})
    work.git("fetch", "-q")
    assert facts(check(work)) == ONLY_ADDED
    work.git("merge", "-q", "-s", "ours", "origin/main")
    assert ("error", "input_removed", "f") not in facts(check(work))


# --- where the default branch is not here


def narrow(origin, tmp_path, *flags):
    """A clone of a topic that has nothing of the default branch but what the topic has."""
    topic_of(origin)
    origin.git("checkout", "-q", "main")
    work = cloned(origin, tmp_path, "--single-branch", "-b", "topic", *flags)
    assert work.git("for-each-ref", "--format=%(refname)", "refs/remotes").split() == ["refs/remotes/origin/topic"]
    return work


@pytest.mark.parametrize("flags", [(), ("--depth=1",)])
def test_a_branch_whose_default_branch_is_not_here_is_no_base_of_itself(origin, tmp_path, flags):
    work = narrow(origin, tmp_path, *flags)
    for head in (WORK_TREE, INDEX, "HEAD"):
        with pytest.raises(UsageError, match="which branch changes are merged into") as caught:
            check(work, head=head)
        assert "--base" in caught.value.advice
        assert "--fetch" in caught.value.advice
    before = work.state(), work.git("for-each-ref")
    report = check(work, may_fetch=True)
    assert facts(report) == THE_BREAK
    assert report.base.endswith(", the merge base of HEAD and the default branch of origin")
    assert (work.state(), work.git("for-each-ref")) == before


def test_detached_where_nothing_of_the_default_branch_is_here(origin, tmp_path):
    work = narrow(origin, tmp_path, "--depth=1")
    work.git("checkout", "-q", "--detach")
    work.git("branch", "-q", "-D", "topic")
    assert facts(check(work)) == [("error", "nothing_compared", "base")]
    assert facts(check(work, head="HEAD")) == [("error", "nothing_compared", "base")]
    assert facts(check(work, may_fetch=True)) == THE_BREAK


def test_two_branches_of_which_none_is_known_to_be_the_default(origin):
    origin.git("branch", "-m", "main", "trunk")
    topic_of(origin)
    with pytest.raises(UsageError, match="which branch changes are merged into"):
        check(origin)
    assert facts(check(origin, base="trunk")) == THE_BREAK


def test_a_shallow_clone_that_has_the_default_branch_but_not_where_it_was_left(origin, tmp_path):
    topic_of(origin)
    origin.git("checkout", "-q", "main")
    origin.commit({"README": "x"})
    work = cloned(origin, tmp_path, "--depth=1", "--no-single-branch", "-b", "topic")
    with pytest.raises(InputError, match=r"^origin/main: has no merge base with HEAD in this clone"):
        check(work)
    assert facts(check(work, may_fetch=True)) == THE_BREAK


def test_an_orphan_branch_is_compared_with_the_default_branch(origin):
    """Else a history that begins again would lose every op that was promised."""
    origin.git("checkout", "-q", "--orphan", "new")
    origin.stage({FILE: BROKEN})
    report = check(origin)
    assert facts(report) == THE_BREAK
    assert report.base == f"main ({origin.git('rev-parse', 'main')[:10]})"


def test_a_bare_repository(origin, tmp_path):
    topic_of(origin)
    origin.git("checkout", "-q", "main")
    bare = origin.clone(tmp_path / "bare", "--bare")
    assert facts(check(bare, head="topic")) == THE_BREAK
