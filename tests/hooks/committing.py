"""Repositories with the real pre-commit installed, and our hooks from a copy of this checkout."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

from tests.support import paths
from tests.support.patience import PATIENCE
from tests.support.repositories import Repository, spec

ROOT = paths.TOP
INSTALLED = (
    *("opspec_lint", "specs/paddle-3.0.0.json", "hatch_build.py"),
    *(".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE"),
)
HOST = "https://github.com/some-team/opspec-lint"
"""Where a copy of this checkout seems to be hosted."""
HOOKS = ("opspec-lint", "opspec-lint-validate", "opspec-lint-sync")
CONFIG = ".pre-commit-config.yaml"
OPS = ("abs", "ceil", "cos", "erf", "exp", "floor", "gelu", "relu")
BASE, BROKEN, GROWN = spec(*OPS), spec(*OPS[1:]), spec(*OPS, "tanh")
"""A spec, the same with its first op removed, and with one more op at its end."""
PRE_COMMIT = (sys.executable, "-m", "pre_commit")
NOT_COMPILED = {"PIP_NO_COMPILE": "0"}
"""Keeps pip from compiling a package of which tests import a fourth; a false value turns on what begins with `no`."""

WITNESS = """\
export GIT_OPTIONAL_LOCKS=0
{
  git status --porcelain=v2 --branch
  find "$(git rev-parse --git-common-dir)" "$(git rev-parse --show-toplevel)" -type f -exec sha256sum {} + | sort
} > "$WITNESS/$1" 2>&1
"""
"""Notes the repository as it is: every file of the work tree and of git itself, such as the index and the stash."""


class Hooks:
    """The hooks as a repository that others name in their configuration, and what pre-commit makes of it."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.home, self.source, self.template = (self.folder / name for name in ("home", "hooks-repo", "template"))

    @property
    def environment(self):
        """Return the environment of pre-commit and git in which the copy counts as hosted."""
        return {
            "PRE_COMMIT_HOME": str(self.home),
            "GIT_CONFIG_COUNT": "2",
            "GIT_CONFIG_KEY_0": f"url.{self.source}.insteadOf",
            "GIT_CONFIG_VALUE_0": HOST,
            "GIT_CONFIG_KEY_1": "protocol.file.allow",
            "GIT_CONFIG_VALUE_1": "always",
        }

    def build(self):
        """Commit a copy of this checkout, and have pre-commit install its hooks in an environment of their own."""
        source = Repository.make(self.source)
        for name in INSTALLED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.source / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                (self.source / name).parent.mkdir(exist_ok=True)
                shutil.copy(ROOT / name, self.source / name)
        source.git("add", ".")
        source.git("commit", "-qm", "hooks")
        (self.folder / "witness.sh").write_text(WITNESS)
        template = Repository.make(self.template, **self.environment)
        template.write({CONFIG: self.config(*HOOKS)})
        for texts in (("install",), ("install-hooks",)):
            ran = template.run(*PRE_COMMIT, *texts, timeout=PATIENCE, env=NOT_COMPILED)
            assert ran.returncode == 0, ran.stdout + ran.stderr
        (self.template / CONFIG).unlink()

    def config(self, *hooks, **more):
        """Return a configuration of pre-commit with some hooks, each with the same further settings."""
        repos = [
            {"repo": "local", "hooks": [self._witness("before")]},
            {
                "repo": HOST,
                "rev": Repository(self.source).head,
                "hooks": [{"id": hook, **more} for hook in hooks],
            },
            {"repo": "local", "hooks": [self._witness("after")]},
        ]
        return json.dumps({"repos": repos}, indent=1)

    def _witness(self, when):
        entry = f"sh '{self.folder / 'witness.sh'}' {when}"
        settings = {"language": "system", "always_run": True, "pass_filenames": False}
        return {"id": when, "name": when, "entry": entry, **settings}


class Committed:
    """The result of a commit: git's exit code, all output, and the verdict of each of our hooks."""

    def __init__(self, ran):
        self.code, self.out = ran.returncode, ran.stdout + ran.stderr
        self.verdicts = dict(re.findall(r"^(opspec-lint(?: \w+)?)\.+(?:\(.*\))?(\w+)$", self.out, re.MULTILINE))
        self.rules = set(re.findall(r"\b([a-z]+(?:_[a-z]+)+)\b", self.out))

    @property
    def verdict(self):
        return self.verdicts.get("opspec-lint")


class Committing(Repository):
    """A repository in which pre-commit is installed."""

    hooks: Hooks
    witness: Path

    @classmethod
    def under(cls, folder, hooks, *, config=None):
        """Return a repository without a commit; the configuration of pre-commit is staged."""
        made = cls(folder / "top")
        shutil.copytree(hooks.template, made.top)
        return made.equipped(hooks, folder).but_config(config)

    def equipped(self, hooks, folder):
        self.hooks, self.witness = hooks, folder / "witness"
        self.witness.mkdir(exist_ok=True)
        self.environment |= {**hooks.environment, "WITNESS": str(self.witness)}
        return self

    def but_config(self, config=None):
        self.stage({CONFIG: config or self.hooks.config("opspec-lint")})
        return self

    def elsewhere(self, top):
        """Return another work tree in which the same hooks are installed."""
        made = Committing(top)
        return made.equipped(self.hooks, self.witness.parent)

    def install_in(self, git_folder):
        """Install the hook of pre-commit in another repository, given by its git folder."""
        (git_folder / "hooks").mkdir()
        shutil.copy(self.top / ".git/hooks/pre-commit", git_folder / "hooks")

    def try_commit(self, *args, **options):
        """Commit with the hooks, whose being there must show in nothing."""
        return self.observed("git", "commit", *(args or ("-m", "x")), **options)

    def observed(self, *command, **options):
        """Run what starts the hooks; make sure that ours, between the two witnesses, have touched nothing.

        A commit that was refused leaves everything as it was; one that was not leaves the files.
        """
        for note in self.witness.iterdir():
            note.unlink()
        before = self.state()
        committed = Committed(self.run(*command, **options))
        notes = {note.name: note.read_text(errors="replace") for note in self.witness.iterdir()}
        assert notes.keys() == {"before", "after"}, committed.out
        assert notes["before"] == notes["after"]
        after = self.state()
        if committed.code:
            assert after == before
        else:
            assert after["files"] == before["files"]
        return committed
