"""Generator of the generated pages of the docs: `python -m tools.docs`.

With `--check` it writes nothing, names outdated and superfluous files, and exits with 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys

from tools.docs import generate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check the generated files, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs", description="Write the generated pages of the docs.")
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that are not up to date")
    if not parser.parse_args(argv).check:
        generate.write()
        return 0
    problems = generate.stale()
    sys.stdout.write("".join(f"{line}\n" for line in problems))
    if problems:
        sys.stdout.write("`python -m tools.docs` writes them anew\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
