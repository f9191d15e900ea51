"""Reads revisions, the index and history of a git repository; never writes to it.

Everything comes from the object store, by plumbing that runs no filter, hook or text conversion of the repository.
The GIT_* variables of an enclosing hook do not lead elsewhere: they are dropped, but for an index that belongs to this
very repository, which is the one that `git commit -a` and `git commit -p` are about to commit.
"""

from __future__ import annotations

import os
import subprocess

from opspec_lint.errors import InputError
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_LOCAL = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
"""The variables that tie a git to one repository, of those that `git rev-parse --local-env-vars` lists."""

INDEX = ""
"""The revision that stands for the index, as in `:PATH`."""


class Repository(Record):
    """A git repository.

    `folder` is where git is run, `top` the root of the work tree (or of a bare repository), `prefix` the path from
    `top` to `folder`, with a slash at its end, or "". `environment` is what git is run with.
    """

    folder: str
    top: str
    prefix: str
    environment: Mapping[str, str]

    def commit(self, revision: str) -> str | None:
        """Return the id of the commit that a revision names, None where it names none that is here."""
        found = _git(self, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        return found.stdout.decode().strip() if found.returncode == 0 else None

    def read(self, revision: str, path: str) -> bytes | None:
        """Return a file as it stands at a revision, or in the index (`INDEX`); None where there is no such file.

        Args:
            revision: any revision, or `INDEX`.
            path: the path from `top`.
        """
        found = _git(self, "cat-file", "blob", f"{revision}:{path}")
        return found.stdout if found.returncode == 0 else None

    def files(self, revision: str) -> list[str]:
        """Return the paths of all files at a revision, or in the index, from `top`."""
        listing = ("ls-files", "--cached") if revision == INDEX else ("ls-tree", "-r", "--name-only", "--full-tree")
        arguments = (*listing, "-z") if revision == INDEX else (*listing, "-z", revision)
        found = _git(self, *arguments, folder=self.top)
        return [os.fsdecode(path) for path in found.stdout.split(b"\0") if path]

    def is_shallow(self) -> bool:
        """Tell whether the repository lacks history."""
        return _git(self, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


def find(folder: str, environment: Mapping[str, str]) -> Repository | None:
    """Return the repository that a folder belongs to, None where it belongs to none, or there is no git.

    Args:
        folder: any folder of a work tree, or a bare repository.
        environment: the environment that git is to inherit.
    """
    scrubbed = {name: value for name, value in environment.items() if name not in _LOCAL}
    scrubbed |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    probe = Repository(folder=folder, top=folder, prefix="", environment=scrubbed)
    try:
        found = _git(probe, "rev-parse", "--absolute-git-dir", "--is-bare-repository", "--show-prefix")
    except InputError:
        return None
    if found.returncode:
        return None
    git_dir, bare, prefix = os.fsdecode(found.stdout).split("\n")[:3]
    top = git_dir if bare == "true" else os.fsdecode(_git(probe, "rev-parse", "--show-toplevel").stdout).rstrip("\n")
    own = _own_index(environment, git_dir)
    return Repository(folder=folder, top=top, prefix=prefix, environment=scrubbed | own)


def fetch_command(repository: Repository, revision: str) -> str:
    """Return the command that would bring a revision that is not here."""
    import shlex

    remotes = _git(repository, "remote").stdout.decode().split()
    depth = ["--depth=1"] if repository.is_shallow() else []
    name = revision.partition("~")[0].partition("^")[0]
    remote, _, branch = name.partition("/")
    if branch and remote in {*remotes, "origin"}:
        words = ["git", "fetch", *depth, remote, f"{branch}:refs/remotes/{remote}/{branch}"]
    else:
        words = ["git", "fetch", *depth, remotes[0] if len(remotes) == 1 else "origin", name]
    return shlex.join(words)


def _own_index(environment: Mapping[str, str], git_dir: str) -> dict[str, str]:
    index = environment.get("GIT_INDEX_FILE")
    if index and os.path.dirname(os.path.realpath(index)) == os.path.realpath(git_dir):
        return {"GIT_INDEX_FILE": os.path.realpath(index)}
    return {}


def _git(repository: Repository, *arguments: str, folder: str | None = None) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", *arguments]
    try:
        return subprocess.run(  # noqa: S603 - git alone, and no shell
            command,
            cwd=folder or repository.folder,
            env=dict(repository.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise InputError("git", f"cannot be run: {error.strerror}", advice="install git") from None
