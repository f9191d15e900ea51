from __future__ import annotations

import pytest

from opspec_lint.git.base_names import merge_base_of_range
from opspec_lint.git.objects import Objects
from opspec_lint.git.open_repository import OpenRepository
from opspec_lint.git.repository import INDEX, WORK_TREE, repository_around
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.project.base import find_base, head_snapshot
from opspec_lint.sources.reading import Reading
from tests.support.repositories import SPEC, Repository, spec

HEADS = [INDEX, WORK_TREE]


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """Two commits on main, and two on topic, which parted from it at the first."""
    made = Repository.make(tmp_path_factory.mktemp("template") / "top", {"a": "1"})
    made.first = made.head
    made.git("branch", "topic")
    made.main = made.commit({"b": "1"})
    made.git("checkout", "-q", "topic")
    made.commit({"c": "1"})
    made.topic = made.commit({"c": "2"})
    return made


@pytest.fixture
def repository(tmp_path, template):
    made = template.copy(tmp_path / "top")
    made.first, made.main, made.topic = template.first, template.main, template.topic
    return made


def find(repository, expected=None, head=WORK_TREE, **options):
    result = repository_around(str(repository.top), repository.environment)
    store = Objects(result)
    try:
        may_fetch = options.get("may_fetch", False)
        return find_base(
            head_snapshot(OpenRepository(result, store), head, Reading(may_fetch=may_fetch)), expected, **options
        )
    finally:
        store.close()


@pytest.mark.parametrize("head", [*HEADS, "HEAD", "topic~1"])
def test_the_point_where_the_two_parted(repository, head):
    base = find(repository, "main", head)
    assert base.revision == repository.first
    assert base.title == f"{repository.first[:10]}, the merge base of HEAD and main"
    exact = find(repository, "main", head, is_exact=True)
    assert (exact.revision, exact.title) == (repository.main, f"main ({repository.main[:10]})")


def test_a_commit_is_called_by_its_own_name(repository):
    assert find(repository, repository.main, is_exact=True).title == repository.main[:10]
    assert find(repository, repository.main[:7], is_exact=True).title == repository.main[:10]


@pytest.mark.parametrize("is_detached", [False, True])
@pytest.mark.parametrize("head", [*HEADS, "HEAD"])
def test_without_a_name_it_is_the_default_branch(repository, head, is_detached):
    if is_detached:
        repository.git("checkout", "-q", "--detach")
    base = find(repository, head=head)
    assert (base.revision, base.tip) == (repository.first, repository.main)
    assert base.title == f"{repository.first[:10]}, the merge base of HEAD and main"


def test_a_detached_head_is_its_own_base_where_no_branch_is_known(repository):
    repository.git("checkout", "-q", "--detach")
    repository.git("branch", "-q", "-m", "main", "trunk")
    for head in (*HEADS, "HEAD"):
        base = find(repository, head=head)
        assert base.revision == repository.topic
        assert base.title == f"HEAD ({repository.topic[:10]}), as no default branch is known"
    with pytest.raises(UsageError, match="which branch changes are merged into"):
        find(repository, head="trunk")


@pytest.mark.parametrize("head", HEADS)
def test_on_the_first_branch_before_its_first_commit_it_is_the_empty_tree(tmp_path, head):
    repository = Repository.make(tmp_path / "top")
    base = find(repository, head=head)
    assert repository.git("cat-file", "-t", base.revision) == "tree"
    assert repository.git("ls-tree", base.revision) == ""
    assert base.title == "the empty tree, as there is no commit yet"


@pytest.mark.parametrize("expected", [None, "main"])
@pytest.mark.parametrize("head", HEADS)
def test_on_another_branch_without_a_commit_it_is_the_tip_of_the_base_branch(repository, head, expected):
    repository.git("checkout", "-q", "--orphan", "new")
    assert find(repository, expected, head).revision == repository.main


@pytest.mark.parametrize("head", HEADS)
def test_during_a_merge_what_is_merged_is_no_change_of_ours(repository, head):
    """The commit to be has both parents, so that against main what main brought is not new."""
    repository.git("merge", "-q", "--no-commit", "--no-ff", "main")
    assert find(repository, "main", head).revision == repository.main
    assert find(repository, "main", "HEAD").revision == repository.first
    repository.git("commit", "-qm", "merged")
    assert find(repository, "main", head).revision == repository.main


@pytest.mark.parametrize("how", ["--merge", "--apply"])
@pytest.mark.parametrize("is_detached", [False, True])
def test_during_a_rebase_it_is_the_default_branch(repository, how, is_detached):
    repository.git("checkout", "-q", "main")
    moved = repository.commit({"c": "other"})
    repository.git("checkout", "-q", *["--detach"] * is_detached, "topic")
    assert repository.run("git", "rebase", how, "main").returncode != 0
    assert repository.run("git", "symbolic-ref", "-q", "HEAD").returncode != 0
    base = find(repository)
    assert (base.revision, base.title) == (moved, f"HEAD ({moved[:10]}), a commit of main")


def test_histories_that_have_nothing_in_common(repository):
    repository.git("checkout", "-q", "--orphan", "alone")
    repository.commit({"d": "1"})
    with pytest.raises(InputError, match=r"^main: has no merge base with HEAD$") as caught:
        find(repository, "main")
    assert "--exact" in caught.value.advice
    assert find(repository, "main", is_exact=True).revision == repository.main


def test_a_shallow_clone_states_how_to_get_the_rest(repository, tmp_path):
    work = repository.clone(tmp_path / "clone", "--depth=1", "--no-single-branch")
    with pytest.raises(InputError, match=r"^origin/main: has no merge base with HEAD in this clone$") as caught:
        find(work, "origin/main")
    assert "`git fetch --unshallow`" in caught.value.advice
    assert find(work, "origin/main", may_fetch=True).revision == repository.first
    assert work.git("rev-parse", "--is-shallow-repository") == "false"


@pytest.mark.parametrize("head", ["nowhere", "--all", "HEAD:a", "HEAD^{tree}"])
def test_a_head_that_is_no_commit(repository, head):
    with pytest.raises(InputError, match="is not a revision of the repository"):
        find(repository, "main", head)


# --- names that are more than one ref


@pytest.mark.parametrize("head", [*HEADS, "HEAD"])
def test_after_a_criss_cross_merge_every_merge_base_is_a_base(repository, head):
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "-m", "x", repository.topic)
    repository.git("checkout", "-q", "topic")
    repository.git("merge", "-q", "-m", "x", repository.main)
    base = find(repository, "main", head)
    assert {base.revision, *base.others} == {repository.main, repository.topic}
    assert base.title.endswith("the merge bases of HEAD and main")


def test_a_tag_never_hides_a_branch(repository):
    repository.git("tag", "main", repository.topic)
    for name in ("main", None):
        base = find(repository, name)
        assert (base.revision, base.tip) == (repository.first, repository.main)
    assert find(repository, "main~1", is_exact=True).tip == repository.first
    assert find(repository, "refs/tags/main", is_exact=True).tip == repository.topic
    with pytest.raises(UsageError, match="'main' names refs/heads/main and refs/tags/main"):
        find(repository, "topic", "main")
    repository.git("tag", "-f", "main", "main^{commit}")
    repository.git("tag", "-f", "same", "topic")
    repository.git("branch", "same", "topic")
    assert find(repository, "topic", "same").revision == repository.topic


def test_a_branch_that_only_a_remote_has(repository, tmp_path):
    work = repository.clone(tmp_path / "clone", "--branch=topic")
    work.git("tag", "main", repository.topic)
    base = find(work, "main")
    assert (base.revision, base.tip) == (repository.first, repository.main)
    assert base.title.endswith("the merge base of HEAD and origin/main")
    for remote in ("a", "upstream"):
        work.git("update-ref", f"refs/remotes/{remote}/main", repository.topic)
    assert find(work, "main").title.endswith("a commit of upstream/main")
    work.git("update-ref", "refs/heads/origin/main", repository.topic)
    with pytest.raises(UsageError, match="'origin/main' is a local branch and one of a remote"):
        find(work, "origin/main")


def test_the_only_branch_is_not_its_own_base(tmp_path):
    made = Repository.make(tmp_path / "top", {"a": "1"})
    made.git("branch", "-m", "main", "trunk")
    with pytest.raises(UsageError, match="not known which branch") as caught:
        find(made)
    assert "--base HEAD" in caught.value.advice
    made.git("checkout", "-q", "-b", "topic")
    made.git("checkout", "-q", "--detach", "topic")
    made.git("branch", "-D", "-q", "topic")
    assert find(made).title.endswith("a commit of trunk")


@pytest.mark.parametrize(
    ("mistyped", "near"), [("mainn", "main"), ("tpoic~1", "topic~1"), ("v1.0", None), ("origin/release", None)]
)
def test_the_advice_names_a_mistyped_branch(repository, mistyped, near):
    repository.git("tag", "v1.1")
    repository.git("remote", "add", "origin", "nowhere")
    repository.git("update-ref", "refs/remotes/origin/main", "main")
    with pytest.raises(InputError) as caught:
        find(repository, mistyped)
    assert caught.value.advice.startswith(f"did you mean {near!r}" if near else "run `git fetch")


def test_without_a_remote_no_fetch_is_advised(repository):
    with pytest.raises(InputError) as caught:
        find(repository, "v1.0")
    assert caught.value.advice == "`git branch` and `git tag` list the names that it has"


def test_the_advice_names_a_branch_that_only_a_remote_has(repository, tmp_path):
    work = repository.clone(tmp_path / "clone", "--branch=topic")
    with pytest.raises(InputError) as caught:
        find(work, "mainn")
    assert caught.value.advice == "did you mean 'main'?"
    assert find(work, "main", "main~0").revision == repository.main


@pytest.mark.parametrize(
    ("revision", "expected"),
    [("main...", "first"), ("...main", "first"), ("main...topic~1", "first"), ("...HEAD", "topic")],
)
def test_a_range_is_the_merge_base_of_its_ends(repository, revision, expected):
    opened = repository_around(str(repository.top), repository.environment)
    assert merge_base_of_range(opened, revision) == getattr(repository, expected)
    assert merge_base_of_range(opened, "main") is None


# --- what is not here


def origin_of(tmp_path):
    origin = Repository.make(tmp_path / "origin", {SPEC: spec("f")})
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
    origin.first = origin.head
    origin.git("tag", "-m", "t", "v1.0")
    origin.git("branch", "topic/a")
    origin.git("branch", "release")
    origin.commit({"x": "1"})
    return origin


@pytest.mark.parametrize(
    ("expected", "command"),
    [
        ("v1.0", "git fetch --depth=1 origin tag v1.0"),
        ("origin/topic/a", "git fetch --depth=1 origin topic/a:refs/remotes/origin/topic/a"),
        ("origin/release", "git fetch --depth=1 origin release:refs/remotes/origin/release"),
        ("topic/a", "git fetch --depth=1 origin topic/a:topic/a"),
        ("FIRST", "git fetch --depth=1 origin FIRST"),
    ],
)
def test_a_tag_a_branch_and_a_commit_can_be_fetched(tmp_path, expected, command):
    origin = origin_of(tmp_path)
    expected, command = (texts.replace("FIRST", origin.first) for texts in (expected, command))
    work = origin.clone(tmp_path / "clone", "--depth=1", "--single-branch", "--no-tags")
    with pytest.raises(InputError) as caught:
        find(work, expected, is_exact=True, may_fetch=False)
    assert caught.value.advice == f"run `{command}`, or use --fetch"
    before = work.state()
    assert find(work, expected, is_exact=True, may_fetch=True).revision == origin.first
    assert work.state() == before


@pytest.mark.parametrize(
    "expected",
    [
        "--upload-pack=touch pwned",
        "-h",
        "--all",
        "+main:main",
        "main:main",
        "a b",
        "refs/heads/*:refs/heads/*",
        "ext::sh -c 'touch pwned'",
        "",
        ":",
        "^main",
        "a\nb",
        "a\n--upload-pack=x",
        "$(touch pwned)",
    ],
)
def test_what_is_an_option_or_a_refspec_is_never_fetched(tmp_path, monkeypatch, expected):
    origin = origin_of(tmp_path)
    work = origin.clone(tmp_path / "clone", "--depth=1")
    fetched = []
    monkeypatch.setattr("opspec_lint.git.repository.Repository.fetch", lambda _, *args: fetched.append(args))
    with pytest.raises(InputError, match="is not a revision") as caught:
        find(work, expected, is_exact=True, may_fetch=True)
    assert fetched == []
    assert "git fetch" not in caught.value.advice
    assert not (work.top / "pwned").exists()


def test_a_fetch_that_fails_is_a_single_message(tmp_path):
    origin = origin_of(tmp_path)
    work = origin.clone(tmp_path / "clone")
    with pytest.raises(InputError, match=r"^v9\.9: is no branch or tag of the remote origin") as caught:
        find(work, "v9.9", may_fetch=True)
    assert "\n" not in caught.value.message
    assert caught.value.exit_code == 3
