"""Git repositories for tests, without the user's git configuration and the environment of an enclosing hook."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from tests.support import forked
from tests.support.paths import GITCONFIG
from tests.support.patience import PATIENCE

SPEC = "specs/ops.json"
CLEAN_GIT = {
    "GIT_CONFIG_GLOBAL": str(GITCONFIG),
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_EDITOR": "true",
    "GIT_SEQUENCE_EDITOR": "true",
}


def environment(**more):
    """Return the environment without the variables of an enclosing git, of pre-commit and of GitHub."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_", "GITHUB_", "INPUT_", "PRE_COMMIT", "SKIP")) and name != "CI"
    }
    return inherited | CLEAN_GIT | more


def spec(*names, **attrs):
    """Return the text of a print_op_desc file: ops without arguments, and `op=[attr, ...]`."""
    ops = {name: {"Inputs": {}, "Outputs": {}, "Attrs": {}} for name in (*names, *attrs)}
    for op, of_op in attrs.items():
        ops[op]["Attrs"] = {attr: {"type": 0, "default_value": 1} for attr in of_op}
    return json.dumps(ops, indent=1) + "\n"


@cache
def _just_made():
    """Return the git folder of a new repository. Copying it is faster than starting git."""
    holder = tempfile.TemporaryDirectory()
    atexit.register(holder.cleanup)
    init = ["git", "init", "-q", "-b", "main", holder.name]
    subprocess.run(init, check=True, capture_output=True, env=environment())
    return Path(holder.name) / ".git"


def copy_of_a_new_repository(top):
    """Make a folder a repository, as `git init` does, with the unborn branch `main`."""
    shutil.copytree(_just_made(), Path(top) / ".git")


class Repository:
    """A repository with a work tree."""

    def __init__(self, top, **more):
        self.top, self.environment = Path(top), environment(**more)

    @classmethod
    def make(cls, top, files=None, **more):
        """Make a repository; with files, commit them."""
        made = cls(top, **more)
        made.top.mkdir(parents=True)
        if more:
            made.git("init", "-q", "-b", "main")
        else:
            copy_of_a_new_repository(made.top)
        if files is not None:
            made.stage(files)
            made.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "x")
        return made

    def run(self, *command, folder="", **options):
        defaults = {"capture_output": True, "text": True, "errors": "surrogateescape", "timeout": PATIENCE}
        more = options.pop("env", {})
        return subprocess.run(
            list(map(str, command)),
            check=False,
            cwd=self.top / folder,
            env=self.environment | more,
            **defaults | options,
        )

    def opspec(self, *arguments, folder="", env=None, **options):
        """Run opspec-lint here, in a fork of this process."""
        environment = self.environment | (env or {})
        return forked.run(list(map(str, arguments)), cwd=self.top / folder, env=environment, **options)

    def git(self, *arguments, **options):
        """Run git, which must succeed, and return its output."""
        ran = self.run("git", *arguments, **options)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout.strip()

    def write(self, files):
        """Write files; None removes one, bytes and text are their content."""
        for path, content in files.items():
            file = self.top / path
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def stage(self, files):
        self.write(files)
        self.git("add", "-A", "--", *files)

    def commit(self, files, message="x"):
        """Commit files past every hook, and return the id of the commit."""
        self.stage(files)
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", message)
        return self.head

    @property
    def head(self):
        ran = self.run("git", "rev-parse", "--verify", "-q", "HEAD")
        return ran.stdout.strip() or None

    def clone(self, top, *flags):
        """Return a clone; its upstream branches are ours."""
        self.git("clone", "-q", *flags, self.top.as_uri(), top)
        made = Repository(top)
        made.environment = self.environment
        return made

    def copy(self, top):
        """Return a copy, whose index knows the files that were copied."""
        made = type(self)(top)
        shutil.copytree(self.top, made.top, symlinks=True)
        made.git("update-index", "-q", "--refresh")
        return made

    def state(self):
        """Return the state of the index, the work tree and HEAD, and the content of the files."""
        quiet = {"env": {"GIT_OPTIONAL_LOCKS": "0"}}
        # How far the upstream branch is, no command of ours decides.
        status = self.git("status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z", **quiet).split("\0")
        return {
            "head": [line for line in status if line.startswith(("# branch.oid ", "# branch.head "))],
            "status": [line for line in status if not line.startswith("# ")],
            "index": self.git("ls-files", "-s", "-z"),
            "files": self.files(),
        }

    def files(self):
        return {
            str(path.relative_to(self.top)): (path.lstat().st_mode, content(path))
            for path in sorted(self.top.rglob("*"))
            if ".git" not in path.relative_to(self.top).parts and (path.is_symlink() or path.is_file())
        }


def content(path):
    return os.readlink(path) if path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest()
