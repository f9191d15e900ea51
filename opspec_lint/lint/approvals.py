"""Who has approved of a pull request, by the list of its reviews that GitHub gives.

States, and what a review holds, are those of GitHub's REST API ("List reviews for a pull request"). Whatever is not
surely an approval is none.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.report.findings import Approval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from opspec_lint.report.findings import Comparison, Finding

_APPROVED = "APPROVED"
_DECIDING = (_APPROVED, "CHANGES_REQUESTED", "DISMISSED")
_LONGEST = 200


class Review(Record):
    """A review: whose it is, what it says, of which commit, and when it was submitted; None is what is not said."""

    login: str
    state: str
    commit: str | None = None
    at: str | None = None


class Reviews(Record):
    """The reviews of a pull request, the oldest first, and the login of its author, None where that is not known.

    `head` is the tip of the pull request, which need not be the commit that is checked, None where that is it.
    `trouble` says why they could not be had; then nobody has approved.
    """

    reviews: tuple[Review, ...] = ()
    author: str | None = None
    head: str | None = None
    trouble: str = ""


class Gate(Record):
    """What approvals a policy asks for: the logins of each team, and how to come by the reviews when one is needed.

    `is_of_head` tells that only approvals of the tip of what is reviewed count. `head` is the id of the commit that is
    checked, None where it is none that anybody could review.
    """

    teams: Mapping[str, tuple[str, ...]]
    reviews: Callable[[], Reviews]
    is_of_head: bool = False
    head: str | None = None

    def settle(self, comparison: Comparison, bases: Collection[str]) -> Comparison:
        """Return a comparison in which each finding that needs a team has its approval, or is an error.

        Args:
            comparison: the comparison.
            bases: the files of the bases that the reviewed change is of; what is found against none of them is older.
        """

        def settled(finding: Finding) -> Finding:
            if finding.review is None or not any(base in bases for base in (comparison.base.file, *finding.also)):
                return finding
            return self._settled(finding, finding.review)

        return comparison.but(findings=tuple(map(settled, comparison.findings)))

    def _settled(self, finding: Finding, team: str) -> Finding:
        reviews = self.reviews()
        commit = (reviews.head or self.head or "") if self.is_of_head else None
        approval = approve(reviews, team, self.teams.get(team, ()), commit)
        return finding.but(approval=approval) if approval.by else finding.but(approval=approval, level="error")


def approve(reviews: Reviews, team: str, logins: Iterable[str], commit: str | None = None) -> Approval:
    """Return whether a team has approved.

    Of each person the latest review counts that approves, asks for changes or was dismissed; logins are compared
    without case. One person is enough. The author of the pull request is nobody.

    Args:
        reviews: the reviews.
        team: what messages call the team.
        logins: its people.
        commit: the commit that an approval has to be of, "" for one that cannot be known; None for any.
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
    """Return the review of each person that counts, by login in lower case: all that may be it, where it is not sure.

    The latest counts. Of several in the same second any may be that. GitHub lists the oldest first, which serves where
    no review of a person says when it was; where only some do, any of them may be the latest.
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
    """Return what two spellings of one login have in common; no login of GitHub has letters beyond ASCII."""
    return login.lower() if login.isascii() else login


def _names(found: Iterable[list[Review]]) -> str:
    return shorten(one_line(", ".join(sorted(each[-1].login for each in found))), _LONGEST)
