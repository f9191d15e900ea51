"""Fetches for a shallow checkout: single commits, and the history up to a merge base.

A fetch is first tried with the configuration of the checkout. If that is refused (`persist-credentials: false` leaves
no credentials behind) it is tried with the token, which git gets from its environment: never on a command line, never
in a file, and never for another host than GitHub's.
"""

from __future__ import annotations

from contextlib import suppress

from opspec_lint.git.base_names import branch_commit
from opspec_lint.git.fetching import require_commit
from opspec_lint.git.repository import COMMIT_ID
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.git.repository import Repository

REMOTE = "origin"
"""The name that actions/checkout gives it."""

_STEPS = ("--deepen=64", "--deepen=1024", "--unshallow")
_FLAGS = ("--no-tags", "--no-recurse-submodules", "--no-auto-gc")
_BOUNDS = {"GIT_HTTP_LOW_SPEED_LIMIT": "1000", "GIT_HTTP_LOW_SPEED_TIME": "60", "GCM_INTERACTIVE": "never"}
"""Git gives up after 60 s with fewer than 1000 bytes a second, and prompts nobody for credentials."""
_NAME = pattern(r"[\w@][\w@./-]*")
"""A name that may be fetched: no option, and no refspec."""


class CheckoutRemote(Record):
    """The remote of a repository, and the token for it: `server` is GitHub's address, such as https://github.com."""

    repository: Repository
    server: str = ""
    token: str = ""

    def bring(self, commit: str) -> str:
        """Fetch a commit if it is not here, and return its id.

        Raises:
            InputError: the commit can neither be found nor fetched.
        """
        if self.repository.commit(commit) is None:
            self._fetch(*self._depth(), REMOTE, commit)
            if self.repository.commit(commit) is None:
                raise InputError(commit, f"the remote {REMOTE!r} has no such commit")
        return commit

    def resolve(self, revision: str) -> str:
        """Return the id of the commit that a revision names here or, as a branch or tag, on the remote.

        A branch comes before a tag of the same name, also if the clone has the tag alone.

        Raises:
            InputError: the revision names no commit.
        """
        branch = branch_commit(self.repository, revision)
        if branch is not None:
            return branch.commit
        name = revision.removeprefix(f"{REMOTE}/")
        # The name goes to the command line of git: an option or a refspec ("+a:b") must not pass.
        is_name = _NAME.fullmatch(name) is not None
        if is_name and not COMMIT_ID.fullmatch(name) and not name.endswith("HEAD"):
            with suppress(InputError):
                self._fetch(*self._depth(), REMOTE, f"refs/heads/{name}")
                return require_commit(self.repository, "FETCH_HEAD")
        commit = self.repository.commit(revision)
        if commit is None and is_name:
            self._fetch(*self._depth(), REMOTE, name)
            commit = self.repository.commit("FETCH_HEAD")
        if commit is None:
            advice = "name a branch, a tag or a commit, or check out with `fetch-depth: 0`"
            raise InputError(revision, f"names no revision in the clone or on the remote {REMOTE!r}", advice=advice)
        return commit

    def is_of_branch(self, commit: str, branch: str) -> bool:
        """Return whether a commit is on a branch of the remote, or on a branch merged into it.

        Raises:
            InputError: the branch or its history cannot be fetched.
        """
        self._fetch(*self._depth(), REMOTE, f"refs/heads/{branch}")
        tip = self.repository.commit("FETCH_HEAD")
        if tip is None or tip == commit:
            return tip is not None
        self.connect(self.bring(commit), tip)
        return commit in self.repository.merge_bases(commit, [tip])

    def connect(self, first: str, second: str) -> None:
        """Deepen a shallow repository until the merge base of two commits is certain.

        Raises:
            InputError: the history cannot be fetched.
        """
        # In steps, since most branches are short: the whole history of a framework takes minutes.
        for step in _STEPS:
            if not self.repository.is_cut_between(first, second):
                return
            self._fetch(step, REMOTE, first, second)

    def environment(self) -> dict[str, str]:
        """Return the environment for git, and git alone, when it may fetch by itself: it may contain the token."""
        environment = {**self.repository.environment, **_BOUNDS}
        return self._with_token(environment) if self._may_use_token() else environment

    def _depth(self) -> tuple[str, ...]:
        """Return the option that keeps a shallow repository shallow; it would make a complete one shallow, too."""
        return ("--depth=1",) if self.repository.is_shallow() else ()

    def _fetch(self, *arguments: str) -> None:
        """Fetch from the remote, without and then with the token; raise InputError if both fail."""
        environment = {**self.repository.environment, **_BOUNDS}
        trouble = self._attempt(environment, arguments)
        if trouble is not None and self._may_use_token():
            trouble = self._attempt(self._with_token(environment), arguments)
        if trouble is not None:
            advice = "check out with `fetch-depth: 0`, or give the action a `token` that may read the repository"
            raise InputError(f"git fetch {' '.join(arguments)}", trouble.problem, advice=advice)

    def _attempt(self, environment: Mapping[str, str], arguments: tuple[str, ...]) -> InputError | None:
        """Run git fetch, and return its error, None if it succeeds."""
        try:
            self.repository.replace(environment=environment).fetch(*_FLAGS, *arguments)
        except InputError as error:
            return error
        return None

    def _may_use_token(self) -> bool:
        """Return whether there is a token that may be sent to the server."""
        from opspec_lint.github.api import is_safe

        return bool(self.token) and self.token.isascii() and self.token.isprintable() and is_safe(self.server)

    def _with_token(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return an environment that gives git the token for one server, and forbids redirects from it."""
        from base64 import b64encode

        credentials = b64encode(f"x-access-token:{self.token}".encode()).decode()
        place = f"http.{self.server.rstrip('/')}/"
        # Settings from variables (GIT_CONFIG_KEY_n): with `-c`, the list of processes would show the token.
        settings = (
            (f"{place}.extraheader", ""),  # removes earlier values: the server refuses two headers
            (f"{place}.extraheader", f"AUTHORIZATION: basic {credentials}"),
            (f"{place}.followRedirects", "false"),
        )
        count = environment.get("GIT_CONFIG_COUNT", "")
        first = int(count) if count.isdecimal() else 0
        variables = {"GIT_CONFIG_COUNT": str(first + len(settings))}
        for number, (key, value) in enumerate(settings, first):
            variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return {**environment, **variables}
