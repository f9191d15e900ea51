"""Real revisions of Paddle against the wheels that were built of them, where a repository of Paddle is at hand.

OPSPEC_LINT_PADDLE_TREE names it: a clone with the whole history, bare or not.
"""

from __future__ import annotations

import json
import os
from collections import Counter

import pytest

from opspec_lint.diff.changes.arguments import is_addition, is_removal, is_rename
from opspec_lint.diff.specs import diff
from opspec_lint.git.repository import repository_around
from opspec_lint.sources import references, released
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.model import UNKNOWN
from tests.support.paths import SPECS

TREE = os.environ.get("OPSPEC_LINT_PADDLE_TREE")
SOURCE = "paddle-source"
ARGUMENT_FIELDS = ("duplicable", "dispensable", "intermediate", "extra", "quant")
ATTR_FIELDS = ("type", "default_value", "generated", "extra", "quant")
LATER = {"2.6.2": {"block_multihead_attention", "put_along_axis"}}
"""What was picked onto a release branch after it was cut, by release."""

GENERATED = {("matrix_nms", "gaussian_sigma"), ("tdm_child", "child_nums")}
"""The attrs that 1.8.5 took for generated: a stray comma made a part of their text a third argument."""

pytestmark = [pytest.mark.wheel, pytest.mark.skipif(not TREE, reason="OPSPEC_LINT_PADDLE_TREE is not set")]

REVISIONS = {"1.8.5": "cb2ad89884", "2.6.2": "b3d4ce374f"}


def read(release, build="cpu"):
    settings = Reading(environment=dict(os.environ), build=build)
    return SOURCES.load("paddle-source").spec(f"{TREE}@{REVISIONS[release]}", settings)


def wheel(release):
    return references.resolve(str(SPECS / f"paddle-{release}.json"), Reading()).spec


def fields(op):
    """Return all that a wheel knows of an op."""
    known = {}
    for section, names in (("inputs", ARGUMENT_FIELDS), ("outputs", ARGUMENT_FIELDS), ("attrs", ATTR_FIELDS)):
        for item in getattr(op, section):
            values = ((name, item.get(name)) for name in names)
            known[section, item.name] = json.dumps([(name, value) for name, value in values if value is not UNKNOWN])
    return known


@pytest.mark.parametrize("release", REVISIONS)
def test_every_op_of_the_wheel_is_exact_in_every_field(release):
    source, built = read(release), wheel(release)
    assert set(source.ops) == set(built.ops)
    different = {name for name in built.ops if fields(source.ops[name]) != fields(built.ops[name])}
    assert different == LATER.get(release, set())
    assert [remark for remark in source.remarks if remark.event == "op_unresolved"] == []


@pytest.mark.parametrize("release", REVISIONS)
def test_all_builds_contain_the_wheel(release):
    assert set(wheel(release).ops) <= set(read(release, "all").ops)


def test_op_versions_are_those_of_the_wheel():
    source, built = read("2.6.2").op_versions, wheel("2.6.2").op_versions
    assert set(built) - set(source) == {"for_pybind_test__"}  # registered by Paddle's Python binding, for its tests
    for op, history in source.items():
        own = [
            [(update.action, update.kind, update.name, update.default_value) for update in point.updates]
            for point in history
        ]
        reference = [
            [(update.action, update.kind, update.name, update.default_value) for update in point.updates]
            for point in built[op]
        ]
        assert json.dumps(own, default=str) == json.dumps(reference, default=str), op


def test_the_changes_between_two_trees_are_those_between_their_wheels():
    built = [wheel(release) for release in REVISIONS]
    common = set(built[0].ops) & set(built[1].ops)
    reference = facts(diff(*built), common)
    own = facts(diff(*(read(release) for release in REVISIONS)), common)
    assert {fact for fact in own if fact[2] not in ("minimum", "maximum", "allowed_values")} == set(reference)
    assert sum(reference.values()) == 860
    generated = {fact for fact in reference if fact[2] == "generated"}
    assert {(op, name) for op, _, _, name in generated} == GENERATED  # a count that leaves them out is 858


def facts(changes, common):
    """Return the changes, argument by argument: a rename is a removal and an addition."""
    counter = Counter()
    for change in changes:
        if change.op not in common or change.kind == "registration":
            continue
        if is_rename(change):
            counter[change.op, change.kind, "removed", change.name] += 1
            counter[change.op, change.kind, "added", change.new_name] += 1
        elif is_addition(change) or is_removal(change):
            what = "added" if is_addition(change) else "removed"
            counter[change.op, change.kind, what, change.name] += 1
        elif change.before is not None and change.field is not None:
            counter[change.op, change.kind, change.field, change.name] += 1
    return counter


@pytest.mark.parametrize("release", REVISIONS)
def test_every_place_declares_the_thing_named(release):
    repository = repository_around(TREE, dict(os.environ))
    source = read(release)
    texts = {}
    wrong = []
    for op in source.ops.values():
        for argument in (*op.inputs, *op.outputs, *op.attrs):
            path = argument.origin.file
            if path not in texts:
                texts[path] = repository.read(REVISIONS[release], path).decode("utf-8", "replace").splitlines()
            line = texts[path][argument.origin.line - 1]
            starts = line[argument.origin.column - 1 :].startswith(("AddInput", "AddOutput", "AddAttr"))
            if not starts and not path.endswith(".yaml") and "REGISTER" not in line:
                wrong.append((op.name, argument.name, argument.origin, line))
            if path.endswith(".yaml") and not any(text in line for text in ("args", "output", ":", ",", ")")):
                wrong.append((op.name, argument.name, argument.origin, line))
    assert wrong == []


OF_TAGS = [name for name in released.names({"paddle"}) if wheel(name.partition("@")[2]).provenance.made_by == SOURCE]


@pytest.mark.parametrize("name", OF_TAGS)
def test_the_spec_of_a_release_without_a_wheel_is_that_of_its_commit(name):
    included = references.resolve(name, Reading()).spec
    settings = Reading(environment=dict(os.environ), build="cpu")
    read_now = SOURCES.load(SOURCE).spec(f"{TREE}@{included.provenance.commit}", settings)
    assert set(read_now.ops) == set(included.ops)
    assert {op for op in read_now.ops if fields(read_now.ops[op]) != fields(included.ops[op])} == set()
    assert read_now.op_versions == included.op_versions


def test_of_a_release_with_a_wheel_the_source_at_its_commit_states_the_same():
    built = wheel("1.8.5")
    settings = Reading(environment=dict(os.environ), build="cpu")
    read_now = SOURCES.load(SOURCE).spec(f"{TREE}@{built.provenance.commit}", settings)
    assert {op: fields(read_now.ops[op]) for op in read_now.ops} == {op: fields(built.ops[op]) for op in built.ops}
