"""Trials: loads or runs of models in an interpreter with a framework, which may refuse, crash, hang or fill memory.

1. One process handles all models, one after the other, and reports each (`_harness.py`).
2. If it dies, the model that it died of is tried again alone, since an earlier model may have damaged the process.
3. The remaining models go to a new process.
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
    Step: TypeAlias = Literal["load", "run", "load_path", "run_path"]

SECONDS = 60
"""Seconds that the load of one model may take; most take milliseconds."""
MEMORY = 4 << 30
"""Bytes that models may allocate, in addition to the imported framework."""
_MOST_DEATHS = 50
"""Processes in a row that may die without one outcome, before the interpreter itself is to blame."""
_SLACK = 5
"""Seconds that a process gets to be ended by its own alarm, before its parent kills it."""


class Trial(Record):
    """The outcome of loading or running a model, and the error message.

    `attrs` are the attrs of its op after a load, or the results of a run, as text by name.
    """

    outcome: Outcome
    error: str = ""
    attrs: Mapping[str, str] = {}

    @property
    def loads(self) -> bool:
        """The model was loaded; for a run: and run."""
        return self.outcome == "loads"


class TrialSetup(Record):
    """The interpreter, the program (`probe`), the framework and the limits of trials.

    `seconds` and `memory` limit one model, `import_seconds` the import of the framework.
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
        """The interpreter with its names for messages."""
        return Interpreter(
            python=self.python, called=self.python, alternative="name another interpreter", environment=self.environment
        )

    @property
    def limits(self) -> Limits:
        """The limits of a process as a whole."""
        # This memory includes the import of the framework; `limit_memory` in the harness limits the models alone.
        return Limits(seconds=max(self.import_seconds, self.seconds) + _SLACK, memory=runner.MEMORY + self.memory)


class Trials(Record):
    """The trials of models under one release, in input order."""

    version: str
    trials: tuple[Trial, ...]


class _Run(Record):
    """The answer of one process: the release, trials by index, and the model that it died of, if any."""

    version: str
    trials: Mapping[int, Trial]
    died_of: int | None = None
    death: Trial | None = None


def load_all(setup: TrialSetup, models: Sequence[bytes], progress: Callable[[str], None]) -> Trials:
    """Return the trials of models that are given by their bytes (`try_all`)."""
    with scratch.folder() as folder:
        paths = [folder / str(number) for number in range(len(models))]
        for path, data in zip(paths, models, strict=True):
            path.write_bytes(data)
        return try_all(setup, paths, progress)


def try_all(setup: TrialSetup, models: Sequence[Path], progress: Callable[[str], None]) -> Trials:
    """Return the trials of the models in files; raise InputError if the interpreter lacks the framework."""
    trials: dict[int, Trial] = {}
    remaining = list(range(len(models)))
    deaths = 0
    run = _run(setup, [(number, models[number]) for number in remaining])
    while True:
        trials |= run.trials
        # A process that has handled any model shows that the interpreter works: the count starts again.
        deaths = 0 if run.trials else deaths + 1
        if deaths > _MOST_DEATHS:
            raise InputError(setup.python, f"died of {deaths} models, one after the other: {_error_of(run.death)}")
        if run.died_of is not None and run.death is not None:
            # The first model of a process had no predecessor that could be the cause: no second trial.
            trials[run.died_of] = run.death if run.died_of == remaining[0] else _try_alone(setup, run.died_of, models)
            progress(f"{setup.package.title} {run.version} died of a model; {len(models) - len(trials)} are left")
        remaining = [number for number in remaining if number not in trials]
        if not remaining:
            return Trials(version=run.version, trials=tuple(trials[number] for number in range(len(models))))
        run = _run(setup, [(number, models[number]) for number in remaining])


def _error_of(trial: Trial | None) -> str:
    """Return the error of a trial, "" for none."""
    return "" if trial is None else trial.error


def _try_alone(setup: TrialSetup, number: int, models: Sequence[Path]) -> Trial:
    """Return the trial of a model in a separate process."""
    run = _run(setup, [(number, models[number])])
    return run.trials.get(number) or run.death or Trial(outcome="crashed")


def _run(setup: TrialSetup, models: Sequence[tuple[int, Path]]) -> _Run:
    """Start a process that loads models until all are loaded or it dies, and return its answer."""
    text = f"{setup.probe}\n{read_probe(__file__, '_harness.py')}"
    ended = runner.run(setup.interpreter, text, setup.limits, _task(setup, models))
    lines = list(_parse_answer(ended.answer or ""))
    if not lines or "version" not in lines[0]:
        raise _no_framework(setup, lines, ended)
    version, last = lines[0]["version"], lines[-1]
    trials = {line["number"]: _trial(setup, line) for line in lines if "number" in line}
    died_of = last.get("trying")
    if died_of is not None:
        return _Run(version=version, trials=trials, died_of=died_of, death=_death(setup, ended))
    if not trials and not last.get("done"):
        raise InputError(setup.python, f"ended before the first model: {messages.describe_ending(ended, setup.limits)}")
    return _Run(version=version, trials=trials)


def _task(setup: TrialSetup, models: Sequence[tuple[int, Path]]) -> str:
    """Return the task for `_harness.py`, as JSON."""
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


def _parse_answer(answer: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of an answer, up to a line that is incomplete as the process died."""
    import json

    for line in answer.splitlines():
        try:
            line_object = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(line_object, dict):
            yield line_object


def _trial(setup: TrialSetup, line: Mapping[str, Any]) -> Trial:
    """Return the trial that a line of an answer reports."""
    # A fork died. Its output is mixed with that of its parent, so none is quoted.
    if "ended" in line:
        return _death(setup, ProcessResult(answer=None, status=line["ended"], limit="", output=""))
    error = line.get("error")
    if error is None:
        return Trial(outcome="loads", attrs=line["attrs"])
    return Trial(outcome="out_of_memory" if messages.is_no_memory(error) else "refused", error=error)


def _death(setup: TrialSetup, ended: ProcessResult) -> Trial:
    """Return the trial of the model that killed a process: hung, out of memory or crashed."""
    import signal

    if _is_late(ended):
        done = "run" if setup.step.startswith("run") else "loaded"
        return Trial(outcome="hung", error=f"not {done} in {setup.seconds} s")
    # SIGKILL without a limit of ours is the out-of-memory killer of Linux.
    killed = ended.status == -getattr(signal, "SIGKILL", 9)
    is_full = not ended.limit and (killed or messages.is_no_memory(ended.output))
    return Trial(outcome="out_of_memory" if is_full else "crashed", error=messages.describe_ending(ended, setup.limits))


def _is_late(ended: ProcessResult) -> bool:
    """Return whether a process was ended by its alarm or by the time limit of its parent."""
    import signal

    return ended.limit == "time" or ended.status == -getattr(signal, "SIGALRM", 14)


def _no_framework(setup: TrialSetup, lines: Sequence[Mapping[str, Any]], ended: ProcessResult) -> InputError:
    """Return the error for an interpreter that did not import the framework."""
    problem = lines[0].get("problem") if lines else None
    if problem is None and _is_late(ended):
        return InputError(
            setup.python,
            f"did not import {setup.package.title} in {setup.import_seconds} s{messages.last_output(ended.output)}",
            advice=messages.manual_import_advice(setup.interpreter, setup.package)
            + ", or allow more time with --seconds",
        )
    return messages.import_error(setup.interpreter, setup.package, ended, setup.limits, problem)
