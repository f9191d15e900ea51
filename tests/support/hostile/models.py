"""Damaged model files of every format, random but the same for the same seed.

    python -m tests.hostile_models --count 5000

Each is recognised, read, shown and audited in a separate process with a limit of time and memory.
"""

from __future__ import annotations

import argparse
import collections
import io
import os
import random
import struct
import sys
import tempfile
import time
import zipfile
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from opspec_lint.kit.errors import InputError
from opspec_lint.models.audit import audit
from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.loader import LOADERS, LoadOptions, loaders_for
from opspec_lint.models.recognise import read_model
from opspec_lint.models.view import VIEWS, ShownModel
from tests.support import limited, per_framework
from tests.support.models import onnx_models, pytorch_models

SECONDS = 60
MEMORY = 1 << 30
VERDICTS = {"loads", "changed", "cannot_tell", "fails_at_run", "refused", "unreadable"}


@cache
def seeds():
    """Return whole models: by format, the path and the files of each, the one that is damaged first."""
    return {name: whole for made in per_framework.every("models").values() for name, whole in made().items()}


@cache
def specs():
    """Return the spec that models of a framework are audited with, by framework."""
    return {framework: release() for framework, release in per_framework.every("release").items()}


def _cut(chance, data):
    return data[: len(data) * chance.randrange(100) // 100]


def _flipped(chance, data):
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        if damaged:
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


_LIES = (0, 1, 3, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)


def _lying(chance, data):
    """Put a number in place of four bytes: an offset or a length, where these are written so."""
    if len(data) < 4:
        return data
    damaged = bytearray(data)
    at = chance.randrange(len(data) - 3)
    struct.pack_into("<I", damaged, at - at % chance.choice((1, 4, 4)), chance.choice(_LIES))
    return bytes(damaged)


def _claiming(chance, data):
    """Put a length of four gigabytes, as protobuf writes it, where it may be taken for one."""
    at = chance.randrange(len(data) + 1)
    return data[:at] + b"\xff\xff\xff\xff\x0f" + data[at + chance.choice((0, 1, 5)) :]


def _repeated(chance, data):
    begin = chance.randrange(len(data) + 1)
    part = data[begin : begin + chance.choice((1, 8, 64, 4000))]
    return data[:begin] + part * chance.choice((2, 30, 3000)) + data[begin:]


def _nested(chance, data):
    """Nest what is nested by brackets; or put a message into itself, field by field."""
    at, depth = chance.randrange(len(data) + 1), chance.choice((30, 1000, 10_000))
    opening, closing = chance.choice(((b"[", b"]"), (b'{"regions":', b"}"), (b'{"a":', b"}")))
    return data[:at] + opening * depth + closing * depth + data[at:]


def _wrapped(chance, data):
    inner, number = data, chance.choice((1, 5, 6, 7, 10))
    for _ in range(chance.choice((5, 100, 3000))):
        inner = onnx_models.field(number, inner)
        if len(inner) > 1 << 20:
            break
    return inner


FAULTS = (_cut, _flipped, _flipped, _lying, _lying, _claiming, _repeated, _nested, _wrapped)


def _within(chance, data):
    """Damage what an archive holds, and pack it again: what is packed is no less hostile than what is not."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice([name for name in entries if name.endswith((".py", ".json", "version"))] or list(entries))
    entries[name] = chance.choice(FAULTS)(chance, entries[name])
    if chance.random() < 0.05:
        entries[name] += bytes(chance.choice((1 << 20, 40 << 20)))
    return pytorch_models.zipped(entries)


def damaged(seed):
    """Return the format, the path and the files of a damaged model."""
    chance = random.Random(seed)  # noqa: S311 - the same for the same seed
    name = chance.choice(sorted(seeds()))
    path, whole = seeds()[name]
    files = dict(whole)
    hurt = next(iter(files)) if chance.random() < 0.8 else chance.choice(sorted(files))
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        is_archive = files[hurt].startswith(b"PK\x03\x04") and chance.random() < 0.7
        try:
            files[hurt] = (_within if is_archive else chance.choice(FAULTS))(chance, files[hurt])[: 64 << 20]
        except Exception:
            files[hurt] = _flipped(chance, files[hurt])
    return name, path, files


def judged(seed):
    """Recognise, read, show and audit a damaged model; return the verdicts."""
    _, path, files = damaged(seed)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), files)
        return _judged(str(Path(folder, path)), seed)


def write(folder, files):
    """Write files by their paths below a folder."""
    for file, data in files.items():
        path = Path(folder, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _judged(path, seed=0):
    """Read a model, show it in one of the views, and audit it; return the verdicts."""
    try:
        return _verdicts(path, VIEWS.names()[seed % len(VIEWS.names())])
    except InputError:
        return ["unreadable"]


def _verdicts(path, shown):
    model = read_model(path)
    assert VIEWS.load(shown).render([ShownModel(model=model)])
    assert all(node.op is not None for meta in model.meta_graphs for graph in meta.graphs for node in graph.nodes)
    spec = specs().get(model.framework)
    if spec is None or not loaders_for(model.format):
        return ["shown"]
    verdicts = [result.verdict for result in audit(path, [("spec", spec)], [], LoadOptions())]
    assert set(verdicts) <= VERDICTS
    return verdicts


def main():
    """Judge many; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for _, files in seeds().values():
        assert files
    for item in (*MODEL_FORMATS.every(), *LOADERS.every()):
        assert item.summary
    for item in VIEWS.every():
        assert item.render
    specs()
    wrong = 0
    verdicts = collections.Counter()
    slowest = (0.0, 0)
    for seed in range(options.seed, options.seed + options.count):
        start = time.perf_counter()
        outcome = limited.call(judged, seed, seconds=SECONDS, memory=MEMORY)
        slowest = max(slowest, (time.perf_counter() - start, seed))
        verdicts.update(outcome.value or ())
        if outcome.failure:
            wrong += 1
            print(f"seed {seed} ({damaged(seed)[0]}): {outcome.failure.strip()}", flush=True)
    took, at = slowest
    summary = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    print(f"{options.count} models: {wrong} wrong; {summary}; {took:.1f} s at most (seed {at})")
    return int(wrong > 0)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    sys.exit(main())
