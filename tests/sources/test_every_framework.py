"""Spec files of every framework, damaged by chance: they are refused, or whatever reads them does its work.

OPSPEC_LINT_EXAMPLES is how many of each kind are tried.
"""

from __future__ import annotations

import contextlib
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings

from opspec_lint.diff.agreement import disagreements_within
from opspec_lint.diff.op_versions import dangling_registrations
from opspec_lint.documents import schema
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources.formats import opspec
from opspec_lint.spec import canonical, file_schema
from tests.support import per_framework
from tests.support.fact_changes import document
from tests.support.mutations import count_keys, mutated
from tests.support.specimens import KINDS

EXAMPLES = int(os.environ.get("OPSPEC_LINT_EXAMPLES", "40"))
STRICT = PROFILES.load("strict")


def is_accepted(value):
    """Tell whether a document is as its JSON Schema says, where no argument stands twice."""
    provenance = value.get("provenance")
    framework = provenance.get("framework") if isinstance(provenance, dict) else ""
    return not schema.faults(value, file_schema.schema(framework if isinstance(framework, str) else ""))


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_spec_file_is_refused_or_compared(kind):
    whole = document(random.Random(kind), kind)  # noqa: S311
    base = opspec.load(whole, "base")

    @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
    @given(mutated(whole))
    def each(value):
        if not opspec.likeness(value) or value["opspec"] != 1:
            return
        if opspec.count_keys(value, {}) is None:
            assert list(opspec.faults(value, "head"))
            return
        assert is_accepted(value)
        head = opspec.load(value, "head")
        canonical.dumps(head)
        for first, second in ((base, head), (head, base), (head, head)):
            with contextlib.suppress(InputError, UsageError):
                check(first, second, STRICT)
        list(disagreements_within(head))
        list(dangling_registrations(head))

    each()


def _message(framework, op):
    return {"opspec": 1, "provenance": {"framework": framework}, "knows": {}, "ops": {"f": op}}


WRONG = [(framework, *item) for framework, own in per_framework.every("WRONG").items() for item in own]


@pytest.mark.parametrize(("framework", "op", "problem"), WRONG)
def test_what_a_field_of_a_framework_may_hold(framework, op, problem):
    value = _message(framework, op)
    assert opspec.count_keys(value, {}) is None
    faults = [f"{fault.where}: {fault.problem}" for fault in opspec.faults(value, "spec.json")]
    assert any(fault.startswith(f"ops.f.{problem}") for fault in faults), faults


@pytest.mark.parametrize("framework", ["#", "mine", "\0", "%zz", "a b"])
def test_a_framework_of_any_name_has_its_faults_reported(framework):
    (fault,) = opspec.faults(_message(framework, {"invalid": 5}), "spec.json")
    assert fault.where == "ops.f.invalid"


@pytest.mark.parametrize("key", ["version", "commit", "made_by"])
def test_no_name_of_a_release_holds_nul(key):
    value = _message("paddle", {})
    value["provenance"][key] = "1\0"
    assert opspec.count_keys(value, {}) is None
    assert [fault.where for fault in opspec.faults(value, "spec.json")] == [f"provenance.{key}"]


def test_actions_of_patches_are_compared_as_numbers_are():
    """`true` and `1` are equal in Python, and not the same in a patch."""
    ops = [_message("paddle-pir", {"patches": [{"version": 1, "kind": "k", "data": data}]}) for data in (True, 1)]
    base, head = (opspec.load(item, "spec.json") for item in ops)
    assert not base.ops.certainly_equal(head.ops, "f")


def test_keys_of_patches_are_counted():
    value = _message("paddle-pir", {"patches": [{"version": 1, "kind": "k", "data": {"a": {"b": 1}}}]})
    assert opspec.count_keys(value, {}) == count_keys(value)
