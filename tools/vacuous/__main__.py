"""`python -m tools.vacuous`: print the tests that cannot fail, and exit with 1 if there are any."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.vacuous.allowed import ALLOWED
from tools.vacuous.checks import check
from tools.vacuous.suite import Suite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

TOP = Path(__file__).resolve().parents[2]


def problems(files: Mapping[Path, str], allowed: Collection[tuple[str, str, str]]) -> list[str]:
    """Return a line for each test that cannot fail, and for each entry of `allowed` that no test needs."""
    findings = {(finding.path, finding.test, finding.check): finding for finding in check(Suite(files))}
    stale = sorted(set(allowed) - findings.keys())
    return [
        *(
            f"{finding.path}:{finding.line}: {finding.test or 'file'}: {finding.problem} [{finding.check}]"
            for key, finding in findings.items()
            if key not in allowed
        ),
        *(f"{path}: {test}: allowed, but not found any more [{name}]" for path, test, name in stale),
    ]


def main() -> int:
    files = {path.relative_to(TOP): path.read_text(encoding="utf-8") for path in TOP.joinpath("tests").rglob("*.py")}
    lines = problems(files, ALLOWED)
    print(*lines, sep="\n", end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
