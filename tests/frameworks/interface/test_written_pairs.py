"""Pairs of models that their own writers make: who breaks is who, calling head as base was called, gets no answer.

Each writer is the interpreter that has a release of a framework.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from opspec_lint.lint.check import check
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from tests.support.patience import PATIENCE
from tests.support.wheels import python_with

WRITERS = {"onnx": ("onnx", "1.23.2"), "tflite": ("tensorflow", "2.12.1"), "paddle": ("paddle", "3.0.0")}

pytestmark = pytest.mark.wheel


@pytest.mark.parametrize("framework", WRITERS)
def test_who_breaks_is_who_gets_no_answer_or_another_one(framework, tmp_path):
    told = written(framework, tmp_path)
    base, wrong = told["base"], {}
    for name, head in told.items():
        measured = {caller for caller in base.keys() - {"file"} if broken(base[caller], head[caller])}
        found = findings(base, head)
        errors = {caller for each in found if each.level == "error" for caller in each.callers}
        if errors != measured:
            wrong[name] = sorted(measured), sorted(errors)
    assert not wrong, f"{framework}: {wrong}"
    assert len(told) > 10
    # A predictor that looks at no shape is warned of.
    heads = ("batch_fixed", "dim_other", "rank_more")
    rules = {name: [each.rule for each in findings(base, told[name])] for name in heads}
    assert all(("shape_unchecked" in found) is (framework == "paddle") for found in rules.values()), rules


def written(framework, folder):
    """Have a framework write its models, and return what it answers with each, by the name of the change."""
    python = python_with(*WRITERS[framework])
    script = Path(__file__).with_name(f"pairs_{framework}.py")
    command = [python, str(script), str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout.splitlines()[-1])


def findings(base, head):
    specs = (references.resolve(each["file"], Reading()).spec for each in (base, head))
    return check(*specs).findings


def broken(base, head):
    return any(head[call] is None or loses(given, head[call]) for call, given in base.items())


def loses(given, now):
    """Tell whether an answer loses or changes an entry of what base gave."""
    if isinstance(given, dict):
        return any(now.get(key) != each for key, each in given.items())
    return now[: len(given)] != given
