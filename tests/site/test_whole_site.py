"""The site of specs that opspec-lint brings: it is whole and small, and says what check says."""

from __future__ import annotations

import json
import os
import random

import pytest

from opspec_lint.documents import schema
from opspec_lint.sources import released
from tests.support.programs import run
from tests.support.released_specs import released as spec_of
from tests.support.sites import broken, table, where

MOST = 200_000
FEW = 80
FACTS = int(os.environ.get("OPSPEC_LINT_FACTS", "4"))
"""Of each framework."""


@pytest.fixture(scope="module")
def data(pages):
    """Return the data of the site on each framework, for programs."""
    result = (path.removeprefix("compat/").partition(".json") for path in pages if path.startswith("compat/"))
    return {
        name: json.loads(pages[f"compat/{name}.json"])
        for name, _, _ in result
        if name not in ("compat.schema", "index")
    }


def test_the_data_agree_with_their_schema(data, names):
    """Of a site of some releases, jsonschema reads some ops: it takes almost as long as the site."""
    is_whole = len(names) == len(released.names())
    drawn = [document if is_whole else with_few_ops(document) for document in data.values()]
    assert drawn
    assert [fault for document in drawn for fault in schema.faults(document, schema.load("compat"))] == []


def with_few_ops(document):
    """Return the data on a framework with some of its ops, drawn by chance."""
    ops = sorted(document["ops"].items())
    chance = random.Random(len(ops))  # noqa: S311 - no secret
    return {**document, "ops": dict(chance.sample(ops, min(FEW, len(ops))))}


def test_every_op_is_there(data, specs):
    assert specs
    for spec in specs.values():
        assert spec.ops
        assert spec.ops.keys() <= data[spec.provenance.framework]["ops"].keys()


def test_no_link_is_broken(pages):
    assert broken(pages) == []


def test_no_page_is_large(pages):
    sizes = {path: len(text.encode()) for path, text in pages.items() if path.endswith(".html")}
    assert [path for path, size in sizes.items() if size >= MOST] == []


def judged(base, head, profile, op, *, is_older):
    """Return the verdict of check on models that use an op: the word of the site, and the rule.

    Of an older release the site says once what stops some models whatever they use, and not in each range.
    """
    ran = run("check", base, head, "--profile", profile, "--op", op, "--format", "json")
    assert ran.code in (0, 1), ran.err
    result = [
        finding
        for finding in json.loads(ran.out)["findings"]
        if "backward" in finding["directions"]
        and (finding["level"] in ("error", "warning") or finding["rule"] == "op_removed")
    ]
    own = [(finding["level"], finding["rule"]) for finding in result if finding["op"] == op]
    of_all = [(finding["level"], finding["rule"]) for finding in result if finding["op"] is None]
    if own and (own[0][0] == "error" or own[0][1] == "op_removed"):
        return "not every model" if own[0][1] == "op_removed" and has_older(op, head) else "does not load", own[0][1]
    if of_all and of_all[0][0] == "error" and not is_older:
        return "not every model", of_all[0][1]
    return ("may differ", own[0][1]) if own else ("loads", None)


def has_older(op, head):
    """Return whether a release has an older version of a schema of ONNX, as which its checker then reads a node."""
    name, at, version = op.rpartition("@")
    known = [item.rpartition("@") for item in spec_of(head.replace("@", "-")).ops if head.startswith("onnx@")]
    return bool(at) and any(item[0] == name and int(item[2]) < int(version) for item in known)


def places(text, labels):
    """The places of the releases that a text names, some of them as ranges."""
    result = []
    for part in text.split(", "):
        first, _, last = part.partition(" – ")  # noqa: RUF001
        result += range(labels.index(first), labels.index(last or first) + 1)
    return result


def drawn(pages, data, framework, count):
    """Draw facts by chance: a command of check, and what the site says of models of its base in its head."""
    chance = random.Random(framework)  # noqa: S311 - no secret
    every = [row for path, text in pages.items() if path.startswith(f"{framework}/op/") for row in where(text)]
    for command, saved, ranges, reasons in chance.sample(every, count):
        profile, op = command[command.index("--profile") + 1], command[-1]
        own, reference = releases(data, framework), releases(data, command[3].partition("@")[0])
        base, head = chance.choice(places(saved, list(own))), chance.randrange(len(reference))
        candidate = next(
            ((text, rule) for text, at, rule in reasons if head in places(at, list(reference))), ("loads", None)
        )
        loads = any(head in places(span, list(reference)) for span in ranges)
        is_missing = candidate == ("not every model", "op_removed")
        assert loads == (candidate[0] != "does not load" and not is_missing)
        is_older = own == reference and head < base
        yield (own[list(own)[base]], reference[list(reference)[head]], profile, op), is_older, candidate


def releases(data, family):
    """The releases of a framework, or of the one that a family of releases is of, by what the site calls them."""
    framework = "tflite" if family == "litert" else family
    releases = data[framework]["frameworks"][framework]["releases"]
    return {label: release["spec"] for label, release in releases.items()}


@pytest.mark.parametrize(
    "framework", ["onnx", "onnxruntime", "paddle", "paddle-pir", "pytorch", "tensorflow", "tflite"]
)
def test_what_it_states_of_models_is_what_check_states(pages, data, framework):
    facts = list(drawn(pages, data, framework, FACTS))
    untrue = [
        fact for fact, is_older, output in facts if fact[0] != fact[1] and output != judged(*fact, is_older=is_older)
    ]
    assert untrue == []


def test_only_releases_with_an_op_are_listed_as_loading_models(pages, data):
    seen = 0
    for framework in ("onnx", "onnxruntime", "tensorflow", "tflite"):
        labels = list(releases(data, framework))
        for path, text in pages.items():
            if path.startswith(f"{framework}/op/"):
                for command, _, ranges, _ in where(text):
                    if command[3].partition("@")[0] in (framework, "litert"):
                        has_op = present(data, framework, command[-1])
                        named = {place for span in ranges for place in places(span, labels)}
                        assert named <= has_op, (path, command[-1])
                        seen += 1
    assert seen > 1000


def test_a_surprising_verdict_comes_with_its_reason(pages, data):
    """Paddle omits the extra output from 2.2 on; up to 2.1 its operator refuses to run without it."""
    labels = list(releases(data, "paddle"))
    rows = table(pages["paddle/op/flatten2.html"], "where")
    (row,) = (row for row in rows if labels.index("2.3.2") in places(row[0], labels))
    assert "1.6.3" not in row[1]
    assert "does not load 1.6.3" in row[2]
    assert "head requires it" in row[2]
    assert ": an existing model has no 'XShape' for 'flatten2', and is refused" in row[2]


def present(data, framework, op):
    """The places of the releases of a framework that have an op."""
    labels = list(releases(data, framework))
    return {
        place
        for contract in data[framework]["ops"][op]["__contract"]
        for place in range(labels.index(contract["version_first"]), labels.index(contract["version_last"]) + 1)
    }
