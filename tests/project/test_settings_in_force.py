"""The settings that `config --show` lists are those of `check`: a configuration made of its output judges alike."""

from __future__ import annotations

import itertools
import json
import os

import pytest

from tests.support.programs import run
from tests.support.projects import FILE, config, text, waivers
from tests.support.repositories import Repository

SETTINGS = ("specs", "base", "against", "profile", "levels", "ignore", "reviewers", "approvals", "waivers")
NAMES = {"parting": "pyproject.toml", "tip": "opspec-lint.toml", "head": "opspec-lint.yaml"}
OLD, NEW = (
    text("f(X, Y) -> (Out)", "g_parting(X) -> ()", "g_tip(X) -> ()", "g_head(X) -> ()", "h() -> ()"),
    text("f(X) -> (Out) [axis: INT = -1]", "g_parting() -> ()", "g_tip() -> ()", "g_head() -> ()", "i() -> ()"),
)
REVIEWS = json.dumps([{"user": {"login": "ann"}, "state": "APPROVED", "submitted_at": "2026-01-01T00:00:00Z"}])


def settings(label):
    """A configuration every setting of which can be told from those of the other labels by what a check finds."""
    levels = {"parting": "off", "tip": "warning", "head": "note"}
    return {
        "specs": [FILE, f"{label}/*.json"],
        "against": [f"releases/{label}.json"],
        "profile": {"parting": "strict", "tip": "paddle-2021", "head": "paddle"}[label],
        "levels": {"input_removed": levels[label], "op_removed": "error"},
        "ignore": [f"g_{label}"],
        "reviewers": {"inference": ["ann" if label == "tip" else "bob"]},
        "approvals": "of-head" if label == "tip" else "any",
        "waivers": f"{label}.yaml",
    }


def configured(label, present, *, folder="", **more):
    """The files of a commit: its configuration, if it has one, under the name that goes with its label."""
    if not present:
        return {}
    every = settings(label) | more
    name = NAMES[label]
    if name.endswith(".yaml"):
        return {folder + name: config(**every)}
    head = "[tool.opspec-lint]\n" if name == "pyproject.toml" else ""
    return {folder + name: head + "".join(f"{key} = {inline(value)}\n" for key, value in every.items())}


def inline(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


def files():
    spread = {f"{label}/ops.json": OLD for label in NAMES}
    releases = {f"releases/{label}.json": text(f"f(X, Y, R_{label}) -> (Out)") for label in NAMES}
    waived = {
        f"{label}.yaml": waivers({"rule": "op_removed", "op": "h", "owner": label}) for label in ("parting", "tip")
    }
    return {FILE: OLD, **spread, **releases, **waived}


def changed():
    """Return the changes of the topic: every spec, and the waivers that are new with it."""
    new = waivers({"rule": "op_removed", "op": "h", "owner": "head"})
    return {FILE: NEW, "head.yaml": new, **{f"{label}/ops.json": NEW for label in NAMES}}


def parted(top, parting, tip, head, **more):
    """A topic that left main where main was configured in another way than it is now, and than the topic is."""
    made = Repository.make(top, files() | configured("parting", parting))
    fork = made.head
    gone = {NAMES["parting"]: None} if parting else {}
    made.commit(gone | configured("tip", tip, **more))
    made.git("checkout", "-q", "-b", "topic", fork)
    made.git("branch", "-q", "-u", "main")
    made.commit(changed() | gone | configured("head", head, **more))
    return made


def plain(_made):
    return ()


def staged(made):
    made.git("reset", "-q", "--soft", "HEAD~1")
    return ("--staged",)


def revision(_made):
    return ("--head", "topic", "--base", "main")


def exactly(_made):
    return ("--base", "main", "--exact")


def merging(made):
    made.git("merge", "-q", "--no-commit", "--no-ff", "-s", "ours", "main")
    return ()


def merged(made):
    made.git("merge", "-q", "-s", "ours", "main")
    return ()


def behind(made):
    """The upstream branch is where the topic left it."""
    made.git("update-ref", "refs/heads/main", "topic~1")
    return ()


def without_upstream(made):
    made.git("branch", "--unset-upstream")
    return ()


def detached(made):
    made.git("checkout", "-q", "--detach")
    return ("--base", "main")


def by_command_line(_made):
    return ("--profile", "strict", "--waivers", "parting.yaml")


WAYS = (plain, staged, revision, exactly, merging, merged, behind, without_upstream, detached, by_command_line)


@pytest.fixture(autouse=True)
def no_git_around_us(monkeypatch):
    for name in [name for name in os.environ if name.startswith(("GIT_", "PRE_COMMIT"))]:
        monkeypatch.delenv(name)


def assert_what_is_shown_is_what_is_done(made, tmp_path, ends):
    """Check once as it is, and once with all that is shown written down by hand."""
    reviews, by_hand = tmp_path / "reviews.json", tmp_path / "shown.yaml"
    reviews.write_text(REVIEWS)
    show = run("config", "--show", "--format", "json", *ends)
    assert show.code == 0, show.err
    shown = {name: setting["value"] for name, setting in json.loads(show.out)["settings"].items()}
    if not (made.top / shown["waivers"]).exists():
        del shown["waivers"]
    by_hand.write_text(config(**{name: shown[name] for name in SETTINGS if shown.get(name) is not None}))
    done, again = (
        run("check", *ends, *more, "--format", "json", "--reviews", str(reviews), "--author", "me")
        for more in ((), ("--config", str(by_hand)))
    )
    assert done.code in (0, 1), done.err
    assert told(again) == told(done)
    return shown, json.loads(done.out)


def told(ran):
    """Return a report without `policy_changed`, which alone depends on the side that a setting comes from."""
    assert ran.code in (0, 1), ran.err
    report = json.loads(ran.out)
    findings = [finding for finding in report["findings"] if finding["rule"] != "policy_changed"]
    return report["base"], report["comparisons"], findings


def every_way():
    """Yield each way with each choice of configurations that are present; but for the plainest, two choices stand for
    the others."""
    for way, present in itertools.product(WAYS, itertools.product([False, True], repeat=3)):
        is_in_sample = way is plain or present in ((True, False, True), (False, True, True))
        yield pytest.param(
            *(way, present), id=f"{present}-{way.__name__}", marks=() if is_in_sample else pytest.mark.exhaustive
        )


@pytest.mark.parametrize(("way", "present"), list(every_way()))
def test_what_is_shown_is_what_is_done(tmp_path, monkeypatch, way, present):
    made = parted(tmp_path / "top", *present)
    monkeypatch.chdir(made.top)
    assert_what_is_shown_is_what_is_done(made, tmp_path, way(made))


def test_a_branch_that_began_where_the_configuration_was_wrong_is_checked_once_it_is_mended(tmp_path, monkeypatch):
    wrong, right = (config(**{name: {"input_removed": "note"}}) for name in ("levls", "levels"))
    made = Repository.make(tmp_path / "top", {FILE: text("f(X) -> ()"), "opspec-lint.yaml": wrong})
    made.git("checkout", "-q", "-b", "topic")
    made.git("branch", "-q", "-u", "main")
    made.commit({FILE: text("f() -> ()"), "opspec-lint.yaml": right})
    monkeypatch.chdir(made.top)
    ran = run("check")
    assert ran.code == 0
    assert "the configuration of base is invalid, and the one of head is in force" in ran.out
    made.git("checkout", "-q", "main")
    made.commit({"opspec-lint.yaml": right})
    made.git("checkout", "-q", "topic")
    _, report = assert_what_is_shown_is_what_is_done(made, tmp_path, ())
    assert [(finding["rule"], finding["level"]) for finding in report["findings"]] == [("input_removed", "note")]


def test_two_configurations_of_the_base_branch_are_named(tmp_path, monkeypatch):
    """The work tree has but one."""
    made = parted(tmp_path / "top", parting=True, tip=True, head=True)
    made.git("checkout", "-q", "main")
    made.commit({"opspec-lint.yaml": config()})
    made.git("checkout", "-q", "topic")
    monkeypatch.chdir(made.top)
    ran = run("check", "--format", "json")
    findings = json.loads(ran.out)["findings"]
    messages = [finding["message"] for finding in findings if finding["rule"] == "base_setting_invalid"]
    assert "opspec-lint.toml and opspec-lint.yaml are both configuration files" in messages[0]


def test_in_a_folder_of_its_own(tmp_path, monkeypatch):
    made = Repository.make(tmp_path / "top", {f"sub/{path}": content for path, content in files().items()})
    made.commit({"opspec-lint.yaml": config(levels={"input_removed": "note"}, ignore=["g_head"])})
    fork = made.head
    made.commit(configured("tip", True, folder="sub/"))
    made.git("checkout", "-q", "-b", "topic", fork)
    topic = {f"sub/{path}": content for path, content in changed().items()}
    made.commit(topic | configured("head", True, folder="sub/"))
    monkeypatch.chdir(made.top / "sub")
    shown, _ = assert_what_is_shown_is_what_is_done(made, tmp_path, ("--base", "main"))
    assert shown["profile"] == "paddle-2021"
    assert shown["against"] == ["sub/releases/tip.json"]


@pytest.mark.parametrize(
    ("topic", "main", "dev", "named", "by"),
    [
        ("main", "main", None, "main", "main"),
        (None, "dev", "dev", "dev", "main"),
        ("main", "dev", "dev", "dev", "main"),
        ("main", "dev", "main", "dev", "main"),
        ("main", "dev", None, "dev", "main"),
        ("dev", "main", "dev", "dev", "dev"),
        ("dev", "main", None, "dev", "topic"),
        ("dev", "main", "main", "main", "dev"),
    ],
)
def test_the_branch_that_is_shown_as_base_is_what_is_compared_with(tmp_path, monkeypatch, topic, main, dev, named, by):
    """Head is asked first, and then once the branch that this leads to: two that name each other do not go round."""

    def based(name):
        return {"opspec-lint.yaml": config(levels={"op_added": "note"}, **({"base": name} if name else {}))}

    made = Repository.make(tmp_path / "top", {FILE: text("f(X, A, B, C) -> ()")} | based(main))
    made.git("checkout", "-q", "-b", "dev")
    made.commit({FILE: text("f(X, A, B) -> ()")} | based(dev))
    made.git("checkout", "-q", "-b", "topic")
    made.git("branch", "-q", "-u", "main")
    made.commit({FILE: text("f(X, A) -> ()")} | based(topic))
    monkeypatch.chdir(made.top)
    shown, report = assert_what_is_shown_is_what_is_done(made, tmp_path, ())
    assert report["base"].endswith(f"the merge base of HEAD and {named}")
    assert shown["base"] == named
    (place,) = json.loads(run("config", "--show", "--format", "json").out)["settings"]["base"]["from"]
    side = "head" if by == "topic" else "base" if by == named else made.git("rev-parse", by)[:10]
    assert place == {"side": side, "file": "opspec-lint.yaml", "line": 1}
