"""Decides from the reviews of a pull request who has approved it.

The states of reviews are those of GitHub's REST API ("List reviews for a pull request"). Whatever is not certainly an
approval is none.
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
_DECIDING = (_APPROVED, "CHANGES_REQUESTED", "DISMISSED")
_LONGEST = 200


class Review(Record):
    """A review: its author, its state, the commit that it is of, and its time; None for what is unknown."""

    login: str
    state: str
    commit: str | None = None
    at: str | None = None


class Reviews(Record):
    """The reviews of a pull request, the oldest first, and the login of its author, None if unknown.

    `head` is the tip of the pull request, None if that is the commit that is checked. `trouble` says why the reviews
    could not be read; then nobody has approved.
    """

    reviews: tuple[Review, ...] = ()
    author: str | None = None
    head: str | None = None
    trouble: str = ""


class Gate(Record):
    """The approvals that a policy requires: the logins of each team, and a function that returns the reviews.

    `is_of_head` is whether only approvals of the tip of the pull request count. `head` is the id of the commit that is
    checked, None if it is not a commit.
    """

    teams: Mapping[str, tuple[str, ...]]
    reviews: Callable[[], Reviews]
    is_of_head: bool = False
    head: str | None = None

    def approving(self, base: str, bases: Collection[str]) -> Step:
        """Return the step that adds to each finding that needs a team its approval; without one it is an error.

        Args:
            base: the file of base.
            bases: the files of the bases that the change is compared with; a finding against none of them is older
                than the change.
        """

        def approved(finding: Finding) -> Finding:
            if finding.review is None or not any(each in bases for each in (base, *finding.also)):
                return finding
            approval = self._approval(finding.review)
            return finding.replace(approval=approval, level=finding.level if approval.by else "error")

        return approved

    def _approval(self, team: str) -> Approval:
        reviews = self.reviews()
        commit = (reviews.head or self.head or "") if self.is_of_head else None
        return approve(reviews, team, self.teams.get(team, ()), commit)


def approve(reviews: Reviews, team: str, logins: Iterable[str], commit: str | None = None) -> Approval:
    """Return whether a team has approved.

    For each person, the latest review counts that approves, requests changes or was dismissed. Logins are compared
    without case. One person is enough. The author of the pull request does not count.

    Args:
        reviews: the reviews.
        team: the name of the team, for messages.
        logins: its members.
        commit: the commit that has to be approved, "" if it is unknown; None if any commit will do.
    """
    people = set(map(_key, logins))
    if reviews.trouble:
        return Approval(problem=f"the reviews could not be read: {reviews.trouble}")
    if not people:
        return Approval(problem=f"the setting `reviewers` names no members for {team}")
    last = [found for key, found in standing(reviews).items() if key in people]
    approved = [found for found in last if all(each.state == _APPROVED for each in found)]
    current = [
        found for found in approved if commit is None or (commit and all(each.commit == commit for each in found))
    ]
    if current:
        return Approval(by=tuple(sorted((found[-1].login for found in current), key=str.lower)))
    if approved and commit == "":
        return Approval(problem="the commit that needs the approval is unknown: check a revision")
    if approved:
        return Approval(problem=f"{_names(approved)} approved an older commit")
    if last:
        return Approval(problem=f"{_names(last)} requested changes, or was dismissed")
    return Approval(problem="no member of the team has approved")


def standing(reviews: Reviews) -> dict[str, list[Review]]:
    """Return the latest review of each person, by login in lower case; several, if any of them may be the latest.

    Any of several reviews in the same second may be the latest. If no review of a person has a time, GitHub's order
    decides: the oldest first. If only some have a time, any of them may be the latest.
    """
    author = None if reviews.author is None else _key(reviews.author)
    decided: dict[str, list[Review]] = {}
    for each in reviews.reviews:
        if each.state in _DECIDING and _key(each.login) != author:
            decided.setdefault(_key(each.login), []).append(each)
    return {key: _latest(found) for key, found in decided.items()}


def _latest(found: list[Review]) -> list[Review]:
    times = {each.at for each in found}
    if times == {None}:
        return found[-1:]
    if None in times:
        return found
    latest = max(each.at or "" for each in found)
    return [each for each in found if each.at == latest]


def _key(login: str) -> str:
    """Return a login in lower case; logins with letters beyond ASCII do not exist on GitHub and stay as they are."""
    return login.lower() if login.isascii() else login


def _names(found: Iterable[list[Review]]) -> str:
    return shorten(one_line(", ".join(sorted(each[-1].login for each in found))), _LONGEST)
