from __future__ import annotations

import json
import re

import pytest
from runner import SPEC, PullRequest, spec

from opspec_lint.github import reviews

REVIEWERS = {"inference": ["ann"], "slim": ["carl"]}
CONFIG = {"profile": "paddle-2021", "reviewers": REVIEWERS, "levels": {"op_version_unknown": "off"}}
ASKED = "/pulls/7/reviews"


def files(after=None, **settings):
    """A def addition and a quant addition; `after` is head's configuration."""
    new = json.loads(spec(relu=["a"]))
    before = json.dumps(new)
    new["relu"]["Attrs"] |= {
        "b": {"type": 0, "default_value": 1},
        "q": {"type": 0, "default_value": 1, "quant": True},
    }
    base = json.dumps(CONFIG | settings)
    return (
        {SPEC: before, "opspec-lint.yaml": base},
        {SPEC: json.dumps(new), "opspec-lint.yaml": base if after is None else json.dumps(CONFIG | after)},
    )


def given(login, state="APPROVED", commit=None):
    return {"user": {"login": login}, "state": state, "commit_id": commit, "submitted_at": "2029-12-31T00:00:00Z"}


@pytest.fixture
def checked(origin, runner, api):
    """Check the pull request with some reviews."""

    def run(*said, author="dora", name="pull_request", fork=False, of=None, **settings):
        change = PullRequest(origin, *files(**settings))
        runner.checkout(origin, change.merge)
        runner.of_pull_request(change, name=name, fork=fork)
        if author is not None:
            runner.event["pull_request"]["user"] = {"login": author}
        api.reviews = [each | {"commit_id": of or change.head} for each in said]
        return runner.run()

    return run


def paths(api):
    return [path for _, path, _, _ in api.asked if ASKED in path]


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target", "pull_request_review"])
def test_a_change_that_needs_two_teams_is_clean_once_both_have_approved(checked, api, name):
    ran = checked(given("Ann"), given("carl"), name=name)
    assert (ran.code, ran.outputs["verdict"], ran.outputs["approved"]) == (0, "clean", "2")
    assert ran.outputs["release"] == "minor"
    assert "approved by Ann for inference" in ran.summary
    assert len(paths(api)) == 1


@pytest.mark.parametrize(
    ("said", "errors"),
    [
        ((), "2"),
        ((given("ann"),), "1"),
        ((given("ann"), given("carl"), given("ann", "CHANGES_REQUESTED")), "1"),
        ((given("ann"), given("carl", "DISMISSED")), "1"),
        ((given("dora"), given("eve")), "2"),
    ],
)
def test_without_the_approvals_it_is_blocked(checked, said, errors):
    ran = checked(*said)
    assert (ran.code, ran.outputs["verdict"], ran.outputs["errors"]) == (1, "findings", errors)


def test_the_author_is_nobody(checked):
    assert checked(given("ann"), given("carl"), author="CARL").outputs["errors"] == "1"


def test_who_made_it_has_to_be_known(checked, api):
    ran = checked(given("ann"), given("carl"), author=None)
    assert ran.outputs["errors"] == "2"
    assert "the event does not say who made the pull request" in ran.summary
    assert paths(api) == []


@pytest.mark.parametrize(
    ("of", "approvals", "errors"), [("0" * 40, "any", "0"), ("0" * 40, "of-head", "2"), (None, "of-head", "0")]
)
def test_an_approval_of_an_older_commit(checked, of, approvals, errors):
    assert checked(given("ann"), given("carl"), of=of, approvals=approvals).outputs["errors"] == errors


def test_who_may_approve_is_not_for_the_change_to_say(checked):
    ran = checked(given("eve"), after={"reviewers": {"inference": ["eve"], "slim": ["eve"]}})
    assert ran.outputs["errors"] == "2"
    assert "reviewers" in ran.summary


def test_all_pages_are_read(checked, api):
    crowd = [given(f"somebody{number}", "COMMENTED") for number in range(250)]
    ran = checked(given("ann"), *crowd, given("carl"))
    assert ran.code == 0
    assert [re.search(r"[?&]page=(\d)", path) and path[-1] for path in paths(api)] == [None, "2", "3"]


def test_the_last_page_can_take_back_what_the_first_says(checked):
    crowd = [given(f"somebody{number}", "COMMENTED") for number in range(250)]
    ran = checked(given("ann"), given("carl"), *crowd, given("ann", "CHANGES_REQUESTED"))
    assert ran.outputs["errors"] == "1"


@pytest.mark.parametrize(
    ("part", "fault", "said"),
    [
        (f"{ASKED}?per_page=100&page=2", (502, {}), "the API refuses (status 502)"),
        (f"{ASKED}?per_page=100&page=2", (403, {"X-RateLimit-Remaining": "0"}), "the API's rate limit is reached"),
        (ASKED, (429, {"Retry-After": "3600"}), "the API's rate limit is reached"),
        (ASKED, (404, {}), "the API refuses (status 404)"),
        (ASKED, (301, {"Location": "https://example.org/"}), "the API redirects elsewhere"),
        (ASKED, b"HTTP/1.0 200 OK\r\n\r\n[", "the API's answer is no JSON"),
        (ASKED, b"HTTP/1.0 200 OK\r\n\r\n{}", "the API's list of reviews is none"),
        (ASKED, b'HTTP/1.0 200 OK\r\n\r\n[{"state": "APPROVED"}]', "`user.login` is missing"),
        (ASKED, b"", "the connection to the API broke"),
    ],
)
def test_an_answer_that_is_not_whole_is_no_approval(checked, api, part, fault, said):
    api.refuse["GET", part] = fault
    crowd = [given(f"somebody{number}", "COMMENTED") for number in range(150)]
    ran = checked(given("ann"), given("carl"), *crowd)
    assert (ran.code, ran.outputs["errors"], ran.outputs["approved"]) == (1, "2", "0")
    assert said.split(" (")[0] in json.dumps(report(ran), ensure_ascii=False)


def report(ran):
    with open(ran.outputs["report"], encoding="utf-8") as stream:
        return [each["approval"] for each in json.load(stream)["findings"]]


def test_a_short_wait_is_waited(checked, api):
    api.refuse["GET", ASKED], api.once = (429, {"Retry-After": "0"}), True
    assert checked(given("ann"), given("carl")).code == 0


def test_an_api_that_takes_too_long_is_no_approval(checked, api, monkeypatch):
    monkeypatch.setattr(reviews, "_BUDGET", 0.2)
    api.refuse["GET", ASKED] = 1.0
    ran = checked(given("ann"), given("carl"))
    assert ran.outputs["errors"] == "2"
    assert "takes too long" in ran.summary


def test_nobody_is_asked_where_no_reviewers_are_configured_or_nothing_needs_them(checked, api, origin, runner):
    assert checked(given("eve"), reviewers={}).code == 0
    change = PullRequest(origin, {**files()[0], "README": "x"}, {**files()[0], "README": "y"})
    runner.folder.joinpath("second").mkdir()
    runner.workspace = runner.folder / "second"
    runner.checkout(origin, change.merge)
    assert runner.of_pull_request(change).run().code == 0
    assert paths(api) == []
