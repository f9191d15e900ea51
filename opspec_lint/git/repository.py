"""Reads revisions, the index and history of a git repository; never writes to it.

Everything is read from the object store, by plumbing commands that run no program that the repository names: no hook,
filter, file system monitor, text conversion or transport. `git fetch` is the exception. Replaced objects and grafts are
ignored, so that everybody checks the same content. The GIT_* variables of an enclosing hook are dropped, except for an
index of this very repository: `git commit -a` and `git commit -p` commit that one.
"""

from __future__ import annotations

import os
import re
import subprocess

from opspec_lint.kit.errors import InputError, OpspecError, UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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

_ALONE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
"""What keeps git from fetching by itself what a partial clone lacks; older versions know the second variable alone."""
_PLAIN = {
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_GIT = (
    "git",
    "--no-pager",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.quotePath=false"),
    *("-c", "advice.graftFileDeprecated=false"),
)

INDEX = ""
"""The revision that stands for the index, as in `:PATH`."""
WORK_TREE = "."
"""The revision that stands for the files as they lie; no revision of git has that name."""

_DAMAGED = "does the repository have all objects? run `git fsck`"
_PORTION = 1 << 16
COMMIT_ID = pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REGULAR = ("100644", "100755")


class Moved(Record):
    """A regular file that differs between two revisions: its path at each, None if it does not exist there."""

    old: str | None
    new: str | None


class Repository(Record):
    """A git repository.

    `folder` is the folder in which git runs, `git_dir` the git directory of the work tree, `top` the root of the work
    tree (or of a bare repository), `prefix` the path from `top` to `folder`, with a slash at its end, or "". `head` is
    the id of HEAD when the repository was found, None on a branch without commits. `branch` is the full name of the
    branch, "" if there is none. `environment` is the environment of git.
    """

    folder: str
    git_dir: str
    top: str
    prefix: str
    head: str | None = None
    branch: str = ""
    environment: Mapping[str, str]

    def commit(self, revision: str) -> str | None:
        """Return the id of the commit that a revision names, None where it names none that is here."""
        found = _git(self, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        name = found.stdout.decode().strip()
        return name if COMMIT_ID.fullmatch(name) else None  # to git `^main` is a revision, too

    def tree(self, revision: str) -> str | None:
        """Return the id of the tree that a revision is or has, None where it names none that is here."""
        found = _git(self, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}")
        name = found.stdout.decode().strip()
        return name if COMMIT_ID.fullmatch(name) else None

    def read(self, revision: str, path: str) -> bytes | None:
        """Return a file as it stands at a revision, or in the index (`INDEX`); None where there is no such file.

        Args:
            revision: any revision, or `INDEX`.
            path: the path from `top`.
        """
        found = _git(self, "cat-file", "blob", name_of(revision, path))
        return found.stdout if found.returncode == 0 else None

    def files(self, revision: str) -> list[str]:
        """Return the paths from `top` of all files at a revision, or in the index.

        Raises:
            InputError: git cannot list them.
        """
        if revision == INDEX:
            return _paths(self.output("ls-files", "-z", "--cached"))
        return _paths(self.output("ls-tree", "-r", "--name-only", "--full-tree", "-z", revision))

    def output(self, *arguments: str) -> bytes:
        """Return the output of git at the top of the repository, where it does not fail.

        Raises:
            InputError: git fails.
        """
        found = _git(self, *arguments, folder=self.top)
        if found.returncode:
            raise InputError(f"git {arguments[0]}", _complaint(found), advice=_DAMAGED)
        return found.stdout

    def matching(self, expression: str) -> list[str]:
        """Return the paths from `top` of tracked files of the work tree that have a line which an expression matches.

        Args:
            expression: an extended regular expression.
        """
        found = _git(self, "grep", "-l", "-z", "-I", "-E", "--full-name", "-e", expression, folder=self.top)
        return _paths(found.stdout) if found.returncode == 0 else []

    def is_partial(self) -> bool:
        """Tell whether the repository may lack objects that its commits name, to be fetched when they are needed."""
        return bool(_git(self, "config", "--get-regexp", r"^remote\..*\.(promisor|partialclonefilter)$").stdout.strip())

    def is_sparse(self) -> bool:
        """Tell whether the checkout is sparse: some files of the index may not be in the work tree."""
        return _git(self, "config", "--type=bool", "--get", "core.sparseCheckout").stdout.strip() == b"true"

    def is_shallow(self) -> bool:
        """Tell whether the repository lacks history."""
        return _git(self, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    def changes(self, base: str, head: str) -> list[Moved]:
        """Return the regular files that are not the same at two revisions; a rename is the one that git sees.

        Args:
            base: the id of a commit or tree.
            head: the same, or `INDEX`.

        Raises:
            InputError: git cannot compare the two.
        """
        flags = ("--raw", "-z", "-M", "--no-abbrev", "--ignore-submodules")
        ends = ("diff-index", "--cached", *flags, base) if head == INDEX else ("diff-tree", "-r", *flags, base, head)
        return list(_moves(self.output(*ends, "--")))

    def heads(self) -> list[str]:
        """Return the parents of the next commit: HEAD, and during a merge what is merged; none on an unborn branch."""
        return [] if self.head is None else [self.head, *self._note("MERGE_HEAD").split()]

    def merge_base(self, revision: str, heads: Sequence[str]) -> str | None:
        """Return the best common ancestor of a revision and of what would be the merge of `heads`; None without one."""
        found = _git(self, "merge-base", "--end-of-options", revision, *heads)
        return found.stdout.decode().split("\n")[0] if found.returncode == 0 else None

    def empty_tree(self) -> str:
        """Return the id of the tree that holds nothing."""
        return _git(self, "hash-object", "-t", "tree", "--stdin").stdout.decode().strip()

    def fetch(self, *arguments: str) -> None:
        """Run `git fetch`.

        Raises:
            InputError: the command failed.
        """
        found = _git(self, "fetch", "--quiet", *arguments, alone=False)
        if found.returncode:
            raise InputError("git fetch", _complaint(found), advice="is the remote reachable?")

    def parents(self, commit: str) -> list[str]:
        """Return the ids of the parents of a commit, also of those that a shallow repository lacks."""
        header = _git(self, "cat-file", "commit", commit).stdout.partition(b"\n\n")[0].decode("utf-8", "replace")
        return [line.removeprefix("parent ") for line in header.split("\n") if line.startswith("parent ")]

    def remotes(self) -> list[str]:
        """Return the names of the remotes."""
        return _git(self, "remote").stdout.decode("utf-8", "replace").split()

    def cut(self, *revisions: str) -> list[str]:
        """Return the commits whose parents a shallow repository lacks; of some revisions, where they are in history.

        Args:
            revisions: revisions, or ranges of them; without any, all count.
        """
        path = os.fsdecode(_git(self, "rev-parse", "--git-path", "shallow").stdout.rstrip(b"\n"))
        try:
            with open(os.path.join(self.folder, path), encoding="ascii") as stream:
                cut = stream.read().split()
        except FileNotFoundError:
            return []
        if not revisions:
            return cut
        reached = set(_git(self, "rev-list", "--end-of-options", *revisions).stdout.decode().split())
        return [commit for commit in cut if commit in reached]

    def is_cut_between(self, one: str, other: str) -> bool:
        """Tell whether the history is missing that contains the merge base of two commits."""
        return bool(self.cut(f"{one}...{other}"))

    def _note(self, name: str) -> str:
        """Return the content of a file of git about an operation in progress, "" if there is none."""
        try:
            with open(os.path.join(self.git_dir, name), encoding="utf-8", errors="replace") as stream:
                return stream.read()
        except OSError:
            return ""


def serve(repository: Repository) -> subprocess.Popen[bytes]:
    """Start a `git cat-file --batch`, which answers every name on its standard input with the object of that name.

    Raises:
        InputError: git cannot be run.
    """
    try:
        return subprocess.Popen(  # noqa: S603 - git alone, and no shell
            [*_GIT, "cat-file", "--batch"],
            cwd=repository.folder,
            env={**repository.environment, **_ALONE},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise _not_run(error) from None


def stream(repository: Repository, *arguments: str) -> Iterator[bytes]:
    """Yield what git says at the top of the repository, in portions.

    Raises:
        InputError: git cannot be run, or failed.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - git alone, and no shell
            [*_GIT, *arguments],
            cwd=repository.top,
            env={**repository.environment, **_ALONE},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise _not_run(error) from None
    with process:
        try:
            while process.stdout is not None and (portion := process.stdout.read(_PORTION)):
                yield portion
        except GeneratorExit:
            process.kill()
            raise
    if process.returncode:
        raise InputError(f"git {arguments[0]}", "stopped while it was read", advice=_DAMAGED)


def _not_run(error: OSError) -> InputError:
    return InputError("git", f"cannot be run: {error.strerror}", advice="install git")


def repository_around(folder: str, environment: Mapping[str, str]) -> Repository | None:
    """Return the repository that a folder belongs to, None where it belongs to none, or git cannot tell.

    Args:
        folder: any folder of a work tree, or a bare repository.
        environment: the environment that git is to inherit.
    """
    try:
        return repository_at(folder, environment)
    except OpspecError:
        return None


def repository_at(folder: str, environment: Mapping[str, str], *, advice: str = "run it in a repository") -> Repository:
    """Return the repository that a folder belongs to.

    Args:
        folder: any folder of a work tree, or a bare repository.
        environment: the environment that git is to inherit.
        advice: what to do where there is none.

    Raises:
        UsageError: the folder belongs to none.
        InputError: git cannot be run, or refuses.
    """
    scrubbed = {name: value for name, value in environment.items() if name not in _LOCAL}
    scrubbed |= _PLAIN
    probe = Repository(folder=folder, git_dir="", top=folder, prefix="", environment=scrubbed)
    # All in one process, which says as much as it can before it fails for want of a commit.
    asked = ("--absolute-git-dir", "--is-bare-repository", "--show-prefix", "--is-inside-work-tree", "--show-cdup")
    found = _git(probe, "rev-parse", *asked, "HEAD", "--symbolic-full-name", "HEAD")
    if not found.stdout:
        if b"not a git repository" in found.stderr:
            raise UsageError("this is not a git repository", advice=advice)
        raise InputError("git", _complaint(found), advice="`git status` says more")
    git_dir, bare, prefix, inside, *rest = os.fsdecode(found.stdout).split("\n")
    up = rest.pop(0) if inside == "true" else ""
    is_born = COMMIT_ID.fullmatch(rest[0]) is not None
    return Repository(
        folder=folder,
        git_dir=git_dir,
        top=git_dir if bare == "true" else os.path.realpath(os.path.join(folder, up)),
        prefix=prefix,
        head=rest[0] if is_born else None,
        branch=rest[1] if is_born and rest[1] != "HEAD" else "",
        environment=scrubbed | _own_index(environment, git_dir),
    )


def name_of(revision: str, path: str) -> str:
    """Return git's name of a file at a revision or in the index; in the latter `0:` is no part of a path."""
    return f"{revision}:{path}" if revision != INDEX else f":0:{path}"


def _paths(listed: bytes) -> list[str]:
    return [path for path in os.fsdecode(listed).split("\0") if path]


def _moves(raw: bytes) -> Iterator[Moved]:
    """Read what `git diff --raw -z` writes: `:MODE MODE ID ID STATUS`, then one path, or two for a rename."""
    words = iter(raw.split(b"\0"))
    for word in words:
        if word:
            old_mode, new_mode, _, _, status = word.decode().lstrip(":").split(" ")
            old = new = os.fsdecode(next(words))
            if status[0] == "R":
                new = os.fsdecode(next(words))
            moved = Moved(
                old=old if old_mode in _REGULAR else None,
                new=new if new_mode in _REGULAR or status == "U" else None,
            )
            if moved.old is not None or moved.new is not None:
                yield moved


def _complaint(found: subprocess.CompletedProcess[bytes]) -> str:
    """Return the first line that git wrote to standard error, without the word that says how bad it is."""
    lines = found.stderr.decode("utf-8", "replace").strip().splitlines()
    return re.sub("^(fatal|error): ", "", lines[0]) if lines else f"exit code {found.returncode}"


def _own_index(environment: Mapping[str, str], git_dir: str) -> dict[str, str]:
    index = environment.get("GIT_INDEX_FILE")
    if index and os.path.dirname(os.path.realpath(index)) == os.path.realpath(git_dir):
        return {"GIT_INDEX_FILE": os.path.realpath(index)}
    return {}


def _git(
    repository: Repository, *arguments: str, folder: str | None = None, alone: bool = True
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(  # noqa: S603 - git alone, and no shell
            [*_GIT, *arguments],
            cwd=folder or repository.folder,
            env={**repository.environment, **(_ALONE if alone else {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise _not_run(error) from None
