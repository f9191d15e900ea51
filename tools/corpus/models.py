"""The saved models of a corpus: those that our own writers make, and some of those in given folders."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from opspec_lint.kit.errors import OpspecError
from opspec_lint.models.format import Candidate
from opspec_lint.models.recognise import format_of
from opspec_lint.proof import draw
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.writer import WRITERS
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from tests.support import per_framework
from tests.support.paths import DATA

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

_WRITTEN = 0.3
"""The share of the models that our own writers make, where folders are given."""
_BYTES = 2 << 20
"""The size from which a given model is left out: it would show no more than a small one."""


_ModelAndBase = tuple[Path, "Path | None"]
"""The path of a model that was written, and the path of the model to compare it with."""


@dataclass(frozen=True)
class Sample:
    """A model of the corpus: its path from where the cases run, and its format.

    `base` is the path of a model that it is compared with, "" for none.
    """

    path: str
    format: str
    framework: str
    base: str = ""


def write(folder: Path, given: list[Path], count: int, chance: random.Random) -> list[Sample]:
    """Write models to a folder, and return them as samples.

    Args:
        folder: the folder, which is emptied before.
        given: folders of models.
        count: the number of models; fewer are written if there are not enough.
        chance: decides which models and ops are taken.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = [*_test_models(folder / "whole"), *_interface_models(folder / "interfaces")]
    made += _writer_models(folder / "written", (int(count * _WRITTEN) if given else count) - len(made), chance)
    with tempfile.TemporaryDirectory() as scratch:
        given_models = [
            model for number, path in enumerate(given) for model in _models_in(path, Path(scratch, str(number)))
        ]
        made += _copied(folder / "given", given_models, count - len(made), chance)
    return [_sample(folder, *pair) for pair in made]


def _test_models(folder: Path) -> Iterator[_ModelAndBase]:
    """Write the sample models of the tests, one of each format."""
    for models in per_framework.every("models").values():
        for name, (path, files) in models().items():
            for file, data in files.items():
                target = folder / name / file
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            yield folder / name / path, None


def _interface_models(folder: Path) -> Iterator[_ModelAndBase]:
    """Copy the models whose interfaces the tests compare; each is compared with the one before."""
    base = None
    for path in sorted((DATA / "interfaces").iterdir()):
        shutil.copytree(path, folder / path.name)
        yield folder / path.name, base
        base = folder / path.name


def _writer_models(folder: Path, count: int, chance: random.Random) -> Iterator[_ModelAndBase]:
    """Write models of single ops of the included releases with our own writers, equally many with each."""
    releases = [(name, writer) for own in per_framework.every("WRITERS").values() for name, (writer, _) in own.items()]
    for number, (release, writer_name) in enumerate(releases):
        spec, writer = references.resolve(release, Reading()).spec, WRITERS.load(writer_name)
        left = count * (number + 1) // len(releases) - count * number // len(releases)
        for name in chance.sample(sorted(spec.ops), len(spec.ops)):
            if not left:
                break
            try:
                data = writer.write(chance.choice((draw.usual, draw.smallest))(spec.ops[name], writer), spec)
            except UnwritableError:
                continue
            path = folder / f"{release}-{left}" / f"model{writer.suffix}"
            path.parent.mkdir(parents=True)
            path.write_bytes(data)
            left -= 1
            yield (path if _format(path) else path.parent), None


def _models_in(top: Path, scratch: Path) -> Iterator[Path]:
    """Yield the paths of the models in a folder, and in the archives in it, which are unpacked."""
    for number, archive in enumerate(sorted(top.rglob("*.zip"))):
        with zipfile.ZipFile(archive) as stream:
            stream.extractall(scratch / str(number))
        yield from _models_below(scratch / str(number))
    yield from _models_below(top)


def _models_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if not path.is_symlink():
            if _format(path):
                yield path
            elif path.is_dir():
                yield from _models_below(path)


def _format(path: Path) -> str:
    """Return the format that a path is in, "" for no model."""
    try:
        model_format = format_of(Candidate(str(path)))
    except OpspecError:
        return ""
    return "" if model_format is None else model_format.name


def _copied(folder: Path, models: list[Path], count: int, chance: random.Random) -> Iterator[_ModelAndBase]:
    """Copy some of the models, in turn one of each kind; a kind is a format in one folder."""
    kinds: dict[tuple[str, Path], list[Path]] = {}
    for path in chance.sample(models, len(models)):
        if _size(path) < _BYTES:
            kinds.setdefault((_format(path), path.parent), []).append(path)
    # Sorted by turn: the first model of every kind, then the second, so that no kind crowds out the others.
    turns = sorted((turn, key) for key, paths in kinds.items() for turn in range(len(paths)))
    for number, (turn, key) in enumerate(turns[:count]):
        path = kinds[key][turn]
        target = folder / f"{number:03}"
        _copy(path, target)
        base = path.parent / "base"
        if path.is_dir() and path.name != "base" and _format(base):
            _copy(base, target)
            yield target / path.name, target / "base"
        else:
            yield target / path.name, None


def _copy(path: Path, target: Path) -> None:
    """Copy a model, and the files that share its stem, such as external weights."""
    target.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, target / path.name)
        return
    for file in path.parent.glob(f"{path.stem}.*"):
        if file.is_file() and file.stat().st_size < _BYTES:
            shutil.copy(file, target / file.name)


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*")) if path.is_dir() else path.stat().st_size


def _sample(folder: Path, path: Path, base: Path | None) -> Sample:
    model_format = format_of(Candidate(str(path)))
    if model_format is None:
        raise ValueError(f"{path} is no model")
    names = [f"models/{model.relative_to(folder)}" if model else "" for model in (path, base)]
    return Sample(names[0], model_format.name, model_format.framework, names[1])
