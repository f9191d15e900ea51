"""Comparison of the public names with the last release: `python -m tools.public_api [REVISION]`.

griffe finds the changes that break callers. Of these count the ones in the public API, and in the modules that a
plug-in may import. It exits with 1 if there are any. Without a revision, the base is the newest tag `v*`; without such
a tag, there is no release to compare with.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[1]
PLUGINS = "docs/reference/plugins.md"
API = ("opspec_lint.api.functions", "opspec_lint.api.results", "opspec_lint.api.spec", "opspec_lint.kit.errors")


def public_modules(page: str) -> set[str]:
    """Return the modules with public names: the modules of the API, and those that a page of plug-ins lists."""
    return {*API, *re.findall(r"^\| `(opspec_lint\.[\w.]+)` \|", page, re.MULTILINE)}


def is_public(path: str, modules: set[str]) -> bool:
    """Return True if a change at a dotted path is one of a public name."""
    if path in modules:
        return True
    module = next((name for name in sorted(modules, key=len, reverse=True) if path.startswith(f"{name}.")), None)
    if module is None:
        return path.count(".") == 1 and path.startswith("opspec_lint.")
    inside = path.removeprefix(f"{module}.").split(".")
    return not any(part.startswith("_") for part in re.split(r"[.(]", ".".join(inside)))


def last_release() -> str | None:
    """Return the newest tag of a release, None if there is none."""
    tags = git("tag", "--list", "v*", "--sort=-version:refname").split()
    return tags[0] if tags else None


def git(*arguments: str) -> str:
    """Return the output of a git command in this repository."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True).stdout


def main(argv: list[str] | None = None) -> int:
    """Print the breaking changes of public names, and return the exit code."""
    import griffe

    arguments = sys.argv[1:] if argv is None else argv
    base = arguments[0] if arguments else last_release()
    if base is None:
        print("no release yet: nothing to compare the public names with")
        return 0
    old = griffe.load_git("opspec_lint", ref=base, repo=TOP, resolve_aliases=False)
    # Not a folder of this name in the working directory, which griffe takes first otherwise.
    new = griffe.load("opspec_lint", search_paths=[str(TOP)], resolve_aliases=False, try_relative_path=False)
    # The release promised the modules of its own page: a module that is listed no longer is a break.
    modules = public_modules(git("show", f"{base}:{PLUGINS}"))
    breaks = [change for change in griffe.find_breaking_changes(old, new) if is_public(change.obj.path, modules)]
    for change in breaks:
        print(re.sub(r"\x1b\[\d+m", "", change.explain(griffe.ExplanationStyle.ONE_LINE)))  # without colours
    print(f"{len(breaks)} breaking changes of public names since {base}")
    return 1 if breaks else 0


if __name__ == "__main__":
    sys.exit(main())
