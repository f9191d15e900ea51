"""What becomes of models in an interpreter with a framework: it may refuse one, crash, hang, or eat all memory.

One process loads many models, and may run them. Where it dies of one, that one is tried again alone, since an earlier
one may be to blame, and those that are left in a process of their own.
"""

from __future__ import annotations

from opspec_lint.interpreters import messages, runner
from opspec_lint.interpreters.runner import Interpreter, Limits, ProcessResult, read_probe
from opspec_lint.kit import scratch
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any, Literal, TypeAlias

    from opspec_lint.interpreters.messages import Package

    Outcome: TypeAlias = Literal["loads", "refused", "crashed", "hung", "out_of_memory"]
    Step: TypeAlias = Literal["load", "run", "load_path"]

SECONDS = 60
"""That one model may take to be loaded; a usual one takes milliseconds."""
MEMORY = 4 << 30
"""Bytes that models may take of a process, beside what the framework takes when it is imported."""
_MOST_DEATHS = 50
"""Models in a row that a process may die of, before something else has to be wrong with it."""
_SLACK = 5
"""Seconds after which a process is ended that its own alarm has not ended."""


class Trial(Record):
    """What became of a model: the outcome, and the words of the loader.

    `attrs` are those of its op where it loads, and its results where it was run.
    """

    outcome: Outcome
    error: str = ""
    attrs: Mapping[str, str] = {}

    @property
    def loads(self) -> bool:
        """Whether the loader takes the model, and runs it where it was to be run."""
        return self.outcome == "loads"


class TrialSetup(Record):
    """Where models are tried: in which interpreter, by which text, with which framework, within which limits.

    `step` is what is done with them. `seconds` and `memory` are for a model, `import_seconds` are for the import of the
    framework.
    """

    python: str
    probe: str
    package: Package
    environment: Mapping[str, str] = {}
    step: Step = "load"
    import_seconds: int = runner.SECONDS
    seconds: int = SECONDS
    memory: int = MEMORY

    @property
    def interpreter(self) -> Interpreter:
        """The interpreter, and what messages say of it."""
        return Interpreter(
            python=self.python, called=self.python, alternative="name another interpreter", environment=self.environment
        )

    @property
    def limits(self) -> Limits:
        """The limits of a process, from its start."""
        return Limits(seconds=max(self.import_seconds, self.seconds) + _SLACK, memory=runner.MEMORY + self.memory)


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


def load_all(setup: TrialSetup, models: Sequence[bytes], progress: Callable[[str], None]) -> Trials:
    """Return the trials of models, given by their bytes.

    Raises:
        InputError: as `try_all`.
    """
    with scratch.folder() as folder:
        paths = [folder / str(number) for number in range(len(models))]
        for path, data in zip(paths, models, strict=True):
            path.write_bytes(data)
        return try_all(setup, paths, progress)


def try_all(setup: TrialSetup, models: Sequence[Path], progress: Callable[[str], None]) -> Trials:
    """Return the trial of each of some models.

    Raises:
        InputError: the interpreter cannot be run, or has no such framework.
    """
    found: dict[int, Trial] = {}
    left = list(range(len(models)))
    deaths = 0
    run = _run(setup, [(number, models[number]) for number in left])
    while True:
        found |= run.found
        deaths = 0 if run.found else deaths + 1
        if deaths > _MOST_DEATHS:
            raise InputError(setup.python, f"died of {deaths} models, one after the other: {_error_of(run.death)}")
        if run.died_of is not None and run.death is not None:
            found[run.died_of] = run.death if run.died_of == left[0] else _alone(setup, run.died_of, models)
            progress(f"{setup.package.title} {run.version} died of a model; {len(models) - len(found)} are left")
        left = [number for number in left if number not in found]
        if not left:
            return Trials(version=run.version, trials=tuple(found[number] for number in range(len(models))))
        run = _run(setup, [(number, models[number]) for number in left])


def _error_of(trial: Trial | None) -> str:
    return "" if trial is None else trial.error


def _alone(setup: TrialSetup, number: int, models: Sequence[Path]) -> Trial:
    """Return the trial of a model in a process of its own."""
    run = _run(setup, [(number, models[number])])
    return run.found.get(number) or run.death or Trial(outcome="crashed")


def _run(setup: TrialSetup, models: Sequence[tuple[int, Path]]) -> _Run:
    """Have one process load models, until it is done or dies.

    Raises:
        InputError: the interpreter cannot be run, or has no such framework.
    """
    text = f"{setup.probe}\n{read_probe(__file__, '_harness.py')}"
    ended = runner.run(setup.interpreter, text, setup.limits, _task(setup, models))
    lines = list(_lines(ended.answer or ""))
    if not lines or "version" not in lines[0]:
        raise _no_framework(setup, lines, ended)
    found = {line["number"]: _trial(setup, line) for line in lines if "number" in line}
    last = lines[-1].get("trying")
    if last is not None:
        return _Run(version=lines[0]["version"], found=found, died_of=last, death=_death(setup, ended))
    if not found and not lines[-1].get("done"):
        raise InputError(setup.python, f"ended before the first model: {messages.ending(ended, setup.limits)}")
    return _Run(version=lines[0]["version"], found=found)


def _task(setup: TrialSetup, models: Sequence[tuple[int, Path]]) -> str:
    import json

    return json.dumps(
        {
            "step": setup.step,
            "models": [(number, str(path.absolute())) for number, path in models],
            "import_seconds": setup.import_seconds,
            "seconds": setup.seconds,
            "memory": setup.memory,
        }
    )


def _lines(answer: str) -> Iterator[dict[str, Any]]:
    """Yield what a process said; a line that it died of writing is left out."""
    import json

    for line in answer.splitlines():
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(told, dict):
            yield told


def _trial(setup: TrialSetup, line: Mapping[str, Any]) -> Trial:
    if "ended" in line:  # of a fork, which wrote to the output of all
        return _death(setup, ProcessResult(answer=None, status=line["ended"], limit="", output=""))
    error = line.get("error")
    if error is None:
        return Trial(outcome="loads", attrs=line["attrs"])
    return Trial(outcome="out_of_memory" if messages.is_no_memory(error) else "refused", error=error)


def _death(setup: TrialSetup, ended: ProcessResult) -> Trial:
    """Return the trial of the model that a process died of."""
    import signal

    if _is_late(ended):
        done = "run" if setup.step == "run" else "loaded"
        return Trial(outcome="hung", error=f"not {done} in {setup.seconds} s")
    killed = ended.status == -getattr(signal, "SIGKILL", 9)
    is_full = not ended.limit and (killed or messages.is_no_memory(ended.output))
    return Trial(outcome="out_of_memory" if is_full else "crashed", error=messages.ending(ended, setup.limits))


def _is_late(ended: ProcessResult) -> bool:
    """Tell whether a process was ended by its alarm, or after it."""
    import signal

    return ended.limit == "time" or ended.status == -getattr(signal, "SIGALRM", 14)


def _no_framework(setup: TrialSetup, lines: Sequence[Mapping[str, Any]], ended: ProcessResult) -> InputError:
    """Return the reason why an interpreter loaded nothing."""
    problem = lines[0].get("problem") if lines else None
    if problem is None and _is_late(ended):
        return InputError(
            setup.python,
            f"did not import {setup.package.title} in {setup.import_seconds} s{messages.tail(ended.output)}",
            advice=f"{messages.by_hand(setup.interpreter, setup.package)}, or allow more time with --seconds",
        )
    return messages.import_failed(setup.interpreter, setup.package, ended, setup.limits, problem)
