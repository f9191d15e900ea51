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
PLUGINS = TOP / "docs" / "reference" / "plugins.md"
API = ("opspec_lint.api.functions", "opspec_lint.api.results", "opspec_lint.api.spec", "opspec_lint.kit.errors")


def public_modules() -> set[str]:
    """Return the modules whose names are public: of the API, and those that the page of plug-ins lists."""
    listed = re.findall(r"^\| `(opspec_lint\.[\w.]+)` \|", PLUGINS.read_text(encoding="utf-8"), re.MULTILINE)
    return {*API, *listed}


def is_public(path: str, modules: set[str]) -> bool:
    """Return True if a change at a dotted path is one of a public name."""
    module = next((name for name in sorted(modules, key=len, reverse=True) if path.startswith(f"{name}.")), None)
    if module is None:
        return path.count(".") == 1 and path.startswith("opspec_lint.")
    inside = path.removeprefix(f"{module}.").split(".")
    return not any(part.startswith("_") for part in re.split(r"[.(]", ".".join(inside)))


def last_release() -> str | None:
    """Return the newest tag of a release, None if there is none."""
    command = ["git", "tag", "--list", "v*", "--sort=-version:refname"]
    tags = subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True).stdout.split()
    return tags[0] if tags else None


def main(argv: list[str] | None = None) -> int:
    """Print the breaking changes of public names, and return the exit code."""
    import griffe

    arguments = sys.argv[1:] if argv is None else argv
    base = arguments[0] if arguments else last_release()
    if base is None:
        print("no release yet: nothing to compare the public names with")
        return 0
    old = griffe.load_git("opspec_lint", ref=base, repo=TOP, resolve_aliases=False)
    new = griffe.load("opspec_lint", search_paths=[str(TOP)], resolve_aliases=False)
    modules = public_modules()
    breaks = [change for change in griffe.find_breaking_changes(old, new) if is_public(change.obj.path, modules)]
    for change in breaks:
        print(change.explain(griffe.ExplanationStyle.ONE_LINE))
    print(f"{len(breaks)} breaking changes of public names since {base}")
    return 1 if breaks else 0


if __name__ == "__main__":
    sys.exit(main())
