"""Brings what a shallow checkout lacks: single commits, and history up to where two commits part.

A fetch is first tried as the checkout is set up. Where that is refused (`persist-credentials: false` leaves no
credentials behind) it is tried with the token, which git is told by its environment: never on a command line, never in
a file, and never for another host than GitHub's.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.git.repository import Repository

REMOTE = "origin"
"""What actions/checkout calls it."""

_STEPS = ("--deepen=64", "--deepen=1024", "--unshallow")
_FLAGS = ("--no-tags", "--no-recurse-submodules", "--no-auto-gc")
_BOUNDS = {"GIT_HTTP_LOW_SPEED_LIMIT": "1000", "GIT_HTTP_LOW_SPEED_TIME": "60", "GCM_INTERACTIVE": "never"}
"""Fewer bytes than that a second for so many seconds, and git gives up; and nobody is there to be asked."""
_NAME = pattern(r"[\w@][\w@./-]*")
"""What may be fetched by name: no option, and no refspec."""


class Remote(Record):
    """The remote of a repository, and the token for it: `server` is GitHub's address, such as https://github.com."""

    repository: Repository
    server: str = ""
    token: str = ""

    def bring(self, commit: str) -> str:
        """Return the id of a commit after fetching it, where it is not here.

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

        Raises:
            InputError: the revision names no commit.
        """
        found = self.repository.commit(revision)
        name = revision.removeprefix(f"{REMOTE}/")
        if found is None and _NAME.fullmatch(name):
            self._fetch(*self._depth(), REMOTE, name)
            found = self.repository.commit("FETCH_HEAD")
        if found is None:
            advice = "name a branch, a tag or a commit, or check out with `fetch-depth: 0`"
            raise InputError(revision, f"names no revision in the clone or on the remote {REMOTE!r}", advice=advice)
        return found

    def is_of_branch(self, commit: str, branch: str) -> bool:
        """Tell whether a commit is, or was, the tip of a branch of the remote, or of what was merged into it.

        Raises:
            InputError: the branch or its history cannot be had.
        """
        self._fetch(*self._depth(), REMOTE, f"refs/heads/{branch}")
        tip = self.repository.commit("FETCH_HEAD")
        if tip is None or tip == commit:
            return tip is not None
        self.connect(self.bring(commit), tip)
        return self.repository.merge_base(commit, [tip]) == commit

    def connect(self, one: str, other: str) -> None:
        """Deepen a shallow repository until it is certain where two of its commits part.

        Raises:
            InputError: the history cannot be had.
        """
        for step in _STEPS:
            if not self.repository.is_cut_between(one, other):
                return
            self._fetch(step, REMOTE, one, other)

    def environment(self) -> dict[str, str]:
        """Return the environment in which git, and git alone, is to run where it may have to fetch by itself."""
        environment = {**self.repository.environment, **_BOUNDS}
        return self._with_token(environment) if self._may_use_token() else environment

    def _depth(self) -> tuple[str, ...]:
        """Return the option that keeps a shallow repository so; one that is whole would be made shallow by it."""
        return ("--depth=1",) if self.repository.is_shallow() else ()

    def _fetch(self, *arguments: str) -> None:
        environment = {**self.repository.environment, **_BOUNDS}
        trouble = self._attempt(environment, arguments)
        if trouble is not None and self._may_use_token():
            trouble = self._attempt(self._with_token(environment), arguments)
        if trouble is not None:
            advice = "check out with `fetch-depth: 0`, or give the action a `token` that may read the repository"
            raise InputError(f"git fetch {' '.join(arguments)}", trouble.problem, advice=advice)

    def _attempt(self, environment: Mapping[str, str], arguments: tuple[str, ...]) -> InputError | None:
        try:
            self.repository.but(environment=environment).fetch(*_FLAGS, *arguments)
        except InputError as error:
            return error
        return None

    def _may_use_token(self) -> bool:
        from opspec_lint.github.api import is_safe

        return bool(self.token) and self.token.isascii() and self.token.isprintable() and is_safe(self.server)

    def _with_token(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return an environment that tells git the token, for one server, and to follow it nowhere else."""
        from base64 import b64encode

        credentials = b64encode(f"x-access-token:{self.token}".encode()).decode()
        place = f"http.{self.server.rstrip('/')}/"
        settings = (
            (f"{place}.extraheader", ""),  # forgets what stands there: two headers are refused
            (f"{place}.extraheader", f"AUTHORIZATION: basic {credentials}"),
            (f"{place}.followRedirects", "false"),
        )
        count = environment.get("GIT_CONFIG_COUNT", "")
        first = int(count) if count.isdecimal() else 0
        told = {"GIT_CONFIG_COUNT": str(first + len(settings))}
        for number, (key, value) in enumerate(settings, first):
            told |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return {**environment, **told}
