"""Scenes of repositories: base is the files of `main`, head the files of the change and the commands that follow."""

from __future__ import annotations

import shlex

from opspec_lint.report.versions import parse_versions
from tests.support.projects import check, text
from tests.support.repositories import Repository

OPTIONS = ("--released", "--next")


def findings(base, head, folder):
    """Make the repository, make the change in it, and return what a check finds that is not waived."""
    repository = Repository.make(folder / "project", {name: _content(name, content) for name, content in base.items()})
    files = {name: _content(name, content) for name, content in head.items() if not name.startswith("$ ")}
    gone = {name: None for name in base if name not in files} if files else {}
    repository.stage(files | gone)
    request = {}
    for command in head:
        arguments = shlex.split(command.removeprefix("$ ")) if command.startswith("$ ") else [None]
        if arguments[0] == "git":
            repository.git(*arguments[1:])
        elif arguments[0] == "opspec-lint":
            given = dict(zip(arguments[2::2], arguments[3::2], strict=True))
            assert given.keys() <= set(OPTIONS), command
            request["versions"] = parse_versions(*map(given.get, OPTIONS), OPTIONS)
    return [finding for finding in check(repository, **request).findings if finding.waived is None]


def _content(name, content):
    """Return the content of a file: a spec is written in the notation."""
    return text(content) if name.endswith(".json") else content + "\n"
