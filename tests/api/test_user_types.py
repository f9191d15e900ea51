"""Type checkers accept a program that uses the public API, and refuse a misuse."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.support import paths
from tests.support.patience import PATIENCE

PROGRAM = """\
import os
from pathlib import Path

import opspec_lint


def worst(base: opspec_lint.Spec, head: str) -> list[tuple[str, str | None]]:
    try:
        report: opspec_lint.Report = opspec_lint.check(base, head, ops=["a*"], base_dir=Path("/"))
    except (opspec_lint.InputError, opspec_lint.UsageError) as error:
        return [(error.place, error.advice)]
    origins = [finding.head_origin.line for finding in report.findings if finding.head_origin is not None]
    assert all(line is None or line > 0 for line in origins)
    return [(finding.rule, finding.op) for finding in report.findings if finding.level == "error"]


def loading(model: os.PathLike[str]) -> list[str]:
    audit: opspec_lint.Audit = opspec_lint.audit(model, loader="tflite.Interpreter", unknown="error")
    verdicts: tuple[opspec_lint.ModelVerdict, ...] = audit.audits
    return [verdict.against for verdict in verdicts if verdict.loads == "yes"]


spec = opspec_lint.load("paddle@3.0.0")
names: list[str] = [attr.name for attr in spec.ops["trace"].attrs]
text: str = opspec_lint.render(opspec_lint.audit(["/a", Path("/b")], [spec, "paddle@2.6.2"]), "text")
newest: str = opspec_lint.releases("paddle")[-1]
"""
MISUSES = ("opspec_lint.check(1, 2)", "opspec_lint.releases().findings", "opspec_lint.audit('/m', unknown='maybe')")

pytestmark = pytest.mark.types


def mypy(folder):
    return [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--follow-imports", "silent", str(folder)]


def pyright(folder):
    program = shutil.which("basedpyright") or shutil.which("pyright")
    assert program, "pip install basedpyright"
    return [program, "--pythonpath", sys.executable, "--level", "error", str(folder)]


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_a_user_program(checker, tmp_path):
    for number, text in enumerate((PROGRAM, *(f"import opspec_lint\n{misuse}\n" for misuse in MISUSES))):
        (tmp_path / f"program_{number}.py").write_text(text, encoding="utf-8")
    ran = subprocess.run(
        checker(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(paths.TOP), "MYPYPATH": str(paths.TOP)},
    )
    errors = set(re.findall(r"program_(\d)\.py:\d+(?::\d+)?:? -? ?error", ran.stdout))
    assert errors == {"1", "2", "3"}, ran.stdout + ran.stderr
