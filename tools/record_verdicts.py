"""Recorder of the verdicts of TensorFlow's compiled code on random changes, for tests without a TensorFlow.

python -m tools.record_verdicts PYTHON tests/data/tensorflow/verdicts.jsonl.gz
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import random
import sys
import tempfile
from pathlib import Path

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.frameworks.tensorflow.sources import runtime
from opspec_lint.sources.reading import Reading
from tests.frameworks.tensorflow import compiled
from tests.frameworks.tensorflow.damage import mutate

PAIRS = 600
MESSAGE_LENGTH = 160
"""Characters of a message that are kept: the rest repeats the whole OpDef."""


def main(python: str, output: str) -> None:
    chance = random.Random(2024)  # noqa: S311
    ops = [op_defs.write(op) for op in runtime.SOURCE.spec(python, Reading(environment=os.environ)).ops.values()]
    old = chance.sample([op for op in ops if op.ByteSize() < 300], PAIRS)
    new = [message("OpDef").FromString(op.SerializeToString()) for op in old]
    for op in new:
        mutate(op, chance, chance.choice((1, 1, 1, 2, 3)))
    pairs = [
        (a.SerializeToString(deterministic=True), b.SerializeToString(deterministic=True))
        for a, b in zip(old, new, strict=True)
    ]
    with tempfile.TemporaryDirectory() as folder:
        answers = compiled.ask(compiled.build(python, Path(folder)), pairs)
    lines = [
        json.dumps(
            [
                base64.b64encode(a).decode(),
                base64.b64encode(b).decode(),
                *(message[:MESSAGE_LENGTH] for message in messages),
            ]
        )
        for (a, b), messages in zip(pairs, answers, strict=True)
    ]
    Path(output).write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
