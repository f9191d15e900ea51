"""The folder of a corpus: its cases, the models that they read, and their outputs."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import asdict, dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True)
class Case:
    """Commands of opspec-lint that run one after the other, in an empty folder and with an empty cache.

    `name` begins with the group of the case. The folder has links to `paddle`, a
    repository, and to `models`, the models of the corpus. The files that a command writes below `out/` are output, too.
    """

    name: str
    commands: list[list[str]]
    is_few: bool

    @property
    def group(self) -> str:
        """The part of the corpus that the case belongs to."""
        return self.name.partition("/")[0]

    @property
    def needs_paddle(self) -> bool:
        """The case reads the repository of Paddle."""
        return self.group in ("history", "paddle", "pir")


class Folder:
    """The folder of a corpus."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.models = self.path / "models"
        self._cases = self.path / "cases.jsonl"

    def create(self, cases: Iterable[Case]) -> None:
        """Write the cases, and forget the outputs of others."""
        shutil.rmtree(self.path / "output", ignore_errors=True)
        self.path.mkdir(parents=True, exist_ok=True)
        self._cases.write_text("".join(json.dumps(asdict(case)) + "\n" for case in cases), encoding="utf-8")

    def cases(self) -> list[Case]:
        """Return the cases: first the few, which soon show a difference, then the others, the longest ones first."""
        cases = [Case(**json.loads(line)) for line in self._cases.read_text(encoding="utf-8").splitlines()]
        return sorted(cases, key=lambda case: not case.is_few)

    def keep(self, case: Case, output: str) -> None:
        """Write the output of a case. Equal outputs give equal bytes."""
        path = self._path(case)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(output.encode("utf-8", "surrogateescape"), 3, mtime=0))

    def output(self, case: Case) -> str:
        """Return the output of a case, "" where none was written."""
        path = self._path(case)
        return gzip.decompress(path.read_bytes()).decode("utf-8", "surrogateescape") if path.exists() else ""

    def _path(self, case: Case) -> Path:
        return self.path / "output" / f"{case.name}.txt.gz"
