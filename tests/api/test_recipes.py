"""The recipes of `docs/how-to/use-it-from-python.md`, run as they are printed."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys

import pytest

from tests.support import paths
from tests.support.models import tflite_models

PAGE = (paths.TOP / "docs" / "how-to" / "use-it-from-python.md").read_text(encoding="utf-8")
# The options of the run around them are not for the recipes, one of which runs pytest.
INHERITED = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
ENVIRONMENT = {**INHERITED, "PYTHONPATH": str(paths.TOP)}
PROGRAMS = dict(re.findall(r"^```python file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def made(number):
    """Return a model with one op, by the op's number in the schema."""
    tensors = [tflite_models.tensor(name, (1, 4)) for name in ("x", "y")]
    graph = tflite_models.subgraph(tensors, [0], [1], [tflite_models.operator(0, [0], [1])])
    return tflite_models.model([tflite_models.code(number)], [graph])


MODELS = {"old": made(19), "new": made(207)}
"""Models with RELU, and with an op that TFLite 2.12.1 does not have."""


@pytest.fixture
def folder(tmp_path):
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def python(folder, *arguments):
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False, env=ENVIRONMENT
    )


def test_all_programs_of_the_page_are_run():
    assert {*PROGRAMS} == {"test_runtime.py", "publish.py", "registry.py", "cell.py"}


@pytest.mark.parametrize(("model", "outcome"), [("old", "1 passed"), ("new", "1 failed")])
def test_the_test(folder, model, outcome):
    (folder / "model.tflite").write_bytes(MODELS[model])
    ran = python(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_runtime.py")
    assert outcome in ran.stdout


def test_the_export_script(folder):
    old, new = folder / "old.tflite", folder / "new.tflite"
    old.write_bytes(MODELS["old"])
    new.write_bytes(MODELS["new"])
    assert python(folder, "publish.py", old, "published.tflite").returncode == 0
    assert (folder / "published.tflite").read_bytes() == old.read_bytes()
    ran = python(folder, "publish.py", new, "other.tflite")
    assert ran.returncode == 1
    assert ran.stderr.startswith("tflite@2.12.1 (")
    assert ran.stderr.endswith("not published\n")
    assert not (folder / "other.tflite").exists()


def test_the_hook(folder, monkeypatch):
    module = runpy.run_path(str(folder / "registry.py"))
    (folder / "old.tflite").write_bytes(MODELS["old"])
    (folder / "new.tflite").write_bytes(MODELS["new"])
    calls = []
    log = module["checked"](lambda path, **more: calls.append((path, more)), ["tflite@2.12.1", "tflite@2.15.1"])
    log(str(folder / "old.tflite"), tags={"owner": "me"})
    assert calls == [
        (str(folder / "old.tflite"), {"tags": {"owner": "me", "loads_in": "tflite@2.12.1, tflite@2.15.1"}})
    ]
    monkeypatch.chdir(folder)
    log("old.tflite")
    assert calls[1][0] == "old.tflite"
    with pytest.raises(module["NotLoadableError"], match=r"2\.12\.1"):
        log(str(folder / "new.tflite"))


def test_the_notebook(folder):
    report = runpy.run_path(str(folder / "cell.py"))["report"]
    assert report._repr_html_().startswith("<table>")
    assert {finding.op for finding in report.findings if "matmul" not in finding.op} == set()
