"""Revisions of a real repository with one changed file, without a work tree and without a change of the repository."""

from __future__ import annotations

import os
import subprocess


class EditedTree:
    """A repository in a folder that borrows the objects of a real one; `commit` makes a revision of an edited file."""

    def __init__(self, real, folder):
        self.folder = folder
        self._environment = {**os.environ, "GIT_INDEX_FILE": str(folder / "index")}
        subprocess.run(["git", "init", "-q", "--bare", folder], check=True)
        objects = self._of(real, "rev-parse", "--path-format=absolute", "--git-path", "objects")
        (folder / "objects/info/alternates").write_text(f"{objects}\n", encoding="utf-8")
        self.head = self._of(real, "rev-parse", "HEAD")
        self._git("read-tree", self.head)

    def text(self, path):
        """Return the text of a file at HEAD."""
        return self._git("cat-file", "blob", f"{self.head}:{path}")

    def paths_with(self, text, *patterns):
        """Return the paths of the files that match patterns and contain a text."""
        return [line.partition(":")[2] for line in self._git("grep", "-lF", text, self.head, "--", *patterns).split()]

    def commit(self, path, text):
        """Return `FOLDER@COMMIT` of a revision with another text of a file."""
        blob = self._git("hash-object", "-w", "--stdin", text=text).strip()
        before = self._git("ls-files", "-s", "--", path).split()[1]
        self._git("update-index", "--cacheinfo", f"100644,{blob},{path}")
        tree = self._git("write-tree").strip()
        self._git("update-index", "--cacheinfo", f"100644,{before},{path}")
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        return f"{self.folder}@{self._git(*who, 'commit-tree', '-m', 'edited', tree).strip()}"

    def _git(self, *arguments, text=None):
        return self._of(self.folder, *arguments, text=text)

    def _of(self, folder, *arguments, text=None):
        done = subprocess.run(
            ["git", "-C", folder, *arguments],
            env=self._environment,
            input=text,
            capture_output=True,
            check=True,
            encoding="utf-8",
            errors="surrogateescape",
        )
        return done.stdout.strip() if arguments[0] == "rev-parse" else done.stdout
