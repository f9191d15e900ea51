"""Agreement with TensorFlow's own compiled code, live: whoever names a TensorFlow has it asked about random changes."""

from __future__ import annotations

import os
import random
import shutil

import pytest

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.frameworks.tensorflow.sources import runtime
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from tests.frameworks.tensorflow import compiled
from tests.frameworks.tensorflow.damage import mutate
from tests.frameworks.tensorflow.verdicts import SUPERSEDED, disagreements, spec, verdicts
from tests.support import written_registrations
from tests.support.released_specs import released
from tests.support.trees import tensorflow_trees as trees
from tests.support.wheels import python_with

ROUNDS = int(os.environ.get("OPSPEC_LINT_ROUNDS", "5"))
SEED, EDITS = int(os.environ.get("OPSPEC_LINT_SEED", "45")), 100
SOURCE = SOURCES.load("tensorflow-source")

pytestmark = [
    pytest.mark.wheel,
    pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ to build the driver with"),
]


@pytest.mark.parametrize("version", compiled.RELEASES)
def test_no_verdict_differs_on_random_changes_of_all_ops(version, tmp_path):
    python = python_with("tensorflow", version)
    driver = compiled.build(python, tmp_path)
    extracted = runtime.SOURCE.spec(python, Reading(environment=os.environ)).ops
    ops = [op_defs.write(op) for op in extracted.values()]
    wrong = [text for seed in range(ROUNDS) for text in wrong_verdicts(driver, ops, random.Random(seed))]  # noqa: S311
    assert not wrong, "\n".join([f"{len(wrong)} disagreements", *wrong[:20]])


def wrong_verdicts(driver, ops, chance):
    """Change every op by chance, and return where our verdicts are not those of the driver."""
    changed = [message("OpDef").FromString(op.SerializeToString()) for op in ops]
    done = [mutate(op, chance, chance.choice((1, 1, 2, 3))) for op in changed]
    answers = compiled.query(
        driver, [(old.SerializeToString(), new.SerializeToString()) for old, new in zip(ops, changed, strict=True)]
    )
    own = verdicts(spec(ops), spec(changed))
    return [
        f"{old.name} {what}: {disagreement}"
        for old, new, what, answer in zip(ops, changed, done, answers, strict=True)
        for disagreement in disagreements(old, new, answer, own.get(old.name, ([], [], [])))
    ]


@pytest.mark.parametrize("version", compiled.RELEASES)
def test_edits_of_source_code_are_judged_as_the_compiled_code_judges_them(version, tmp_path):
    driver = compiled.build(python_with("tensorflow", version), tmp_path)
    chance = random.Random(SEED)  # noqa: S311
    ops = released(f"tensorflow-{version}").ops
    every = [op_defs.write(op) for name, op in ops.items() if not op.invalid and not name.startswith("_")]
    old = chance.sample(every, EDITS)
    new = [written_registrations.edited(chance, op)[0] for op in old]
    pairs = [(op.SerializeToString(), edited.SerializeToString()) for op, edited in zip(old, new, strict=True)]
    answers = compiled.query(driver, pairs)
    judged = verdicts(*(_read_source(tmp_path / side, ops) for side, ops in (("base", old), ("head", new))))
    wrong = [
        f"{op.name}: TensorFlow {answer}, we {[[finding.rule for finding in part] for part in own]}"
        for op, answer in zip(old, answers, strict=True)
        for own in [judged.get(op.name, ([], [], []))]
        if any(text and text != "not asked" and SUPERSEDED not in text for text in answer) is not any(own)
    ]
    assert not wrong, "\n".join([f"{len(wrong)} of {EDITS} differ", *wrong])


def _read_source(folder, ops):
    """Return the spec of a source tree that registers ops."""
    text = "\n".join(map(written_registrations.written, ops))
    return SOURCE.spec(str(trees.write(folder, trees.registering(text))), Reading(caches=False))
