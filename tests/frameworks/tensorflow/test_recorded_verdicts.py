"""Agreement with what TensorFlow 2.8.4 said of random changes; `tools/record_verdicts.py` recorded it."""

from __future__ import annotations

import base64
import gzip
import json
from collections import Counter

from opspec_lint.frameworks.tensorflow.extract.messages import message
from tests.frameworks.tensorflow.verdicts import disagreements, spec, verdicts
from tests.support import paths

RECORD = paths.DATA / "tensorflow" / "verdicts.jsonl.gz"
LINES = [json.loads(line) for line in gzip.decompress(RECORD.read_bytes()).decode().split("\n")]


def opdef(text):
    return message("OpDef").FromString(base64.b64decode(text))


def test_the_verdicts_are_those_of_the_compiled_code():
    wrong = []
    for line in LINES:
        old, new = opdef(line[0]), opdef(line[1])
        value = verdicts(spec([old]), spec([new])).get(old.name, ([], [], []))
        wrong += [f"{old.name}: {disagreement}" for disagreement in disagreements(old, new, line[2:], value)]
    assert wrong == []


def test_the_record_holds_verdicts_of_every_kind():
    counter = Counter(bool(text) for line in LINES for text in line[2:])
    assert counter[True] > 100
    assert counter[False] > 100
    assert all(any(line[place] for line in LINES) for place in (2, 3, 4))
