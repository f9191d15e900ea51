"""Installation of revisions of this repository, each with its dependencies in a separate environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.places import GIT, ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence


class RevisionError(Exception):
    """A revision that this repository does not have, or that cannot be installed."""


@dataclass(frozen=True)
class Installation:
    """An environment with one revision, and the folders that its commands write to.

    Folders of different installations have names of one length: a longer path costs instructions.
    """

    label: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """Variables of a measured process: the same for all installations, except for their folders."""
        return {
            "HOME": str(self.folder / "home"),
            "LANG": "C.UTF-8",
            "PATH": os.pathsep.join((str(self.scripts), os.environ.get("PATH", os.defpath))),
            "PYTHONHASHSEED": "0",
            "XDG_CACHE_HOME": str(self.cache),
            **GIT,
        }

    @property
    def scripts(self) -> Path:
        """Folder of `opspec-lint` and `python`."""
        return self.folder / "venv" / "bin"

    @property
    def specs(self) -> Path:
        """Folder of the released specs of the revision."""
        return self.folder / "specs"

    @property
    def cache(self) -> Path:
        """Folder of the program's cache."""
        return self.folder / "cache"


def resolve(revision: str, top: Path = ROOT) -> str:
    """Return the commit that a revision names.

    Raises:
        RevisionError: it names none.
    """
    command = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    completed = subprocess.run(command, cwd=top, capture_output=True, text=True, check=False)
    if completed.returncode:
        raise RevisionError(f"'{revision}' names no commit of this repository")
    return completed.stdout.strip()


def describe(commit: str | None, top: Path = ROOT) -> str:
    """Return the short name and subject of a commit; None is the work tree."""
    if commit is None:
        return "the work tree"
    command = ["git", "log", "-1", "--format=%h %s", commit]
    return subprocess.run(command, cwd=top, capture_output=True, text=True, check=True).stdout.strip()


def date(commit: str, top: Path = ROOT) -> str:
    """Return the day of a commit, as 2024-12-31."""
    command = ["git", "log", "-1", "--format=%cs", commit]
    return subprocess.run(command, cwd=top, capture_output=True, text=True, check=True).stdout.strip()


def is_changed(top: Path = ROOT) -> bool:
    """Return whether the work tree differs from HEAD, new files included."""
    command = ["git", "status", "--porcelain"]
    return bool(subprocess.run(command, cwd=top, capture_output=True, check=True).stdout)


def install(commits: Sequence[str | None], folder: Path, top: Path = ROOT) -> list[Installation]:
    """Install commits side by side, under the labels `old` and `new`, or `new` alone; None is the work tree.

    Raises:
        RevisionError: one cannot be installed.
    """
    labels = ("old", "new")[-len(commits) :]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda label, commit: _install(label, folder / label, commit, top), labels, commits))


def _install(label: str, folder: Path, commit: str | None, top: Path) -> Installation:
    source = folder / "source"
    source.mkdir(parents=True)
    (folder / "home").mkdir()
    export(commit, source, top)
    environment = folder / "venv"
    interpreter = environment / "bin" / "python"
    steps = (
        [sys.executable, "-m", "venv", "--without-pip", str(environment)],
        [*_installer(interpreter), str(source)],
        # uv compiles nothing, and pip what it installs itself.
        [str(interpreter), "-m", "compileall", "-q", str(environment / "lib")],
    )
    for step in steps:
        run = subprocess.run(step, capture_output=True, text=True, cwd=folder, env=_outer_environment(), check=False)
        if run.returncode:
            reason = (run.stderr.strip() or run.stdout.strip()).rpartition("\n")[2]
            raise RevisionError(f"{describe(commit, top)} cannot be installed: {reason}")
    installation = Installation(label, folder)
    (source / "specs").rename(installation.specs)
    shutil.rmtree(source)
    return installation


def _installer(interpreter: Path) -> list[str]:
    """Return the command that installs for an interpreter: by uv where that is present, else by pip."""
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", str(interpreter)]
    return [sys.executable, "-m", "pip", "--python", str(interpreter), "install", "--quiet"]


def _outer_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}


def export(commit: str | None, target: Path, top: Path = ROOT) -> None:
    """Write the files of a commit to a folder; None is the work tree, without the files that git ignores."""
    if commit is not None:
        command = ["git", "archive", f"--output={target}.tar", commit]
        subprocess.run(command, cwd=top, check=True)
        subprocess.run(["tar", "-x", "-f", f"{target}.tar", "-C", str(target)], check=True)
        Path(f"{target}.tar").unlink()
        return
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=top, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (top / name).is_file():  # not one that was deleted without git
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(top / name, target / name)
