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
def test_who_breaks_is_who_gets_no_answer_or_another(framework, tmp_path):
    messages = written(framework, tmp_path)
    base, wrong = messages["base"], {}
    for name, head in messages.items():
        measured = {caller for caller in base.keys() - {"file"} if broken(base[caller], head[caller])}
        result = findings(base, head)
        errors = {caller for finding in result if finding.level == "error" for caller in finding.callers}
        if errors != measured:
            wrong[name] = sorted(measured), sorted(errors)
    assert not wrong, f"{framework}: {wrong}"
    assert len(messages) > 10
    # A predictor that looks at no shape is warned of.
    heads = ("batch_fixed", "dim_other", "rank_more")
    rules = {name: [finding.rule for finding in findings(base, messages[name])] for name in heads}
    assert all(("shape_unchecked" in rule) is (framework == "paddle") for rule in rules.values()), rules


def written(framework, folder):
    """Have a framework write its models, and return what it answers with each, by the name of the change."""
    python = python_with(*WRITERS[framework])
    script = Path(__file__).with_name(f"pairs_{framework}.py")
    command = [python, str(script), str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout.splitlines()[-1])


def findings(base, head):
    specs = (references.resolve(side["file"], Reading()).spec for side in (base, head))
    return check(*specs).findings


def broken(base, head):
    return any(head[call] is None or loses(given, head[call]) for call, given in base.items())


def loses(given, now):
    """Tell whether an answer loses or changes an entry of what base gave."""
    if isinstance(given, dict):
        return any(now.get(key) != item for key, item in given.items())
    return now[: len(given)] != given
