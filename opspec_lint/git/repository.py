"""Read access to revisions, the index and the history of a git repository, which is never written.

Everything is read from the object store, by plumbing commands that run no program that the repository names: no hook,
filter, file system monitor, text conversion or transport. `git fetch` is the exception. Replaced objects and grafts are
ignored, so that everybody checks the same content. The GIT_* variables of an enclosing hook are dropped, except for an
index of this very repository: `git commit -a` and `git commit -p` commit that one.
"""

from __future__ import annotations

import os
import re
import subprocess

from opspec_lint.kit.errors import InputError, OpspecError, RepositoryError, UsageError
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
"""The variables that tie git to one repository, from `git rev-parse --local-env-vars`."""

_ALONE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}
"""Variables that keep git from fetching missing objects of a partial clone; older versions know only the second."""
# Grafts and replacements would make two clones of one commit check different contents.
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
"""The revision that means the index, as in `:PATH`."""
WORK_TREE = "."
"""The revision that means the files on the disk; no revision of git has this name."""

_DAMAGED = "does the repository have all objects? run `git fsck`"
_PORTION = 1 << 16
COMMIT_ID = pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_AMBIGUOUS = pattern(r"refname '(.*)' is ambiguous")
_REGULAR = ("100644", "100755")


class ChangedFile(Record):
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
        """Return the id of the commit that a revision names, None if there is none here.

        Raises:
            UsageError: a branch and a tag with the name are different commits.
        """
        return self._resolve(revision, "commit")

    def tree(self, revision: str) -> str | None:
        """Return the id of the tree that a revision is or has, None if there is none here.

        Raises:
            UsageError: as `commit`.
        """
        return self._resolve(revision, "tree")

    def read(self, revision: str, path: str) -> bytes | None:
        """Return a file at a revision, or in the index (`INDEX`); None if there is no such file.

        Args:
            revision: any revision, or `INDEX`.
            path: the path from `top`.
        """
        completed = _git(self, "cat-file", "blob", object_name(revision, path))
        return completed.stdout if completed.returncode == 0 else None

    def files(self, revision: str) -> list[str]:
        """Return the paths from `top` of all files at a revision, or in the index.

        Raises:
            InputError: git cannot list them.
        """
        if revision == INDEX:
            return _paths(self.output("ls-files", "-z", "--cached"))
        return _paths(self.output("ls-tree", "-r", "--name-only", "--full-tree", "-z", revision))

    def ignored_files(self) -> list[str]:
        """Return the paths from `top` of the files of the work tree that git ignores.

        Raises:
            InputError: git cannot list them.
        """
        return _paths(self.output("ls-files", "-z", "--others", "--ignored", "--exclude-standard"))

    # In `folder`, paths in the arguments and in the output would be relative to it.
    def output(self, *arguments: str) -> bytes:
        """Run git at the top of the repository, and return its output.

        Raises:
            InputError: git fails.
        """
        completed = _git(self, *arguments, folder=self.top)
        if completed.returncode:
            raise RepositoryError(f"git {arguments[0]}", _error_line(completed), advice=_DAMAGED)
        return completed.stdout

    def files_matching(self, expression: str, revision: str = WORK_TREE) -> list[str]:
        """Return the paths from `top` of the files that have a matching line.

        Args:
            expression: an extended regular expression.
            revision: the id of a commit, `INDEX`, or `WORK_TREE` for all files of the work tree but the ignored ones.
        """
        flags = ("-l", "-z", "-I", "-E", "--full-name", "-e", expression)
        where = {INDEX: ("--cached",), WORK_TREE: ("--untracked",)}.get(revision, (revision,))
        listed = _paths(_git(self, "grep", *flags, *where, folder=self.top).stdout)
        prefix = "" if revision in (INDEX, WORK_TREE) else f"{revision}:"  # as git prints the paths of a commit
        return [path.removeprefix(prefix) for path in listed]

    def is_partial(self) -> bool:
        """Return whether the repository is a partial clone: git fetches objects of its commits when they are needed."""
        return bool(_git(self, "config", "--get-regexp", r"^remote\..*\.(promisor|partialclonefilter)$").stdout.strip())

    def is_sparse(self) -> bool:
        """Return whether the checkout is sparse: the work tree may lack some files of the index."""
        return _git(self, "config", "--type=bool", "--get", "core.sparseCheckout").stdout.strip() == b"true"

    def is_shallow(self) -> bool:
        """Return whether the repository is shallow: it lacks history."""
        return _git(self, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"

    def changes(self, base: str, head: str) -> list[ChangedFile]:
        """Return the regular files that differ between two revisions, with the renames that git detects.

        Args:
            base: the id of a commit or tree.
            head: the same, or `INDEX`.

        Raises:
            InputError: git cannot compare the two.
        """
        flags = ("--raw", "-z", "-M", "--no-abbrev", "--ignore-submodules")
        ends = ("diff-index", "--cached", *flags, base) if head == INDEX else ("diff-tree", "-r", *flags, base, head)
        return list(_parse_changes(self.output(*ends, "--")))

    def heads(self) -> list[str]:
        """Return the parents of the next commit: HEAD, and in a merge the merged commits; none on an unborn branch."""
        return [] if self.head is None else [self.head, *self._read_state_file("MERGE_HEAD").split()]

    def merge_bases(self, revision: str, heads: Sequence[str]) -> list[str]:
        """Return the best common ancestors of a revision and a merge of `heads`, several after criss-cross merges."""
        completed = _git(self, "merge-base", "--all", "--end-of-options", revision, *heads)
        return completed.stdout.decode().split() if completed.returncode == 0 else []

    def tips(self, *patterns: str) -> dict[str, str]:
        """Return the ids of the commits of branches and tags, by their full names.

        Args:
            patterns: full names or patterns, as `git for-each-ref` takes them; none for all.

        Raises:
            InputError: git cannot list them.
        """
        listed = self.output("for-each-ref", "--format=%(objectname) %(*objectname) %(refname)", *patterns)
        entries = (line.split(" ") for line in listed.decode("utf-8", "surrogateescape").splitlines())
        return {ref: peeled or tip for tip, peeled, ref in entries}

    def empty_tree(self) -> str:
        """Return the id of the empty tree."""
        return _git(self, "hash-object", "-t", "tree", "--stdin").stdout.decode().strip()

    def fetch(self, *arguments: str) -> None:
        """Run `git fetch`.

        # The only command that may use the network, hence without _ALONE.

        Raises:
            InputError: the command failed.
        """
        completed = _git(self, "fetch", "--quiet", *arguments, alone=False)
        if completed.returncode:
            raise InputError("git fetch", _error_line(completed), advice="check that the remote is reachable")

    def parents(self, commit: str) -> list[str]:
        # From the commit object: `git rev-parse COMMIT^` knows only the parents that a shallow clone has.
        """Return the ids of the parents of a commit, including parents that a shallow repository lacks."""
        header = _git(self, "cat-file", "commit", commit).stdout.partition(b"\n\n")[0].decode("utf-8", "replace")
        return [line.removeprefix("parent ") for line in header.split("\n") if line.startswith("parent ")]

    def remotes(self) -> list[str]:
        """Return the names of the remotes."""
        return _git(self, "remote").stdout.decode("utf-8", "replace").split()

    def cut(self, *revisions: str) -> list[str]:
        """Return the commits whose parents a shallow repository lacks.

        Args:
            revisions: revisions, or ranges, whose history must contain the commits; none for all commits.
        """
        # --git-path, as the file is in the common folder of linked work trees.
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

    def is_cut_between(self, first: str, second: str) -> bool:
        """Return whether a shallow repository may lack the merge base of two commits."""
        return bool(self.cut(f"{first}...{second}"))

    def _resolve(self, revision: str, kind: str) -> str | None:
        warned = ("-c", "core.warnAmbiguousRefs=true")  # it is never said with --quiet
        completed = _git(self, *warned, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{{kind}}}")
        ambiguous = _AMBIGUOUS.search(completed.stderr.decode("utf-8", "surrogateescape"))
        if ambiguous is not None and not ambiguous[1].endswith("HEAD") and not COMMIT_ID.fullmatch(ambiguous[1]):
            self._refuse_ambiguous(ambiguous[1])
        name = completed.stdout.decode().strip()
        return name if COMMIT_ID.fullmatch(name) else None  # git also accepts `^main`, and prints `^ID`

    def _refuse_ambiguous(self, name: str) -> None:
        """Raise an error for a short name that several refs have: git would silently take the tag."""
        tips = self.tips(*(f"refs/{kind}{name}" for kind in ("heads/", "tags/", "remotes/", "")))
        exact = {ref: tip for ref, tip in tips.items() if ref.endswith(f"/{name}")}
        if len(set(exact.values())) > 1:
            raise UsageError(f"{name!r} names {' and '.join(exact)}", advice="write the one that is meant in full")

    def _read_state_file(self, name: str) -> str:
        """Return the content of a file of git about an operation in progress, "" if there is none."""
        try:
            with open(os.path.join(self.git_dir, name), encoding="utf-8", errors="replace") as stream:
                return stream.read()
        except OSError:
            return ""


def start_object_reader(repository: Repository) -> subprocess.Popen[bytes]:
    """Start a `git cat-file --batch`, which answers every name on its standard input with the object.

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
        raise _cannot_run_error(error) from None


def stream_output(repository: Repository, *arguments: str) -> Iterator[bytes]:
    """Run git at the top of the repository, and yield its output in portions.

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
        raise _cannot_run_error(error) from None
    with process:
        try:
            while process.stdout is not None and (portion := process.stdout.read(_PORTION)):
                yield portion
        except GeneratorExit:
            process.kill()
            raise
    if process.returncode:
        raise RepositoryError(f"git {arguments[0]}", "stopped while opspec-lint read its output", advice=_DAMAGED)


def _cannot_run_error(error: OSError) -> InputError:
    return RepositoryError("git", f"cannot be run: {error.strerror}", advice="install git")


def repository_around(folder: str, environment: Mapping[str, str]) -> Repository | None:
    """Return the repository that a folder belongs to, None if there is none, or git fails.

    Args:
        folder: any folder of a work tree, or a bare repository.
        environment: the environment for git.
    """
    try:
        return repository_at(folder, environment)
    except OpspecError:
        return None


def repository_at(folder: str, environment: Mapping[str, str], *, advice: str = "run it in a repository") -> Repository:
    """Return the repository that a folder belongs to.

    Args:
        folder: any folder of a work tree, or a bare repository.
        environment: the environment for git.
        advice: the advice if there is none.

    Raises:
        UsageError: the folder belongs to none.
        InputError: git cannot be run, or refuses.
    """
    scrubbed = {name: value for name, value in environment.items() if name not in _LOCAL}
    scrubbed |= _PLAIN
    probe = Repository(folder=folder, git_dir="", top=folder, prefix="", environment=scrubbed)
    # One process answers all queries; without a commit it fails, but only after the answers to the others.
    queries = ("--absolute-git-dir", "--is-bare-repository", "--show-prefix", "--is-inside-work-tree", "--show-cdup")
    completed = _git(probe, "rev-parse", *queries, "HEAD", "--symbolic-full-name", "HEAD")
    if not completed.stdout:
        if b"not a git repository" in completed.stderr:
            raise UsageError("this is not a git repository", advice=advice)
        raise InputError("git", _error_line(completed), advice="`git status` shows the reason")
    git_dir, bare, prefix, inside, *rest = os.fsdecode(completed.stdout).split("\n")
    up = rest.pop(0) if inside == "true" else ""
    head, *symbolic_names = rest
    is_born = COMMIT_ID.fullmatch(head) is not None
    branch = ""
    if is_born and symbolic_names[0] != "HEAD":  # which a detached HEAD is named
        branch = symbolic_names[0]
    return Repository(
        folder=folder,
        git_dir=git_dir,
        top=git_dir if bare == "true" else os.path.realpath(os.path.join(folder, up)),
        prefix=prefix,
        head=head if is_born else None,
        branch=branch,
        environment=scrubbed | _own_index(environment, git_dir),
    )


def object_name(revision: str, path: str) -> str:
    """Return git's name of a file at a revision or in the index; `0:` keeps a path such as `1:x` from being a stage."""
    return f"{revision}:{path}" if revision != INDEX else f":0:{path}"


def _paths(listed: bytes) -> list[str]:
    return [path for path in os.fsdecode(listed).split("\0") if path]


def _parse_changes(raw: bytes) -> Iterator[ChangedFile]:
    """Parse the output of `git diff --raw -z`: `:MODE MODE ID ID STATUS`, then one path, or two for a rename."""
    fields = iter(raw.split(b"\0"))
    for field in fields:
        if field:
            old_mode, new_mode, _, _, status = field.decode().lstrip(":").split(" ")
            old = new = os.fsdecode(next(fields))
            if status[0] == "R":
                new = os.fsdecode(next(fields))
            # Links and submodules are no spec files: a file that became a link counts as removed.
            change = ChangedFile(
                old=old if old_mode in _REGULAR else None,
                new=new if new_mode in _REGULAR or status == "U" else None,
            )
            if change.old is not None or change.new is not None:
                yield change


def _error_line(completed: subprocess.CompletedProcess[bytes]) -> str:
    """Return the first line that git wrote to standard error, without `fatal:` or `error:`."""
    lines = completed.stderr.decode("utf-8", "replace").strip().splitlines()
    return re.sub("^(fatal|error): ", "", lines[0]) if lines else f"exit code {completed.returncode}"


def _own_index(environment: Mapping[str, str], git_dir: str) -> dict[str, str]:
    # `git commit -a` lets its hook see a temporary index in the git directory; an index of another place is foreign.
    index = environment.get("GIT_INDEX_FILE")
    if index and os.path.dirname(os.path.realpath(index)) == os.path.realpath(git_dir):
        return {"GIT_INDEX_FILE": os.path.realpath(index)}
    return {}


def _git(
    repository: Repository, *arguments: str, folder: str | None = None, alone: bool = True
) -> subprocess.CompletedProcess[bytes]:
    """Run git, and return its output and exit code; `alone` keeps it from fetching missing objects."""
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
        raise _cannot_run_error(error) from None
