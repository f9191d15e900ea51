"""The parts that `check` reads of two spec files whose findings have lines."""

from __future__ import annotations

import json
from collections import Counter

import pytest
import yaml

from opspec_lint.sources import recognise
from tests.support.programs import run

BASE = {"relu": {"Inputs": {"X": {"dispensable": False}}, "Outputs": {}, "Attrs": {"a": {"type": 0}}}}
HEAD = {"relu": {"Inputs": {"X": {"dispensable": False}}, "Outputs": {}, "Attrs": {}}}


@pytest.mark.parametrize("name", ["sarif", "gitlab", "rdjson", "text"])
@pytest.mark.parametrize("write", [json.dumps, lambda value: json.dumps(value, indent=2), yaml.safe_dump])
def test_both_files_are_read_and_decoded_once(name, write, tmp_path, monkeypatch):
    ends = [tmp_path / "base.json", tmp_path / "head.json"]
    for path, value in zip(ends, (BASE, HEAD), strict=True):
        path.write_text(write(value))
    seen = {"read_bytes": Counter(), "decode": Counter()}
    _count(monkeypatch, seen["read_bytes"], recognise, "read_bytes", 0)
    _count(monkeypatch, seen["decode"], recognise, "decode", 1)
    assert run("check", *ends, "--format", name).code == 1
    assert seen["read_bytes"] == seen["decode"] == dict.fromkeys(map(str, ends), 1)


def _count(monkeypatch, seen, module, name, place):
    """Count the calls of a function, by the argument at a place."""
    function = getattr(module, name)

    def counted(*arguments):
        seen[arguments[place]] += 1
        return function(*arguments)

    monkeypatch.setattr(module, name, counted)
