"""A break of an op that base promises to keep counts, whatever is waived, unless the waiver names the promise."""

from __future__ import annotations

import json

import pytest

from opspec_lint.cli import main

BASE = "a::f(Tensor x) -> Tensor  # tags: core\na::g(Tensor x) -> Tensor  # tags:\n"
HEADS = {
    "schema_argument_added": BASE.replace("Tensor x)", "Tensor x, int n)"),
    "op_removed": "a::h() -> ()  # tags:\n",
}


@pytest.mark.parametrize("rule", HEADS)
@pytest.mark.parametrize(
    ("op", "promise", "is_waived"), [("f", "", False), ("f", "promise: core", True), ("g", "", True)]
)
def test_a_waiver_has_to_name_the_promise(tmp_path, capsys, monkeypatch, rule, op, promise, is_waived):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.txt").write_text(BASE)
    (tmp_path / "head.txt").write_text(HEADS[rule])
    entry = [f"rule: {rule}", f"op: a::{op}", "reason: r", "owner: o", promise]
    lines = "\n   ".join(item for item in entry if item)
    (tmp_path / "w.yaml").write_text(f"version: 1\nwaivers:\n - {lines}\n")
    main.main(["check", "base.txt", "head.txt", "--waivers", "w.yaml", "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    (subject,) = [finding for finding in findings if (finding["rule"], finding["op"]) == (rule, f"a::{op}")]
    assert bool(subject["waived"]) is is_waived
    incomplete = [finding["message"] for finding in findings if finding["rule"] == "waiver_incomplete"]
    assert bool(incomplete) is not is_waived
    assert all("promise: core" in message for message in incomplete)
    assert ("tagged 'core'" in subject["message"]) is (op == "f")
