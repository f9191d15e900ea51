"""Draws models from the spec of a release, and holds `check --profile saved-model` against two releases that load them.

`python -m benchmarks.drawn_models BASE HEAD BASE_PYTHON HEAD_PYTHON [--run] [--count N] [--schema FILE]`, with two
specs and two interpreters that have these releases. Models are of one op each: what savers write of it, then attrs at
other values that they may have, at their bounds, or left out, optional inputs and outputs given or not, several tensors
where that is allowed, and each version that an op has. Those that the loader of base takes are loaded by that of head.
Where the comparison finds nothing of the op that is worse than a note, head has to take the model, with the same attrs.
With `--run` models are run as well, and have to compute the same; those that base does not run are no evidence, and are
counted apart. With `--schema`, operators of TFLite have options.
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
    """A model: its op, its bytes, and what it says that is not usual."""

    op: str
    data: bytes
    about: str


def main() -> int:
    """Draw, load and print; return 1 where a model breaks of which nothing is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("base", "head", "base_python", "head_python"):
        parser.add_argument(name)
    parser.add_argument("--run", action="store_true", help="run the models, too")
    parser.add_argument("--count", type=int, default=5000, help="models that base takes")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--schema", help="TFLite's schema, for the options of operators")
    asked = parser.parse_args()
    base, head = recognise.read(asked.base).spec, recognise.read(asked.head).spec
    _, proving = prover.choose(None, base.provenance.framework, head.provenance.framework)
    writing = tflite_options.writer(recognise.read(asked.schema).spec) if asked.schema else WRITERS.load(proving.writer)
    models = list(drawn(base, writing, _source(asked.seed), asked.count * 3 // 2))
    taken = kept(models, tried(models, proving, asked.base_python))[: asked.count]
    print(f"{len(models)} models drawn of {len(base.ops)} ops; base takes {len(taken)}, of {ops_of(taken)} ops")
    if asked.run:
        loaded = [model for model, _ in taken]
        taken = kept(loaded, tried(loaded, proving, asked.base_python, is_run=True))
        print(f"base runs {len(taken)}, of {ops_of(taken)} ops; the other {len(loaded) - len(taken)} are no evidence")
    after = tried([model for model, _ in taken], proving, asked.head_python, is_run=asked.run)
    return judged(taken, after, levels_of(base, head), is_run=asked.run)


def kept(models: Sequence[Drawn], trials: Sequence[Trial]) -> list[tuple[Drawn, Trial]]:
    """Return the models that base takes, with what became of them."""
    return [(model, was) for model, was in zip(models, trials, strict=True) if was.loads]


def ops_of(taken: Sequence[tuple[Drawn, Trial]]) -> int:
    """Return of how many ops some models are."""
    return len({model.op for model, _ in taken})


def _source(seed: str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - the same models each time


def drawn(spec: Spec, writing: Writer, source: random.Random, count: int) -> Iterator[Drawn]:
    """Yield models: the usual one of each op, then others of ops that are drawn."""
    seen: set[bytes] = set()
    ops = [op for _, op in sorted(spec.ops.items()) if op.name[-1:] != "]"]
    rounds = [(op, False) for op in ops] + [(source.choice(ops), True) for _ in range(count * 20)]
    for op, is_other in rounds:
        try:
            sample = draw.usual(op, writing)
            about = "usual"
            if is_other:
                sample, about = other(sample, op, writing, source)
            data = writing.write(sample, spec)
        except UnwritableError:
            continue
        if data not in seen:
            seen.add(data)
            yield Drawn(op=op.name, data=data, about=about)
        if len(seen) == count:
            return


def other(sample: Sample, op: Op, writing: Writer, source: random.Random) -> tuple[Sample, str]:
    """Return a model that says one to three things in another way, and which."""
    told = []
    for _ in range(source.choice((1, 1, 2, 3))):
        places = [*(("attr", each) for each in op.attrs), *(("input", each) for each in op.inputs)]
        places += [("output", each) for each in op.outputs]
        if isinstance(sample.version, int):
            sample = sample.but(version=source.randint(op.min_version, op.max_version))
            told.append(f"version {sample.version}")
        if not places:
            break
        kind, each = source.choice(places)
        if kind == "attr":
            values = draw.values_of(each, writing)
            if each.default_value is not None and source.random() < 0.4:
                sample = sample.without(each.name)
                told.append(f"-{each.name}")
            else:
                value = source.choice(values)
                sample = sample.saying(**{each.name: value})
                told.append(f"{each.name}={value!r}"[:60])
            continue
        counts = dict(getattr(sample, f"{kind}s"))
        counts[each.name] = 2 if each.get("duplicable") is True and source.random() < 0.5 else 1
        if each.get("dispensable") is True and source.random() < 0.5:
            del counts[each.name]
        sample = sample.but(**{f"{kind}s": counts})
        told.append(f"{kind} {each.name} x {counts.get(each.name, 0)}")
    return sample, ", ".join(told)


def tried(models: Sequence[Drawn], proving: Prover, python: str, *, is_run: bool = False) -> Sequence[Trial]:
    """Return what becomes of models under a release: their attrs where they are loaded, their results where run."""
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
    found: dict[str, list[tuple[Level, str]]] = defaultdict(list)
    for each in check(base, head, PROFILES.load("saved-model")).findings:
        found[each.op or ""].append((each.level, f"{each.rule} {each.name}"))
    levels = {op: worst(*(level for level, _ in every)) for op, every in found.items()}
    return {op: (levels[op], [text for level, text in every if level == levels[op]]) for op, every in found.items()}


def judged(
    taken: Sequence[tuple[Drawn, Trial]],
    after: Sequence[Trial],
    levels: dict[str, tuple[Level, list[str]]],
    *,
    is_run: bool,
) -> int:
    """Print what became of the models by the worst level of their op, and those that break without a finding."""
    counts: Counter[tuple[str, str]] = Counter()
    missed = []
    for (model, was), now in zip(taken, after, strict=True):
        level, rules = levels.get(model.op, ("off", []))
        name = differing(was, now, is_run=is_run)
        what = now.outcome if not now.loads else "the same" if name is None else "differs"
        counts[level, what] += 1
        if what != "the same" and level in ("off", "note"):
            said = "" if name is None else (name, was.attrs[name][:60], now.attrs[name][:60])
            missed.append(f"{level} {model.op} [{model.about}]: {what} {said} {now.error[:220]!r} {rules[:2]}")
    for (level, what), count in sorted(counts.items(), key=lambda each: (-LEVELS.index(each[0][0]), each[0][1])):
        print(f"{count:6} {what:32} worst level: {level}")
    for line in missed:
        print(f"  {line}")
    return 1 if missed else 0


def differing(was: Trial, now: Trial, *, is_run: bool) -> str | None:
    """Return an attr or a result that says something else under head, None where there is none."""
    if is_run:
        return results.differing(was.attrs, now.attrs)
    return next((name for name in was.attrs if was.attrs[name] != now.attrs.get(name, was.attrs[name])), None)


if __name__ == "__main__":
    sys.exit(main())
