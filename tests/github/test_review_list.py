from __future__ import annotations

import json
import re

import pytest

from opspec_lint.github.review_list import parse, read
from opspec_lint.kit.errors import UsageError
from tests.support.programs import run
from tests.support.projects import FILE, config
from tests.support.reviews_given import review


def of(number, **more):
    """A review of a pull request."""
    return review(pull_request_url=f"https://api.github.com/repos/our/ops/pulls/{number}", **more)


def test_a_single_list_and_pages_of_lists_are_the_same():
    first, two = review(), review("CHANGES_REQUESTED", "bob")
    flat = parse([first, two], "x")
    assert [review.login for review in flat] == ["ann", "bob"]
    assert parse([[first], [two]], "x") == parse([[first, two], []], "x") == flat
    assert parse([], "x") == parse([[]], "x") == ()


def test_reviews_of_several_pull_requests_are_no_list_of_one():
    assert len(parse([of(7), of(7, state="CHANGES_REQUESTED"), review()], "x")) == 3
    with pytest.raises(UsageError, match="x: review 2: belongs to another pull request"):
        parse([of(7), of(8)], "x")
    with pytest.raises(UsageError, match="x: review 3: belongs to another pull request"):
        parse([[of(7)], [review(), of(8) | {"user": None}]], "x")


def test_where_the_number_is_known_the_reviews_have_to_be_of_that():
    assert len(parse([of(7), review()], "x", number=7)) == 2
    for wrong in (of(77), of(17), of("7/")):
        with pytest.raises(UsageError, match="x: review 1: belongs to another pull request"):
            parse([wrong], "x", number=7)


def test_a_review_of_an_account_that_is_gone_is_nobody_s():
    assert parse([review() | {"user": None}], "x") == ()


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"message": "Not Found"},
        "APPROVED",
        [None],
        ["x"],
        [[review()], review()],
        [[[review()]]],
        [review("approved")],
        [review("LIKED")],
        [review(None)],
        [review(["APPROVED"])],
        [{"state": "APPROVED"}],
        [review(login="")],
        [review(login=7)],
        [review() | {"user": "ann"}],
        [review(commit=7)],
        [review(at=7)],
        [review(at="yesterday")],
        [review(pull_request_url=7)],
        [of(7), of(8)],
        [review(), review("LIKED")],
    ],
)
def test_what_is_no_list_of_reviews_is_a_single_message(value, tmp_path):
    with pytest.raises(UsageError, match=r"^x: "):
        parse(value, "x")
    file = tmp_path / "reviews.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    configuration = tmp_path / "opspec-lint.yaml"
    configuration.write_text(config(reviewers={"slim": ["ann"]}), encoding="utf-8")
    ran = run("check", FILE, FILE, "--config", str(configuration), "--reviews", str(file))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"opspec-lint: error: {file}: ")
    assert ran.err.count("\n") == 2


@pytest.mark.parametrize(
    "data", [b"", b"[", b"\xff", b"[" * 100_000, b'[{"state": "COMMENTED", "state": "APPROVED", "user": null}]']
)
def test_a_file_that_is_no_json_is_a_single_message(data, tmp_path):
    file = tmp_path / "reviews.json"
    file.write_bytes(data)
    with pytest.raises(UsageError, match=f"^{re.escape(str(file))}: "):
        read(str(file))
    with pytest.raises(UsageError, match="cannot be read"):
        read(str(tmp_path / "none.json"))
