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
    from collections.abc import Iterable, Iterator, Mapping
    from typing import IO

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

_PORTION = 256
"""How many objects are asked for at once: their names fit into a pipe of 64 KiB."""

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

    def blobs(self, revision: str, folders: Iterable[str]) -> dict[str, str]:
        """Return the ids of the files below some folders at a revision, or in the index; symbolic links are left out.

        Args:
            revision: any revision, or `INDEX`.
            folders: paths from `top`, without a slash at their end.
        """
        if revision == INDEX:
            found = _git(self, "ls-files", "--stage", "-z", "--", *folders, folder=self.top)
        else:
            found = _git(self, "ls-tree", "-r", "-z", "--full-tree", revision, "--", *folders)
        blobs: dict[str, str] = {}
        for entry in found.stdout.decode("utf-8", "surrogateescape").split("\0"):
            facts, _, path = entry.partition("\t")
            words = facts.split(" ")
            if words[0].startswith("100"):
                blobs[path] = words[1] if revision == INDEX else words[2]
        return blobs

    def batch(self) -> Batch:
        """Return a reader of many objects."""
        return Batch(self)

    def is_shallow(self) -> bool:
        """Tell whether the repository lacks history."""
        return _git(self, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


class Batch:
    """Reads many objects through one process; to be closed.

    Objects are named in portions that fit into a pipe, so that neither side waits for the other.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, names: Iterable[str], at_most: int) -> Iterator[tuple[str, str, bytes | None]]:
        """Yield the id and the content of each object; the id is "" where there is none, and the content None then.

        What is larger than `at_most` bytes is passed over: it has an id and no content.

        Raises:
            InputError: git cannot be run, or died.
        """
        wanted = list(names)
        for start in range(0, len(wanted), _PORTION):
            yield from self._portion(wanted[start : start + _PORTION], at_most)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process.wait()
            self._process = None

    def _portion(self, names: list[str], at_most: int) -> Iterator[tuple[str, str, bytes | None]]:
        process = self._process = self._process or _start(self._repository, "cat-file", "--batch")
        requests, answers = process.stdin, process.stdout
        if requests is None or answers is None:
            raise _died()
        try:
            requests.write("".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape"))
            requests.flush()
        except OSError:
            raise _died() from None
        for name in names:
            words = answers.readline().split()
            if not words:
                raise _died()
            if words[-1] in (b"missing", b"ambiguous") or len(words) != 3:
                yield name, "", None
                continue
            size = int(words[2])
            data = _content(answers, size, keep=size <= at_most)
            yield name, words[0].decode(), data if words[1] == b"blob" else None


def _content(stream: IO[bytes], size: int, *, keep: bool) -> bytes | None:
    """Read an object and the line break behind it; None if it is not to be kept."""
    data = None
    if keep:
        data = stream.read(size)
        size -= len(data)
    while size > 0:
        skipped = len(stream.read(min(size, 1 << 20)))
        if not skipped:
            break
        size -= skipped
    if size or stream.read(1) != b"\n":
        raise _died()
    return data


def _died() -> InputError:
    return InputError("git", "`git cat-file --batch` ended early", advice="run `git fsck`: the repository may be damaged")


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


def _start(repository: Repository, *arguments: str) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - git alone, and no shell
            ["git", "--no-pager", *arguments],
            cwd=repository.folder,
            env=dict(repository.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise InputError("git", f"cannot be run: {error.strerror}", advice="install git") from None


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
