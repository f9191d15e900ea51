from __future__ import annotations

import json
import random
from itertools import product

import pytest

from opspec_lint.github.review_list import parse
from opspec_lint.kit.errors import UsageError
from opspec_lint.lint.approvals import Review, Reviews, team_approval
from opspec_lint.report.findings import Approval
from opspec_lint.report.reporter import REPORTERS
from tests.support.programs import run
from tests.support.projects import FILE, WAIVERS, check, config, text, waivers
from tests.support.repositories import Repository
from tests.support.reviews_given import HEAD, OLDER, review

TEAM = ("Ann", "bob")


def texts(*output):
    """Reviews from words such as `ann:APPROVED` and `ann:APPROVED@older`, the oldest first."""
    parts = [item.partition("@") for item in output]
    return tuple(
        Review(login=who.partition(":")[0], state=who.partition(":")[2], commit=OLDER if at else HEAD)
        for who, _, at in parts
    )


A, C, D, N, P = "APPROVED", "CHANGES_REQUESTED", "DISMISSED", "COMMENTED", "PENDING"


# --- the table: every combination, checked against the contract in its own words


def contract(output, author, of_head):
    """Return the approvals of Ann and Bob, read off the list backwards: (person, state, whether it is of head)."""
    by = []
    for person in ("ann", "bob"):
        decided = [item for item in reversed(output) if item[0] == person and item[1] not in (N, P)]
        if person != author and decided and decided[0][1] == A and (decided[0][2] or not of_head):
            by.append(person)
    return tuple(by)


def spelt(output, spell, timed):
    """The reviews that GitHub would list: each person spelt somehow, each submitted a second after the one before."""
    return [
        review(state, spell(person), HEAD if at_head else OLDER, f"2021-12-01T00:00:{second:02}Z" if timed else None)
        for second, (person, state, at_head) in enumerate(output)
    ]


SPELLINGS = {"as configured": str, "upper case": str.upper, "mixed case": str.title}
PERSON = tuple(product(("ann",), (A, C, D, N, P), (True, False)))
PEOPLE = tuple(product(("ann", "bob", "eve"), (A, C, D, N, P), (True, False)))
DRAWN = 100
"""Of the longest lists, so many are drawn for each case: the 24 cases together draw nearly all of them."""


@pytest.mark.parametrize("of_head", [False, True], ids=["any", "of-head"])
@pytest.mark.parametrize("author", [None, "ann", "BOB", "someone"])
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("order", ["listed", "timed", "timed, listed backwards"])
@pytest.mark.parametrize("drawn", [DRAWN, pytest.param(None, marks=pytest.mark.exhaustive)], ids=["some", "all"])
def test_every_list_of_up_to_three_reviews_states_what_the_contract_states(drawn, order, spelling, author, of_head):
    table = [combination for length in range(3) for combination in product(PERSON, repeat=length)]
    table += [(review_,) for review_ in PEOPLE]
    assert len(table) == 1 + 10 + 10**2 + 30
    chance = random.Random(f"{order}, {spelling}, {author}, {of_head}")  # noqa: S311 - no secret
    for longest in (tuple(product(PERSON, repeat=3)), tuple(product(PEOPLE, repeat=2))):
        table += chance.sample(longest, drawn or len(longest))
    for output in table:
        raw = spelt(output, SPELLINGS[spelling], order != "listed")
        parsed = parse(raw[::-1] if order.endswith("backwards") else raw, "x")
        approval = team_approval(Reviews(reviews=parsed, author=author), "slim", TEAM, HEAD if of_head else None)
        by = contract(output, author and author.lower(), of_head)
        assert tuple(item.lower() for item in approval.by) == by, output
        assert bool(approval.problem) is not bool(by), output


@pytest.mark.parametrize(
    "login",
    ["eve", "ann2", "an", "ann ", " ann", "@ann", "ann\n", "ann[bot]", "author",
     "\u212aate", "\uff41nn", "ann\u200b", "a\u0308nn", "\u0430nn"],
)  # fmt: skip
def test_who_is_not_of_the_team_by_letters_digits_and_case_is_nobody(login):
    actual = team_approval(Reviews(reviews=parse([review(login=login)], "x"), author="author"), "slim", (*TEAM, "kate"))
    assert actual == Approval(problem="no member of the team has approved")


@pytest.mark.parametrize(
    ("message", "commit", "problem"),
    [
        ([f"ann:{A}@older"], HEAD, "ann approved an older commit"),
        ([f"ann:{A}"], "", "is unknown"),
        ([f"ann:{A}", f"ann:{C}@older"], HEAD, "requested changes"),
        ([f"ann:{A}", f"ann:{D}"], None, "or was dismissed"),
        ([f"eve:{A}"], None, "no member of the team has approved"),
    ],
)
def test_why_there_is_no_approval(message, commit, problem):
    result = team_approval(Reviews(reviews=texts(*message)), "slim", TEAM, commit)
    assert result.by == ()
    assert problem in result.problem


@pytest.mark.parametrize("commit", [HEAD, ""])
@pytest.mark.parametrize("of_review", [None, "", HEAD[:12], HEAD.upper()])
def test_no_commit_and_no_other_spelling_of_it_is_an_approval_of_head(of_review, commit):
    reviews = (Review(login="ann", state=A, commit=of_review),)
    assert team_approval(Reviews(reviews=reviews), "slim", TEAM, commit).by == ()


EARLY, LATE = "2021-12-01T00:00:00Z", "2021-12-02T00:00:00Z"


@pytest.mark.parametrize(
    ("raw", "by"),
    [
        ([review(C, at=LATE), review(A, at=EARLY)], ()),
        ([review(A, at=LATE), review(C, at=EARLY)], ("ann",)),
        ([review(C, at=EARLY), review(A, at=EARLY)], ()),
        ([review(A, at=EARLY), review(C, at=EARLY)], ()),
        ([review(A, at=EARLY), review(A, at=EARLY)], ("ann",)),
        ([review(A, at=LATE), review(C)], ()),
        ([review(C), review(A, at=LATE)], ()),
        ([review(C, at=LATE), review(A)], ()),
        ([review(A), review(A, at=LATE)], ("ann",)),
        ([review(C), review(A)], ("ann",)),
        ([review(C, at=LATE), review(A, at=EARLY), review(A, login="eve")], ()),
        ([review(C, at=LATE), review(A, at=EARLY), review(N)], ()),
    ],
)
def test_what_was_decided_at_no_certain_time_does_not_approve(raw, by):
    assert team_approval(Reviews(reviews=parse(raw, "x")), "slim", TEAM).by == by


def test_of_two_approvals_at_no_certain_time_both_have_to_be_of_head():
    raw = [review(A, commit=OLDER, at=EARLY), review(A, at=EARLY)]
    for first, two in (raw, raw[::-1]):
        assert team_approval(Reviews(reviews=parse([first, two], "x")), "slim", TEAM, HEAD).by == ()


def test_trouble_and_a_team_of_nobody_are_no_approval():
    reviews = texts(f"ann:{A}")
    assert team_approval(Reviews(reviews=reviews, error="it is down"), "slim", TEAM) == Approval(
        problem="the reviews could not be read: it is down"
    )
    assert "names no members for slim" in team_approval(Reviews(reviews=reviews), "slim", ()).problem


# --- in a check


BASE = text("f(X) -> (Out)")
HEAD_SPEC = text("f(X) -> (Out) [def_attr: INT = 1, quant_attr: INT = 1 {quant}]")
REVIEWERS = {"inference": ["ann", "bob"], "slim": ["carl"]}
SETTINGS = {"profile": "paddle-2021", "reviewers": REVIEWERS, "levels": {"op_version_unknown": "off"}}


def write(folder, **settings):
    file = folder / "opspec-lint.yaml"
    file.write_text(config(**SETTINGS | settings), encoding="utf-8")
    return file


def project(folder, **settings):
    made = Repository.make(folder / "top", {FILE: BASE, "opspec-lint.yaml": config(**SETTINGS | settings)})
    made.stage({FILE: HEAD_SPEC})
    return made


def verdicts(report):
    return {
        finding.name: (finding.level, finding.counts, finding.approval and finding.approval.by)
        for finding in report.findings
        if finding.review is not None
    }


def given(*output, **more):
    reviews = Reviews(reviews=texts(*output), **more)
    return lambda: reviews


@pytest.mark.parametrize(
    ("message", "def_attr", "quant_attr"),
    [
        ([], ("error", True, ()), ("error", True, ())),
        ([f"ann:{A}"], ("warning", False, ("ann",)), ("error", True, ())),
        ([f"carl:{A}"], ("error", True, ()), ("warning", False, ("carl",))),
        ([f"BOB:{A}", f"ann:{C}", f"carl:{A}"], ("warning", False, ("BOB",)), ("warning", False, ("carl",))),
        ([f"ann:{A}", f"carl:{A}", f"ann:{D}"], ("error", True, ()), ("warning", False, ("carl",))),
        ([f"eve:{A}"], ("error", True, ()), ("error", True, ())),
    ],
)
def test_paddles_own_scenario(message, def_attr, quant_attr, tmp_path):
    report = check(project(tmp_path), reviews=given(*message))
    assert verdicts(report) == {"def_attr": def_attr, "quant_attr": quant_attr}
    assert report.failed is any(counts for _, counts, _ in (def_attr, quant_attr))


def test_nothing_changes_without_reviews_or_without_reviewers(tmp_path):
    repository = project(tmp_path)
    assert verdicts(check(repository)) == dict.fromkeys(("def_attr", "quant_attr"), ("warning", True, None))
    another = project(tmp_path / "other", reviewers={})
    assert verdicts(check(another, reviews=given())) == verdicts(check(repository))


def test_the_reviewers_are_those_of_base_and_a_change_of_them_is_reported(tmp_path):
    repository = project(tmp_path)
    repository.stage({"opspec-lint.yaml": config(**SETTINGS | {"reviewers": {"inference": ["eve"], "slim": ["eve"]}})})
    report = check(repository, reviews=given(f"eve:{A}"))
    assert {item for _, item, _ in verdicts(report).values()} == {True}
    assert [finding.name for finding in report.findings if finding.rule == "policy_changed"] == ["reviewers"]


def test_an_error_that_needs_a_team_is_cleared_too_and_keeps_its_level(tmp_path):
    repository = project(tmp_path)
    repository.stage({FILE: text("f(X, Y) -> (Out)")})
    assert verdicts(check(repository, reviews=given())) == {"Y": ("error", True, ())}
    assert verdicts(check(repository, reviews=given(f"ann:{A}"))) == {"Y": ("error", False, ("ann",))}


def test_a_waiver_that_the_change_brings_does_not_stand_in_for_the_approval(tmp_path):
    waiver = waivers({"rule": "attr_added_with_default", "op": "f", "covers": 2})
    repository = project(tmp_path)
    repository.stage({WAIVERS: waiver})
    assert check(repository, reviews=given()).failed
    assert not check(repository, reviews=given(f"ann:{A}", f"carl:{A}")).failed
    assert not check(repository).failed
    old = Repository.make(tmp_path / "old", {FILE: BASE, "opspec-lint.yaml": config(**SETTINGS), WAIVERS: waiver})
    old.stage({FILE: HEAD_SPEC})
    assert not check(old, reviews=given()).failed


def test_what_only_differs_from_an_older_release_was_approved_when_it_came(tmp_path):
    settings = SETTINGS | {"against": ["old.json"], "specs": [FILE]}
    repository = Repository.make(
        tmp_path / "top", {FILE: HEAD_SPEC, "old.json": BASE, "opspec-lint.yaml": config(**settings)}
    )
    repository.stage({"README": "x"})
    assert not check(repository, reviews=given()).failed
    repository.stage({FILE: text("f(X) -> (Out) [def_attr: INT = 1, quant_attr: INT = 1 {quant}, late: INT = 1]")})
    result = verdicts(check(repository, reviews=given()))
    assert {name for name, (_, _, by) in result.items() if by is not None} == {"late"}


NEEDING = {"Y": ("error", "ann"), "b": ("warning", "ann"), "q": ("warning", "carl")}
"""What the head of the table adds: its level in the profile, and who of the team is asked."""
ANSWERS = ("nothing", "approved", "approved an older commit", "requested changes", "was dismissed")
STATES = {"approved": (A, True), "approved an older commit": (A, False), "requested changes": (C, True),
          "was dismissed": (D, True)}  # fmt: skip


def table_of(folder, waived, mode, where):
    """A repository in which the head needs both teams; where the waivers and the reviewers stand is up to the case."""
    waiver = waivers({"rule": "attr_added_with_default", "op": "f", "covers": 2},
                     {"rule": "input_added_not_dispensable", "op": "f"})  # fmt: skip
    with_reviewers = config(**SETTINGS | {"approvals": mode})
    without = config(**{name: value for name, value in SETTINGS.items() if name != "reviewers"})
    others = config(**SETTINGS | {"reviewers": {"slim": ["eve"]}})
    before = with_reviewers if where.startswith("base") else without
    after = {"base": with_reviewers, "base, head names others": others, "head": others, "nowhere": without}[where]
    repository = Repository.make(
        folder, {FILE: BASE, "opspec-lint.yaml": before} | ({WAIVERS: waiver} if waived == "base" else {})
    )
    first = repository.head
    new = {FILE: text("f(X, Y) -> (Out) [b: INT = 1, q: INT = 1 {quant}]"), "opspec-lint.yaml": after, "README": "x"}
    repository.commit(new | ({WAIVERS: waiver} if waived == "head" else {}))
    return repository, first


@pytest.mark.parametrize("waived", ["nowhere", "base", "head"])
@pytest.mark.parametrize("mode", ["any", "of-head"])
@pytest.mark.parametrize("where", ["base", "base, head names others", "head", "nowhere"])
def test_every_combination_of_reviewers_reviews_waivers_and_levels(where, mode, waived, tmp_path):
    repository, first = table_of(tmp_path / "top", waived, mode, where)
    # Other reviewers in head count for neither team, or else for slim, whatever the other team has said.
    pairs = product(ANSWERS, repeat=2) if where == "base" else zip(ANSWERS, ANSWERS[1:] + ANSWERS[:1], strict=True)
    for answers in (None, "trouble", *pairs):
        given = [(person, *STATES[answer]) for person, answer in zip(("ann", "carl"), answers or (), strict=False)
                 if answers != "trouble" and answer in STATES]  # fmt: skip
        reviews = tuple(
            Review(login=person, state=state, commit=repository.head if at_head else OLDER)
            for person, state, at_head in (*given, ("eve", A, True))
        )
        result = Reviews(reviews=reviews, author="dora", error="lost" if answers == "trouble" else "")
        requested = None if answers is None else (lambda result=result: result)
        report = check(repository, base=first, is_exact=True, head="HEAD", reviews=requested)
        is_gated = answers is not None and where.startswith("base")
        for finding in report.findings:
            if finding.name not in NEEDING:
                continue
            level, person = NEEDING[finding.name]
            value = (
                dict(zip(("ann", "carl"), answers or (), strict=False)).get(person) if answers != "trouble" else None
            )
            approved = is_gated and (value == "approved" or (value == "approved an older commit" and mode != "of-head"))
            blocked = is_gated and not approved
            cleared = waived == "base" or (waived == "head" and not blocked)
            assert finding.level == ("error" if blocked else level), (answers, finding.name)
            assert finding.is_approved is approved, (answers, finding.name)
            assert (finding.waived is not None) is cleared, (answers, finding.name)
            assert finding.counts is not (cleared or approved), (answers, finding.name)
        assert {finding.name for finding in report.findings} >= set(NEEDING)
        assert report.failed is any(finding.counts and finding.level == "error" for finding in report.findings)


def test_reviewers_of_head_count_where_the_configuration_of_base_is_broken(tmp_path):
    repository = Repository.make(tmp_path / "top", {FILE: BASE, "opspec-lint.yaml": '{"reviewers": {"slim": []}}'})
    repository.stage({FILE: HEAD_SPEC, "opspec-lint.yaml": config(**SETTINGS)})
    report = check(repository, reviews=given())
    assert report.findings[0].rule == "base_setting_invalid"
    assert {finding.approval.by for finding in report.findings[1:]} == {()}


def test_reviewers_that_the_change_brings_to_a_base_without_configuration_are_reported(tmp_path):
    repository = Repository.make(tmp_path / "top", {FILE: BASE})
    repository.stage({FILE: HEAD_SPEC, "opspec-lint.yaml": config(**SETTINGS | {"reviewers": {"slim": ["eve"]}})})
    report = check(repository, reviews=given(f"eve:{A}"))
    assert report.approved == ()
    assert {"profile", "reviewers"} <= {finding.name for finding in report.findings if finding.rule == "policy_changed"}


def from_old_times(folder, then, now):
    """A topic that leaves main where the settings were `then`, and what main came to since: its tip has `now`."""
    repository = Repository.make(folder, {FILE: BASE, "opspec-lint.yaml": config(**then)})
    fork = repository.head
    repository.commit({"opspec-lint.yaml": config(**now), "README": "x"})
    repository.git("checkout", "-q", "-b", "topic", fork)
    repository.commit({FILE: HEAD_SPEC})
    return repository, fork


@pytest.mark.parametrize("is_exact", [False, True])
@pytest.mark.parametrize("then", [{}, {"profile": "paddle"}, SETTINGS | {"reviewers": {"inference": ["eve"]}}])
def test_who_starts_from_an_old_commit_is_not_checked_by_its_settings(then, is_exact, tmp_path):
    repository, _ = from_old_times(tmp_path / "top", then, SETTINGS)
    more = {"base": "main", "is_exact": is_exact, "head": "HEAD"}
    assert check(repository, reviews=given(f"eve:{A}"), **more).count("error") == 2
    assert not check(repository, reviews=given(f"ann:{A}", f"carl:{A}"), **more).failed


def test_settings_that_the_base_branch_changed_are_no_change_of_ours(tmp_path):
    repository, fork = from_old_times(tmp_path / "top", SETTINGS | {"approvals": "any"}, SETTINGS)
    report = check(repository, base="main", head="HEAD", reviews=given(f"ann:{A}", f"carl:{A}"))
    assert not report.failed
    assert "policy_changed" not in {finding.rule for finding in report.findings}
    assert report.base.startswith(fork[:10])


def test_a_waiver_that_the_base_branch_took_back_does_not_stand_in_for_the_approval(tmp_path):
    repository = Repository.make(tmp_path / "top", {FILE: BASE, "opspec-lint.yaml": config(**SETTINGS)})
    repository.commit({WAIVERS: waivers({"rule": "attr_added_with_default", "op": "f", "covers": 2})})
    fork = repository.head
    repository.commit({WAIVERS: None, "README": "x"})
    repository.git("checkout", "-q", "-b", "topic", fork)
    repository.commit({FILE: HEAD_SPEC})
    assert check(repository, base="main", head="HEAD", reviews=given()).count("error") == 2


@pytest.mark.parametrize(
    ("at_head", "commit", "failed"), [("HEAD", None, False), ("HEAD", OLDER, True), (None, None, True)]
)
def test_only_approvals_of_the_checked_commit_count_where_that_is_configured(at_head, commit, failed, tmp_path):
    repository = project(tmp_path, approvals="of-head")
    first = repository.head
    repository.commit({FILE: HEAD_SPEC})
    reviews = tuple(Review(login=login, state=A, commit=commit or repository.head) for login in ("ann", "carl"))
    where = {} if at_head is None else {"head": at_head}
    report = check(repository, base=first, is_exact=True, reviews=lambda: Reviews(reviews=reviews), **where)
    assert report.failed is failed


def test_every_report_states_who_approved_and_who_has_not(tmp_path):
    repository = project(tmp_path)
    report = check(repository, reviews=given(f"Bob:{A}"))
    for name in REPORTERS.names():
        shown = REPORTERS.load(name).render(report)
        if name == "paddle":
            assert "quant_attr" in shown
            assert "def_attr" not in shown
        elif name == "json":
            approvals = {finding["name"]: finding["approval"] for finding in json.loads(shown)["findings"]}
            assert approvals["def_attr"] == {"by": ["Bob"], "problem": None}
            assert approvals["quant_attr"] == {"by": [], "problem": "no member of the team has approved"}
            assert json.loads(shown)["summary"]["approved"] == 1
        elif name == "jsonl":
            approvals = {document["name"]: document["approval"] for document in map(json.loads, shown.splitlines())}
            assert approvals["def_attr"] == {"by": ["Bob"], "problem": None}
        elif name in ("azure", "statistics"):
            assert "1 approved" in shown
        else:
            assert "approved by Bob for inference" in shown, name
            assert name == "gitlab" or "needs slim to approve: no member of the team has approved" in shown, name


def test_two_specs_and_a_configuration_from_the_command_line(tmp_path):
    for name, spec in (("old.json", BASE), ("new.json", HEAD_SPEC), ("reviews.json", json.dumps([review()]))):
        (tmp_path / name).write_text(spec, encoding="utf-8")
    two = [str(tmp_path / "old.json"), str(tmp_path / "new.json")]
    reviews = ["--reviews", str(tmp_path / "reviews.json")]
    ran = run("check", *two, "--config", str(write(tmp_path)), *reviews)
    assert ran.code == 1
    assert "approved by ann for inference" in ran.out
    assert "1 error in 1 op; 1 approved" in ran.out
    assert run("check", *two, "--config", str(write(tmp_path)), *reviews, "--author", "Ann").out.count("needs") == 2
    for wrong in ([*two, *reviews], ["--author", "ann"], [*two, "--author", "ann"]):
        assert run("check", *wrong).code == 2


@pytest.mark.parametrize("author", [" ", "@ann", "ann ", "\u212aate", "ann,bob", "refs/ann"])
def test_an_author_who_is_no_login_is_a_wrong_command_line(author, tmp_path):
    (tmp_path / "reviews.json").write_text(json.dumps([review()]), encoding="utf-8")
    ran = run("check", "--reviews", str(tmp_path / "reviews.json"), f"--author={author}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"opspec-lint: error: --author: '{author}' is not a login")


@pytest.mark.parametrize("login", ["@ann", "org/team", "", "a b", "ann\u212a", 7])
def test_a_reviewer_is_a_login(login, tmp_path):
    made = project(tmp_path, reviewers={"slim": [login]})
    with pytest.raises(UsageError, match="reviewers"):
        check(made, reviews=given())
