"""What becomes of models in an interpreter with a framework: it may refuse one, crash, hang, or eat all memory.

Many models are loaded by one process. Where it dies of one, that one is tried again alone, since an earlier one may be
to blame, and those that are left in a process of their own.
"""

from __future__ import annotations

import os

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.sources.interpreter import command, ending, line_of, moved, probe_beside, read_log, tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any, Literal, TypeAlias

    Outcome: TypeAlias = Literal["loads", "refused", "crashed", "hung", "out_of_memory"]

SECONDS = 60
"""That one model may take to be loaded; a usual one takes milliseconds."""
MEMORY = 4 << 30
"""Bytes that models may take of a process, beside what the framework takes when it is imported."""
_WORDS = 500
_MOST_DEATHS = 50
"""Models in a row that a process may die of, before something else has to be wrong with it."""
_START = 660
"""Seconds after which nobody waits for an import any more; `_harness` ends it sooner."""
_NO_MEMORY = ("MemoryError", "bad_alloc", "ResourceExhausted", "out of memory", "Cannot allocate memory")


class Trial(Record):
    """What became of a model: the outcome, the words of the loader, and the attrs of its op where it loads."""

    outcome: Outcome
    error: str = ""
    attrs: Mapping[str, str] = {}

    @property
    def loads(self) -> bool:
        """Whether the loader takes the model."""
        return self.outcome == "loads"


class Bench(Record):
    """Where models are tried: in which interpreter, by which text, within which limits.

    `title` is what people call the framework, `package` what Python does, `requirement` what pip does.
    """

    python: str
    probe: str
    title: str
    package: str
    requirement: str
    environment: Mapping[str, str] = {}
    seconds: int = SECONDS
    memory: int = MEMORY


class Trials(Record):
    """What became of several models, in their order, under a release."""

    version: str
    trials: tuple[Trial, ...]


class _Run(Record):
    """What one process said: the release, what became of models by number, and the one that it died of."""

    version: str
    found: Mapping[int, Trial]
    died_of: int | None = None
    death: Trial | None = None


def load_all(bench: Bench, models: Sequence[bytes], progress: Callable[[str], None]) -> Trials:
    """Return what becomes of models, given by their bytes.

    Raises:
        InputError: as `try_all`.
    """
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory(prefix="opspec-lint-") as folder:
        paths = [Path(folder, str(number)) for number in range(len(models))]
        for path, data in zip(paths, models, strict=True):
            path.write_bytes(data)
        return try_all(bench, paths, progress)


def try_all(bench: Bench, models: Sequence[Path], progress: Callable[[str], None]) -> Trials:
    """Return what becomes of each of some models.

    Raises:
        InputError: the interpreter cannot be run, or has no such framework.
    """
    found: dict[int, Trial] = {}
    left = list(range(len(models)))
    deaths = 0
    run = _run(bench, [(number, models[number]) for number in left])
    while True:
        found |= run.found
        deaths = 0 if run.found else deaths + 1
        if deaths > _MOST_DEATHS:
            raise InputError(bench.python, f"died of {deaths} models, one after the other: {_words(run.death)}")
        if run.died_of is not None and run.death is not None:
            found[run.died_of] = run.death if run.died_of == left[0] else _alone(bench, run.died_of, models)
            progress(f"{bench.title} {run.version} died of a model; {len(models) - len(found)} are left")
        left = [number for number in left if number not in found]
        if not left:
            return Trials(version=run.version, trials=tuple(found[number] for number in range(len(models))))
        run = _run(bench, [(number, models[number]) for number in left])


def _words(trial: Trial | None) -> str:
    return "" if trial is None else trial.error


def _alone(bench: Bench, number: int, models: Sequence[Path]) -> Trial:
    """Return what becomes of a model in a process of its own."""
    run = _run(bench, [(number, models[number])])
    return run.found.get(number) or run.death or Trial(outcome="crashed")


def _run(bench: Bench, models: Sequence[tuple[int, Path]]) -> _Run:
    """Have one process load models, until it is done or dies.

    Raises:
        InputError: the interpreter cannot be run, or has no such framework.
    """
    import json
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory(prefix="opspec-lint-") as folder:
        answer, log, task = Path(folder, "answer"), Path(folder, "log"), Path(folder, "task")
        asked = {
            "answer": str(answer),
            "models": [(number, str(path.absolute())) for number, path in models],
            "seconds": bench.seconds,
            "memory": bench.memory,
        }
        task.write_text(json.dumps(asked), encoding="utf-8")
        status = _process(bench, task, log, _START + bench.seconds * len(models))
        lines = list(_lines(answer))
        output = read_log(log)
    if not lines or "version" not in lines[0]:
        raise _no_framework(bench, lines, status, output)
    found = {line["number"]: _trial(line) for line in lines if "number" in line}
    if lines[-1].get("done"):
        return _Run(version=lines[0]["version"], found=found)
    last = lines[-1].get("trying")
    if last is not None:
        return _Run(version=lines[0]["version"], found=found, died_of=last, death=_death(bench, status, output))
    if not found:
        raise InputError(bench.python, f"ended before the first model: {ending(status)}{tail(output)}")
    return _Run(version=lines[0]["version"], found=found)


def _process(bench: Bench, task: Path, log: Path, seconds: int) -> int:
    """Run the probe on a task; return the exit status.

    Raises:
        InputError: the interpreter cannot be run.
    """
    import subprocess

    text = f"{bench.probe}\n{probe_beside(__file__, '_harness.py')}"
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user names the interpreter
                command(bench.python, text, task),
                cwd=task.parent,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=moved(bench.environment),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(
                bench.python, f"cannot be run: {reason}", advice="check the name of the interpreter"
            ) from None
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return _hung()
        finally:
            _end(process)


def _end(process: Any) -> None:
    """End a process, and those that it started."""
    import contextlib
    import signal

    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _hung() -> int:
    """Return the status of a process that its alarm ended."""
    import signal

    return -getattr(signal, "SIGALRM", 14)


def _lines(answer: Path) -> Iterator[dict[str, Any]]:
    """Yield what a process said; a line that it died of writing is left out."""
    import json

    if answer.exists():
        for line in read_log(answer).splitlines():
            try:
                told = json.loads(line)
            except (ValueError, RecursionError):
                return
            if isinstance(told, dict):
                yield told


def _trial(line: Mapping[str, Any]) -> Trial:
    error = line.get("error")
    if error is None:
        return Trial(outcome="loads", attrs=line["attrs"])
    return Trial(outcome="out_of_memory" if _is_no_memory(error) else "refused", error=error)


def _is_no_memory(text: str) -> bool:
    return any(each in text for each in _NO_MEMORY)


def _death(bench: Bench, status: int, output: str) -> Trial:
    """Return what became of the model that a process died of."""
    import signal

    if status == _hung():
        return Trial(outcome="hung", error=f"not loaded in {bench.seconds} s")
    said = f"{ending(status)}{tail(output)}"
    killed = status == -getattr(signal, "SIGKILL", 9)
    return Trial(outcome="out_of_memory" if killed or _is_no_memory(output) else "crashed", error=said)


def _no_framework(bench: Bench, lines: Sequence[Mapping[str, Any]], status: int, output: str) -> InputError:
    """Return what kept an interpreter from loading anything."""
    problem = lines[0].get("problem") if lines else None
    advice = f"see what `{bench.python} -c 'import {bench.package}'` says"
    if problem is None:
        return InputError(
            bench.python, f"crashed while importing {bench.title}: {ending(status)}{tail(output)}", advice=advice
        )
    if problem.startswith("ModuleNotFoundError") and bench.package.partition(".")[0] in problem:
        advice = f"run `{bench.python} -m pip install {bench.requirement}`, or name another interpreter"
        return InputError(bench.python, f"has no {bench.title}", advice=advice)
    return InputError(
        bench.python, f"has a {bench.title} that cannot be inspected: {line_of(problem)[:_WORDS]}", advice=advice
    )
