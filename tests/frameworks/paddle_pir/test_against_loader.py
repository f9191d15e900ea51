"""Verdicts on changes of PIR ops against what a release does to programs that were saved before them.

For each op that a program of one op can be made of, and for each kind of change, base is what head would have to have
come from; the program is one of base, and OPSPEC_LINT_PADDLE_3_3_1 names the interpreter that loads and runs it.
Some ops are drawn; OPSPEC_LINT_PROGRAMS=all tries every op, in some 15 minutes.
"""

from __future__ import annotations

import os
import random
import subprocess

import pytest
from paths import SPECS, TESTS
from pir_programs import before, is_plain, program

from opspec_lint.lint import profile
from opspec_lint.lint.check import check
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading

PYTHON = os.environ.get("OPSPEC_LINT_PADDLE_3_3_1")
SECONDS = 3000
COUNT = os.environ.get("OPSPEC_LINT_PROGRAMS", "150")
"""How many ops are drawn."""
NOT_COUNTED = {
    *(("input removed", f"pd_op.{op}") for op in ("full", "logical_not", "logical_xor", "logical_xor_")),
    *((change, "pd_op.array_length") for change in ("input removed", "output removed")),
}
"""What 3.3.1 runs with an input or output too many; why is not known."""

pytestmark = [pytest.mark.wheel, pytest.mark.skipif(not PYTHON, reason="OPSPEC_LINT_PADDLE_3_3_1 is not set")]


def outcomes(programs):
    """What becomes of programs, each in a process of its own."""
    runner = str(TESTS / "_run_pir_programs.py")
    text = "".join(f"{each}\n" for each in programs)
    done = subprocess.run([PYTHON, runner], input=text, capture_output=True, text=True, timeout=SECONDS, check=True)
    return done.stdout.split()


def pairs(head):
    """The ops that run as head has them, each with what it may have been before."""
    version = head.graph_versions.producer
    named = ((name, head.ops[name]) for name in sorted(head.ops) if name.startswith("pd_op.") and "_grad" not in name)
    made = [(op, program(op, version)) for _, op in named if is_plain(op) and op.get("variadic") is not True]
    made = [(op, text) for op, text in made if text is not None]
    if COUNT != "all":
        made = random.Random(0).sample(made, int(COUNT))  # noqa: S311
    running = [
        op for (op, _), outcome in zip(made, outcomes([each for _, each in made]), strict=True) if outcome == "ok"
    ]
    for op in running:
        for kind, base in before(op):
            text = program(base, version)
            if text is not None:
                yield kind, base, op, text


def test_a_change_is_an_error_where_the_loader_stops():
    head = references.resolve(str(SPECS / "paddle-pir-3.3.1.json"), Reading())
    policy = profile.load("paddle-pir")
    found = list(pairs(head))
    assert len(found) >= (500 if COUNT == "all" else 40)
    wrong = []
    for (kind, base, op, _), outcome in zip(found, outcomes([each for *_, each in found]), strict=True):
        sides = (head.but(ops={op.name: each}) for each in (base, op))
        findings = check(*sides, policy).findings
        stops = any(each.level == "error" for each in findings)
        if stops != (outcome != "ok") and (kind, op.name) not in NOT_COUNTED:
            wrong.append((kind, op.name, outcome, [each.rule for each in findings]))
    assert not wrong, "\n".join(map(str, wrong))
