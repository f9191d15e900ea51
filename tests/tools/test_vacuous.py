"""The tests that `python -m tools.vacuous` takes for ones that cannot fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.vacuous.__main__ import problems
from tools.vacuous.checks import check
from tools.vacuous.suite import Suite

HELPERS = """
def demand(value):
    assert value
def set_up():
    return 1
def again(value):
    demand(value)
"""
CANNOT_FAIL = {
    "def test(): f()": "no-assertion",
    "from tests.helpers import set_up\ndef test(): set_up()": "no-assertion",
    "class TestF:\n  def test_f(self): f()": "no-assertion",
    "async def test(): await f()": "no-assertion",
    "def test(): assert f() or True": "always-true",
    "def test(): assert (f(), 'why')": "always-true",
    "def test(): assert (x for x in f())": "always-true",
    "def test():\n  def g(): return f()\n  assert g": "always-true",
    "def test(): assert not []": "always-true",
    "def test(): assert len(f()) >= 0": "always-true",
    "def test():\n  x = f()\n  assert x == x": "always-true",
    "def test(): assert all(f(x) for x in [])": "always-true",
    "def test(): assert f(1) == f(1)": "same-value",
    "def test():\n  expected = f(1)\n  assert f(1) == expected": "same-value",
    "def test():\n  with pytest.raises(Exception): f()": "broad-raises",
    "def test():\n  with pytest.raises((KeyError, errors.InputError)): f()": "broad-raises",
    "def test():\n  with pytest.raises(UsageError) as caught: f()": "broad-raises",
    "def test():\n  try:\n    assert f()\n  except Exception: pass": "swallowed",
    "def test():\n  try:\n    assert f()\n  except: pass": "swallowed",
    "def test():\n  with suppress(AssertionError): assert f()": "swallowed",
    "def test():\n  for x in f(): assert x": "conditional",
    "def test():\n  for x in 'ab':\n    for y in f(x): assert y": "conditional",
    "def test():\n  found = f()\n  for x in found: assert x": "conditional",
    "def test():\n  if f(): assert g()": "conditional",
    "def test():\n  for x in [*f()]: assert x": "conditional",
    "def test(): assert all(x for x in f())": "conditional",
    "def test(): assert not any(x for x in f())": "conditional",
    "def test(monkeypatch):\n  monkeypatch.setattr(m, 'f', g)\n  assert m.f() == 1": "patched",
    "@pytest.mark.parametrize('x', [])\ndef test(x): assert f(x)": "no-parameters",
    "def helper(): assert f()": "no-test",
}
CAN_FAIL = [
    "def test(): assert f()",
    "from tests.helpers import demand\ndef test(): demand(f())",
    "from tests import helpers\ndef test(): helpers.again(f())",
    "from tests.helpers import again as check\ndef test(): check(f())",
    "def demand(value): assert value\ndef test(): demand(f())",
    "class Checked:\n  def fails(self): assert f()\ndef test(checked): checked.fails()",
    "class TestF:\n  def expect(self): assert f()\n  def test_f(self): self.expect()",
    "def test():\n  with pytest.raises(KeyError): f()",
    "def test():\n  with pytest.raises(InputError, match='no file'): f()",
    "def test():\n  with pytest.raises(InputError) as caught: f()\n  assert caught.value.line == 1",
    "def test():\n  before = f()\n  g()\n  assert f() == before",
    "def test(): assert f(1) == f(2)",
    "def test():\n  x = f()\n  assert x != x",
    "def g(): pass\ndef test(g): assert g",
    "def test():\n  try: f()\n  except KeyError: pass\n  assert g()",
    "def test():\n  try: f()\n  except Exception as error: assert error.line",
    "def test():\n  for x in (1, 2): assert f(x)",
    "def test():\n  for x in [0, *f()]: assert g(x)",
    "def test():\n  for x in CASES.values(): assert f(x)",
    "def test():\n  for x, y in zip(CASES, f(), strict=True): assert x == y",
    "def test():\n  for x in range(3): assert f(x)",
    "@pytest.mark.parametrize(('x', 'y'), [(1, 2)])\ndef test(x, y):\n  for each in y: assert f(each)",
    "def test():\n  found = f()\n  assert found\n  for x in found: assert x",
    "def test(x):\n  if x: assert f()\n  else: assert g()",
    "def test(): assert all(x for x in CASES)",
    "def test(monkeypatch):\n  monkeypatch.setattr(m, 'f', g)\n  assert m.h() == 1",
]


def reported(text):
    files = {Path("tests/test_it.py"): text, Path("tests/helpers.py"): HELPERS}
    return [finding.check for finding in check(Suite(files))]


@pytest.mark.parametrize(("text", "name"), CANNOT_FAIL.items())
def test_a_test_that_cannot_fail_is_detected(text, name):
    assert name in reported(text)


@pytest.mark.parametrize("text", CAN_FAIL)
def test_a_test_that_can_fail_is_not(text):
    assert reported(text) == []


def test_what_is_allowed_is_left_out_and_what_is_allowed_in_vain_is_named():
    files = {Path("tests/test_it.py"): "def test(): f()\ndef test_more():\n  g()"}
    line = "tests/test_it.py:2: test_more: it asserts nothing [no-assertion]"
    allowed, stale = (("tests/test_it.py", name, "no-assertion") for name in ("test", "test_gone"))
    assert problems(files, {allowed}) == [line]
    assert problems(files, {allowed, stale}) == [
        line,
        "tests/test_it.py: test_gone: allowed, but not found any more [no-assertion]",
    ]
