"""Agreement with PyTorch's own predicates, live: whoever names a PyTorch has it asked about random changes."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from opspec_lint.frameworks.pytorch.compare.comparison import compare
from opspec_lint.frameworks.pytorch.compare.predicates import backward, forward
from opspec_lint.frameworks.pytorch.schemas.text import parse, show
from opspec_lint.frameworks.pytorch.sources import runtime
from opspec_lint.sources.reading import Reading
from tests.frameworks.pytorch import mutants
from tests.support.wheels import python_with

PAIRS = int(os.environ.get("OPSPEC_LINT_PAIRS", "2000"))
QUERY = Path(__file__).parent / "_ask_predicates.py"

pytestmark = pytest.mark.wheel


@pytest.fixture(scope="module")
def registered():
    return list(runtime.extract(python_with("pytorch", "2.13.0"), Reading(environment=os.environ)).ops.values())


def verdicts(pairs):
    lines = "".join(json.dumps(pair) + "\n" for pair in pairs)
    ended = subprocess.run(
        [python_with("pytorch", "2.13.0"), QUERY], check=False, input=lines, capture_output=True, text=True
    )
    assert not ended.returncode, ended.stderr[-800:]
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.mark.parametrize("kind", ["random", "registered"])
def test_every_verdict_and_first_reason_agrees(registered, kind):
    rng = random.Random(f"{kind} {PAIRS}")  # noqa: S311 - no secret
    pairs = []
    while len(pairs) < PAIRS:
        old = mutants.schema(rng) if kind == "random" else rng.choice(registered).replace(name="a::f")
        new = mutants.mutated(rng, old)
        pairs += [(show(old), show(new)), (show(new), show(old))]
    answers = verdicts(pairs)
    assert len(answers) == len(pairs)
    judged = [(pair, answer) for pair, answer in zip(pairs, answers, strict=True) if answer is not None]
    assert len(judged) > 0.8 * len(pairs)
    wrong = [(pair, messages, mine) for pair, messages in judged if (mine := difference(pair, messages))]
    assert not wrong, (len(wrong), len(judged), wrong[:5])


def difference(pair, messages):
    """Return the difference between our verdict and PyTorch's, "" for none; each refusal is the reason of a finding,
    too.
    """
    old, new = map(parse, pair)
    backwards, forwards = list(backward(old, new)), list(forward(old, new))
    if [not backwards, not forwards] != messages[:2]:
        return f"ours are {backwards}, {forwards}"
    ways = {way for fact in compare(old, new) for way in fact.refused}
    if ways != ({"backward"} if backwards else set()) | ({"forward"} if forwards else set()):
        return f"refused are {ways}"
    return another_reason(forwards[0], messages[2]) if forwards and messages[2] else ""


def another_reason(first, why):
    """Return our first reason where PyTorch states another one."""
    if "same number of out arguments" in why:
        return "" if first.aspect == "outs" else first.aspect
    if "did not provide a default value" in why or "has a container type" in why:
        aspect = "required" if "default value." in why and "container" not in why else "container"
        named = re.search(r"argument '(\w+)'", why)
        return "" if (first.aspect, first.new.name) == (aspect, named[1]) else repr(first)
    if why.startswith("Out argument"):
        return ""  # it names the argument at another position than the one that it compared
    named = re.match(r"'(\w+)' is not forward compatible", why)
    return "" if named and first.new is not None and first.new.name.partition("#")[0] == named[1] else repr(first)
