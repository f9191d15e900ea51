"""Released pairs: what `prove` says of them with the releases themselves.

A variable such as OPSPEC_LINT_PADDLE_2_6_2 names the interpreter of each release.
"""

from __future__ import annotations

import json
import os

import pytest
from programs import run

pytestmark = pytest.mark.wheel

PAIRS = {
    ("paddle@2.6.2", "paddle@3.0.0"): {
        "op_removed": ("confirmed", 127),
        "attr_default_removed": ("confirmed", 7),
        "attr_added_without_default": ("confirmed", 4),
        "attr_removed": ("refuted", 43),
    },
    ("paddle@1.8.5", "paddle@2.6.2"): {"op_removed": ("confirmed", 45), "attr_removed": ("refuted", 209)},
    ("tensorflow@1.15.0", "tensorflow@2.4.4"): {"allowed_values_narrowed": ("confirmed", 2)},
    ("tensorflow@2.4.4", "tensorflow@2.18.1"): {
        "op_removed": ("confirmed", 34),
        "allowed_values_narrowed": ("confirmed", 6),
        "attr_removed": ("refuted", 1),
    },
}
"""Of some rules: what the backward direction of all or most of their findings comes to."""


def python(release):
    variable = f"OPSPEC_LINT_{release.upper().replace('@', '_').replace('.', '_')}"
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


def test_a_release_takes_its_own_store_and_a_later_one_most_of_it(tmp_path):
    base, head = "paddle@2.6.2", "paddle@3.0.0"
    store = tmp_path / "store"
    run("prove", base, head, "--op", "div_p", "--base-python", python(base), "--store", store)
    own = run("prove", "--store", store, base, "--head-python", python(base), "--format", "json")
    assert own.code == 0
    assert json.loads(own.out)["summary"]["models"] > 1000
    tried = run("prove", "--store", store, head, "--head-python", python(head), "--format", "json")
    judged = run("prove", "--store", store, head, "--format", "json")
    verdicts = [
        {each["file"]: each["verdict"] == "loads" for each in json.loads(ran.out)["models"]} for ran in (tried, judged)
    ]
    assert verdicts[0] == verdicts[1]
