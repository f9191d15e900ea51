from __future__ import annotations

import json

import pytest

from tests.support.programs import run

HINT = "hint: base (paddle 3.0.0) is newer than head (paddle 2.6.2)"


@pytest.mark.parametrize("command", ["check", "prove"])
def test_two_releases_that_seem_to_be_swapped(command):
    ran = run(command, "paddle@3.0.0", "paddle@2.6.2", "--op", "relu")
    assert HINT in ran.err
    ran = run(command, "paddle@2.6.2", "paddle@3.0.0", "--op", "relu")
    assert ran.err == ""


def test_the_hint_is_no_part_of_the_report():
    ran = run("check", "paddle@3.0.0", "paddle@2.6.2", "--op", "relu", "--format", "json")
    assert json.loads(ran.out)["findings"] == []
    assert HINT in ran.err
    assert run("check", "paddle@3.0.0", "paddle@2.6.2", "--op", "relu", "--quiet").err == ""


@pytest.mark.parametrize(
    ("base", "head", "is_newer"),
    [
        ("2.10.0", "2.9.1", True),
        ("2.9.1", "2.10.0", False),
        ("3.0.0", "3.0.0", False),
        ("3.0.0", "0.0.0", False),
        ("3.0.0", "develop", False),
        ("9" * 6000, "1", False),
        ("3.0", "2", True),
    ],
)
def test_versions_are_compared_by_their_numbers(tmp_path, base, head, is_newer):
    for name, version in (("base", base), ("head", head)):
        spec = {"opspec": 1, "provenance": {"framework": "paddle", "version": version}, "knows": {}, "ops": {"f": {}}}
        (tmp_path / name).write_text(json.dumps(spec), encoding="utf-8")
    ran = run("check", tmp_path / "base", tmp_path / "head")
    assert (ran.code, "is newer than head" in ran.err) == (0, is_newer)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("convd2", "conv2d"), ("softmxa", "softmax"), ("rleu", "relu"), ("conv_2d", "conv2d"), ("matmull", "matmul")],
)
def test_the_op_that_was_meant(written, meant):
    ran = run("check", "paddle@2.6.2", "paddle@3.0.0", "--op", written)
    assert (ran.code, f"did you mean {meant!r}?" in ran.err) == (2, True)
