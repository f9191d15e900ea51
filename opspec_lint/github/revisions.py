"""What to compare with what, from the event and from what is checked out.

The head is always a commit, read from the object store: what lies in the work tree may be links to anywhere, and need
not be the pull request's at all (`pull_request_target` checks out the base).
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.github.event import Event, PullRequest
    from opspec_lint.github.remote import Remote


class Revisions(Record):
    """Two commits to compare, and what is to be said of the choice.

    `base` None stands for what the configuration says. `is_exact` tells that base is compared itself, not the commit
    at which head's history leaves it. `tip` is the commit of the pull request that head merges with base, None where
    head is no merge that GitHub made.
    """

    base: str | None
    head: str
    is_exact: bool = False
    remarks: tuple[str, ...] = ()
    tip: str | None = None

    @property
    def shown(self) -> str:
        """The commit that links lead to: GitHub's merge is soon gone, and nobody looks at it."""
        return self.tip or self.head


def choose(event: Event, base: str | None, remote: Remote) -> Revisions:
    """Return the commits to compare, and fetch what is not here.

    Args:
        event: what set the workflow off.
        base: the revision that the user names, None where that is left to the event.
        remote: where missing commits come from.

    Raises:
        InputError: nothing is checked out, or a commit cannot be had.
    """
    here = remote.repository.commit("HEAD")
    if here is None:
        raise InputError("HEAD", "is not a commit: nothing is checked out")
    pair = _of_event(event, here, remote)
    if base is not None:
        pair = pair.but(base=remote.resolve(base), is_exact=False)
    elif pair.base is None:
        remark = (
            f"the event {event.name!r} has no base: the configured one or the default branch is used; "
            "set the input `base` to name another"
        )
        pair = pair.but(remarks=(*pair.remarks, remark))
    if pair.base is not None and not pair.is_exact:
        remote.connect(pair.base, pair.head)
    if pair.base == pair.head:
        remark = f"base and head are the same commit, {pair.head}: there is nothing to compare"
        pair = pair.but(remarks=(*pair.remarks, remark))
    return pair


def _of_event(event: Event, here: str, remote: Remote) -> Revisions:
    if event.pull_request is not None:
        return _of_pull_request(event.pull_request, here, remote)
    head = here if event.after is None else remote.bring(event.after)
    if event.before is None:
        return Revisions(base=None, head=head)
    return Revisions(base=remote.bring(event.before), head=head, is_exact=True)


def _of_pull_request(pull_request: PullRequest, here: str, remote: Remote) -> Revisions:
    """Return the revisions that a pull request changes.

    GitHub's own merge of the two branches is what will stand after the merge, so it is compared with the base that it
    was made with. A commit names its parents even where they are not here.
    """
    merged = _merged(pull_request, here, remote)
    if merged is not None and _is_of_target(merged, pull_request, remote):
        return Revisions(base=remote.bring(merged), head=here, is_exact=True, tip=pull_request.head)
    remarks: tuple[str, ...] = ()
    if merged is not None:
        problem = f"merges it with {merged}, which is not a commit of its base branch"
        remarks = (f"the checkout {here} {problem}; the head {pull_request.head} is checked",)
    elif here != pull_request.head:
        remarks = (f"the checkout {here} does not belong to the pull request; its head {pull_request.head} is checked",)
    head = remote.bring(pull_request.head)
    return Revisions(base=remote.bring(pull_request.base), head=head, remarks=remarks)


def _merged(pull_request: PullRequest, here: str, remote: Remote) -> str | None:
    """Return the commit that another one merges the head of a pull request with, None where it is no such merge."""
    parents = remote.repository.parents(here)
    others = [parent for parent in parents if parent != pull_request.head]
    return others[0] if len(parents) == 2 and len(others) == 1 else None


def _is_of_target(commit: str, pull_request: PullRequest, remote: Remote) -> bool:
    """Tell whether a commit is of the branch that a pull request is for; GitHub may know a later one than the event."""
    if commit == pull_request.base:
        return True
    return pull_request.target is not None and remote.is_of_branch(commit, pull_request.target)
