"""Files that repeat a fragment of a good file up to 3 MB, which must be read within 10 s.

    python -m tests.support.hostile.fragments [--count 40] [--seed 0] [READER ...]

draws `--count` fragments of each file (0: all fragments), and repeats each in several ways: first in two small files,
then, only if their processor time suggests that 3 MB may take long, in a large one. The exit code is 1 if one takes
more than its time or its memory, or ends in an internal error.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import random
import re
import sys
import tempfile
import time
from functools import cache, partial
from itertools import product
from pathlib import Path

from opspec_lint.frameworks.paddle.extract.dialect import extraction as dialect_extraction
from opspec_lint.frameworks.paddle.extract.tree import extraction
from opspec_lint.kit.errors import OpspecError
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.model import Provenance
from tests.support import limited
from tests.support.hostile import files, models, trees
from tests.support.models import pytorch_models
from tests.support.trees import onnx_trees, paddle_yaml, pir_trees, pytorch_trees, tensorflow_trees, tflite_trees
from tests.support.trees.paddle_trees import Memory

SIZE = 3_000_000
_PART = SIZE // 8
_SMALL = 100_000
_NOISE = 2.3
"""How much longer a file of twice the size may take before a part of its time counts as growing with the square."""
_USUAL = 0.07
"""Seconds of the loop in `pace` on a machine on which 3 MB are read within their time."""
_ATTEMPTS = 6
"""How often a time that is too long is measured."""
_LINE = 1000
"""Characters of a line that repeats a fragment."""
_MEMORY = 2 << 30
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.){0,40}"|\w+|[^\S\n]+|\\?.', re.DOTALL)
_MORE = (
    " ",
    "\n",
    "a",
    "a ",
    "a::",
    "a<",
    "0",
    "a: 1\n",
    "- a\n",
    'R"(',
    "\\",
    '\\"',
    "\\'",
    '"',
    "'",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ".",
    ":",
    ";",
    "=",
    "#",
    "/*",
    "*/",
)
"""Fragments of every file, beside its own."""
_LENGTHS = (1, 2, 3, 5)
"""Tokens of a fragment."""


class Reader:
    """A file that is in order, and what reads one in its place.

    Args:
        data: the file; what is no UTF-8 is taken for Latin 1.
        read: reads the bytes of a file.
    """

    def __init__(self, data, read):
        self._read = read
        try:
            self.text, self._encoding = data.decode(), "utf-8"
        except UnicodeDecodeError:
            self.text, self._encoding = data.decode("latin-1"), "latin-1"

    def fragments(self):
        """Return pieces of one to five tokens, each once, in order."""
        tokens = _TOKEN.findall(self.text)
        pieces = ("".join(tokens[at : at + length]) for length in _LENGTHS for at in range(len(tokens) - length + 1))
        return list(dict.fromkeys((*_MORE, *pieces)))

    def seconds(self, text):
        """Return the processor time of reading a text."""
        data = text.encode(self._encoding, "replace")
        begin = time.process_time()
        with contextlib.suppress(OpspecError):
            self._read(data)
        return time.process_time() - begin


def _lines(fragment, size):
    """Return lines that repeat a fragment."""
    line = fragment * max(1, _LINE // len(fragment)) + "\n"
    return line * max(1, size // len(line))


def _line(fragment, size):
    """Return one line that repeats a fragment and does not end well."""
    return fragment * (size // len(fragment)) + "\\\n"


def _inside(repeat, text, fragment, size):
    """Return a file that has repetitions where the fragment stands, or else in its middle."""
    place = text.find(fragment)
    at = place if place >= 0 else len(text) // 2
    return text[:at] + repeat(fragment, size) + text[at:]


def _alone(repeat, _, fragment, size):
    return repeat(fragment, size)


def _numbered(text, fragment, size):
    """Return a file that repeats a fragment whose words differ each time, where the fragment stands."""
    return _inside(_different, text, fragment, size)


def _different(fragment, size):
    pieces = re.split(r"(?<=\w)\b", fragment)
    return "".join(str(at).join(pieces) for at in range(size // (len(fragment) + 6)))


WAYS = {
    "a line alone": partial(_alone, _line),
    "lines alone": partial(_alone, _lines),
    "a line inside": partial(_inside, _line),
    "lines inside": partial(_inside, _lines),
    "other words": _numbered,
}
"""How a fragment is repeated in a file: functions of the file, the fragment and the number of characters."""


@cache
def readers():
    """Return every reader by its name."""
    readers = {f"file {name}": Reader(data, partial(files.parse, name)) for name, data in files.seeds().items()}
    for name, text in pytorch_models.CODE.items():
        readers[f"torchscript {name}"] = Reader(text.encode(), partial(_model, "m.pt", partial(_script, name)))
    for name, (path, whole) in models.seeds().items():
        data = next(iter(whole.values()))
        if len(whole) == 1 and not data.startswith(b"PK"):
            readers[f"model {name}"] = Reader(data, partial(_model, path, bytes))
    exported = json.dumps(pytorch_models.branching()).encode()
    readers["model pt2"] = Reader(exported, partial(_model, "m.pt2", pytorch_models.exported))
    for tree, (seed, read) in _trees().items():
        for path, text in seed.items():
            if text:
                readers[f"{tree} {path}"] = Reader(text.encode(), partial(_of_tree, seed, path, read))
    return readers


def _script(name, data):
    return pytorch_models.script(**{name: data})


def _model(path, made, data):
    """Read, show and audit the model that is made of some bytes."""
    with tempfile.TemporaryDirectory() as folder:
        models.write(Path(folder), {path: made(data)})
        models._judged(str(Path(folder, path)))


def _of_tree(seed, path, read, data):
    read(seed | {path: data})


def _trees():
    """Return source trees, and what reads one."""
    hand = {f"{pir_trees.HAND}.h": pir_trees.HAND_HEADER, f"{pir_trees.HAND}.cc": pir_trees.HAND_CODE}
    entries = {f"{pir_trees.YAML}/ops.yaml": paddle_yaml.entry(), f"{pir_trees.YAML}/op_compat.yaml": trees.COMPAT}
    return {
        "paddle": (trees.SEED, _paddle),
        "paddle-pir": (pir_trees.BASE | hand | entries, lambda tree: dialect_extraction.extract(Memory(tree))),
        "onnx": (onnx_trees.TREE, partial(_in_a_folder, "onnx-source")),
        "tflite": (tflite_trees.TREE, partial(_in_a_folder, "tflite-source")),
        "tensorflow": (tensorflow_trees.TREE, partial(_in_a_folder, "tensorflow-source")),
        "pytorch": (pytorch_trees.TREE, partial(_in_a_folder, "pytorch-source")),
    }


def _paddle(tree):
    spec = extraction.extract(Memory(tree), "all").spec("hostile", Provenance(framework="paddle"))
    for name in spec.ops:
        _ = spec.ops[name]


def _in_a_folder(source, tree):
    with tempfile.TemporaryDirectory() as folder:
        models.write(
            Path(folder), {path: data if isinstance(data, bytes) else data.encode() for path, data in tree.items()}
        )
        SOURCES.load(source).spec(folder, Reading(caches=False))


def is_slow(reader, way, fragment, least):
    """Tell whether a file of 3 MB may take more than half of its time, by two small files and one that is in order."""
    times = [least]
    for size in (_SMALL, 2 * _SMALL):
        outcome = limited.call(reader.seconds, WAYS[way](reader.text, fragment, size), memory=_MEMORY)
        if outcome.failure:
            return True
        times.append(outcome.value)
    once, twice = times[1] - times[0], times[2] - times[0]
    square = max(0.0, (twice - 2 * once) / 2)
    linear = max(0.0, once - square)
    scale = SIZE / _SMALL
    return linear * scale + square * scale**2 > limited.SECONDS / 2


def growth_problem(reader, way, fragment, least):
    """Return why a file of 3 MB would take longer than it may, "" if it would not.

    Files of a sixteenth and an eighth of its size are read. `least` is the time of the file that is in order. A file
    that is twice as long takes twice the time, and four times where the time grows with the square; a little more than
    twice is noise. What else the machine does only adds to a time, so a problem is measured again, and the least times
    count.
    """
    half = part = math.inf
    problem = ""
    for _ in range(_ATTEMPTS):
        times = []
        for size in (_PART // 2, _PART):
            outcome = limited.call(reader.seconds, WAYS[way](reader.text, fragment, size), memory=_MEMORY)
            if outcome.failure:
                return outcome.failure
            times.append(max(0.0, outcome.value - least))
        half, part = min(half, times[0]), min(part, times[1])
        problem = _problem(half, part)
        if not problem:
            break
    return problem


def _problem(half, part):
    """Return why 3 MB would take longer than it may, by the seconds of a sixteenth and an eighth of the file."""
    square = min(part, max(0.0, 2 * (part - _NOISE * half)))
    scale = SIZE // _PART
    whole = (part - square) * scale + square * scale**2
    if whole < limited.SECONDS:
        return ""
    # Measured now: other processes that compute slow this one down for a while.
    allowed = limited.SECONDS * pace()
    return "" if whole < allowed else f"3 MB would take {whole:.1f} s of {allowed:.1f}: {half:.2f} s, {part:.2f} s, ..."


def pace():
    """Return how many times longer than usual this process computes: 1 at least, more under a tracer."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        for number in range(100_000):
            re.match(r"(\w+) ", f"{number} a")
        times.append(time.process_time() - begin)
    return max(1.0, min(times) / _USUAL)


def read_large(reader, way, fragment):
    """Return the outcome of reading a file of 3 MB: its processor time, or what is wrong."""
    return limited.call(reader.seconds, WAYS[way](reader.text, fragment, SIZE), memory=_MEMORY)


def chosen(reader, count, seed):
    """Return `count` random fragments of a reader, or every fragment with 0."""
    fragments = reader.fragments()
    chance = random.Random(seed)  # noqa: S311 - the same for the same seed
    return fragments if not count or count >= len(fragments) else chance.sample(fragments, count)


def main():
    """Read many; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("reader", nargs="*", help="the beginning of the names of readers; all without one")
    options = parser.parse_args()
    names = [name for name in readers() if not options.reader or name.startswith(tuple(options.reader))]
    wrong = sum(_wrong_of(name, options.count, options.seed) for name in names)
    print(f"{wrong} files take too long")
    return int(wrong > 0)


def _wrong_of(name, count, seed):
    """Return how many files of a reader take too long, and print them."""
    reader = readers()[name]
    least = min(reader.seconds(reader.text) for _ in range(3))  # what reads it is loaded before it is forked
    fragments = chosen(reader, count, seed)
    large = wrong = 0
    slowest = (0.0, "")
    for fragment, way in product(fragments, WAYS):
        if not is_slow(reader, way, fragment, least):
            continue
        large += 1
        outcome = read_large(reader, way, fragment)
        slowest = max(slowest, (outcome.value or 0.0, f"{fragment!r} as {way}"))
        if outcome.failure:
            wrong += 1
            print(f"{name}: {fragment!r} as {way}: {outcome.failure.strip()}", flush=True)
    took, of = slowest
    print(
        f"{name}: {len(fragments)} fragments, {large} large files, {wrong} wrong; {took:.1f} s at most {of}", flush=True
    )
    return wrong


if __name__ == "__main__":
    sys.exit(main())
