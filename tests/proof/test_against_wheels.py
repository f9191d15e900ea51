"""Released pairs: what `prove` says of them with the releases themselves.

A variable such as OPSPEC_LINT_PADDLE_2_6_2 names the interpreter of each release.
"""

from __future__ import annotations

import json
import os

import pytest

from tests.support.programs import run

pytestmark = pytest.mark.wheel

PAIRS = {
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
    ("paddle@1.8.5", "paddle@2.6.2"): {"op_removed": ("confirmed", 45)},
    ("tensorflow@1.15.0", "tensorflow@2.4.4"): {"allowed_values_narrowed": ("confirmed", 2)},
    ("tensorflow@2.4.4", "tensorflow@2.18.1"): {
        "op_removed": ("confirmed", 34),
        "allowed_values_narrowed": ("confirmed", 6),
        "attr_removed": ("not_provable", 1),
    },
}
"""Of some rules: what the backward direction of all or most of their findings comes to."""


REFUTED = {
    ("paddle@2.6.2", "paddle@3.0.0"): {
        *("cast use_mkldnn attr_removed", "sum use_mkldnn attr_removed"),
        *("histogram max attr_type_changed", "histogram min attr_type_changed"),
    }
}
"""Errors that break none of the models that were run: a flag that makes no difference, a type that is converted."""
MANY = {("paddle@1.8.5", "paddle@2.6.2"): {"attr_removed"}}
"""Their rules, where they are many: some 75 flags such as `use_cudnn`."""


def python(release):
    framework, _, version = release.partition("@")
    variable = f"OPSPEC_LINT_{framework.partition('-')[0].upper()}_{version.replace('.', '_')}"
    if variable not in os.environ:
        pytest.skip(f"{variable} does not name an interpreter")
    return os.environ[variable]


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_what_the_releases_say_of_each_rule(pair):
    base, head = pair
    ran = run(*("prove", base, head, "--base-python", python(base), "--head-python", python(head)), "--format", "json")
    document = json.loads(ran.out)
    counts = {each["rule"]: each for each in document["rules"] if each["direction"] == "backward"}
    assert {rule: (verdict, counts[rule][verdict]) for rule, (verdict, _) in PAIRS[pair].items()} == PAIRS[pair]
    assert document["summary"]["not_tried"] == 0
    errors = [each for each in document["proofs"] if each["level"] == "error" and each["direction"] == "backward"]
    refuted = {f"{each['op']} {each['name']} {each['rule']}" for each in errors if each["verdict"] == "refuted"}
    if pair in MANY:
        assert {each.rpartition(" ")[2] for each in refuted} == MANY[pair]
    else:
        assert refuted == REFUTED.get(pair, set())


def proofs_of(base, head, *ops):
    """Return the proofs of some ops by rule and direction."""
    words = ("prove", base, head, "--base-python", python(base), "--head-python", python(head), "--format", "json")
    ran = run(*words, *(word for op in ops for word in ("--op", op)))
    return {(each["rule"], each["direction"]): each for each in json.loads(ran.out)["proofs"]}


def test_an_output_that_a_kernel_needs_is_missed_when_it_runs():
    """The executor creates the op, and its kernel writes to the output that the model does not name."""
    proof = proofs_of("paddle@2.6.2", "paddle@3.0.0", "flatten2")["extra_cleared_not_optional", "backward"]
    assert (proof["verdict"], proof["how"]) == ("confirmed", "crashed")


def test_what_no_kernel_of_the_cpu_runs_is_not_refuted():
    proof = proofs_of("paddle@2.6.2", "paddle@3.0.0", "memory_efficient_attention")["input_removed", "backward"]
    assert proof["verdict"] == "not_provable"
    assert "2.6.2 itself runs none of them" in proof["reason"]


@pytest.mark.parametrize("op", ["pd_op.leaky_relu_", "pd_op.logit_"])
def test_a_kernel_reads_the_attr_of_a_program_when_it_runs(op):
    found = proofs_of("paddle-pir@3.0.0", "paddle-pir@3.3.1", op)
    for claim in (("attr_type_unpatched", "backward"), ("head_program_refused", "forward")):
        assert (found[claim]["verdict"], found[claim]["how"]) == ("confirmed", "crashed")


def test_a_release_takes_its_own_store_and_a_later_one_most_of_it(tmp_path):
    base, head = "paddle@2.6.2", "paddle@3.0.0"
    store = tmp_path / "store"
    run("prove", base, head, "--op", "div_p", "--base-python", python(base), "--store", store)
    own = run("prove", "--store", store, base, "--head-python", python(base), "--format", "json")
    assert own.code == 0
    assert json.loads(own.out)["summary"]["models"] > 1000
    tried = run("prove", "--store", store, head, "--head-python", python(head), "--format", "json")
    judged = run("prove", "--store", store, head, "--format", "json")
    taken, said = ({each["file"]: each for each in json.loads(ran.out)["models"]} for ran in (tried, judged))
    others = [
        each for file, each in said.items() if (each["verdict"] == "loads") != (taken[file]["verdict"] == "loads")
    ]
    # It loads, and ends the process when it is run, which a store's models are not.
    assert {each["op"] for each in others} == {"flatten2"}
    assert all("the process ends" in each["reason"] for each in others)
