"""What to compare with what, from the event and from what is checked out.

The head is always a commit, read from the object store: what lies in the work tree may be links to anywhere, and need
not be the pull request's at all (`pull_request_target` checks out the base).
"""

from __future__ import annotations

from opspec_lint.errors import InputError
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.github.event import Event, PullRequest
    from opspec_lint.github.remote import Remote


class Pair(Record):
    """Two commits to compare, and what is to be said of the choice.

    `base` None stands for what the configuration says. `is_exact` tells that base is compared itself, not the commit
    at which head's history leaves it.
    """

    base: str | None
    head: str
    is_exact: bool = False
    remarks: tuple[str, ...] = ()


def choose(event: Event, base: str | None, remote: Remote) -> Pair:
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
        raise InputError("HEAD", "names no commit: nothing is checked out")
    pair = _of_event(event, here, remote)
    if base is not None:
        pair = pair.but(base=remote.resolve(base), is_exact=False)
    elif pair.base is None:
        remark = (
            f"the event {event.name!r} names no base: the one of the configuration serves; the input `base` names one"
        )
        pair = pair.but(remarks=(*pair.remarks, remark))
    if pair.base is not None and not pair.is_exact:
        remote.connect(pair.base, pair.head)
    if pair.base == pair.head:
        remark = f"base and head are the same commit, {pair.head}: there is nothing to compare"
        pair = pair.but(remarks=(*pair.remarks, remark))
    return pair


def _of_event(event: Event, here: str, remote: Remote) -> Pair:
    if event.pull_request is not None:
        return _of_pull_request(event.pull_request, here, remote)
    head = here if event.after is None else remote.bring(event.after)
    if event.before is None:
        return Pair(base=None, head=head)
    return Pair(base=remote.bring(event.before), head=head, is_exact=True)


def _of_pull_request(pull_request: PullRequest, here: str, remote: Remote) -> Pair:
    """Return what a pull request changes.

    GitHub's own merge of the two branches is what will stand after the merge, so it is compared with the base that it
    was made with. That works without any history: a commit names its parents even where they are not here.
    """
    parents = remote.repository.parents(here)
    if len(parents) == 2 and pull_request.head in parents:
        (base,) = (parent for parent in parents if parent != pull_request.head)
        return Pair(base=remote.bring(base), head=here, is_exact=True)
    remarks: tuple[str, ...] = ()
    if here != pull_request.head:
        remarks = (f"what is checked out, {here}, is not of the pull request; its head {pull_request.head} is checked",)
    head = remote.bring(pull_request.head)
    return Pair(base=remote.bring(pull_request.base), head=head, remarks=remarks)
