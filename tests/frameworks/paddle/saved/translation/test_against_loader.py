"""Verdicts on programs of one op against what `translate_to_pir` of a release does with them.

Of each op of Paddle 2.6.2 a program has all that a saver writes, and further ones lack an attr, an input or an output
each, have an attr of another type, or an argument too many. OPSPEC_LINT_PADDLE_3_0_0 and OPSPEC_LINT_PADDLE_3_3_1 name
the interpreters.

Some ops are drawn; OPSPEC_LINT_PROGRAMS=all tries every op, in some minutes.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import suppress

import pytest

from opspec_lint.proof import draw, trial
from opspec_lint.proof.prover import PROVERS
from opspec_lint.proof.sample import Sample, UnwritableError
from opspec_lint.proof.writer import WRITERS
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.recognise import read
from tests.support.models.paddle_programs import audited
from tests.support.paths import SPECS
from tests.support.wheels import python_with

COUNT = os.environ.get("OPSPEC_LINT_PROGRAMS", "60")
"""How many ops are drawn."""
ANOTHER = {
    "INT": ("LONG", "FLOAT", "INTS"),
    "LONG": ("INT", "FLOAT"),
    "FLOAT": ("FLOAT64", "INT"),
    "FLOAT64": ("FLOAT",),
    "BOOLEAN": ("INT", "FLOAT"),
    "STRING": ("INT",),
    "INTS": ("LONGS", "INT", "FLOATS"),
    "LONGS": ("INTS",),
    "FLOATS": ("FLOAT64S", "INTS"),
}
"""The types that are tried in place of one."""
WRITER = WRITERS.load("program_desc")
ONEDNN = frozenset(
    (
        *("fc", "fused_conv2d", "fused_conv3d", "fused_elementwise_add", "fused_elementwise_div", "fused_matmul"),
        *("fused_elementwise_mul", "fused_elementwise_sub", "fused_softplus", "fused_transpose", "multi_gru"),
        *("dequantize", "quantize", "requantize"),
    )
)
"""Ops that become those of the dialect of oneDNN, which no spec has."""
SHAPES = frozenset({"lookup_table", "mul"})
"""Ops whose translator computes with the shapes of variables."""
UNREAD = frozenset({"fetch_v2", "shadow_output"})
"""Ops that end a program; what these programs fetch is what the op gives, and these give nothing."""

pytestmark = pytest.mark.wheel


def whole(op):
    """The sample that has all that a saver writes of an op."""
    return Sample(
        op=op,
        attrs={attr.name: draw.simplest(attr, WRITER) for attr in op.attrs if attr.extra is not True},
        inputs={
            argument.name: 0 if argument.dispensable else 1 for argument in op.inputs if argument.extra is not True
        },
        outputs={output.name: 1 for output in op.outputs if output.extra is not True},
    )


def variants(sample):
    """The sample, and what lacks something, each with a word for it."""
    yield "whole", sample
    for attr in sample.op.attrs:
        if attr.name not in sample.attrs:
            continue
        yield f"without {attr.name}", sample.without(attr.name)
        for kind in ANOTHER.get(str(attr.type), ()):
            another = attr.replace(type=kind, default_value=None, allowed_values=None, minimum=None, maximum=None)
            op = sample.op.replace(attrs=tuple(another if item is attr else item for item in sample.op.attrs))
            value = draw.simplest(another, WRITER, 1)
            yield f"{attr.name} as {kind}", sample.replace(op=op).with_attrs(**{attr.name: value})
    for section in ("inputs", "outputs"):
        for name, count in getattr(sample, section).items():
            rest = {item: number for item, number in getattr(sample, section).items() if item != name}
            yield f"without {name}", sample.replace(**{section: rest})
            if count:
                yield f"empty {name}", sample.replace(**{section: {**rest, name: 0}})
            if count and section == "inputs":
                yield f"{name} twice", sample.replace(**{section: {**rest, name: 2}})


def programs(spec):
    ops = [op for name, op in sorted(spec.ops.items()) if name not in ONEDNN | SHAPES | UNREAD]
    for op in ops if COUNT == "all" else random.Random(7).sample(ops, int(COUNT)):  # noqa: S311 - repeatable
        with suppress(UnwritableError):
            for text, sample in variants(whole(op)):
                yield f"{op.name}, {text}", WRITER.write(sample, spec)


def released(name):
    """Return an included spec; the one of PIR lacks the versions of legacy ops."""
    return references.resolve(name, Reading()).spec


@pytest.mark.parametrize("version", ["3.0.0", "3.3.1"])
def test_programs_of_a_single_op(tmp_path, version):
    base, head = (read(str(SPECS / f"{name}.json")).spec for name in ("paddle-2.6.2", f"paddle-pir-{version}"))
    named = dict(programs(base))
    proof = PROVERS.load("pir_translation")
    setup = trial.TrialSetup(
        python=python_with("paddle", version), probe=proof.probe(), package=proof.package, environment=dict(os.environ)
    )
    trials = trial.load_all(setup, list(named.values()), lambda _: None).trials
    wrong, counts = [], Counter()
    for (name, data), item in zip(named.items(), trials, strict=True):
        verdict = audited(tmp_path, data, head, "pir_translation", released=released).verdict
        counts[item.loads] += 1
        if (verdict == "refused") == item.loads:
            wrong.append((name, verdict, item.error[-120:]))
    assert min(counts.values()) > len(trials) / 20
    assert wrong == []
