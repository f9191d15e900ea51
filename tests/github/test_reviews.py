from __future__ import annotations

import json
import re

import pytest

from opspec_lint.github import reviews
from tests.github.runner import SPEC, PullRequest, spec

REVIEWERS = {"inference": ["ann"], "slim": ["carl"]}
CONFIG = {"profile": "paddle-2021", "reviewers": REVIEWERS, "levels": {"op_version_unknown": "off"}}
REQUESTED = "/pulls/7/reviews"


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

    def run(*output, author="dora", name="pull_request", fork=False, of=None, **settings):
        change = PullRequest(origin, *files(**settings))
        runner.checkout(origin, change.merge)
        runner.of_pull_request(change, name=name, fork=fork)
        if author is not None:
            runner.event["pull_request"]["user"] = {"login": author}
        api.reviews = [item | {"commit_id": of or change.head} for item in output]
        return runner.run()

    return run


@pytest.fixture
def without_pull_request(origin, runner, api):
    """Check the same change in an event of no pull request, with all approvals."""

    def run(name, *output, number="7", base=None, pull=None, of=None, files=files, **settings):
        before, after = files(**settings)
        older = origin.commit("main", before)
        head = origin.commit("topic", after, older)
        runner.checkout(origin, head, depth=0)
        ref = f"refs/heads/gh-readonly-queue/main/pr-{number}-{base or older}"
        runner.event_name, runner.event = (
            name,
            {
                "before": older,
                "after": head,
                "merge_group": {"base_sha": older, "head_sha": head, "head_ref": ref},
            },
        )
        tip = "f" * 40
        api.pull = {"number": 7, "user": {"login": "dora"}, "head": {"sha": tip}} if pull is None else pull
        api.reviews = [item | {"commit_id": of or tip} for item in output]
        return runner.run()

    return run


@pytest.mark.parametrize("name", ["push", "workflow_dispatch", "schedule", "issue_comment", "workflow_run"])
def test_an_event_of_no_pull_request_has_no_reviews_and_reports_it(without_pull_request, runner, api, name):
    runner.inputs["BASE"] = "main"
    ran = without_pull_request(name, given("ann"), given("carl"))
    assert (ran.code, ran.outputs["errors"], ran.outputs["approved"]) == (1, "2", "0")
    assert f"the event '{name}' does not belong to a pull request" in ran.log
    assert paths(api) == []


def test_an_event_of_no_pull_request_is_clean_where_nobody_has_to_approve(without_pull_request, api):
    ran = without_pull_request("push", reviewers={})
    assert (ran.code, ran.outputs["errors"], api.asked) == (0, "0", [])


@pytest.mark.parametrize("approvals", ["any", "of-head"])
def test_an_entry_of_a_merge_queue_has_the_reviews_of_its_pull_request(without_pull_request, api, approvals):
    ran = without_pull_request("merge_group", given("Ann"), given("carl"), approvals=approvals)
    assert (ran.code, ran.outputs["approved"]) == (0, "2")
    assert len(paths(api)) == 1


def test_of_an_entry_of_a_merge_queue_too_the_tip_is_to_be_approved_and_not_by_its_author(without_pull_request):
    output = (given("ann"), given("carl"))
    assert without_pull_request("merge_group", *output, approvals="of-head", of="0" * 40).outputs["errors"] == "2"


def test_the_author_of_what_is_in_a_merge_queue_is_nobody(without_pull_request):
    pull = {"number": 7, "user": {"login": "CARL"}, "head": {"sha": "f" * 40}}
    assert without_pull_request("merge_group", given("ann"), given("carl"), pull=pull).outputs["errors"] == "1"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"number": "x"}, "the event 'merge_group' does not belong to a pull request"),
        ({"number": "07"}, "the event 'merge_group' does not belong to a pull request"),
        ({"number": "7/../8"}, "the event 'merge_group' does not belong to a pull request"),
        ({"base": "0" * 40}, "the event 'merge_group' does not belong to a pull request"),
        ({"pull": []}, "the API's answer is not a pull request"),
        ({"pull": {"number": 8, "user": {"login": "dora"}, "head": {"sha": "f" * 40}}}, "answer is not a pull request"),
        ({"pull": {"number": 7, "user": {"login": "dora"}, "head": {"sha": None}}}, "answer is not a pull request"),
        ({"pull": {"number": 7, "user": {"login": "dora"}}}, "answer is not a pull request"),
        ({"pull": {"number": 7, "user": None, "head": {"sha": "f" * 40}}}, "the author of the pull request"),
    ],
)
def test_an_entry_of_a_merge_queue_that_leads_to_no_pull_request_is_approved_by_nobody(
    without_pull_request, more, message
):
    ran = without_pull_request("merge_group", given("ann"), given("carl"), **more)
    assert (ran.code, ran.outputs["errors"]) == (1, "2")
    assert message in json.dumps(report(ran), ensure_ascii=False)


@pytest.mark.parametrize("part", ["/pulls/7", REQUESTED])
def test_an_error_of_the_api_is_no_approval_in_a_merge_queue(without_pull_request, api, part):
    api.refuse["GET", part] = (500, {})
    assert without_pull_request("merge_group", given("ann"), given("carl")).outputs["errors"] == "2"


def paths(api):
    return [path for _, path, _, _ in api.asked if REQUESTED in path]


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target", "pull_request_review"])
def test_a_change_that_needs_two_teams_is_clean_once_both_have_approved(checked, api, name):
    ran = checked(given("Ann"), given("carl"), name=name)
    assert (ran.code, ran.outputs["verdict"], ran.outputs["approved"]) == (0, "clean", "2")
    assert ran.outputs["release"] == "minor"
    assert "approved by Ann for inference" in ran.summary
    assert len(paths(api)) == 1


@pytest.mark.parametrize(
    ("message", "errors"),
    [
        ((), "2"),
        ((given("ann"),), "1"),
        ((given("ann"), given("carl"), given("ann", "CHANGES_REQUESTED")), "1"),
        ((given("ann"), given("carl", "DISMISSED")), "1"),
        ((given("dora"), given("eve")), "2"),
    ],
)
def test_without_the_approvals_it_is_blocked(checked, message, errors):
    ran = checked(*message)
    assert (ran.code, ran.outputs["verdict"], ran.outputs["errors"]) == (1, "findings", errors)


def test_the_author_is_nobody(checked):
    assert checked(given("ann"), given("carl"), author="CARL").outputs["errors"] == "1"


def test_who_made_it_has_to_be_known(checked, api):
    ran = checked(given("ann"), given("carl"), author=None)
    assert ran.outputs["errors"] == "2"
    assert "the author of the pull request is unknown" in ran.summary
    assert paths(api) == []


@pytest.mark.parametrize(
    ("of", "approvals", "errors"), [("0" * 40, "any", "0"), ("0" * 40, "of-head", "2"), (None, "of-head", "0")]
)
def test_an_approval_of_an_older_commit(checked, of, approvals, errors):
    assert checked(given("ann"), given("carl"), of=of, approvals=approvals).outputs["errors"] == errors


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target", "pull_request_review"])
def test_a_branch_that_starts_before_there_were_reviewers_needs_them_too(origin, runner, api, name):
    before, after = files()
    lenient = {**before, "opspec-lint.yaml": "{}"}
    change = PullRequest(origin, lenient, {**after, "opspec-lint.yaml": "{}"}, moved=before)
    runner.checkout(origin, change.base if name == "pull_request_target" else change.head, depth=0)
    runner.of_pull_request(change, name=name).event["pull_request"]["user"] = {"login": "dora"}
    ran = runner.run()
    assert (ran.code, ran.outputs["errors"]) == (1, "2")
    api.reviews = [given("ann"), given("carl")]
    assert runner.run().code == 0


def test_of_head_is_the_tip_of_the_pull_request_and_not_the_merge_that_is_checked(origin, runner, api):
    change = PullRequest(origin, *files(approvals="of-head"))
    runner.checkout(origin, change.merge)
    runner.of_pull_request(change).event["pull_request"]["user"] = {"login": "dora"}
    for commit, errors in ((change.merge, "2"), (change.base, "2"), (change.head, "0")):
        api.reviews = [given("ann", commit=commit), given("carl", commit=commit)]
        assert runner.run().outputs["errors"] == errors


def test_who_may_approve_is_not_for_the_change_to_state(checked):
    ran = checked(given("eve"), after={"reviewers": {"inference": ["eve"], "slim": ["eve"]}})
    assert ran.outputs["errors"] == "2"
    assert "reviewers" in ran.summary


def test_all_pages_are_read(checked, api):
    crowd = [given(f"somebody{number}", "COMMENTED") for number in range(250)]
    ran = checked(given("ann"), *crowd, given("carl"))
    assert ran.code == 0
    assert [re.search(r"[?&]page=(\d)", path) and path[-1] for path in paths(api)] == [None, "2", "3"]


def test_the_last_page_can_take_back_what_the_first_states(checked):
    crowd = [given(f"somebody{number}", "COMMENTED") for number in range(250)]
    ran = checked(given("ann"), given("carl"), *crowd, given("ann", "CHANGES_REQUESTED"))
    assert ran.outputs["errors"] == "1"


@pytest.mark.parametrize(
    ("part", "fault", "message"),
    [
        (f"{REQUESTED}?per_page=100&page=2", (502, {}), "the API refuses (status 502)"),
        (f"{REQUESTED}?per_page=100&page=2", (403, {"X-RateLimit-Remaining": "0"}), "the API's rate limit is reached"),
        (REQUESTED, (429, {"Retry-After": "3600"}), "the API's rate limit is reached"),
        (REQUESTED, (404, {}), "the API refuses (status 404)"),
        (REQUESTED, (301, {"Location": "https://example.org/"}), "the API redirects elsewhere"),
        (REQUESTED, b"HTTP/1.0 200 OK\r\n\r\n[", "the API's answer is not JSON"),
        (REQUESTED, b"HTTP/1.0 200 OK\r\n\r\n{}", "the API's answer is not a list of reviews"),
        (REQUESTED, b'HTTP/1.0 200 OK\r\n\r\n[{"state": "APPROVED"}]', "`user.login` is missing"),
        (REQUESTED, b"", "the connection to the API broke"),
    ],
)
def test_an_answer_that_is_not_whole_is_no_approval(checked, api, part, fault, message):
    api.refuse["GET", part] = fault
    crowd = [given(f"somebody{number}", "COMMENTED") for number in range(150)]
    ran = checked(given("ann"), given("carl"), *crowd)
    assert (ran.code, ran.outputs["errors"], ran.outputs["approved"]) == (1, "2", "0")
    assert message.split(" (")[0] in json.dumps(report(ran), ensure_ascii=False)


PAGE_2 = "<{api}/repos/our/ops/pulls/7/reviews?per_page=100&page=2>"


@pytest.mark.parametrize(
    "link",
    [
        f'{PAGE_2}; rel="next"',
        f"{PAGE_2};rel=next",
        f'{PAGE_2}; title="a, b"; rel="next"',
        f'{PAGE_2}; REL = "prev Next"',
        f'<{{api}}/a,b>; rel="last", {PAGE_2}; rel="next"',
        f'<{{api}}/x>; rel="last"\r\nLink: {PAGE_2}; rel="next"',
    ],
)
def test_however_the_next_page_is_spelt_it_is_read(checked, api, link):
    first = json.dumps([given("ann"), given("carl")])
    api.refuse["GET", f"{REQUESTED}?per_page=100"] = page(first, link.format(api=api.address))
    api.once = True
    crowd = [given(f"somebody{number}", "COMMENTED") for number in range(100)]
    ran = checked(*crowd, given("ann", "DISMISSED"))
    assert (ran.outputs["errors"], len(paths(api))) == ("1", 2)


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (f'{PAGE_2} rel="next"', "the API's list of pages cannot be read"),
        (f'{PAGE_2}; rel="next', "the API's list of pages cannot be read"),
        ('next; rel="next"', "the API's list of pages cannot be read"),
        (f'{PAGE_2}; rel="next", <{{api}}/other>; rel="next"', "the API's list of pages cannot be read"),
        ('<https://example.org/2>; rel="next"', "the token may not be sent to this API address"),
        ('<//example.org/2>; rel="next"', "the token may not be sent to this API address"),
        ('<https://127.0.0.1@example.org/2>; rel="next"', "the token may not be sent to this API address"),
        (f'<{{api}}{REQUESTED}?per_page=100>; rel="next"', "more than 3,000 reviews"),
        (f'<{{api}}/repos/our/ops{REQUESTED}?per_page=100>; rel="next"', "more than 3,000 reviews"),
    ],
)
def test_a_next_page_that_is_none_or_leads_elsewhere_or_in_a_circle_is_no_approval(checked, api, link, message):
    both = json.dumps([given("ann"), given("carl")])
    api.refuse["GET", REQUESTED] = page(both, link.format(api=api.address))
    ran = checked()
    assert ran.outputs["errors"] == "2"
    assert message in json.dumps(report(ran), ensure_ascii=False)
    assert len(paths(api)) <= 30


def page(body, link):
    return f"HTTP/1.0 200 OK\r\nLink: {link}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


def test_reviews_of_another_pull_request_are_no_approval(checked):
    another = {"pull_request_url": "https://api.github.com/repos/our/ops/pulls/8"}
    ran = checked(given("ann") | another, given("carl") | another)
    assert ran.outputs["errors"] == "2"
    assert "belongs to another pull request" in json.dumps(report(ran))


def report(ran):
    with open(ran.outputs["report"], encoding="utf-8") as stream:
        return [finding["approval"] for finding in json.load(stream)["findings"]]


def test_a_short_wait_is_waited(checked, api):
    api.refuse["GET", REQUESTED], api.once = (429, {"Retry-After": "0"}), True
    assert checked(given("ann"), given("carl")).code == 0


def test_an_api_that_takes_too_long_is_no_approval(checked, api, monkeypatch):
    monkeypatch.setattr(reviews, "_BUDGET", 0.2)
    api.refuse["GET", REQUESTED] = 1.0
    ran = checked(given("ann"), given("carl"))
    assert ran.outputs["errors"] == "2"
    assert "took too long" in ran.summary


def test_nobody_is_queried_where_no_reviewers_are_configured_or_nothing_needs_them(checked, api, origin, runner):
    assert checked(given("eve"), reviewers={}).code == 0
    change = PullRequest(origin, {**files()[0], "README": "x"}, {**files()[0], "README": "y"})
    runner.folder.joinpath("second").mkdir()
    runner.workspace = runner.folder / "second"
    runner.checkout(origin, change.merge)
    assert runner.of_pull_request(change).run().code == 0
    assert paths(api) == []
