"""Verdicts on changes of PIR ops against what a release does to programs that were saved before them.

For each op that a program can be made of, and for each kind of change, base is what head would have to have come from.
The program is one of base, and OPSPEC_LINT_PADDLE_3_3_1 names the interpreter that loads and runs it. It has to give
what the same program of head gives, unless the verdict is an error. Where a patch is advised, the loader reads that
patch, and the program has to give the same again.

Some ops are drawn; OPSPEC_LINT_PROGRAMS=all tries every op, in some 11 minutes.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from opspec_lint.frameworks.paddle.extract.dialect import patch_files, patches
from opspec_lint.frameworks.paddle.saved.pir.patches import LoaderVersions
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.spec.model import GraphVersions
from tests.frameworks.paddle_pir.pir_programs import (
    ANOTHER,
    GIVER,
    TAKER,
    Change,
    alone,
    changes,
    is_plain,
    patch_value,
)
from tests.support.paths import SPECS
from tests.support.wheels import python_with

SECONDS = 6000
LOADER = LoaderVersions(develop=4, release=4)
COUNT = os.environ.get("OPSPEC_LINT_PROGRAMS", "90")
"""How many ops are drawn."""
ENTRY = re.compile(r"- \{op_(?:name|pair): .*\]\}")
TENSOR = 'type: pir::DenseTensorType, data: [pir::Float32Type, [-1], "NCHW", [], 0]'
UNTRIED = ("pd_op.data", "pd_op.fetch")
"""Ops of every program, so that a patch of one changes more than what is tried."""
UNCHECKED = "pd_op.feed"
"""An op whose attrs no loader looks at, as it feeds nothing where it stands in a program."""
UNWRITTEN = ("pd_op.empty_like", "pd_op.nop")
"""Ops whose kernel writes nothing: what they give is what the memory held, and only whether they run is compared."""

KERNEL_BY_ENTRY = (
    *("empty_like", "full_", "gaussian_inplace", "gaussian_inplace_", "logical_and", "logical_and_", "logical_not"),
    *("logical_not_", "logical_or", "logical_or_", "logical_xor", "logical_xor_"),
)
"""The entry in ops.yaml says the data type and the backend of the kernel (`kernel: {data_type: x, backend: x}`).

The loader sees the number of inputs while it chooses a kernel by them (`GetKernelKey` in pd_op_to_kernel_pass.cc,
`OpYamlInfoParser::IsTensorAttribute`). Here it does not, and reads the name of the input too many behind the end of its
list (`BuildInputs`). That is undefined, so the verdict stays an error.
"""
NO_TENSORS = ("full", "randperm", "truncated_gaussian_random")
"""The same, of ops without tensors, which take the backend of the place."""
NO_KERNEL_KEY = ("array_length", "seed")
"""`GetKernelKey` names these ops, and looks at no input of them."""
NO_KERNEL = ("array_length", "data")
"""No kernel says how many outputs there are."""
SYMMETRIC = (
    *("add", "add_", "dist", "dot", "equal", "equal_", "equal_all", "fmax", "fmin", "fused_elementwise_add"),
    *("fused_elementwise_mul", "logical_and", "logical_and_", "logical_or", "logical_or_", "logical_xor"),
    *("logical_xor_", "maximum", "minimum", "multiply", "multiply_", "not_equal", "not_equal_"),
)
"""What they give does not depend on the order of their inputs; no spec says that."""
ALIKE = (
    *("binomial", "dgc_clip_by_norm", "dgc_clip_by_norm_sr", "heaviside", "huber_loss", "matrix_rank_atol_rtol"),
    *("row_conv", "take_along_axis"),
)
"""What they give does not depend on the order for the values that are tried, or is drawn again in each run."""
NAMED = {
    *(("input removed", f"pd_op.{op}") for op in (*KERNEL_BY_ENTRY, *NO_TENSORS, *NO_KERNEL_KEY)),
    *(("first input removed", f"pd_op.{op}") for op in (*KERNEL_BY_ENTRY, "array_length")),
    *(("output removed", f"pd_op.{op}") for op in NO_KERNEL),
    *(("inputs reordered", f"pd_op.{op}") for op in (*SYMMETRIC, *ALIKE)),
}
"""What is an error, and gives what it gave with 3.3.1."""

pytestmark = pytest.mark.wheel


class Trial(NamedTuple):
    """A change, with the patch that is tried, "" for none, the rules that say it, and what the errors advise."""

    change: Change
    patch: str
    rules: tuple[str, ...]
    advice: tuple[str, ...]

    @property
    def name(self):
        return (f"{self.change.kind}{', patched' if self.patch else ''}", self.change.op)


def judged(change, head, patch=""):
    """The verdict on a change, with a patch of head's version."""
    newest = head.graph_versions.producer
    before, after = ({step.op.name: step.op for step in item.steps} for item in (change.base, change.like))
    of_ops = patches.collect_patches(LOADER, "data", [patch_files.parse(patch, "4.yaml", newest)], after).actions_by_op
    before, after = (
        {name: op.replace(own={**op.own, "patches": tuple(actions.get(name, ()))}) for name, op in ops}
        for ops, actions in ((before.items(), {}), (after.items(), of_ops))
    )
    written = newest - bool(patch)
    loading = {**head.loading, "develop_version": written, "release_version": written}
    base = head.replace(ops=before, graph_versions=GraphVersions(producer=written), loading=loading)
    findings = check(base, head.replace(ops=after), PROFILES.load("paddle-pir")).findings
    advice = tuple(finding.advice for finding in findings if finding.level == "error")
    return Trial(change, patch, tuple(finding.rule for finding in findings), advice)


def patch_of(trial):
    """The patch that is advised, with what it leaves open; "" where none is advised."""
    entries = sorted({match[0] for item in trial.advice if (match := ENTRY.search(item))})
    pairs = [entry for entry in entries if "op_pair" in entry]
    if bool(pairs) != trial.change.kind.startswith("value") or trial.change.op in UNTRIED or not entries:
        return ""
    (entry,) = pairs or entries
    entry = entry.replace("OTHER", GIVER if trial.change.kind == "value added" else TAKER).replace("PLACE", "1")
    if "VALUE" in entry:
        attrs = (attr for step in trial.change.like.steps for attr in step.op.attrs)
        (attr,) = (attr for attr in attrs if f"object: {attr.name}," in entry)
        entry = entry.replace("VALUE", patch_value(attr))
    return f"op_{'pair_' if pairs else ''}patches:\n  {entry}\n"


def outcomes(programs, **settings):
    """Return the results of programs with their patches, each from a separate process."""
    done = subprocess.run(
        [python_with("paddle", "3.3.1"), str(Path(__file__).with_name("_run_pir_programs.py"))],
        input="".join(f"{json.dumps({'program': program, 'patch': patch})}\n" for program, patch in programs),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", **settings},
    )
    return done.stdout.splitlines()


def results_of_head(texts):
    """What programs of head give, "ok" alone where that is another value each time, or memory that nobody wrote."""
    runs = (outcomes([(text, None) for text in texts], **item) for item in ({}, {"MALLOC_PERTURB_": "85"}))
    return {text: run if run == two else run[:2] for text, run, two in zip(texts, *runs, strict=True)}


def trials(head):
    """The changes of the ops that are tried, without a patch and with the one that is advised."""
    newest = head.graph_versions.producer
    named = [head.ops[name] for name in sorted(head.ops) if name.startswith("pd_op.") and "_grad" not in name]
    plain = [op for op in named if is_plain(op) and op.get("variadic") is not True]
    ops = [op for op in plain if alone(op).text(newest) is not None]
    for op in ops if COUNT == "all" else random.Random(0).sample(ops, int(COUNT)):  # noqa: S311
        for change in changes(op, head.ops):
            if change.base.text(newest) is not None:
                bare = judged(change, head)
                patch = patch_of(bare)
                yield from [bare, judged(change, head, patch)] if patch else [bare]


def test_a_change_is_an_error_where_the_loader_stops():
    head = references.resolve(str(SPECS / "paddle-pir-3.3.1.json"), Reading()).spec
    newest = head.graph_versions.producer
    rows = [(trial, trial.change.like.text(newest)) for trial in trials(head)]
    like = results_of_head(list(dict.fromkeys(text for _, text in rows)))
    tried = [
        (item, like[text][:2] if item.change.op in UNWRITTEN else like[text])
        for item, text in rows
        if like[text].startswith("ok")
    ]
    programs = [(item.change.base.text(newest - bool(item.patch)), item.patch or None) for item, _ in tried]
    wrong = {}
    for (finding, result), outcome in zip(tried, outcomes(programs), strict=True):
        if bool(finding.advice) == outcome.startswith(result):
            wrong.setdefault(finding.name, (outcome, *finding.rules, finding.patch))
    assert len(tried) >= (5000 if COUNT == "all" else 500)
    assert len(NAMED) == 63
    expected = NAMED & {item.name for item, _ in tried}
    assert [(*name, *wrong.get(name, ())) for name in sorted(expected ^ set(wrong))] == []


STOPS = (
    "op_patches:\n  - {actions: [{action: delete_input, object: 1}]}\n",
    "op_patches:\n  - {op_name: pd_op.abs, actions: [{action: delete_input\n",
    "op_pair_patches:\n  - {op_pair: [pd_op.abs], actions: [{action: delete_value, object: [1, 1]}]}\n",
    "op_pair_patches:\n  - {actions: [{action: delete_value, object: [1, 1]}]}\n",
    "op_pair_patches:\n  - {op_pair: [pd_op.abs, pd_op.acos], actions: [{action: add_value, object: [1, 1]}]}\n",
    *(
        f"op_patches:\n  - {{op_name: pd_op.abs, actions: [{{{action}}}]}}\n"
        for action in (
            *("object: a", "action: delete_input, object: x", "action: modify_name, object: x"),
            *("action: add_output, object: 1", "action: modify_output_type, object: 0"),
            "action: add_output, object: 1, type: pir::DenseTensorType",
            "action: add_attr, object: a, data: 1",
            "action: add_attr, object: a, type: pir::Int32Attribute, data: abc",
            "action: add_attr, object: a, type: pir::Int32Attribute, data: 1.5",
            "action: add_attr, object: a, type: pir::BoolAttribute, data: 1",
            "action: modify_name, object: x, default: pd_op.relu",
        )
    ),
)
"""Patches of ops that the program has not; no program of an older version loads with them."""


def test_a_patch_at_which_the_loader_stops_is_a_problem():
    head = references.resolve(str(SPECS / "paddle-pir-3.3.1.json"), Reading()).spec
    text = alone(head.ops["pd_op.relu"]).text(3)
    assert outcomes([(text, None), *((text, patch) for patch in STOPS)])[1:] == ["refused"] * len(STOPS)
    assert [patch for patch in STOPS if not patch_files.parse(patch, "4.yaml", 4).problems] == []


def test_a_patch_that_the_loader_reads_is_no_problem():
    head = references.resolve(str(SPECS / "paddle-pir-3.3.1.json"), Reading()).spec
    text = alone(head.ops["pd_op.relu"]).text(3)
    actions = (
        *(f"add_output, object: 1, {TENSOR}", "add_attr, object: a, type: pir::BoolAttribute, data: 'true'"),
        *("add_attr, object: a, type: pir::DoubleAttribute, data: 1e-5", "delete_input, object: 1"),
        *("add_attr, object: a, type: paddle::dialect::IntArrayAttribute, data: [1]", "delete_attr, object: a"),
        'add_attr, object: a, type: paddle::dialect::PlaceAttribute, data: [0, 0, ""]',
    )
    patches = [f"op_patches:\n  - {{op_name: pd_op.abs, actions: [{{action: {action}}}]}}\n" for action in actions]
    pair = f"op_pair: [pd_op.abs, pd_op.acos], actions: [{{action: add_value, object: [1, 1], {TENSOR}}}]"
    patches.append(f"op_pair_patches:\n  - {{{pair}}}\n")
    assert {line[:2] for line in outcomes([(text, patch) for patch in patches])} == {"ok"}
    assert [patch_files.parse(patch, "4.yaml", 4).problems for patch in patches] == [()] * len(patches)


def lone_patches(op, ops):
    """Yield entries of a patch file that an op does not need, each with its kind."""
    alike = [item.name for item in ops if item.name != op.name and form(item) == form(op)]
    yield "op becomes none", "modify_name, data: pd_op.none"
    yield from (("op becomes another", f"modify_name, data: {name}") for name in alike[:1])
    yield from (
        (f"input {place} removed", f"delete_input, object: {place}") for place in (0, len(op.inputs)) if op.inputs
    )
    yield from ((f"output {place} added", f"add_output, object: {place}, {TENSOR}") for place in (0, len(op.outputs)))
    yield "output retyped", f"modify_output_type, object: {len(op.outputs)}, {TENSOR}"
    for attr in op.attrs:
        yield "attr removed", f"delete_attr, object: {attr.name}"
        yield "attr renamed", f"modify_attr_name, object: {attr.name}, data: {attr.name}_new"
        if attr.type in ANOTHER and attr.type != "pir::StrAttribute":
            yield "attr retyped", f"modify_attr, object: {attr.name}, type: {ANOTHER[attr.type][0]}"
            yield "attr as it is", f"modify_attr, object: {attr.name}, type: {attr.type}"
            yield "attr there already", f"add_attr, object: {attr.name}, type: {attr.type}, data: {patch_value(attr)}"


def form(op):
    return [(attr.name, attr.type) for attr in op.attrs], len(op.inputs), len(op.outputs)


def judged_alone(op, head, patch):
    """The errors on a patch file that changed alone."""
    newest = head.graph_versions.producer
    of_ops = patches.collect_patches(
        LOADER, "data", [patch_files.parse(patch, "4.yaml", newest)], head.ops
    ).actions_by_op
    actions = tuple(of_ops[op.name])
    of_base = {"develop_version": newest - 1, "release_version": newest - 1}
    base = head.replace(
        ops={**head.ops, op.name: op.replace(own={**op.own, "patches": ()})},
        graph_versions=GraphVersions(producer=newest - 1),
        loading=of_base,
        provenance=head.provenance.replace(version=None),
    )
    after = head.replace(ops={**base.ops, op.name: op.replace(own={**op.own, "patches": actions})})
    findings = check(base, after, PROFILES.load("paddle-pir"), only=[op.name]).findings
    return tuple(finding.rule for finding in findings if finding.level == "error")


def is_right(kind, rules, outcome, like):
    """Whether the errors on a patch fit what the loader does with it; an op may compute what another one does."""
    if kind == "op becomes another":
        return rules == ("patch_rewrites_op",)
    return bool(rules) is not outcome.startswith(like)


def test_a_patch_that_no_change_needs_is_an_error_where_it_changes_what_programs_do():
    head = references.resolve(str(SPECS / "paddle-pir-3.3.1.json"), Reading()).spec
    head = head.replace(ops=dict(head.ops.items()))
    newest = head.graph_versions.producer
    named = [head.ops[name] for name in sorted(head.ops) if name.startswith("pd_op.") and "_grad" not in name]
    plain = [op for op in named if is_plain(op) and op.get("variadic") is not True and op.name not in UNTRIED]
    ops = [op for op in plain if op.name not in (*UNWRITTEN, UNCHECKED) and alone(op).text(newest) is not None]
    drawn = ops if COUNT == "all" else random.Random(1).sample(ops, int(COUNT))  # noqa: S311
    texts = {op.name: alone(op).text(newest - 1) for op in drawn}
    like = results_of_head(list(texts.values()))
    tried = [
        (op, kind, f"op_patches:\n  - {{op_name: {op.name}, actions: [{{action: {action}}}]}}\n")
        for op in drawn
        if like[texts[op.name]].startswith("ok")
        for kind, action in lone_patches(op, plain)
    ]
    wrong = {}
    loaded = outcomes([(texts[op.name], patch) for op, _, patch in tried])
    for (op, kind, patch), outcome in zip(tried, loaded, strict=True):
        rules = judged_alone(op, head, patch)
        if not is_right(kind, rules, outcome, like[texts[op.name]]):
            wrong[kind, op.name] = (outcome, like[texts[op.name]], *rules, patch)
    assert len(tried) >= 300
    assert wrong == {}
