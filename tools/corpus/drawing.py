"""Sampling of the cases of a corpus: the same ones for the same seed, specs and repository."""

from __future__ import annotations

import json
import random
import subprocess
from itertools import pairwise

from opspec_lint.cli.command import COMMANDS
from opspec_lint.lint.rulebook import RULES
from opspec_lint.models.view import VIEWS
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import released
from opspec_lint.zoo.view import VIEWS as ZOO_VIEWS
from tools.corpus import models
from tools.corpus.folder import Case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.corpus.folder import Folder
    from tools.corpus.models import Sample

FEW = 10
"""One case in so many is run with `--few`."""
COMMITS, REVISIONS, MODELS, HISTORY = 60, 307, 200, 3000
CHAIN = 10
"""Revisions of the PIR ops that one case reads one after the other: the cache has what they share."""
SOURCES = ("paddle/fluid/operators/*_op.cc", "paddle/phi/ops/yaml", "paddle/phi/api/yaml", "paddle/phi/ops/compat")
"""Files of Paddle that declare ops."""
DIALECT = ("paddle/fluid/pir/dialect", "paddle/phi/ops/yaml", "paddle/phi/api/yaml")
"""Files of Paddle that declare ops of PIR, of which the first folder was there with the first such op."""
_IN_TWO = ("--format", "text", "--format", "json=out/report.json")
_RELEASES = {"onnx": ("onnx", "onnxruntime"), "paddle_pir": ("paddle-pir",)}
"""The families of releases that models of a format are audited with, if not that of their framework."""
BLAMED = 40
"""One op in so many is blamed."""


def draw(folder: Folder, paddle: str | None, given: list[Path], seed: int) -> Iterator[Case]:
    """Yield the cases, the longest ones first; write the models that they read.

    Args:
        folder: the corpus.
        paddle: a repository of Paddle, None for a corpus without it.
        given: folders of saved models.
        seed: decides what is drawn.
    """
    chance = random.Random(seed)  # noqa: S311 - the same cases for the same seed
    if paddle:
        yield from _history(paddle)
    yield from _pairs()
    if paddle:
        yield from _commits(paddle, chance)
        yield from _chains(paddle)
    yield from _models(models.write(folder.models, given, MODELS, chance), chance)
    yield from _texts()


def _history(paddle: str) -> Iterator[Case]:
    first_parents = _git(paddle, "rev-list", "--first-parent", f"--max-count={HISTORY + 1}", "HEAD")
    tip = first_parents[0]
    ops = sorted(json.loads(released.read("paddle@3.0.0"))["ops"])
    for length in (HISTORY, HISTORY // 15):
        since = first_parents[min(length, len(first_parents)) - 1]
        source, file = f"paddle-source:paddle@{tip}", "history.sqlite"
        commands = [
            ["history", source, "--since", since, "--output", file, "--jobs", "1"],
            ["history", file, "--export", "csv", "out"],
            ["log", file, *_in_every_format()],
            ["log", file, "--level", "error", "--profile", "strict"],
        ]
        for op in ops[::BLAMED]:
            commands += [["blame", file, op], ["blame", file, op, "--format", "json"]]
        yield Case(f"history/{length}", commands, is_few=length < HISTORY)


def _pairs() -> Iterator[Case]:
    bases = [(base, heads) for heads in _specs().values() for base in heads]
    for number, (base, heads) in enumerate(bases):
        commands = [["check", base, head, *_IN_TWO] for head in heads if head != base]
        yield Case(f"pairs/{base}", commands, is_few=not number % FEW)


def _commits(paddle: str, chance: random.Random) -> Iterator[Case]:
    commits = _git(paddle, "log", "--first-parent", "--format=%H", "--since=2019-06-01", "HEAD", "--", *SOURCES)
    for number, commit in enumerate(chance.sample(commits, min(COMMITS, len(commits)))):
        base, head = (f"paddle-source:paddle@{revision}" for revision in (f"{commit}^", commit))
        commands = [["check", base, head, *_in_every_format()], ["extract", head]]
        commands += [["check", base, head, "--build", "gpu"]]
        yield Case(f"paddle/{commit[:12]}", commands, is_few=not number % FEW)


def _chains(paddle: str) -> Iterator[Case]:
    commits = _git(paddle, "log", "--first-parent", "--reverse", "--format=%H", "HEAD", "--", *DIALECT)
    (begin, *_) = _git(paddle, "log", "--first-parent", "--reverse", "--format=%H", "HEAD", "--", DIALECT[0])
    later = commits[commits.index(begin) :]
    count = min(REVISIONS, len(later))
    chosen = [later[number * len(later) // count] for number in range(count)]
    for number, start in enumerate(range(0, count, CHAIN)):
        chain = chosen[max(0, start - 1) : start + CHAIN]
        commands = [["extract", _pir(chain[0])]]
        for base, head in pairwise(chain):
            commands += [["extract", _pir(head)], ["check", _pir(base), _pir(head), *_IN_TWO]]
        yield Case(f"pir/{start:03}-{chain[-1][:12]}", commands, is_few=not number % FEW)


def _pir(revision: str) -> str:
    return f"paddle-pir-source:paddle@{revision}"


def _models(samples: list[Sample], chance: random.Random) -> Iterator[Case]:
    specs = _specs()
    for number, sample in enumerate(samples):
        releases = [spec for name in _RELEASES.get(sample.format, (sample.framework,)) for spec in specs.get(name, ())]
        against = chance.sample(releases, min(2, len(releases)))
        commands = [["audit", sample.path, "--against", spec, *_in_every_format(is_general=True)] for spec in against]
        commands += [["audit", sample.path, *_IN_TWO]]
        commands += [["show", sample.path, "--format", view] for view in VIEWS.names()]
        commands += [["show", sample.path, "--format", "mermaid", "--against", spec] for spec in against]
        if sample.base:
            commands += [["check", sample.base, sample.path, *_in_every_format(is_general=True)]]
        yield Case(f"models/{number:03}-{sample.format}", commands, is_few=not number % FEW)

    for framework in sorted({sample.framework for sample in samples if sample.framework in specs}):
        against = [argument for spec in specs[framework][-2:] for argument in ("--against", spec)]
        zoo = [["audit", "models", *against, "--skip-others", "--results", "results.sqlite", "--jobs", "1"]]
        zoo += [["audit", "--results", "results.sqlite", "--summary", "--format", view] for view in ZOO_VIEWS.names()]
        zoo += [["audit", "--results", "results.sqlite", "--summary", *_in_every_format(is_general=True)]]
        yield Case(f"models/zoo-{framework}", zoo, is_few=framework == "paddle")


def _texts() -> Iterator[Case]:
    commands = [["--help"], *([name, "--help"] for name in COMMANDS.names()), ["rules"], ["specs"]]
    yield Case("texts/commands", commands, is_few=True)
    yield Case("texts/rules", [["explain", rule] for rule in RULES.names()], is_few=True)


def _specs() -> dict[str, list[str]]:
    """Return the names of the included specs by their frameworks."""
    names_by_framework: dict[str, list[str]] = {}
    for name in released.names():
        names_by_framework.setdefault(json.loads(released.read(name))["provenance"]["framework"], []).append(name)
    return names_by_framework


def _in_every_format(*, is_general: bool = False) -> list[str]:
    """Return the options that write a report in every format; with `is_general`, only in the general ones."""
    names = REPORTERS.of("") if is_general else REPORTERS.names()
    return [
        argument
        for name in names
        for argument in ("--format", "text" if name == "text" else f"{name}=out/report.{name}")
    ]


def _git(repository: str, *arguments: str) -> list[str]:
    command = ["git", "-C", repository, *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
