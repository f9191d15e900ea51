"""Study: does `check --profile saved-model` predict which random models another release refuses?

`python -m benchmarks.drawn_models BASE HEAD BASE_PYTHON HEAD_PYTHON [--run] [--count N] [--schema FILE]`, with two
specs and two interpreters that have these releases. A model has one op: first as savers write it, then
with attrs at other allowed values, at their bounds, or left out, optional inputs and outputs given or not, several
tensors where that is allowed, and in each version of the op. The models that base loads are loaded by head. If the
comparison has no finding worse than a note for the op, head must load the model, with the same attrs. With `--run`,
models are run as well, and must compute the same; models that base does not run are no evidence, and are counted apart.
With `--schema`, operators of TFLite have options.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from benchmarks import tflite_options
from opspec_lint.kit.record import Record
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.proof import draw, prover, results, trial
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.trial import TrialSetup
from opspec_lint.proof.writer import WRITERS
from opspec_lint.report.findings import LEVELS, worst
from opspec_lint.sources import recognise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.proof.prover import Prover
    from opspec_lint.proof.sample import Sample
    from opspec_lint.proof.trial import Trial
    from opspec_lint.proof.writer import Writer
    from opspec_lint.report.findings import Level
    from opspec_lint.spec.model import Op, Spec

SECONDS = 20


class Drawn(Record):
    """A model: its op, its bytes, and in which way it differs from the usual model of the op."""

    op: str
    data: bytes
    variation: str


def main() -> int:
    """Draw, load and print; return 1 if a model breaks without a finding."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("base", "head", "base_python", "head_python"):
        parser.add_argument(name)
    parser.add_argument("--run", action="store_true", help="run the models, too")
    parser.add_argument("--count", type=int, default=5000, help="models that base takes")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--schema", help="TFLite's schema, for the options of operators")
    options = parser.parse_args()
    base, head = recognise.read(options.base).spec, recognise.read(options.head).spec
    _, proving = prover.choose(None, base.provenance.framework, head.provenance.framework)
    writing = (
        tflite_options.writer(recognise.read(options.schema).spec) if options.schema else WRITERS.load(proving.writer)
    )
    models = list(draw_models(base, writing, _source(options.seed), options.count * 3 // 2))
    taken = loadable(models, try_models(models, proving, options.base_python))[: options.count]
    print(f"{len(models)} models drawn of {len(base.ops)} ops; base takes {len(taken)}, of {count_ops(taken)} ops")
    if options.run:
        loaded = [model for model, _ in taken]
        taken = loadable(loaded, try_models(loaded, proving, options.base_python, is_run=True))
        print(
            f"base runs {len(taken)}, of {count_ops(taken)} ops; the other {len(loaded) - len(taken)} are no evidence"
        )
    after = try_models([model for model, _ in taken], proving, options.head_python, is_run=options.run)
    return print_outcomes(taken, after, levels_of(base, head), is_run=options.run)


def loadable(models: Sequence[Drawn], trials: Sequence[Trial]) -> list[tuple[Drawn, Trial]]:
    """Return the models that base loads, each with its trial."""
    return [(model, was) for model, was in zip(models, trials, strict=True) if was.loads]


def count_ops(taken: Sequence[tuple[Drawn, Trial]]) -> int:
    """Return the number of different ops in some models."""
    return len({model.op for model, _ in taken})


def _source(seed: str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - the same models each time


def draw_models(spec: Spec, writing: Writer, source: random.Random, count: int) -> Iterator[Drawn]:
    """Yield models: the usual one of each op, then others of ops that are draw_models."""
    seen: set[bytes] = set()
    ops = [op for _, op in sorted(spec.ops.items()) if op.name[-1:] != "]"]
    rounds = [(op, False) for op in ops] + [(source.choice(ops), True) for _ in range(count * 20)]
    for op, is_varied in rounds:
        try:
            sample = draw.usual(op, writing)
            variation = "usual"
            if is_varied:
                sample, variation = vary(sample, op, writing, source)
            data = writing.write(sample, spec)
        except UnwritableError:
            continue
        if data not in seen:
            seen.add(data)
            yield Drawn(op=op.name, data=data, variation=variation)
        if len(seen) == count:
            return


def vary(sample: Sample, op: Op, writing: Writer, source: random.Random) -> tuple[Sample, str]:
    """Return a model with one to three random variations, and their description."""
    variations = []
    for _ in range(source.choice((1, 1, 2, 3))):
        places = [*(("attr", attr) for attr in op.attrs), *(("input", argument) for argument in op.inputs)]
        places += [("output", output) for output in op.outputs]
        if isinstance(sample.version, int):
            sample = sample.replace(version=source.randint(op.min_version, op.max_version))
            variations.append(f"version {sample.version}")
        if not places:
            break
        kind, argument = source.choice(places)
        if kind == "attr":
            values = draw.values_of(argument, writing)
            if argument.default_value is not None and source.random() < 0.4:
                sample = sample.without(argument.name)
                variations.append(f"-{argument.name}")
            else:
                value = source.choice(values)
                sample = sample.with_attrs(**{argument.name: value})
                variations.append(f"{argument.name}={value!r}"[:60])
            continue
        counts = dict(getattr(sample, f"{kind}s"))
        counts[argument.name] = 2 if argument.get("duplicable") is True and source.random() < 0.5 else 1
        if argument.get("dispensable") is True and source.random() < 0.5:
            del counts[argument.name]
        sample = sample.replace(**{f"{kind}s": counts})
        variations.append(f"{kind} {argument.name} x {counts.get(argument.name, 0)}")
    return sample, ", ".join(variations)


def try_models(models: Sequence[Drawn], proving: Prover, python: str, *, is_run: bool = False) -> Sequence[Trial]:
    """Return the trial of each model under a release: with its attrs if it is loaded, its results if it is run."""
    bench = TrialSetup(
        python=python,
        probe=proving.probe(),
        step="run" if is_run else "load",
        package=proving.package,
        seconds=SECONDS,
    )
    data = [model.data for model in models]
    return trial.load_all(bench, data, lambda text: print(text, file=sys.stderr)).trials


def levels_of(base: Spec, head: Spec) -> dict[str, tuple[Level, list[str]]]:
    """Return the worst level of the findings of each op, and the rules and names that have it."""
    findings_by_op: dict[str, list[tuple[Level, str]]] = defaultdict(list)
    for finding in check(base, head, PROFILES.load("saved-model")).findings:
        findings_by_op[finding.op or ""].append((finding.level, f"{finding.rule} {finding.name}"))
    levels = {op: worst(*(level for level, _ in every)) for op, every in findings_by_op.items()}
    return {
        op: (levels[op], [text for level, text in every if level == levels[op]]) for op, every in findings_by_op.items()
    }


def print_outcomes(
    taken: Sequence[tuple[Drawn, Trial]],
    after: Sequence[Trial],
    levels: dict[str, tuple[Level, list[str]]],
    *,
    is_run: bool,
) -> int:
    """Print the outcomes by the worst level of each op, and the models that break without a finding."""
    counts: Counter[tuple[str, str]] = Counter()
    missed = []
    for (model, was), now in zip(taken, after, strict=True):
        level, rules = levels.get(model.op, ("off", []))
        name = first_difference(was, now, is_run=is_run)
        what = now.outcome if not now.loads else "the same" if name is None else "differs"
        counts[level, what] += 1
        if what != "the same" and level in ("off", "note"):
            difference = "" if name is None else (name, was.attrs[name][:60], now.attrs[name][:60])
            missed.append(
                f"{level} {model.op} [{model.variation}]: {what} {difference} {now.error[:220]!r} {rules[:2]}"
            )
    for (level, what), count in sorted(counts.items(), key=lambda row: (-LEVELS.index(row[0][0]), row[0][1])):
        print(f"{count:6} {what:32} worst level: {level}")
    for line in missed:
        print(f"  {line}")
    return 1 if missed else 0


def first_difference(was: Trial, now: Trial, *, is_run: bool) -> str | None:
    """Return the first attr or result that differs under head, or None."""
    if is_run:
        return results.first_difference(was.attrs, now.attrs)
    return next((name for name in was.attrs if was.attrs[name] != now.attrs.get(name, was.attrs[name])), None)


if __name__ == "__main__":
    sys.exit(main())
