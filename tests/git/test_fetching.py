from __future__ import annotations

import pytest

from opspec_lint.git.fetching import require_commit, unshallow
from opspec_lint.git.repository import repository_around
from opspec_lint.kit.errors import InputError
from tests.support.repositories import Repository


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A repository with five commits on main, of which the last is a merge of `side`, a branch and a tag of it."""
    made = Repository.make(tmp_path_factory.mktemp("template") / "origin")
    for number in range(4):
        made.commit({"a": f"{number}\n"}, f"{number}")
    made.git("checkout", "-qb", "side", "HEAD~1")
    made.commit({"b": "side\n"})
    made.git("checkout", "-q", "main")
    made.git("merge", "-q", "--no-edit", "side")
    made.git("tag", "-a", "-m", "one", "v1.0", "main~2")
    made.git("branch", "feat", "main~1")
    made.git("branch", "deep/feat", "main~1")
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    return made


@pytest.fixture
def origin(tmp_path, template):
    return template.copy(tmp_path / "origin")


@pytest.fixture
def clone(origin, tmp_path):
    """Return a function that makes a clone of some depth of a branch."""

    def clone(*flags):
        return origin.clone(tmp_path / "clone", *(flags or ("--depth=1", "--single-branch", "-b", "main")))

    return clone


def reported(work, revision, **more):
    return require_commit(repository_around(str(work.top), work.environment), revision, **more)


def refs(work):
    return work.git("for-each-ref")


LACKING = {
    "HEAD~1": "main~1",
    "HEAD^": "main^",
    "@~1": "main~1",
    "@^^": "main^^",
    "HEAD~2": "main~2",
    "HEAD^2": "main^2",
    "main~2": "main~2",
    "main^2~1": "main^2~1",
    "origin/main^2": "main^2",
    "origin/main~3": "main~3",
    "feat": "feat",
    "feat~1": "feat~1",
    "origin/feat": "feat",
    "origin/feat~1^": "feat~2",
    "origin/deep/feat": "feat",
    "deep/feat": "feat",
    "v1.0": "v1.0^{commit}",
    "v1.0~1": "v1.0~1",
}


@pytest.mark.parametrize("revision", LACKING)
def test_what_is_requested_is_fetched_and_no_ref_is_written(origin, clone, revision):
    work = clone()
    before = refs(work)
    with pytest.raises(InputError, match="is not a revision"):
        reported(work, revision)
    assert reported(work, revision, may_fetch=True) == origin.git("rev-parse", LACKING[revision])
    assert refs(work) == before


@pytest.mark.parametrize("revision", LACKING)
def test_the_command_that_is_advised_brings_it(origin, clone, revision):
    work = clone()
    with pytest.raises(InputError) as caught:
        reported(work, revision)
    command = caught.value.advice.split("`")[1].split()
    assert command[:2] == ["git", "fetch"]
    work.git(*command[1:])
    assert reported(work, revision) == origin.git("rev-parse", LACKING[revision])
    assert work.run("git", "rev-parse", "--verify", "-q", "refs/heads/HEAD").returncode == 1


@pytest.mark.parametrize(("may_fetch", "is_named"), [(None, False), (False, True)])
def test_the_option_is_advised_only_where_there_is_one(clone, may_fetch, is_named):
    with pytest.raises(InputError) as caught:
        reported(clone(), "v1.0", may_fetch=may_fetch)
    assert caught.value.advice.endswith("or use --fetch") == is_named


def test_the_id_of_a_commit(origin, clone):
    work = clone()
    commit = origin.git("rev-parse", "main~2")
    assert reported(work, commit, may_fetch=True) == commit
    assert reported(work, f"{commit}~1", may_fetch=True) == origin.git("rev-parse", "main~3")


def test_a_commit_of_our_own_on_top(origin, clone):
    """The remote does not know it, but what lies below."""
    work = clone()
    work.commit({"c": "ours\n"})
    before = refs(work)
    assert reported(work, "HEAD~2", may_fetch=True) == origin.git("rev-parse", "main~1")
    assert refs(work) == before


@pytest.mark.parametrize(
    "revision", ["HEAD~9", "main~9", "HEAD^3", "ORIG_HEAD", "FETCH_HEAD~1", "HEAD:a", "a..b", "-x"]
)
def test_what_no_fetch_brings_is_not_advised_to_be_fetched(clone, revision):
    work = clone("-b", "main")
    with pytest.raises(InputError) as caught:
        reported(work, revision, may_fetch=True)
    assert caught.value.advice == ""


def test_what_the_remote_lacks_too_is_a_single_error(clone):
    work = clone()
    for revision in ("none", "origin/none~1"):
        with pytest.raises(InputError, match=f"^{revision}: is no branch or tag of the remote origin") as caught:
            reported(work, revision, may_fetch=True)
        assert caught.value.advice == "`git ls-remote origin` lists its branches and tags"
    with pytest.raises(InputError, match=r"^git fetch: "):
        reported(work, "f" * 40, may_fetch=True)
    with pytest.raises(InputError, match="is not a revision"):
        reported(work, "HEAD~9", may_fetch=True)


@pytest.mark.parametrize(
    ("revision", "advice"),
    [
        ("upstream/main", "there is no remote 'upstream': did you mean 'origin/main'?"),
        ("upstream/main~1", "there is no remote 'upstream': did you mean 'origin/main~1'?"),
        ("upstream/master", "there is no remote 'upstream': did you mean 'origin/main'?"),
        ("origin/master", "did you mean 'origin/main'?"),
        ("master", "did you mean 'origin/main'?"),
        ("develop~2", "did you mean 'origin/main~2'?"),
        ("upstream/none", "there is no remote 'upstream'; the remotes are: origin"),
    ],
)
def test_a_usual_name_that_no_remote_has_names_the_branch_that_there_is(clone, revision, advice):
    work = clone("-b", "main")
    work.git("checkout", "-q", "-b", "topic")
    work.git("branch", "-q", "-D", "main")
    with pytest.raises(InputError) as caught:
        reported(work, revision, may_fetch=False)
    is_of_no_remote = revision.startswith("upstream/")
    rest = caught.value.advice.removeprefix(advice)
    assert rest.startswith("" if is_of_no_remote else " If not, run `git fetch ")
    assert bool(rest) != is_of_no_remote
    problem = "is not a revision of" if is_of_no_remote else "is no branch or tag of the remote origin"
    with pytest.raises(InputError, match=problem) as caught:
        reported(work, revision, may_fetch=True)
    assert caught.value.advice == advice


def test_all_history(origin, clone):
    work = clone()
    before = refs(work)
    repository = repository_around(str(work.top), work.environment)
    unshallow(repository)
    assert not repository.is_shallow()
    assert refs(work) == before
    assert work.git("rev-list", "--count", "HEAD") == origin.git("rev-list", "--count", "main")
