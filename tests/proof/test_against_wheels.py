"""Released pairs: what `prove` says of them with the releases themselves.

A variable such as OPSPEC_LINT_PADDLE_2_6_2 names the interpreter of each release.
"""

from __future__ import annotations

import json

import pytest

from tests.support.programs import run
from tests.support.wheels import python_with

pytestmark = pytest.mark.wheel

PAIRS = {
    ("paddle@1.8.5", "paddle@2.6.2"): {"op_removed": ("confirmed", 45)},
    ("paddle@2.6.2", "paddle@3.0.0"): {
        "op_removed": ("confirmed", 127),
        "attr_default_removed": ("confirmed", 7),
        "attr_added_without_default": ("confirmed", 4),
        "attr_type_changed": ("refuted", 2),
        "extra_cleared_not_optional": ("confirmed", 1),
    },
    ("paddle@2.6.2", "paddle-pir@3.3.1"): {"translation_op_missing": ("confirmed", 165)},
    ("paddle-pir@3.0.0", "paddle-pir@3.3.1"): {
        "attr_type_unpatched": ("confirmed", 8),
        "input_added_unpatched": ("confirmed", 2),
        "output_removed_unpatched": ("confirmed", 2),
    },
    ("tensorflow@1.15.0", "tensorflow@2.4.4"): {"allowed_values_narrowed": ("confirmed", 2)},
    ("tensorflow@2.4.4", "tensorflow@2.18.1"): {
        "op_removed": ("confirmed", 34),
        "allowed_values_narrowed": ("confirmed", 6),
        "attr_removed": ("not_provable", 1),
    },
}
"""The longest first. Of some rules: what the backward direction of all or most of their findings comes to."""


REFUTED = {
    ("paddle@2.6.2", "paddle@3.0.0"): {
        *("cast use_mkldnn attr_removed", "sum use_mkldnn attr_removed"),
        *("histogram max attr_type_changed", "histogram min attr_type_changed"),
    }
}
"""Errors that break none of the models that were run: a flag that makes no difference, a type that is converted."""
MANY = {("paddle@1.8.5", "paddle@2.6.2"): {"attr_removed"}}
"""Their rules, where they are many: some 75 flags such as `use_cudnn`."""


CLAIMS = {
    ("paddle@2.6.2", "paddle@3.0.0"): {
        # The executor creates the op, and its kernel writes to the output that the model does not name.
        ("flatten2", "extra_cleared_not_optional", "backward"): ("confirmed", "crashed", ""),
        # No kernel of the CPU runs it, so that nothing is refuted.
        ("memory_efficient_attention", "input_removed", "backward"): (
            *("not_provable", None, "2.6.2 itself runs none of them"),
        ),
    },
    ("paddle-pir@3.0.0", "paddle-pir@3.3.1"): {
        # A kernel reads the attr of a program when it runs.
        (f"pd_op.{op}", *claim): ("confirmed", "crashed", "")
        for op in ("leaky_relu_", "logit_")
        for claim in (("attr_type_unpatched", "backward"), ("head_program_refused", "forward"))
    },
}
"""Of some findings, by op, rule and direction: the verdict, how a model breaks, and words of the reason."""


SECONDS = 20
"""For one model, beside other work. Some ops of old releases wait for ever for what other processes would send."""


def python(release):
    framework, _, version = release.partition("@")
    return python_with(framework.partition("-")[0], version)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_what_the_releases_state_of_every_rule(pair):
    base, head = pair
    interpreters = ("--base-python", python(base), "--head-python", python(head))
    ran = run("prove", base, head, *interpreters, "--seconds", SECONDS, "--format", "json")
    document = json.loads(ran.out)
    counts = {rule["rule"]: rule for rule in document["rules"] if rule["direction"] == "backward"}
    assert {rule: (verdict, counts[rule][verdict]) for rule, (verdict, _) in PAIRS[pair].items()} == PAIRS[pair]
    assert document["summary"]["not_tried"] == 0
    errors = [proof for proof in document["proofs"] if proof["level"] == "error" and proof["direction"] == "backward"]
    refuted = {f"{error['op']} {error['name']} {error['rule']}" for error in errors if error["verdict"] == "refuted"}
    if pair in MANY:
        assert {text.rpartition(" ")[2] for text in refuted} == MANY[pair]
    else:
        assert refuted == REFUTED.get(pair, set())
    proofs = {(proof["op"], proof["rule"], proof["direction"]): proof for proof in document["proofs"]}
    for claim, (verdict, how, reason) in CLAIMS.get(pair, {}).items():
        assert (proofs[claim]["verdict"], proofs[claim].get("how")) == (verdict, how)
        assert reason in (proofs[claim].get("reason") or "")


def test_a_release_takes_its_own_store_and_a_later_one_most_of_it(tmp_path):
    base, head = "paddle@2.6.2", "paddle@3.0.0"
    store = tmp_path / "store"
    run("prove", base, head, "--op", "div_p", "--base-python", python(base), "--store", store)
    own = run("prove", "--store", store, base, "--head-python", python(base), "--format", "json")
    assert own.code == 0
    assert json.loads(own.out)["summary"]["models"] > 1000
    tried = run("prove", "--store", store, head, "--head-python", python(head), "--format", "json")
    judged = run("prove", "--store", store, head, "--format", "json")
    taken, output = ({model["file"]: model for model in json.loads(ran.out)["models"]} for ran in (tried, judged))
    others = [row for file, row in output.items() if (row["verdict"] == "loads") != (taken[file]["verdict"] == "loads")]
    # They load, and fail when they are run, which a store's models are not: flatten2 ends the process, assign_value has
    # no values, and the models of the others have the smallest number of outputs (see needed_outputs).
    needing = {"gru", "lstm", "nanmedian", "nce", "norm", "rrelu"}
    failing = {"assign_value", "flatten2", *needing}
    assert {(item["op"], item["verdict"]) for item in others} == {
        ("rms_norm", "cannot_tell"),
        *((op, "fails_at_run") for op in failing),
    }
