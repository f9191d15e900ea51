"""Parallel execution of cases with the tree of an interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tools.corpus.folder import Case, Folder

_WORKER = Path(__file__).with_name("_worker.py")


class Runner:
    """Workers that run cases: processes of an interpreter that has the tree installed.

    Args:
        python: the interpreter.
        jobs: the number of workers.
        folder: the corpus.
        paddle: the repository of Paddle, None if no case needs it.
    """

    def __init__(self, python: str, jobs: int, folder: Folder, paddle: str | None) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix="corpus-", ignore_cleanup_errors=True)
        self._links = {"models": str(folder.models)}
        if paddle:
            self._links["paddle"] = str(Path(paddle).resolve())
        self._idle: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
        self.seconds: Counter[str] = Counter()
        """The processor time that the cases took, by group."""
        self._workers = [self._start(python) for _ in range(jobs)]
        self.tree = ""
        """The folder of the package that the workers run."""
        for worker in self._workers:
            self.tree = _read_answer(worker)["tree"]
            self._idle.put(worker)

    def close(self) -> None:
        """End the workers, and remove what they wrote."""
        for worker in self._workers:
            worker.stdin.close()  # type: ignore[union-attr]
            worker.wait()
        self._scratch.cleanup()

    def run(self, cases: list[Case]) -> Iterator[tuple[Case, str]]:
        """Yield each case with its output, as they end.

        Raises:
            RuntimeError: a worker has ended.
        """
        left = deque(cases)
        with ThreadPoolExecutor(len(self._workers)) as pool:
            running = {}
            while left or running:
                while left and len(running) < len(self._workers):
                    case = left.popleft()
                    running[pool.submit(self._output, case)] = case
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(done), done.result()

    def _output(self, case: Case) -> str:
        worker = self._idle.get()
        with tempfile.TemporaryDirectory(dir=self._scratch.name) as top:
            request = {**asdict(case), "top": top, "links": self._links}
            worker.stdin.write(json.dumps(request) + "\n")  # type: ignore[union-attr]
            worker.stdin.flush()  # type: ignore[union-attr]
            self.seconds[case.group] += _read_answer(worker)["seconds"]
            self._idle.put(worker)
            return Path(top, "output").read_bytes().decode("utf-8", "surrogateescape")

    def _start(self, python: str) -> subprocess.Popen[str]:
        # The settings of a user must not show in an output: git and opspec-lint read no other variables.
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": self._scratch.name,
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "PYTHONHASHSEED": "0",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "OPSPEC_LINT_TRACEBACK": "1",
        }
        command = [python, str(_WORKER)]
        return subprocess.Popen(
            command, cwd=self._scratch.name, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )


def _read_answer(worker: subprocess.Popen[str]) -> dict[str, Any]:
    line = worker.stdout.readline()  # type: ignore[union-attr]
    if not line:
        raise RuntimeError(f"{worker.args} has ended")
    answer: dict[str, Any] = json.loads(line)
    return answer
