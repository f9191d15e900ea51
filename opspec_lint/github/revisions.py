"""Choice of the two revisions to compare, from the event and the checkout.

The head is always a commit, read from the object store: the work tree may contain links to anywhere, and may not belong
to the pull request at all (`pull_request_target` checks out the base).
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.github.event import PullRequest, WorkflowEvent
    from opspec_lint.github.remote import CheckoutRemote


class Revisions(Record):
    """Two commits to compare, and remarks on the choice.

    `base` None means the base of the configuration. `is_exact`: base itself is compared, not the merge base with head.
    `tip` is the commit of the pull request that head merges with base, None if head is no merge made by GitHub.
    """

    base: str | None
    head: str
    is_exact: bool = False
    remarks: tuple[str, ...] = ()
    tip: str | None = None

    @property
    def shown(self) -> str:
        """The commit that links lead to. GitHub soon deletes its own merge, so that is not linked."""
        return self.tip or self.head


def choose(event: WorkflowEvent, base: str | None, remote: CheckoutRemote) -> Revisions:
    """Return the commits to compare, and fetch those that are missing.

    Args:
        event: the event that started the workflow.
        base: the revision that the user names, None to use the event's.
        remote: the remote to fetch missing commits from.

    Raises:
        InputError: nothing is checked out, or a commit cannot be fetched.
    """
    here = remote.repository.commit("HEAD")
    if here is None:
        raise InputError("HEAD", "is not a commit: nothing is checked out")
    pair = _event_revisions(event, here, remote)
    if base is not None:
        pair = pair.replace(base=remote.resolve(base), is_exact=False)
    elif pair.base is None:
        remark = (
            f"the event {event.name!r} has no base: the configured one or the default branch is used; "
            "set the input `base` to name another"
        )
        pair = pair.replace(remarks=(*pair.remarks, remark))
    if pair.base is not None and not pair.is_exact:
        remote.connect(pair.base, pair.head)
    if pair.base == pair.head:
        remark = f"base and head are the same commit, {pair.head}: there is nothing to compare"
        pair = pair.replace(remarks=(*pair.remarks, remark))
    return pair


def _event_revisions(event: WorkflowEvent, here: str, remote: CheckoutRemote) -> Revisions:
    """Return the commits that an event names; base None if it names none."""
    if event.pull_request is not None:
        return _pull_request_revisions(event.pull_request, here, remote)
    head = here if event.after is None else remote.bring(event.after)
    if event.before is None:
        return Revisions(base=None, head=head)
    return Revisions(base=remote.bring(event.before), head=head, is_exact=True)


def _pull_request_revisions(pull_request: PullRequest, here: str, remote: CheckoutRemote) -> Revisions:
    """Return the revisions that a pull request changes.

    GitHub's own merge of the two branches is the future state of the target branch, so it is compared with the base
    that it merges. A commit names its parents even if a shallow clone lacks them.
    """
    merged = _merged_base(pull_request, here, remote)
    # Anybody can push a merge commit with any second parent: only a parent on the target branch is a base.
    if merged is not None and _is_on_target(merged, pull_request, remote):
        return Revisions(base=remote.bring(merged), head=here, is_exact=True, tip=pull_request.head)
    remarks: tuple[str, ...] = ()
    if merged is not None:
        problem = f"merges it with {merged}, which is not a commit of its base branch"
        remarks = (f"the checkout {here} {problem}; the head {pull_request.head} is checked",)
    elif here != pull_request.head:
        remarks = (f"the checkout {here} does not belong to the pull request; its head {pull_request.head} is checked",)
    head = remote.bring(pull_request.head)
    return Revisions(base=remote.bring(pull_request.base), head=head, remarks=remarks)


def _merged_base(pull_request: PullRequest, here: str, remote: CheckoutRemote) -> str | None:
    """Return the commit that the checkout merges with the head of a pull request, None if it is no such merge."""
    parents = remote.repository.parents(here)
    others = [parent for parent in parents if parent != pull_request.head]
    return others[0] if len(parents) == 2 and len(others) == 1 else None


def _is_on_target(commit: str, pull_request: PullRequest, remote: CheckoutRemote) -> bool:
    """Return whether a commit is on the target branch, whose tip may be later than the one in the event."""
    if commit == pull_request.base:
        return True
    return pull_request.target is not None and remote.is_of_branch(commit, pull_request.target)
