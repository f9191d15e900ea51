"""Selection of the tests to run against a fault: those that reach its line, the nearest first."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import coverage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Selector:
    """The measurements of the plugin `notes`: which test reaches which lines, and how long it takes.

    Args:
        folder: the folder that the plugin wrote to.
        limit: the seconds that the tests of one fault may take in all, as measured without the fault.
    """

    def __init__(self, folder: Path, limit: float) -> None:
        self._limit = limit
        self._seconds: Counter[str] = Counter()
        for file in sorted(folder.glob("seconds.*.json")):
            self._seconds.update(json.loads(file.read_text(encoding="utf-8")))
        self._lines = coverage.CoverageData(no_disk=True)
        for file in sorted(folder.glob(".coverage.*")):
            part = coverage.CoverageData(str(file))
            part.read()
            self._lines.update(part)
        self._blind = self._seconds.keys() - self._lines.measured_contexts()

    def tests(self, path: str, line: int) -> list[str]:
        """Return the tests to be run against a fault of a module in one of its lines, as pytest names them."""
        by_line = self._lines.contexts_by_lineno(path)
        reaching = {*by_line.get(line, ())} & self._seconds.keys()
        if not reaching:  # it runs when the module is imported, or never
            reaching = {test for tests in by_line.values() for test in tests} & self._seconds.keys()
        chosen: list[str] = []
        left = self._limit
        for group in (reaching, self._blind - reaching):
            for test in sorted(group, key=lambda test: (-_common(path, test), self._seconds[test], test)):
                left -= self._seconds[test]
                if left > 0 or not chosen:
                    chosen.append(test)
        return chosen

    def keep_existing(self, tree: Path) -> None:
        """Drop the tests that a repository lacks: the measurements can come from another revision."""
        texts = {
            file: (tree / file).read_text(encoding="utf-8") for file in _files(self._seconds) if (tree / file).is_file()
        }
        for test in list(self._seconds):
            file, _, name = test.partition("::")
            if f"def {name.rpartition('::')[2]}(" not in texts.get(file, ""):
                del self._seconds[test]
        self._blind &= self._seconds.keys()

    def seconds(self, tests: list[str]) -> float:
        """Return the seconds that tests take where there is no fault."""
        return sum(self._seconds[test] for test in tests)


def _files(tests: Iterable[str]) -> set[str]:
    return {test.partition("::")[0] for test in tests}


def _common(path: str, test: str) -> int:
    """Return the number of folders that a module and its test share, counting a file of the same name as one."""
    module, mirrored = (Path(path).with_suffix("").parts[1:] for path in (path, test.partition("::")[0]))
    pairs = zip(module, (name.removeprefix("test_") for name in mirrored), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
