"""The decision, from the reviews of a pull request, whether the teams that a policy requires have approved.

The states of reviews are the states of GitHub's REST API ("List reviews for a pull request"). A doubtful approval is no
approval.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.report.findings import Approval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from opspec_lint.lint.steps import Step
    from opspec_lint.report.findings import Finding

_APPROVED = "APPROVED"
_DECIDING_STATES = (_APPROVED, "CHANGES_REQUESTED", "DISMISSED")
# The message stays readable however many people have reviewed.
_LONGEST = 200


class Review(Record):
    """A review: the login of its author, its state, the reviewed commit, and its time; None if unknown."""

    login: str
    state: str
    commit: str | None = None
    at: str | None = None


class Reviews(Record):
    """The reviews of a pull request, oldest first, with the login of the author of the pull request.

    `head` is the tip of the pull request, None if it is the checked commit. `error` is the reason why the reviews could
    not be read; then nobody has approved.
    """

    reviews: tuple[Review, ...] = ()
    author: str | None = None
    head: str | None = None
    error: str = ""


class Gate(Record):
    """The approvals that a policy requires: the logins of each team, and a function that returns the reviews.

    With `is_of_head`, only approvals of the tip of the pull request count. `head` is the id of the checked commit, None
    if the check is of no commit.
    """

    teams: Mapping[str, tuple[str, ...]]
    reviews: Callable[[], Reviews]
    is_of_head: bool = False
    head: str | None = None

    def approval_step(self, base: str, bases: Collection[str]) -> Step:
        """Return the step that adds the approval to each finding that needs a team, and makes it an error without one.

        `base` is the file of base. A finding against no file of `bases` is older than the change, and needs no
        approval now.
        """

        def approved(finding: Finding) -> Finding:
            if finding.review is None or not any(file in bases for file in (base, *finding.also)):
                return finding
            approval = self._approval(finding.review)
            return finding.replace(approval=approval, level=finding.level if approval.by else "error")

        return approved

    def _approval(self, team: str) -> Approval:
        """Return whether a team has approved the commit that counts."""
        reviews = self.reviews()
        commit = (reviews.head or self.head or "") if self.is_of_head else None
        return team_approval(reviews, team, self.teams.get(team, ()), commit)


def team_approval(reviews: Reviews, team: str, logins: Iterable[str], commit: str | None = None) -> Approval:
    """Return who of a team has approved, or why the approval is missing.

    One member is enough. For each member, the latest review that approves, requests changes or was dismissed counts.
    `commit` is the commit that has to be approved, "" if it is unknown, None for any commit.
    """
    people = set(map(_key, logins))
    if reviews.error:
        return Approval(problem=f"the reviews could not be read: {reviews.error}")
    if not people:
        return Approval(problem=f"the setting `reviewers` names no members for {team}")
    # A member has several latest reviews if their order is unknown; each of them then has to be an approval.
    latest = [of_member for login, of_member in deciding_reviews(reviews).items() if login in people]
    approving = [of_member for of_member in latest if all(review.state == _APPROVED for review in of_member)]
    approving_now = [
        of_member
        for of_member in approving
        if commit is None or (commit and all(review.commit == commit for review in of_member))
    ]
    if approving_now:
        return Approval(by=tuple(sorted((of_member[-1].login for of_member in approving_now), key=str.lower)))
    # The reasons from the most specific to the general one: the first tells what is still to be done.
    if approving and commit == "":
        return Approval(problem="the commit that needs the approval is unknown: check a revision")
    if approving:
        return Approval(problem=f"{_join_logins(approving)} approved an older commit")
    if latest:
        return Approval(problem=f"{_join_logins(latest)} requested changes, or was dismissed")
    return Approval(problem="no member of the team has approved")


def deciding_reviews(reviews: Reviews) -> dict[str, list[Review]]:
    """Return the latest review of each person except the author, by login in lower case.

    Several reviews are returned if their order is unknown: they are of the same second, or only some have a time. If no
    review of a person has a time, GitHub's order decides, oldest first.
    """
    author = None if reviews.author is None else _key(reviews.author)
    decided: dict[str, list[Review]] = {}
    for review in reviews.reviews:
        if review.state in _DECIDING_STATES and _key(review.login) != author:
            decided.setdefault(_key(review.login), []).append(review)
    return {key: _latest_reviews(of_person) for key, of_person in decided.items()}


def _latest_reviews(reviews: list[Review]) -> list[Review]:
    """Return the reviews of one person that may be the latest."""
    times = {review.at for review in reviews}
    if times == {None}:
        return reviews[-1:]
    # A review without a time cannot be ordered among others that have one.
    if None in times:
        return reviews
    latest = max(review.at or "" for review in reviews)
    return [review for review in reviews if review.at == latest]


def _key(login: str) -> str:
    """Return a login in lower case, as GitHub compares logins without case."""
    # GitHub has no logins beyond ASCII, and `lower` maps letters such as the Kelvin sign to ASCII ones: a forged login
    # must not become that of a member.
    return login.lower() if login.isascii() else login


def _join_logins(people: Iterable[list[Review]]) -> str:
    """Return the logins of people, one list of reviews each, for a message."""
    return shorten(one_line(", ".join(sorted(of_person[-1].login for of_person in people))), _LONGEST)
