"""Spec files in block-style YAML have lines as JSON files have."""

from __future__ import annotations

import json

import yaml

from opspec_lint.documents.locator import Locator, lines_of_items
from opspec_lint.sources import recognise
from tests.support.paths import TOP
from tests.support.programs import run
from tests.support.repositories import Repository

CANONICAL = """\
# a comment
opspec: 1
provenance: {framework: paddle}
knows: {ops: [], inputs: [dispensable], outputs: [], attrs: [type]}
ops:
  relu:
    inputs:
      - name: X
      - {name: Y, dispensable: true}
    attrs:
    - type: INT
      name: axis
  "on": {}
op_versions:
  relu:
  - note: one
    updates: []
"""


def place(origin):
    return None if origin is None else (origin.line, origin.column)


def test_every_declaration_of_a_canonical_file():
    locator = Locator("f", CANONICAL)
    assert place(locator.op("relu")) == (6, 3)
    assert place(locator.op("on")) == (13, 3)
    assert place(locator.argument("relu", "input", "X")) == (8, 9)
    assert place(locator.argument("relu", "input", "Y")) == (9, 9)
    assert place(locator.argument("relu", "attr", "axis")) == (11, 7)
    assert place(locator.history("relu")) == (15, 3)
    assert locator.op("inputs") is locator.argument("relu", "output", "X") is locator.history("on") is None


def test_a_real_print_op_desc_output_has_the_same_names_in_yaml():
    path = TOP / "tests" / "data" / "paddle" / "paddle-2.6.2.json"
    expected = dict(list(json.loads(path.read_text()).items())[:40])
    text = yaml.safe_dump(expected, sort_keys=False)
    locator, spec = Locator("f", text), recognise.spec_of(recognise.document_of(text.encode(), "f"))
    lines = text.split("\n")
    assert spec.ops.keys() == expected.keys()
    for name, op in spec.ops.items():
        assert lines[locator.op(name).line - 1] == f"{name}:"
        for kind, arguments in (("input", op.inputs), ("output", op.outputs), ("attr", op.attrs)):
            for argument in arguments:
                origin = locator.argument(name, kind, argument.name)
                assert lines[origin.line - 1][origin.column - 1 :].startswith((argument.name, repr(argument.name)))


def test_the_lines_of_the_items_of_a_list():
    assert lines_of_items("version: 1\nwaivers:\n- a: 1\n\n-\n  b: 2\n", "waivers") == [3, 6]
    assert lines_of_items('{"waivers": [\n{},\n{}]}', "waivers") == [2, 3]


def locations(report):
    """Return where the results of a SARIF log are."""
    result = [result["locations"][0]["physicalLocation"] for result in json.loads(report)["runs"][0]["results"]]
    return [(item["artifactLocation"]["uri"], item["region"]["startLine"]) for item in result]


def test_a_finding_in_yaml_has_its_line_by_hand_and_in_a_repository(tmp_path, monkeypatch):
    head = CANONICAL.replace("      - name: X\n", "")
    repository = Repository.make(tmp_path / "top", {"specs/a:b.yaml": CANONICAL})
    repository.stage({"specs/a:b.yaml": head})
    monkeypatch.chdir(repository.top)
    (tmp_path / "base.yaml").write_text(CANONICAL)
    by_hand = run("check", str(tmp_path / "base.yaml"), "specs/a:b.yaml", "--format", "sarif", "--op", "relu")
    in_repository = run("check", "--format", "sarif")
    uri = "specs/a%3Ab.yaml"
    assert (uri, 6) in locations(by_hand.out)
    assert (uri, 6) in locations(in_repository.out)


def test_a_file_with_a_colon_that_is_named_by_hand_is_located_in_every_format(tmp_path, monkeypatch):
    repository = Repository.make(tmp_path / "top", {"specs/a:b.spec": CANONICAL})
    monkeypatch.chdir(repository.top)
    (repository.top / "specs" / "c:d.spec").write_text(CANONICAL.replace("      - name: X\n", ""))
    command = ("check", "specs/a:b.spec", "specs/c:d.spec", "--format")
    assert json.loads(run(*command, "gitlab").out)[0]["location"]["path"] == "specs/c:d.spec"
    assert "file=specs/c%3Ad.spec,line=6," in run(*command, "github").out
    assert ("specs/c%3Ad.spec", 6) in locations(run(*command, "sarif").out)
    at_head = ("check", "HEAD:specs/a:b.spec", "specs/c:d.spec", "--format", "gitlab")
    assert json.loads(run(*at_head).out)[0]["location"]["path"] == "specs/c:d.spec"
    swapped = ("check", "specs/c:d.spec", "HEAD:specs/a:b.spec", "--format", "gitlab")
    assert json.loads(run(*swapped).out)[0]["location"]["path"] == "specs/a:b.spec"
