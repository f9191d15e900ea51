"""Check docstrings and names for plain technical English: `python -m tools.plain_words [PATH ...]`.

With paths, it lists all their hits. Without, it compares the hits of the repository with `allowed.toml`, prints those
that exceed it, and exits with 1 if there are any. `--lower` lowers the counts of `allowed.toml` to the hits that are
left. CONTRIBUTING.md describes the style; the check finds its most frequent breaches, and replaces no reader.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.plain_words import allow_list
from tools.plain_words.wording import hits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.plain_words.wording import Hit

TOP = Path(__file__).resolve().parents[2]
CHECKED = ("opspec_lint", "tests", "tools", "benchmarks")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the check, and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.plain_words", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("paths", nargs="*", type=Path, help="files or folders whose hits are listed")
    parser.add_argument("--lower", action="store_true", help="lower the counts of the allow-list to the hits left")
    options = parser.parse_args(argv)
    if options.paths:
        listed = [
            f"{path}:{hit.line}: {hit.kind}: {hit.text}"
            for path, file_hits in hits_by_file(options.paths).items()
            for hit in file_hits
        ]
        sys.stdout.write("".join(f"{line}\n" for line in [*listed, f"{len(listed)} hits"]))
        return 0
    checked_hits = hits_by_file(TOP / folder for folder in CHECKED)
    if options.lower:
        text = allow_list.ALLOWED.read_text(encoding="utf-8")
        allow_list.ALLOWED.write_text(allow_list.lower(text, checked_hits), encoding="utf-8")
    lines = list(allow_list.problems(checked_hits, allow_list.load(allow_list.ALLOWED.read_text(encoding="utf-8"))))
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 1 if lines else 0


def hits_by_file(paths: Iterable[Path]) -> dict[str, list[Hit]]:
    """Return the hits of each file below some paths that has any, by its path from the top of the repository."""
    files = (file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path]))
    hits_by_path = {
        file.resolve().relative_to(TOP).as_posix(): list(hits(file.read_text(encoding="utf-8"), file.stem))
        for file in files
    }
    return {path: file_hits for path, file_hits in hits_by_path.items() if file_hits}


if __name__ == "__main__":
    sys.exit(main())
